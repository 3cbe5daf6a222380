"""Which rules a repository is judged by.

``mini-letta memory install-hook --policy`` leaves the name of the policy in the git dir that all
worktrees share; hook and audit read it there, so they cannot disagree. The names are letta-code's.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: letta-code 0.34.12 as observed (``tests/data/conformance``); chapter 5, "Two older
layouts". Introduced in v0.2.
"""

from mini_letta.memory.accepted import State
from mini_letta.memory.constraints import Tree
from mini_letta.memory.staged import Place, ask_git

POLICIES = ("root-marker", "legacy-only", "shared-memory")
POLICY_NAME_FILE = "mini-letta-policy"


def read_policy_name(common_dir: str) -> str:
    """Return the policy a repository is guarded by, ``root-marker`` if nothing else was chosen.

    Raises:
        ValueError: the file names none; what it once said cannot be guessed.
    """
    path = f"{common_dir}/mini-letta-policy"
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            name = file.read(100).strip()
    except FileNotFoundError:
        return "root-marker"
    if name not in ("root-marker", "legacy-only", "shared-memory"):
        raise ValueError(f"{path} names no policy: run `mini-letta memory install-hook` again")
    return name


def is_chosen_policy(common_dir: str) -> bool:
    """Return whether somebody chose another policy than the one that follows the tree."""
    return read_policy_name(common_dir) != "root-marker"


def find_layout(place: "Place", tree: "Tree", previous: "State") -> str:
    """Return ``memfs-v2``, ``legacy`` or ``shared-memory``.

    With ``root-marker`` a tree is MemFS v2 if it has ``MEMORY.md`` at its root or ever had it:
    deleting the marker switches nothing off.

    Raises:
        OSError: git failed.
        ValueError: as :func:`read_policy_name`.
    """
    name = read_policy_name(place.common_dir)
    if name != "root-marker":
        return name.removesuffix("-only")
    if "MEMORY.md" in tree or "MEMORY.md" in previous.files():
        return "memfs-v2"
    try:
        ever = ask_git(place, ["rev-list", "-1", "HEAD", "--", "MEMORY.md"])
    except OSError:  # nothing is committed yet
        return "legacy"
    return "memfs-v2" if ever else "legacy"

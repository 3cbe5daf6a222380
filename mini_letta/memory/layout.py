"""Which rules a repository is judged by.

``mini-letta memory install-hook --policy`` leaves the name of the policy in the git dir that all
worktrees share; hook and audit read it there, so they cannot disagree. The names are letta-code's.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: letta-code 0.34.12 as observed (``tests/data/conformance``). Introduced in v0.2.
"""

from mini_letta.memory.accepted import State
from mini_letta.memory.constraints import Tree
from mini_letta.memory.staged import Place, ask_git

POLICIES = {
    "root-marker": "the rules of MemFS v2 once MEMORY.md is at the root, before it those of "
    "legacy-only",
    "legacy-only": "Markdown below system/ and reference/ needs a description when it changes, and "
    "`read_only: true` locks it; there are no limits but those of .memfs.config.json",
    "shared-memory": "all Markdown outside skills/ needs a name and a description, folders need no "
    "index; there are no limits but those of .memfs.config.json, and no core budget",
}
"""Name of a policy -> what it judges."""
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
        raise ValueError(
            f"{path} names no policy: run `mini-letta memory install-hook DIR --policy NAME` with "
            "the one this repository had"
        )
    return name


def find_layout(
    place: "Place", name: str, tree: "Tree", accepted: "State", *, unborn: bool = False
) -> str:
    """Return the layout of a tree: ``memfs-v2``, ``legacy`` or ``shared-memory``.

    Under ``root-marker`` a tree is MemFS v2 if it has ``MEMORY.md`` at its root, or if the accepted
    tree or any commit below HEAD ever had it: deleting the marker switches nothing off.

    Args:
        name: the policy of the repository.
        unborn: there is no commit at HEAD.
    Raises:
        OSError: git failed.
    """
    if name != "root-marker":
        return name.removesuffix("-only")
    if "MEMORY.md" in tree or "MEMORY.md" in accepted.files():
        return "memfs-v2"
    if unborn or not ask_git(place, ["rev-list", "-1", "HEAD", "--", "MEMORY.md"]):
        return "legacy"
    return "memfs-v2"

"""The name of a repository's policy on disk: read before a hook is installed, written with it.

Introduced in v0.2.
"""

from pathlib import Path

from mini_letta.git import Repo
from mini_letta.memory.layout import POLICY_NAME_FILE, read_policy_name
from mini_letta.memory.settings import replace_file

LAST_AUDIT = "mini-letta-last-audit.json"


def known_policy(common_dir: Path, *, guarded: bool) -> str | None:
    """Return the policy a repository is guarded by; None if nothing guards it yet.

    Args:
        guarded: a hook of ours is there; those of old left no name and went by ``root-marker``.
    Raises:
        ValueError: there was a policy, and its name cannot be read.
    """
    if not guarded and not (common_dir / POLICY_NAME_FILE).exists():
        return None
    return read_policy_name(str(common_dir))


def record_policy(repo: Repo, name: str, *, before: str | None) -> None:
    """Write the name of the policy for hook and audit of all worktrees.

    A verdict by other rules is none: after a change each HEAD counts as never audited.
    """
    common_dir = repo.common_dir()
    replace_file(common_dir / POLICY_NAME_FILE, f"{name}\n", mode=0o644)
    if name != before:
        for git_dir in (common_dir, *common_dir.glob("worktrees/*")):
            (git_dir / LAST_AUDIT).unlink(missing_ok=True)

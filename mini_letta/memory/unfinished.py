"""Is git in the middle of something in this checkout, and what ends it?

A merge, rebase, cherry-pick or revert that stopped half-way leaves a trace in the git dir of that
checkout. Until it is ended, a commit is refused or finishes the operation as a side effect.

Introduced in v0.2.
"""

from mini_letta.git import Repo

# Trace in the git dir -> (what git is doing, how to end it).
TRACES = {
    "MERGE_HEAD": ("merge", "`git commit` once it is resolved, or `git merge --abort`"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "`git cherry-pick --continue` or `--abort`"),
    "REVERT_HEAD": ("revert", "`git revert --continue` or `--abort`"),
    "rebase-merge": ("rebase", "`git rebase --continue` or `--abort`"),
    "rebase-apply": ("rebase", "`git rebase --continue` or `--abort`"),
}


def describe_unfinished(repo: Repo) -> list[str]:
    """Return one line per unfinished operation in this checkout; empty when there is none."""
    git_dir = repo.git_dir()
    return [
        f"{repo.dir} has an unfinished {what}. Finish it with {remedy}."
        for trace, (what, remedy) in TRACES.items()
        if (git_dir / trace).exists()
    ]

"""Is git in the middle of something in this checkout, and what ends it?

A merge, rebase, cherry-pick or revert that stopped half-way leaves traces in the git dir of that
checkout and unmerged paths in its index. Until it is ended, a commit would either be refused or
finish the operation as a side effect.
"""

from mini_letta.git import Repo

# Trace in the git dir -> (what git is doing, how to end it).
TRACES = {
    "MERGE_HEAD": ("merge", "`git commit` when it is resolved, or `git merge --abort`"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "`git cherry-pick --continue` or `--abort`"),
    "REVERT_HEAD": ("revert", "`git revert --continue` or `--abort`"),
    "rebase-merge": ("rebase", "`git rebase --continue` or `--abort`"),
    "rebase-apply": ("rebase", "`git rebase --continue` or `--abort`"),
}


def describe_unfinished(repo: Repo) -> list[str]:
    """Return one line per unfinished operation and per unmerged path; empty when there is none."""
    git_dir = repo.git_dir()
    lines = [
        f"an unfinished {what}: finish it with {remedy}"
        for trace, (what, remedy) in TRACES.items()
        if (git_dir / trace).exists()
    ]
    unmerged = repo.run("ls-files", "--unmerged", "-z").text.split("\0")
    paths = sorted({entry.partition("\t")[2] for entry in unmerged if entry})
    return lines + [f"{path}: unmerged; resolve it, then `git add` it" for path in paths]

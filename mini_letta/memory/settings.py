"""Settings that a repository carries itself, above all where its hooks are.

Chapter 7, "Hermetic git". Introduced in v0.2.
"""

import os
from pathlib import Path

from mini_letta.git import Repo

HOOKS_SETTINGS = "mini-letta-hooks.config"
HERE_SETTINGS = "mini-letta-here.config"
MOVED_SETTINGS = "mini-letta-moved.config"


def replace_file(path: Path, text: str, *, mode: int) -> None:
    """Write a text file in one step, so that nobody ever reads half of it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(text.encode("utf-8", "surrogateescape"))  # a folder's name need not be text
    draft.chmod(mode)
    draft.replace(path)


def include_settings(repo: Repo, name: str, text: str) -> None:
    """Write settings to a file in the common git dir and have the repository include it."""
    replace_file(repo.common_dir() / name, text, mode=0o644)
    present = repo.run("config", "--local", "--get-all", "include.path", check=False).text
    if name not in present.split("\n"):
        repo.run("config", "--local", "--add", "include.path", name)


def pin_hooks_dir(repo: Repo, hooks: Path) -> None:
    """Point the repository at its own hooks, whatever ``core.hooksPath`` a user has set.

    As long as the repository stays where it is pinned the path is absolute: git resolves a
    relative one against the top of the working tree, and ``GIT_DIR`` lets that be anywhere. In a
    moved repository the main checkout uses the relative path until it is pinned anew.

    Args:
        hooks: the hooks folder, at the place where the repository will be used.
    """
    common_dir = repo.common_dir()
    here = f"[core]\n\thooksPath = {_quoted(str(hooks))}\n"
    replace_file(common_dir / HERE_SETTINGS, here, mode=0o644)
    is_separate = (repo.dir / ".git").is_file() and repo.git_dir() == common_dir
    moved = "" if is_separate else "[core]\n\thooksPath = .git/hooks\n"
    replace_file(common_dir / MOVED_SETTINGS, moved, mode=0o644)
    include_settings(repo, HOOKS_SETTINGS, hooks_settings(hooks.parent))


def hooks_settings(common_dir: Path) -> str:
    """Return the conditions under which git takes the pinned hooks; the last that holds counts."""
    pattern = "".join(f"\\{char}" if char in "*?[\\" else char for char in str(common_dir))
    pattern = pattern.replace("\n", "?")  # a condition cannot hold one
    conditions = {
        "gitdir:.git": MOVED_SETTINGS,
        f"gitdir:{pattern}": HERE_SETTINGS,
        f"gitdir:{pattern}/": HERE_SETTINGS,  # every linked worktree
    }
    return "".join(
        f"[includeIf {_quoted(condition)}]\n\tpath = {name}\n"
        for condition, name in conditions.items()
    )


def repin_hooks_dir(repo: Repo, common_dir: Path) -> None:
    """Pin the hooks again if the repository was moved since; costs one file read if it was not."""
    try:
        pinned = (common_dir / HOOKS_SETTINGS).read_bytes()
    except FileNotFoundError:  # no hook of ours here
        return
    if pinned != hooks_settings(common_dir).encode("utf-8", "surrogateescape"):
        pin_hooks_dir(repo, common_dir / "hooks")


def _quoted(value: str) -> str:
    """Return a value as git's configuration files quote it."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(plain, escaped)
    return f'"{value}"'

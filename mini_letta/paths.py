"""Where the agent's file tools may reach: inside the memory folder, never into its git dir.

Chapter 6, "Four tools". This keeps honest mistakes inside; it is no sandbox, because the agent
also has a shell. Introduced in v0.2.
"""

import os
import unicodedata
from pathlib import Path

from mini_letta.errors import MiniLettaError

GIT_DIR_NAMES = (".git", "git~1")  # the second is what Windows calls the first


class OutOfBounds(MiniLettaError):
    """A path that the agent's tools do not open."""


def locate(memory_dir: Path, path: str) -> Path:
    """Return the file that ``path`` means, symbolic links followed; it need not exist.

    Raises:
        OutOfBounds: empty, absolute, outside the memory folder, or in the git dir.
    """
    if not path or "\0" in path:
        raise OutOfBounds(f"{path!r} is not a file name. Give a path such as human.md.")
    root = Path(os.path.realpath(memory_dir))
    parts = Path(path).parts
    if Path(path).is_absolute() or ".." in parts:
        raise OutOfBounds(f"{path!r} leaves the memory. Give a path relative to it, without `..`.")
    real = Path(os.path.realpath(root / path))  # unlike resolve() calm about a loop of links
    if not real.is_relative_to(root):
        raise OutOfBounds(f"{path!r} is a link to a place outside the memory.")
    if any(_is_git_dir_name(part) for part in (*parts, *real.relative_to(root).parts)):
        raise OutOfBounds(f"{path!r} is in git's own folder. Use git commands with `shell`.")
    return real


def _is_git_dir_name(name: str) -> bool:
    """Return whether some file system opens git's own folder by this name.

    macOS ignores letter case and invisible characters, Windows letter case and final dots.
    """
    visible = "".join(char for char in name if unicodedata.category(char) != "Cf")
    return visible.casefold().rstrip(". ") in GIT_DIR_NAMES

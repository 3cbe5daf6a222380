"""Which files of the tree count as memory.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: chapter 7, "Rule two: budget and shape". Introduced in v0.2.
"""

from collections.abc import Container


def missing_index(path: str, paths: "Container[str]") -> str:
    """Return the first index that the folders above ``path`` lack, or an empty string.

    Args:
        path: repo-relative POSIX path of a file.
        paths: every path of the tree.
    Returns:
        The topmost missing ``<folder>/MEMORY.md``; a file at the root needs none.
    """
    folders = path.split("/")[:-1]
    for depth in range(1, len(folders) + 1):
        index = "/".join(folders[:depth]) + "/MEMORY.md"
        if index not in paths:
            return index
    return ""


def is_memory(path: str) -> bool:
    """Return whether the memory rules speak about this file: Markdown outside ``skills/``."""
    return path.endswith(".md") and not path.startswith("skills/")


def is_core(path: str) -> bool:
    """Return whether a file is core memory, part of every system prompt: Markdown at the root."""
    return path.endswith(".md") and "/" not in path


def is_projected(path: str, paths: "Container[str]") -> bool:
    """Return whether a path counts as memory: not a skill, and no index missing above it.

    Args:
        path: repo-relative POSIX path of a file.
        paths: every path of the tree.
    """
    return not path.startswith("skills/") and not missing_index(path, paths)


def is_flat_skill(path: str) -> bool:
    """Return whether a skill was written as a file, ``skills/foo.md``, not as a folder."""
    folder, _, name = path.rpartition("/")
    return folder == "skills" and name.endswith(".md") and name != ".md"

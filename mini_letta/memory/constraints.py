"""Rule two: index chain, depth, budgets and protected files of a whole tree.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).
Problem lines equal the ones of letta-code 0.34.12 (``tests/data/conformance``).

Source: chapter 7, "Rule two: budget and shape". Introduced in v0.2.
"""

from collections.abc import Mapping

from mini_letta.memory.format import is_core
from mini_letta.memory.glob import matches_glob
from mini_letta.memory.policy import Policy

Tree = Mapping[str, tuple[str, str]]  # repo-relative POSIX path -> (octal mode, object id)


def check_shape(path: str, mode: str, index: str, policy: "Policy") -> list[str]:
    """Return what is wrong with the place and kind of one memory file, without its path.

    Args:
        mode: octal git mode; only ``100644`` and ``100755`` are regular files.
        index: the first index missing above the file, "" for none.
    """
    problems = [f"missing required index {index}"] if index else []
    if mode not in ("100644", "100755"):
        problems.append("memory Markdown must be a regular file")
    depth = path.count("/")
    if depth > policy["maxDepth"]:
        problems.append(f"depth {depth} exceeds maxDepth {policy['maxDepth']}")
    return problems


def check_size(path: str, size: int, policy: "Policy") -> list[str]:
    """Return whether one file is over its budget.

    Args:
        path: repo-relative POSIX path.
        size: length of the file in Unicode code points, frontmatter and BOM included.
    """
    limit: int | None = policy["maxFileCharacters"]
    source = "maxFileCharacters"
    for pattern, own_limit in policy["fileCharacterLimits"]:
        if matches_glob(pattern, path):
            limit, source = own_limit, f"glob '{pattern}'"
            break
    if limit is None or size <= limit:
        return []
    return [f"{size} characters exceeds {limit} from {source}"]


def check_core_budget(sizes: dict[str, int], policy: "Policy") -> list[str]:
    """Return whether the root Markdown files together are over the core budget.

    Args:
        sizes: path -> Unicode code points, of every memory file.
    """
    total = sum(size for path, size in sizes.items() if is_core(path))
    limit = policy["maxCoreMemoryCharacters"]
    if total <= limit:
        return []
    return [f"core memory: {total} characters exceeds {limit} from maxCoreMemoryCharacters"]


def matches_any(patterns: list[str], path: str) -> bool:
    """Return whether a path matches one of several globs."""
    return any(matches_glob(pattern, path) for pattern in patterns)


def check_protected(patterns: list[str], tree: "Tree", before: "Tree") -> list[str]:
    """Return the paths matching a glob whose bytes or mode differ between two trees."""
    return [
        path
        for path in {**before, **tree}
        if tree.get(path) != before.get(path) and matches_any(patterns, path)
    ]

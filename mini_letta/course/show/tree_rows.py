"""The lines of a memory tree: which files and folders, and what is said of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mini_letta.course.show.budgets import File, Memory

INDEX = "MEMORY.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a tree."""

    name: str
    """Name of a file or folder, or what else the line is about; may hold anything."""
    tone: str = "plain"
    """Of the name."""
    depth: int = 0
    """Folders around it."""
    facts: tuple[tuple[str, str], ...] = ()
    """(text, tone) of what stands behind the bar."""
    file: File | None = None
    """Whose budget the bar shows; without a limit there is no bar."""


def list_rows(memory: Memory, words: Mapping[str, str], *, limit: int) -> list[Row]:
    """Return the budget of the root, then folders and files, then how many did not fit.

    Args:
        words: labels of one language; see ``tree.py``.
        limit: files and folders to list.
    """
    core = Row(name=words["core"], tone="muted", file=memory.core, facts=_facts(memory.core, words))
    rows = list(_walk(memory, words))
    return [core, *rows[:limit], *_count_rest(rows[limit:], words)]


def _walk(memory: Memory, words: Mapping[str, str]) -> Iterator[Row]:
    """Yield files and folders, in each folder its files first."""
    above: Sequence[str] = ()
    for file in sorted(memory.files, key=lambda file: _files_first(file.path)):
        *folders, name = file.path.split("/")
        known = 0
        while folders[: known + 1] == above[: known + 1] and known < len(folders):
            known += 1
        for depth in range(known, len(folders)):
            index = "/".join([*folders[: depth + 1], INDEX])
            facts = ((words["no_index"], "bad"),) * (index in memory.missing)
            yield Row(name=f"{folders[depth]}/", tone="accent", depth=depth, facts=facts)
        above = folders
        yield Row(name=name, depth=len(folders), file=file, facts=_facts(file, words))


def _files_first(path: str) -> list[tuple[bool, str]]:
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _facts(file: File, words: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if file.size is None:
        return ((words["irregular"], "muted"),)
    if file.limit is None:
        return ((str(file.size), "muted"),)
    used = (f"{file.size} / {file.limit}", "plain")
    return (used, (words["over"].format(count=file.excess), "bad")) if file.excess else (used,)


def _count_rest(rows: Sequence[Row], words: Mapping[str, str]) -> list[Row]:
    files = [row.file for row in rows if row.file]
    if not files:
        return []
    over = sum(file.excess > 0 for file in files)
    tone = "bad" if over else "muted"
    return [Row(name=words["more"].format(count=len(files), over=over), tone=tone)]

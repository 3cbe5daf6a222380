"""Where the commits of a graph stand, and which way its lines go.

A lane is a column. A line leaves a commit, changes to its lane, runs down and joins the parent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mini_letta.course.show.history import Commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The line from a commit to one of its parents. Rows count from 0, the newest commit's."""

    child: int
    """Row of the commit."""
    child_lane: int
    lane: int
    """Where it runs between the two."""
    parent: int | None
    """Row of the parent; None if it is not shown."""
    parent_lane: int

    def passes(self, row: int) -> bool:
        """Return whether it runs past the commit of a row."""
        return self.child < row and (self.parent is None or row < self.parent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """One graph."""

    of: tuple[int, ...]
    """Lane of the commit in each row."""
    lines: tuple[Line, ...]
    """Sorted by row of the child, first parent first."""

    @property
    def count(self) -> int:
        """How many lanes there are."""
        return max((*self.of, *(line.lane for line in self.lines)), default=-1) + 1


def assign_lanes(commits: Sequence[Commit], *, first: str | None = None) -> Lanes:
    """Return the lanes of commits, newest first.

    Args:
        first: id of the commit that keeps the first lane for itself, normally HEAD.
    """
    rows = {commit.id: row for row, commit in enumerate(commits)}
    awaited: list[str | None] = [first if first in rows else None]
    of: list[int] = []
    started: list[tuple[int, int, str]] = []  # (row of the child, lane, parent)
    for row, commit in enumerate(commits):
        here = [lane for lane, id in enumerate(awaited) if id == commit.id]
        for lane in here:
            awaited[lane] = None
        own = here[0] if here else _free(awaited)
        of.append(own)
        for parent in dict.fromkeys(commit.parents):
            if parent == commit.parents[0]:
                lane = own
            else:
                lane = awaited.index(parent) if parent in awaited else _free(awaited)
            awaited[lane] = parent
            started.append((row, lane, parent))
    lines = []
    for child, lane, id in started:
        parent_row = rows.get(id)
        parent_lane = lane if parent_row is None else of[parent_row]
        lines.append(
            Line(
                child=child,
                child_lane=of[child],
                lane=lane,
                parent=parent_row,
                parent_lane=parent_lane,
            )
        )
    return Lanes(of=tuple(of), lines=tuple(lines))


def _free(awaited: list[str | None]) -> int:
    """Return the first lane that nobody uses, a new one if need be."""
    if None not in awaited:
        awaited.append(None)
    return awaited.index(None)

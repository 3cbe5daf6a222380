"""Which cell of a submission is which cell of the master.

Rules, the same for everybody:

* A cell is known by the id in its metadata. A copy keeps it, so a cell copied or split is known
  twice; all copies of an answer count, one after another, as when they are run top to bottom.
* An answer in a cell that is no code cell is reported and not run.
* Locked cells come from the master. What differs is reported with a diff.
* A code cell with no known id is the student's own. It belongs to the exercise of the answer cell
  before it (the first exercise if there is none) and runs after the known code cell before it.
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mini_letta.course.grading.handed_in import HandedCell, HandedIn
from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.results import Notice
from mini_letta.course.grading.spelling import clip, visible
from mini_letta.course.labs.lab import Cell, Lab

LOCKED = ("given", "tools", "ask")
OWN = ("answer", "written")
MAX_DIFF = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A code cell of the student's own."""

    cell: HandedCell
    exercise: str
    """Goes down with this exercise if it hangs."""
    after: str
    """Id of the given or answer cell it runs after; "" for before everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A submission, sorted into the places of the master."""

    cells: tuple[tuple[Cell, tuple[HandedCell, ...]], ...]
    """Each cell of the master with what stands for it in the submission, in order."""
    extras: tuple[Extra, ...]
    """In order."""
    notices: tuple[Notice, ...]
    """What a student or an instructor should know, in the language of the lab."""
    is_foreign: bool
    """No answer cell of the lab is in the submission: it may be that of another lab."""

    def of(self, exercise: str) -> tuple[Cell, tuple[HandedCell, ...]]:
        """Return the answer cell of an exercise and what stands for it in the submission."""
        return next(
            (cell, handed)
            for cell, handed in self.cells
            if cell.exercise == exercise and cell.kind in ("answer", "written")
        )


def match_cells(lab: Lab, handed: HandedIn) -> Match:
    """Return which cell is which, and what to say about it."""
    by_id: dict[str, list[HandedCell]] = {}
    for cell in handed.cells:
        by_id.setdefault(cell.id, []).append(cell)
    cells = tuple((cell, tuple(by_id.get(cell.id, ()))) for cell in lab.cells)
    extras = tuple(_extras(lab, handed))
    notices = [notice for cell, found in cells for notice in _notices(lab.lang, cell, found)]
    notices += _notices_of_extras(lab, extras)
    if handed.broken:
        positions = _list(handed.broken)
        text = say(lab.lang, "broken_cells", positions=positions)
        notices.append(Notice(kind="broken_cells", text=text))
    is_foreign = not any(found for cell, found in cells if cell.kind in OWN)
    if is_foreign:
        text = say(lab.lang, "no_known_cell", lab=lab.id)
        notices = [Notice(kind="no_known_cell", text=text)]
    return Match(cells=cells, extras=extras, notices=tuple(notices), is_foreign=is_foreign)


def _extras(lab: Lab, handed: HandedIn) -> Iterable[Extra]:
    known = {cell.id: cell for cell in lab.cells}
    exercise, after = lab.exercises[0].id, ""
    for cell in handed.cells:
        master = known.get(cell.id)
        if master is None and cell.kind == "code" and cell.source.strip():
            yield Extra(cell=cell, exercise=exercise, after=after)
        elif master is not None and master.kind == "answer":
            exercise, after = master.exercise, master.id
        elif master is not None and master.kind == "given":
            after = master.id


def _notices(lang: str, cell: Cell, found: Sequence[HandedCell]) -> list[Notice]:
    if cell.kind in LOCKED:
        return _notices_of_locked(lang, cell, found)
    if cell.kind == "text":
        return []
    exercise, positions = cell.exercise, _list(each.position for each in found)
    if not found:
        text = say(lang, "answer_missing", exercise=exercise)
        return [Notice(kind="answer_missing", exercise=exercise, text=text)]
    notices = []
    if len(found) > 1:
        key = "answer_copies" if cell.kind == "answer" else "written_copies"
        text = say(lang, key, exercise=exercise, count=len(found), positions=positions)
        notices.append(Notice(kind=key, exercise=exercise, text=text))
    other = [each.position for each in found if each.kind != "code"]
    if cell.kind == "answer" and other:
        text = say(lang, "answer_not_code", exercise=exercise, positions=_list(other))
        notices.append(Notice(kind="answer_not_code", exercise=exercise, text=text))
    return notices


def _notices_of_locked(lang: str, cell: Cell, found: Sequence[HandedCell]) -> list[Notice]:
    if not found and cell.kind == "given":
        return [Notice(kind="locked_missing", text=say(lang, "locked_missing", id=cell.id))]
    return [
        Notice(
            kind="locked_changed",
            text=say(lang, "locked_changed", position=each.position, id=cell.id),
            diff=_diff(cell.source, each.source),
        )
        for each in found
        if each.kind != "code" or _lines(each.source) != _lines(cell.source)
    ]


def _notices_of_extras(lab: Lab, extras: Sequence[Extra]) -> list[Notice]:
    notices = []
    for exercise in lab.exercises:
        own = [extra.cell.position for extra in extras if extra.exercise == exercise.id]
        if own:
            values = {"exercise": exercise.id, "positions": _list(own)}
            text = say(lab.lang, "extra_cells", **values)
            notices.append(Notice(kind="extra_cells", exercise=exercise.id, text=text))
    return notices


def _diff(master: str, handed: str) -> str:
    lines = list(difflib.unified_diff(_lines(master), _lines(handed), lineterm="", n=2))
    return clip(visible("\n".join(lines[2:]), kept="\n\t"), MAX_DIFF)


def _lines(source: str) -> list[str]:
    """Return the lines without what an editor may add or take away at their ends."""
    return [line.rstrip() for line in source.strip("\n").splitlines()]


def _list(positions: Iterable[int]) -> str:
    return ", ".join(map(str, positions))

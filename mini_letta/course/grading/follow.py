"""Show a batch while it runs: a live bar on a terminal, else a line per submission."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from mini_letta.course.grading.batch import Row
from mini_letta.course.grading.spelling import clip, visible
from mini_letta.course.grading.words import word

MAX_MESSAGE = 200


@dataclass(slots=True, kw_only=True)
class Tally:
    """How far a batch has come; also after it was interrupted."""

    total: int = 0
    """How many there are."""
    fresh: int = 0
    """Graded now."""
    kept: int = 0
    """Already graded, and unchanged."""

    def add(self, row: Row) -> None:
        """Count one submission."""
        self.fresh += row.is_fresh
        self.kept += not row.is_fresh


def follow_batch(rows: Iterable[Row], *, tally: Tally, console: Console, lang: str) -> None:
    """Take the rows as they come, show each and count it."""
    if not console.is_terminal:
        for row in rows:
            tally.add(row)
            _print(console, describe_row(row, lang))
        return
    live = Progress(
        SpinnerColumn(finished_text=" "),
        TextColumn(word(lang, "progress")),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("{task.fields[last]}", markup=False),
        console=console,
        transient=True,
    )
    with live:
        bar = live.add_task("", total=tally.total, last="")
        for row in rows:
            tally.add(row)
            if row.outcome != "graded":  # stays on the screen: somebody has to look
                _print(live.console, describe_row(row, lang))
            live.update(bar, advance=1, last=clip(describe_row(row, lang), 60))


def describe_row(row: Row, lang: str) -> str:
    """Return how one submission fared, on one line."""
    names: dict[str, Any] = {"student": row.student, "lab": row.lab}
    if row.outcome != "graded":
        outcome = word(lang, f"outcome_{row.outcome}")
        message = clip(visible(row.message), MAX_MESSAGE)
        return word(lang, "other", outcome=outcome, message=message, **names)
    note = "" if row.is_fresh else word(lang, "note_kept")
    if row.needs_reading:
        note = word(lang, "note_read", count=row.needs_reading) + note
    points = {"points": row.points, "max_points": row.max_points}
    return word(lang, "graded", note=note, **points, **names)


def _print(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True, emoji=False)

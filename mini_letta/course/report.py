"""After a run of notebooks: what failed and why, which pitfalls it reproduced, what comes next."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from mini_letta.course.phrases import Phrases
from mini_letta.course.progress import Run
from mini_letta.course.running import Ended
from mini_letta.course.sources import ROLES
from mini_letta.course.wrapping import wrap
from mini_letta.pitfalls import Pitfall
from mini_letta.stages import TAGS

Row = tuple[str, str, str, str]  # mark, sentence, where it bites, what closes it
MAX_WIDTH = 100
MAX_BITES = 16
MIN_WORDS = 24
FRAME = 14  # cells: the borders, the padding and the mark


def check_reproduced(ended: Iterable[Ended]) -> dict[str, bool]:
    """Return for each pitfall that the cells show whether it was reproduced.

    It was if there is a cell that shows it failing and one that shows it fixed, and each cell
    about it ran and printed what the notebook says.
    """
    cells: dict[str, list[Ended]] = {}
    for end in ended:
        if end.cell.pitfall is not None:
            cells.setdefault(end.cell.pitfall, []).append(end)
    return {
        id: {end.cell.role for end in ends} == set(ROLES)
        and all(end.outcome == "passed" for end in ends)
        for id, ends in cells.items()
    }


def summarise_run(run: Run) -> dict[str, Any]:
    """Return the run as plain data, for ``--json``."""
    return {
        "ok": run.ok,
        "notebooks": [
            {
                "path": notebook.label,
                "lang": notebook.lang,
                "cells": [
                    {"id": end.cell.id, "outcome": end.outcome, "detail": end.detail}
                    for end in run.of(notebook)
                ],
            }
            for notebook in run.notebooks()
        ],
        "pitfalls": [
            {"id": id, "reproduced": reproduced}
            for id, reproduced in check_reproduced(run.ended).items()
        ],
    }


def print_failures(run: Run, *, console: Console, phrases: Phrases) -> None:
    """Print, per notebook, the first cell that failed with its difference, and what to do."""
    for notebook in run.notebooks():
        failed = [end for end in run.of(notebook) if end.outcome == "failed"]
        if not failed:
            continue
        names = {"notebook": notebook.label, "id": failed[0].cell.id}
        console.print()
        console.print(phrases.first_failure.format(**names), style="bold red", highlight=False)
        _print_detail(failed[0].detail, console=console, phrases=phrases)
        if len(failed) > 1:
            print_plain(console, phrases.more_failures.format(count=len(failed) - 1))
        print_plain(console, phrases.repair.format(**names))


def print_pitfalls(
    run: Run, table: Sequence[Pitfall], *, lang: str, console: Console, phrases: Phrases
) -> None:
    """Print the pitfalls that the notebooks showed: the headline ones first."""
    reproduced = check_reproduced(run.ended)
    shown = [pitfall for pitfall in table if pitfall.id in reproduced]
    console.print()
    if not shown:
        print_plain(console, phrases.none_reproduced)
        return
    counts = {"count": sum(reproduced[pitfall.id] for pitfall in shown), "total": len(shown)}
    console.print(phrases.reproduced.format(**counts), style="bold", highlight=False)
    for title, headline in ((phrases.headline, True), (phrases.others, False)):
        rows = [
            _describe(pitfall, reproduced=reproduced[pitfall.id], lang=lang, phrases=phrases)
            for pitfall in shown
            if pitfall.headline is headline
        ]
        if rows:
            console.print(f"\n{title}", style="bold", highlight=False)
            console.print(_grid(rows, phrases, width=console.width), highlight=False)


def print_next(run: Run, *, root: Path, lang: str, console: Console, phrases: Phrases) -> None:
    """Print which chapter and notebook to open after this run."""
    console.print(f"\n{phrases.next}", style="bold")
    for notebook in run.notebooks():
        number = notebook.source.stem.split("_")[0]
        for chapter in sorted((root / "chapters" / lang).glob(f"{number}-*.md")):
            path = chapter.relative_to(root).as_posix()
            print_plain(console, "  " + phrases.read.format(path=path))
        print_plain(console, "  " + phrases.open.format(path=notebook.label))
    command = ".venv/bin/mini-letta pitfalls run"
    print_plain(console, "  " + phrases.compare.format(command=command))


def print_plain(console: Console, text: str) -> None:
    """Print text as it is, broken only by the terminal, so that a command can be copied."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _print_detail(detail: str, *, console: Console, phrases: Phrases) -> None:
    """Print why a cell failed; what is below a line ``@@ ... @@`` is a diff."""
    styles: dict[str, str] = {}
    for line in detail.strip().splitlines():
        place = line.startswith("@@ ")
        if place:
            styles = {"-": "red", "+": "green"}
        shown = f"- {phrases.removed}    + {phrases.added}" if place else line
        style = "bold" if place else styles.get(line[:1], "")
        console.print("  " + shown, style=style, markup=False, highlight=False, soft_wrap=True)


def _grid(rows: Sequence[Row], phrases: Phrases, *, width: int) -> Table:
    """Return a table whose cells are broken into lines already, as wide as ``width`` allows."""
    bites = max(cell_len(text) for text in (phrases.bites, *(row[2] for row in rows)))
    bites = min(bites, MAX_BITES)
    words = max(min(width, MAX_WIDTH) - bites - FRAME, MIN_WORDS)
    widths = (1, words * 5 // 9, bites, words - words * 5 // 9)
    grid = Table(box=box.ROUNDED, show_lines=True)
    for title, cells in zip(
        ("", phrases.pitfall, phrases.bites, phrases.closed_by), widths, strict=True
    ):
        grid.add_column(title, width=cells, overflow="fold")
    for row in rows:
        grid.add_row(*(wrap(text, cells) for text, cells in zip(row, widths, strict=True)))
    return grid


def _describe(pitfall: Pitfall, *, reproduced: bool, lang: str, phrases: Phrases) -> Row:
    """Return the four cells of one row."""
    sentence = pitfall.sentence[lang]
    if not reproduced:
        sentence = phrases.not_reproduced.format(sentence=sentence)
    bites = phrases.everywhere if pitfall.bites == TAGS else _describe_stages(pitfall.bites)
    closed_by = pitfall.closed_by[lang]
    return ("✓" if reproduced else "✗", sentence, bites or phrases.in_draft, closed_by)


def _describe_stages(tags: tuple[str, ...]) -> str:
    """Return the stages as a list, three or more that follow each other as a range."""
    first = TAGS.index(tags[0]) if tags else 0
    if len(tags) > 2 and tags == TAGS[first : first + len(tags)]:
        return f"{tags[0]} – {tags[-1]}"
    return ", ".join(tags)

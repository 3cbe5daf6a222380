"""After a run of notebooks: what failed and why, which pitfalls it reproduced, what comes next."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from mini_letta.course.phrases import Phrases
from mini_letta.course.progress import Run
from mini_letta.course.running import Ended
from mini_letta.course.sources import ROLES
from mini_letta.pitfalls import Pitfall


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
        for line in failed[0].detail.strip().splitlines():
            console.print("  " + line, markup=False, highlight=False, soft_wrap=True)
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
        rows = [pitfall for pitfall in shown if pitfall.headline is headline]
        if rows:
            grid = _grid(title, phrases)
            for pitfall in rows:
                _add_row(grid, pitfall, reproduced[pitfall.id], lang=lang, phrases=phrases)
            console.print(grid)


def print_next(run: Run, *, root: Path, lang: str, console: Console, phrases: Phrases) -> None:
    """Print which chapter and notebook to open after this run."""
    console.print(phrases.next, style="bold")
    for notebook in run.notebooks():
        number = notebook.source.stem.split("_")[0]
        for chapter in sorted((root / "chapters" / lang).glob(f"{number}-*.md")):
            path = chapter.relative_to(root).as_posix()
            print_plain(console, "  " + phrases.read.format(path=path))
        print_plain(console, "  " + phrases.open.format(path=notebook.label))
    command = ".venv/bin/mini-letta pitfalls list"
    print_plain(console, "  " + phrases.tests.format(command=command))


def print_plain(console: Console, text: str) -> None:
    """Print text as it is, broken only by the terminal, so that a command can be copied."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _grid(title: str, phrases: Phrases) -> Table:
    grid = Table(
        title=title, title_justify="left", title_style="bold", box=box.ROUNDED, show_lines=True
    )
    grid.add_column("", width=1)
    grid.add_column(phrases.pitfall, ratio=5)
    grid.add_column(phrases.bites, ratio=2)
    grid.add_column(phrases.closed_by, ratio=4)
    return grid


def _add_row(
    grid: Table, pitfall: Pitfall, reproduced: bool, *, lang: str, phrases: Phrases
) -> None:
    sentence = pitfall.sentence[lang]
    if not reproduced:
        sentence = phrases.not_reproduced.format(sentence=sentence)
    mark = "[green]✓[/]" if reproduced else "[red]✗[/]"
    bites = ", ".join(pitfall.bites) or phrases.nowhere
    grid.add_row(mark, sentence, bites, pitfall.closed_by[lang])

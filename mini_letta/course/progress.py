"""Show a run of notebooks while it happens: a live bar on a terminal, else a line per cell."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn

from mini_letta.course.notebooks import Notebook
from mini_letta.course.phrases import Phrases
from mini_letta.course.running import Collected, Ended, Started


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is known when the last cell has ended."""

    ended: tuple[Ended, ...]
    """Every cell, in the order they ended."""

    @property
    def ok(self) -> bool:
        """Whether every cell ran and printed what the notebook says."""
        return bool(self.ended) and all(end.outcome == "passed" for end in self.ended)

    def of(self, notebook: Notebook) -> list[Ended]:
        """Return the cells of one notebook."""
        return [end for end in self.ended if end.cell.notebook == notebook]

    def notebooks(self) -> list[Notebook]:
        """Return the notebooks that ran, in order."""
        return list(dict.fromkeys(end.cell.notebook for end in self.ended))


class Screen(Protocol):
    """Whoever shows events one by one."""

    def show(self, event: Collected | Started | Ended) -> None:
        """Show one event."""


def follow_run(
    events: Iterable[Collected | Started | Ended], *, console: Console, phrases: Phrases
) -> Run:
    """Consume the events, showing each, and return how the cells ended."""
    console.print(phrases.starting, style="bold", highlight=False)
    ended: list[Ended] = []
    screen: Screen
    if console.is_terminal:
        live = Progress(
            SpinnerColumn(finished_text=" "),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("[dim]{task.fields[cell]}[/dim]", markup=True),
            console=console,
            transient=True,
        )
        screen = _Bars(live)
        with live:
            _drive(events, screen=screen, ended=ended)
    else:
        _drive(events, screen=_Lines(console, phrases), ended=ended)
    run = Run(ended=tuple(ended))
    for notebook in run.notebooks():
        console.print(_summary(run.of(notebook), phrases), highlight=False, soft_wrap=True)
    return run


def read_title(notebook: Notebook) -> str:
    """Return the first heading of a built notebook, or its name if it has none."""
    for cell in json.loads(notebook.path.read_text(encoding="utf-8"))["cells"]:
        for line in "".join(cell["source"]).splitlines():
            if cell["cell_type"] == "markdown" and line.startswith("# "):
                return line.removeprefix("# ").strip()
    return notebook.source.stem


def _drive(
    events: Iterable[Collected | Started | Ended], *, screen: Screen, ended: list[Ended]
) -> None:
    for event in events:
        screen.show(event)
        if isinstance(event, Ended):
            ended.append(event)


def _summary(ended: list[Ended], phrases: Phrases) -> str:
    notebook = ended[0].cell.notebook
    bad = [end for end in ended if end.outcome != "passed"]
    counts = {"passed": len(ended), "failed": len(bad), "total": len(ended)}
    said = (phrases.cells_differ if bad else phrases.cells_match).format(**counts)
    mark = "[bold red]✗[/]" if bad else "[bold green]✓[/]"
    return f"{mark} {read_title(notebook)}\n  [dim]{notebook.label}[/]: {said}"


class _Bars:
    """One bar per notebook; the cell that is running stands behind it."""

    def __init__(self, live: Progress) -> None:
        self.live = live
        self.tasks: dict[Notebook, TaskID] = {}

    def show(self, event: Collected | Started | Ended) -> None:
        """Move the bar that the event belongs to."""
        if isinstance(event, Collected):
            for notebook, total in Counter(cell.notebook for cell in event.cells).items():
                name = f"{notebook.lang}/{notebook.source.stem}"
                self.tasks[notebook] = self.live.add_task(name, total=total, cell="")
        elif isinstance(event, Started):
            self.live.update(self.tasks[event.cell.notebook], cell=event.cell.id)
        else:
            self.live.update(self.tasks[event.cell.notebook], advance=1, cell="")


class _Lines:
    """One line per cell, the same in every run, for files and pipes."""

    def __init__(self, console: Console, phrases: Phrases) -> None:
        self.console = console
        self.words = {
            "passed": phrases.ok,
            "failed": phrases.failed,
            "not_run": phrases.not_run,
        }
        self.totals: Counter[Notebook] = Counter()
        self.seen: Counter[Notebook] = Counter()

    def show(self, event: Collected | Started | Ended) -> None:
        """Print a line when a cell has ended."""
        if isinstance(event, Collected):
            self.totals.update(cell.notebook for cell in event.cells)
        if isinstance(event, Ended):
            notebook = event.cell.notebook
            if notebook not in self.seen:
                self.console.print(f"{notebook.label}", highlight=False, markup=False)
            self.seen[notebook] += 1
            total = self.totals[notebook]
            count = f"{self.seen[notebook]:>{len(str(total))}}/{total}"
            line = f"  {count}  {self.words[event.outcome]}  "
            self.console.print(line + event.cell.id, highlight=False, markup=False)

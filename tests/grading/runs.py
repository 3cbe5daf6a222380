"""Notebooks and places for the tests of the sandbox."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import nbformat
import psutil
import pytest

from mini_letta.course.grading.kernel_run import NotebookRun, run_notebook
from mini_letta.course.grading.kernel_spec import Place
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import LEVELS, Level, Sandbox, works
from mini_letta.course.grading.users import claim_user

IS_ROOT = os.geteuid() == 0
MINUTES = 240.0
"""A cell timeout that no test waits for: what ends earlier was noticed."""


@contextmanager
def own_user() -> Iterator[int | None]:
    """Claim a user for the code of a test; None where only one's own is to be had."""
    if not IS_ROOT:
        yield None
        return
    user = claim_user()
    yield user.uid
    user.release()


def require(level: str) -> Sandbox:
    """Return the sandbox of a level, or skip the test saying what is missing."""
    sandbox = Sandbox(level=cast(Level, level), own_uid=IS_ROOT)
    if level != "rlimits" and not works(sandbox, os.environ):
        pytest.skip(f"the level {level} cannot be had here: run as root, install bubblewrap")
    return sandbox


def notebook(*cells: "str | tuple[str, str]") -> Any:
    """Return a notebook: a source is a student's cell, a pair a check and what it should print."""
    made = []
    for number, cell in enumerate(cells):
        source, expected = (cell, None) if isinstance(cell, str) else cell
        node = nbformat.v4.new_code_cell(source, id=f"cell-{number}")
        node.execution_count = number + 1
        if expected is None:
            node.metadata.tags = ["nbval-ignore-output"]
        else:
            node.outputs = [nbformat.v4.new_output("stream", name="stdout", text=expected)]
        made.append(node)
    return nbformat.v4.new_notebook(cells=made)


def outcomes(done: NotebookRun) -> list[str]:
    """Return how the cells ended, in order."""
    return [cell.outcome for cell in done.cells]


def processes_of(uid: int | None) -> list[psutil.Process]:
    """Return what runs as a user of ours; nothing where there is none."""
    found = psutil.process_iter(["uids", "status"])
    return [
        each
        for each in found
        if each.info["uids"] and each.info["uids"].real == uid
        if each.info["status"] != psutil.STATUS_ZOMBIE
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where a test runs hostile cells: a user of its own, and a library."""

    uid: int | None
    library: Path
    before: frozenset[Path] = field(default_factory=lambda: frozenset(Path("/tmp").glob("mlk-*")))
    """What was there: a grader that was killed may have left a folder, and had the same user."""

    def place(self, level: str) -> Place:
        """Return the place at one level, or skip the test."""
        return Place(
            sandbox=require(level),
            uid=self.uid,
            library=self.library,
            limits=Limits(),
            env=os.environ,
        )

    def run(
        self,
        *cells: "str | tuple[str, str]",
        level: str = "bubblewrap",
        timeout_s: float = MINUTES,
        wall_s: float = MINUTES,
    ) -> NotebookRun:
        """Run the cells in one kernel."""
        node = notebook(*cells)
        return run_notebook(node, self.place(level), cell_timeout_s=timeout_s, wall_s=wall_s)

    def left_over(self) -> list[str]:
        """Return what runs have left: processes of the user, and folders."""
        made = [path for path in Path("/tmp").glob("mlk-*") if path not in self.before]
        found = [path for path in made if _owned_by(path / "home", self.uid)]
        return [*map(str, processes_of(self.uid)), *map(str, found)]


def _owned_by(path: Path, uid: int | None) -> bool:
    try:
        return path.stat().st_uid == uid
    except OSError:
        return False


ALL_LEVELS: Callable[..., Any] = pytest.mark.parametrize("level", LEVELS)
WALLED: Callable[..., Any] = pytest.mark.parametrize("level", LEVELS[:-1])

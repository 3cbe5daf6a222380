"""How far a student is: ``progress.json`` in the folder of the lab.

It counts for nothing but the student's own overview, so a damaged file costs no more than that:
it is set aside and a new one begun.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mini_letta.course.labs.attempt import Attempt

FILE = "progress.json"
SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One exercise as it was at its best."""

    passed: int = 0
    """Public checks, in the best run."""
    total: int = 0
    """Public checks there were; 0 before the first run and for what a person reads."""
    is_done: bool = False
    """All of them were passed once, or there is an answer for a person to read."""
    hints: int = 0
    """How many of the three were taken."""


@dataclass(slots=True, kw_only=True)
class Progress:
    """All exercises worked on in one folder."""

    path: Path
    standings: dict[str, Standing] = field(default_factory=dict)
    """By exercise."""
    damaged: Path | None = None
    """Where a file that could not be read has been put."""

    def of(self, exercise: str) -> Standing:
        """Return the standing of an exercise."""
        return self.standings.get(exercise, Standing())

    def note(self, attempt: Attempt) -> None:
        """Take in a run, which never makes a standing worse."""
        old, id = self.of(attempt.exercise.id), attempt.exercise.id
        self.standings[id] = Standing(
            passed=max(old.passed, attempt.met),
            total=len(attempt.outcomes),
            is_done=old.is_done or attempt.is_passed,
            hints=old.hints,
        )

    def take_hint(self, exercise: str, number: int) -> None:
        """Take in that a hint was shown; ``number`` counts from 1."""
        old = self.of(exercise)
        self.standings[exercise] = Standing(
            passed=old.passed,
            total=old.total,
            is_done=old.is_done,
            hints=max(old.hints, number),
        )

    def save(self) -> None:
        """Write the file in one step.

        Raises:
            OSError: the folder cannot be written to.
        """
        exercises = {
            id: {
                "passed": standing.passed,
                "total": standing.total,
                "done": standing.is_done,
                "hints": standing.hints,
            }
            for id, standing in sorted(self.standings.items())
        }
        data = {"schema": SCHEMA, "exercises": exercises}
        part = self.path.with_name(f".{FILE}.{os.getpid()}")
        try:
            part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)


def read_progress(folder: Path) -> Progress:
    """Return what is remembered in a folder; a damaged file is renamed."""
    path = folder / FILE
    try:
        return Progress(path=path, standings=_parse(path.read_bytes()))
    except OSError:  # none yet, or nobody may read it: saving will say so
        return Progress(path=path)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        damaged = free_name(path.with_name("progress.damaged.json"))
        with suppress(OSError):  # a folder that is read only: the file stays where it is
            path.rename(damaged)
        return Progress(path=path, damaged=damaged)


def free_name(path: Path) -> Path:
    """Return the path with the first number that is not taken: ``lab3.1.ipynb``."""
    numbers = range(1, 1_000_000)
    names = (path.with_name(f"{path.stem}.{number}{path.suffix}") for number in numbers)
    return next(name for name in names if not os.path.lexists(name))


def _parse(data: bytes) -> dict[str, Standing]:
    read = json.loads(data)
    if read["schema"] != SCHEMA:
        raise ValueError("written by another version")
    return {str(id): _standing(entry) for id, entry in read["exercises"].items()}


def _standing(entry: Any) -> Standing:
    counts = [entry["passed"], entry["total"], entry["hints"]]
    if any(type(count) is not int for count in counts) or type(entry["done"]) is not bool:
        raise TypeError("not a count")
    passed, total, hints = counts
    return Standing(passed=passed, total=total, hints=hints, is_done=entry["done"])

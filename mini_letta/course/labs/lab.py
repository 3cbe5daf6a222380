"""One lab in one language, as data: what is handed out, what is checked, what is kept back.

:mod:`mini_letta.course.labs.master` reads it from ``labs/src``. Its public half travels with the
student's notebook as the *kit*, a JSON file, so that checks and hints work without a checkout.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from mini_letta.errors import MiniLettaError

HOME_SEED = 0
"""Seed of the checks a student runs; grading draws another one."""
SCHEMA = 1

CellKind = Literal["text", "given", "tools", "answer", "ask", "written"]
ExerciseKind = Literal["code", "script", "reading"]


class BadKit(MiniLettaError):
    """The file is not the kit of a lab, or of another version of this package."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One sentence of a task, checked by printing values."""

    id: str
    """The exercise and a letter: ``1.2c``."""
    exercise: str
    """``1.2``."""
    hidden: bool
    """Runs only when the lab is graded."""
    points: int
    """At least 1."""
    sentence: str
    """The sentence of the task, word for word."""
    source: str
    """Python that prints values and no verdict."""
    script: str = ""
    """For an artefact: the variable that holds the student's bash script."""
    start: str = ""
    """For an artefact: the given variable with the script that prepares the memory; may be ""."""
    expected: str = ""
    """What the reference prints for :data:`HOME_SEED`; "" where nobody has run it yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of the student's notebook."""

    id: str
    """Unique in the lab; the id of the notebook cell."""
    kind: CellKind
    """``text`` and ``written`` are Markdown, the others code; only ``answer`` and ``written``
    are the student's."""
    exercise: str = ""
    """Which exercise an ``answer``, ``ask`` or ``written`` cell belongs to."""
    source: str
    """As the student gets it."""
    solution: str = ""
    """The reference, for ``answer`` and ``written``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One task."""

    id: str
    """``1.2``: lab and number."""
    title: str
    """Without the number."""
    kind: ExerciseKind
    """``script``: the answer is a bash script, and what it leaves is inspected. ``reading``: a
    person reads the answer."""
    points: int
    """Of all its checks, or of the person who reads."""
    hints: tuple[str, ...]
    """Where to look, what to think about, almost the line; Markdown."""
    rubric: str = ""
    """How a reading task is marked; for the reader only."""
    hidden_checks: int = 0
    """How many checks run only when the lab is graded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """One lab in one language."""

    id: str
    """``lab1``."""
    number: int
    lang: str
    """``en`` or ``zh``."""
    title: str
    """The first heading."""
    stage: str
    """The newest stage that may be imported, such as ``v0.2``."""
    hides: tuple[str, ...]
    """``module:function`` or ``module`` inside the package: the shipped answers."""
    cell_timeout_s: int
    """Seconds one cell may take when it is graded."""
    handouts: tuple[str, ...]
    """Names of the files handed out with the notebook."""
    prelude: str
    """Python put before every check."""
    cells: tuple[Cell, ...]
    """In order."""
    exercises: tuple[Exercise, ...]
    """In order."""
    checks: tuple[Check, ...]
    """In order."""

    @property
    def points(self) -> int:
        """Return what the lab is worth."""
        return sum(exercise.points for exercise in self.exercises)

    def exercise(self, id: str) -> Exercise:
        """Return one exercise; KeyError if there is none of this id."""
        return {exercise.id: exercise for exercise in self.exercises}[id]

    def checks_of(self, exercise: str) -> tuple[Check, ...]:
        """Return the checks of one exercise."""
        return tuple(check for check in self.checks if check.exercise == exercise)

    def program(self, check: Check, seed: int) -> str:
        """Return the whole source of a check, ready to be run where the answer is defined.

        It runs in a copy of that namespace, so its names do not overwrite the student's.
        """
        source = (
            "from mini_letta.course.labs.values import show, tell\n"
            f"SEED = {seed}\n{self.prelude}\n{check.source}\n"
        )
        return (
            "from mini_letta.course.labs.values import run_check\n"
            f"run_check({check.id!r}, {source!r}, globals())\n"
        )

    def public(self) -> "Lab":
        """Return the lab without solutions, rubrics and hidden checks."""
        return replace(
            self,
            cells=tuple(replace(cell, solution="") for cell in self.cells),
            exercises=tuple(replace(exercise, rubric="") for exercise in self.exercises),
            checks=tuple(check for check in self.checks if not check.hidden),
        )

    def expecting(self, texts: Mapping[str, str]) -> "Lab":
        """Return the lab with what each check should print, by check id."""
        checks = tuple(replace(check, expected=texts[check.id]) for check in self.checks)
        return replace(self, checks=checks)

    def fingerprint(self) -> str:
        """Return a short name for exactly this edition of the lab, or of its kit."""
        return hashlib.sha256(self.to_json().encode("utf-8")).hexdigest()[:16]

    def to_json(self) -> str:
        """Return the lab as JSON text, the same bytes each time."""
        return json.dumps({"schema": SCHEMA, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"


def lab_from_json(text: str) -> Lab:
    """Return the lab that :meth:`Lab.to_json` wrote.

    Raises:
        BadKit: it is something else.
    """
    try:
        data = json.loads(text)
        if data.pop("schema") != SCHEMA:
            raise BadKit("this lab's .json file belongs to another version of mini_letta.")
        for key, record in (("cells", Cell), ("checks", Check)):
            data[key] = tuple(record(**entry) for entry in data[key])
        data["exercises"] = tuple(_exercise(entry) for entry in data["exercises"])
        return Lab(**{**data, "hides": tuple(data["hides"]), "handouts": tuple(data["handouts"])})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadKit(f"not the .json file of a lab ({error}).") from error


def _exercise(entry: dict[str, Any]) -> Exercise:
    return Exercise(**{**entry, "hints": tuple(entry["hints"])})

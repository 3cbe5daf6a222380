"""The result of one submission, as data and as a file.

``OUT/results/<student>/<lab>.json``, written in one step, so that a result is there or is not. It
holds no time and no duration: the same submission and seed give the same bytes.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from mini_letta.errors import MiniLettaError

R = TypeVar("R")
SCHEMA = 1
RESULTS = "results"

Outcome = Literal["graded", "unreadable", "needs_regrade"]
Verdict = Literal[
    "passed",
    "failed",
    "error",
    "timeout",
    "crashed",
    "not_run",
    "needs_reading",
    "unreadable",
    "needs_regrade",
]


class BadResult(MiniLettaError):
    """A file below ``results`` is not what this module writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """How one check of the master ended."""

    id: str
    hidden: bool
    outcome: Verdict
    points: float
    max_points: int
    sentence: str
    expected: str
    """What the reference printed."""
    seen: str
    """What this submission printed, or how it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseResult:
    """How one exercise ended."""

    id: str
    title: str
    kind: str
    """``code``, ``script`` or ``reading``."""
    outcome: Verdict
    points: float
    max_points: int
    message: str
    """Why it is not passed, where more is to say than the checks do."""
    checks: tuple[CheckResult, ...] = ()
    """As many as the master has."""
    answer: str = ""
    """What a person is to read."""
    is_read: bool = False
    """A person has read the answer and given the points."""
    comment: str = ""
    """What that person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something about a notebook that its owner should know."""

    kind: str
    """A key of :mod:`mini_letta.course.grading.phrases`."""
    text: str
    exercise: str = ""
    diff: str = ""
    """For a locked cell: what was changed in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One notebook of one student."""

    student: str
    lab: str
    title: str
    """Of the lab."""
    lang: str
    sha256: str
    """Of the file; "" if it could not be opened."""
    master: str
    """Of the lab it was graded with."""
    seed: int
    level: str
    """Of the sandbox."""
    outcome: Outcome
    message: str
    exercises: tuple[ExerciseResult, ...]
    notices: tuple[Notice, ...] = field(default=())

    @property
    def points(self) -> float:
        """Return the points so far, without what is still to be read."""
        return plain(sum(exercise.points for exercise in self.exercises))

    @property
    def max_points(self) -> int:
        """Return what the master is worth."""
        return sum(exercise.max_points for exercise in self.exercises)

    @property
    def needs_reading(self) -> int:
        """Return how many answers a person has still to read."""
        return sum(exercise.outcome == "needs_reading" for exercise in self.exercises)

    def to_json(self) -> str:
        """Return the result as JSON text, the same bytes each time."""
        data = asdict(self)
        exercises, notices = data.pop("exercises"), data.pop("notices")
        totals = {name: getattr(self, name) for name in ("points", "max_points", "needs_reading")}
        whole = {"schema": SCHEMA, **data, **totals, "exercises": exercises, "notices": notices}
        return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def result_from_json(text: str, *, name: str) -> Result:
    """Return the result that :meth:`Result.to_json` wrote.

    Args:
        name: of the file, for the message.
    Raises:
        BadResult: it is something else.
    """
    try:
        data = json.loads(text)
        if data.pop("schema") != SCHEMA:
            raise ValueError("written by another version")
        for total in ("points", "max_points", "needs_reading"):
            del data[total]
        data["exercises"] = tuple(_exercise(entry) for entry in data["exercises"])
        data["notices"] = tuple(_typed(Notice(**entry)) for entry in data["notices"])
        return _typed(Result(**data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadResult(
            f"{name} is not a result of this version ({error}). Remove it and grade with --resume."
        ) from error


def result_path(out: Path, folder: str, lab: str) -> Path:
    """Return where the result of a submission is.

    Args:
        folder: the student's folder as the file system has it.
    """
    return out / RESULTS / folder / f"{lab}.json"


def read_result(path: Path) -> Result | None:
    """Return a result; None if there is no such file.

    Raises:
        BadResult: the file holds something else.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise BadResult(f"{path} is not text. Remove it and grade with --resume.") from error
    return result_from_json(text, name=str(path))


def list_results(out: Path) -> list[tuple[str, str]]:
    """Return student folder and lab of every result, by student, then by lab."""
    found = [(path.parent.name, path.stem) for path in (out / RESULTS).glob("*/*.json")]
    return sorted(found, key=lambda each: (each[0], len(each[1]), each[1]))  # lab10 after lab9


def read_results(out: Path) -> Iterator[tuple[str, Result]]:
    """Yield the results with their student's folder, one in memory at a time."""
    for folder, lab in list_results(out):
        result = read_result(result_path(out, folder, lab))
        if result is not None:
            yield folder, result


def write_result(out: Path, folder: str, result: Result) -> None:
    """Write the result of a submission in one step."""
    write_whole(result_path(out, folder, result.lab), [result.to_json()])


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write a file, so that it is seen either as it was or with all of the new text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def carry_marks(old: Result | None, new: Result) -> Result:
    """Return the new result with the marks a person gave to answers that have not changed."""
    if old is None:
        return new
    read = {exercise.id: exercise for exercise in old.exercises if exercise.is_read}
    exercises = tuple(
        read[each.id] if _is_same_answer(read.get(each.id), each) else each
        for each in new.exercises
    )
    return replace(new, exercises=exercises)


def plain(points: float) -> float:
    """Return points without a fraction where there is none."""
    return int(points) if points == int(points) else points


def _is_same_answer(read: ExerciseResult | None, new: ExerciseResult) -> bool:
    if read is None:
        return False
    if new.outcome == "needs_regrade":  # could not even be opened, so nothing says it has changed
        return True
    known = (read.answer, read.max_points) == (new.answer, new.max_points)
    return new.outcome == "needs_reading" and known


def _exercise(entry: dict[str, Any]) -> ExerciseResult:
    checks = tuple(_typed(CheckResult(**check)) for check in entry.pop("checks"))
    return _typed(ExerciseResult(**entry, checks=checks))


def _typed(record: R) -> R:
    """Return the record if each of its fields has a value of its type; files are edited by hand."""
    for name, hint in get_type_hints(type(record)).items():
        value = getattr(record, name)
        if not _fits(value, hint):
            raise TypeError(f"{name} is {value!r}")
    return record


def _fits(value: object, hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint in (int, float):
        numbers = (int,) if hint is int else (int, float)
        return isinstance(value, numbers) and not isinstance(value, bool)
    return isinstance(value, get_origin(hint) or hint)

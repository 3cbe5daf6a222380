"""Grade a folder of submissions: which ones have to run, and where their results go."""

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mini_letta.course.grading.grade import Engine, Task, grade_submission
from mini_letta.course.grading.handed_in import HandedIn, guess_language, parse_notebook
from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.pool import run_pool
from mini_letta.course.grading.references import Reference, References
from mini_letta.course.grading.results import (
    BadResult,
    Outcome,
    Result,
    carry_marks,
    read_result,
    result_path,
    write_result,
)
from mini_letta.course.grading.submissions import (
    CannotOpen,
    Submission,
    Unreadable,
    read_submission,
)
from mini_letta.course.grading.verdicts import refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How one submission stands; small, for the screen and for counting."""

    student: str
    lab: str
    outcome: Outcome
    message: str
    points: float
    max_points: int
    needs_reading: int
    is_fresh: bool
    """It was graded now; else the result on disk still holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A submission as far as it could be read."""

    lang: str
    sha256: str = ""
    handed: HandedIn | None = None
    """None: it could not be read."""
    outcome: Outcome = "graded"
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graded:
    result: Result
    is_fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A folder of submissions, and what they are graded with."""

    root: Path
    """The folder of submissions."""
    out: Path
    """Where the results go."""
    references: References
    engines: Sequence[Engine]
    """One for each slot."""

    def run(self, submissions: Sequence[Submission]) -> Generator[Row]:
        """Grade what is not yet graded and yield a row for each submission as it ends.

        Raises:
            MiniLettaError: a lab's own master or reference is broken: nobody can be graded.
        """
        return run_pool(submissions, self._grade, self._keep, slots=len(self.engines))

    def _grade(self, submission: Submission, slot: int) -> _Graded:
        opened = _open(self.root, submission)
        engine = self.engines[slot]
        lab = self.references.lab(submission.lab, opened.lang)
        fields = {
            "student": submission.student,
            "sha256": opened.sha256,
            "master": lab.fingerprint(),
            "seed": self.references.seed,
            "level": engine.level,
        }
        old = self._old_result(submission)
        if old is not None and old.sha256 and _is_final(old, fields):
            return _Graded(result=old, is_fresh=False)
        if opened.handed is None:
            result = refuse(lab, outcome=opened.outcome, message=opened.message, **fields)
        else:
            reference = self.references.get(submission.lab, opened.lang)
            result = _run(reference, opened.handed, engine, fields)
        return _Graded(result=carry_marks(old, result), is_fresh=True)

    def _old_result(self, submission: Submission) -> Result | None:
        try:
            return read_result(result_path(self.out, submission.folder, submission.lab))
        except BadResult:  # cut short by a full disk, or edited: made anew
            return None

    def _keep(self, submission: Submission, graded: _Graded) -> Row:
        result = graded.result
        if graded.is_fresh:
            write_result(self.out, submission.folder, result)
        return Row(
            student=result.student,
            lab=result.lab,
            outcome=result.outcome,
            message=result.message,
            points=result.points,
            max_points=result.max_points,
            needs_reading=result.needs_reading,
            is_fresh=graded.is_fresh,
        )


def _open(root: Path, submission: Submission) -> _Opened:
    """Return a submission as data; what is wrong with it is part of the answer."""
    data = b""
    try:
        data = read_submission(root, submission)
        handed = parse_notebook(data)
        return _Opened(lang=handed.lang, sha256=_hash(data), handed=handed)
    except Unreadable as error:
        lang = guess_language(data)
        message = say(lang, error.reason, **error.details)
        return _Opened(lang=lang, sha256=_hash(data), outcome="unreadable", message=message)
    except CannotOpen as error:
        message = say("en", "infrastructure", reason=error)
        return _Opened(lang="en", outcome="needs_regrade", message=message)


def _run(reference: Reference, handed: HandedIn, engine: Engine, fields: dict[str, Any]) -> Result:
    task = Task(
        student=fields["student"],
        lab=reference.lab,
        handed=handed,
        sha256=fields["sha256"],
        seed=fields["seed"],
        library=reference.library,
        expected=reference.expected,
    )
    try:
        return grade_submission(task, engine)
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost the others their marks
        reason = f"{type(error).__name__}: {error}"
        message = say(reference.lab.lang, "infrastructure", reason=reason)
        return refuse(reference.lab, outcome="needs_regrade", message=message, **fields)


def _is_final(old: Result, fields: dict[str, Any]) -> bool:
    """Does an old result still say how this file fares with this lab, seed and sandbox?"""
    same = all(getattr(old, name) == value for name, value in fields.items())
    return same and old.outcome != "needs_regrade"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest() if data else ""

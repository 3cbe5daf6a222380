"""``labs check``: the saved notebook run as it is graded, but at home and with public checks."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mini_letta.course.grading.engine import SandboxEngine
from mini_letta.course.grading.grade import Task, grade_submission
from mini_letta.course.grading.handed_in import HandedIn
from mini_letta.course.grading.matching import Match, match_cells
from mini_letta.course.grading.results import CheckResult, ExerciseResult, Result
from mini_letta.course.grading.sandbox import Sandbox
from mini_letta.course.labs.attempt import Attempt, Outcome
from mini_letta.course.labs.lab import HOME_SEED, Check, Exercise, Lab
from mini_letta.course.labs.library import build_library
from mini_letta.course.labs.phrases import say
from mini_letta.course.labs.saved import remark_on_cells
from mini_letta.course.labs.stubs import is_untouched, mentions_stub
from mini_letta.errors import MiniLettaError


class NotHere(MiniLettaError):
    """The machine lacks what `labs check` stands on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCheck:
    """What came of a saved notebook."""

    attempts: tuple[Attempt, ...]
    """One for each exercise asked for."""
    remarks: tuple[str, ...]
    """What the grader will say about cells."""
    trouble: str = ""
    """Why something has no answer, not the student's doing."""


def check_saved(
    kit: Lab, handed: HandedIn, exercises: tuple[Exercise, ...], *, env: Mapping[str, str]
) -> SavedCheck:
    """Run a saved notebook in a kernel of its own and return what its public checks say.

    Args:
        exercises: whose checks to run; the answers to the others run too, as in a notebook.
        env: the surrounding environment.
    Raises:
        NotHere: there is no ``prlimit``.
    """
    if shutil.which("prlimit", path=env.get("PATH")) is None:
        raise NotHere(say(kit.lang, "no_prlimit"))
    wanted = {exercise.id for exercise in exercises}
    asked = replace(kit, checks=tuple(c for c in kit.checks if c.exercise in wanted))
    match = match_cells(asked, handed)
    result = _run(asked, handed, env)
    found = {each.id: each for each in result.exercises}
    attempts = (_attempt(kit, match, each, found[each.id]) for each in exercises)
    foreign = [notice.text for notice in match.notices] if match.is_foreign else []
    return SavedCheck(
        attempts=tuple(attempts),
        remarks=(*foreign, *remark_on_cells(kit.lang, match, wanted)),
        trouble=result.message if result.outcome == "needs_regrade" else "",
    )


def home_engine(env: Mapping[str, str]) -> SandboxEngine:
    """Return an engine for one's own code: limits on time and memory, but no walls."""
    sandbox = Sandbox(level="rlimits", own_uid=False)
    return SandboxEngine(sandbox=sandbox, env=env)


def _run(lab: Lab, handed: HandedIn, env: Mapping[str, str]) -> Result:
    with tempfile.TemporaryDirectory(prefix="mini-letta-library-") as folder:
        task = Task(
            student="-",
            lab=lab,
            handed=handed,
            sha256="",
            seed=HOME_SEED,
            library=build_library(lab, Path(folder)),
            expected={check.id: check.expected for check in lab.checks},
        )
        return grade_submission(task, home_engine(env))


def _attempt(kit: Lab, match: Match, exercise: Exercise, result: ExerciseResult) -> Attempt:
    if exercise.kind == "reading":
        return Attempt(exercise=exercise, is_written=result.outcome == "needs_reading")
    checks = {check.id: check for check in kit.checks_of(exercise.id)}
    outcomes = tuple(_outcome(checks[each.id], each) for each in result.checks)
    cell, handed = match.of(exercise.id)
    printed = [f"{each.seen}\n{each.fault}" for each in outcomes]
    return Attempt(
        exercise=exercise,
        outcomes=outcomes,
        is_untouched=any(is_untouched(cell, each.source) for each in handed)
        or any(mentions_stub(text, exercise.id) for text in printed),
        message=result.message,
    )


def _outcome(check: Check, result: CheckResult) -> Outcome:
    if result.outcome == "passed":
        return Outcome(check=check, seen=check.expected)
    if result.outcome == "failed":
        return Outcome(check=check, seen=result.seen)
    *seen, last = result.seen.splitlines() or ["-"]
    return Outcome(check=check, seen="\n".join(seen), fault=last)

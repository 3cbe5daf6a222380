"""From what the runs of a submission showed to its result: outcomes, points and sentences."""

from collections.abc import Mapping
from typing import Any

from mini_letta.course.grading.evidence import Evidence, Fault
from mini_letta.course.grading.matching import Match
from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.rebuild import Step
from mini_letta.course.grading.results import CheckResult, ExerciseResult, Result, Verdict
from mini_letta.course.grading.spelling import clip
from mini_letta.course.labs.lab import Check, Exercise, Lab
from mini_letta.course.labs.stubs import is_untouched

MAX_SEEN = 4000
MAX_ANSWER = 20_000
VERDICTS: Mapping[str, Verdict] = {
    "passed": "passed",
    "differs": "failed",
    "raised": "error",
    "timeout": "timeout",
    "crashed": "crashed",
}
# The first of these that a check of an exercise has is what the exercise is.
WORST_FIRST: tuple[Verdict, ...] = (
    "needs_regrade", "timeout", "crashed", "error", "failed", "not_run", "passed"
)  # fmt: skip


def judge(lab: Lab, match: Match, evidence: Evidence, **fields: Any) -> Result:
    """Return the result.

    Args:
        fields: ``expected`` by check id, and the fields of a result that are not judged.
    """
    expected = fields.pop("expected")
    judging = _Judge(lab, match, evidence, expected)
    exercises = tuple(judging.exercise(exercise) for exercise in lab.exercises)
    open_ = [each for each in exercises if each.outcome == "needs_regrade"]
    message = match.notices[0].text if match.is_foreign else open_[0].message if open_ else ""
    return Result(
        lab=lab.id,
        title=lab.title,
        lang=lab.lang,
        outcome="needs_regrade" if open_ else "graded",
        message=message,
        exercises=exercises,
        notices=match.notices,
        **fields,
    )


def refuse(lab: Lab, *, outcome: Any, message: str, **fields: Any) -> Result:
    """Return the result of a submission that did not run: ``unreadable`` or ``needs_regrade``."""
    exercises = tuple(
        ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            kind=exercise.kind,
            outcome=outcome,
            points=0,
            max_points=exercise.points,
            message="",
            checks=tuple(
                _check_result(check, outcome, expected="") for check in lab.checks_of(exercise.id)
            ),
        )
        for exercise in lab.exercises
    )
    return Result(
        lab=lab.id,
        title=lab.title,
        lang=lab.lang,
        outcome=outcome,
        message=message,
        exercises=exercises,
        **fields,
    )


def total_time_s(lab: Lab) -> float:
    """Return how long one submission may take in all, its runs without a dropped exercise too."""
    return 60.0 + 10.0 * lab.cell_timeout_s


class _Judge:
    """Judges the exercises of one submission."""

    def __init__(
        self, lab: Lab, match: Match, evidence: Evidence, expected: Mapping[str, str]
    ) -> None:
        self.lab = lab
        self.match = match
        self.evidence = evidence
        self.expected = expected
        self.asking = {step.name: step for step in evidence.steps if step.role == "check"}

    def exercise(self, exercise: Exercise) -> ExerciseResult:
        if exercise.kind == "reading":
            return self.reading(exercise)
        checks = tuple(self.check(check) for check in self.lab.checks_of(exercise.id))
        outcome = self.outcome(exercise, checks)
        return ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            kind=exercise.kind,
            outcome=outcome,
            points=sum(check.points for check in checks),
            max_points=exercise.points,
            message="" if outcome == "passed" else self.message(exercise, outcome),
            checks=checks,
        )

    def reading(self, exercise: Exercise) -> ExerciseResult:
        cell, handed = self.match.of(exercise.id)
        answer = "\n\n".join(each.source.strip() for each in handed)
        why = "" if handed else "missing"
        if handed and all(is_untouched(cell, each.source) for each in handed):
            why = "untouched"
        return ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            kind=exercise.kind,
            outcome="failed" if why else "needs_reading",
            points=0,
            max_points=exercise.points,
            message=say(self.lab.lang, why) if why else "",
            answer="" if why else clip(answer, MAX_ANSWER),
        )

    def check(self, check: Check) -> CheckResult:
        if check.exercise in self.evidence.unchecked:
            return self.result(check, "failed", "")
        if check.script:
            return self.script_check(check)
        step = self.asking[check.id]
        cell = self.evidence.cells.get(step.id)
        if cell is None:
            return self.unanswered(check, step)
        said = cell.said if cell.outcome == "raised" else ""
        return self.result(check, VERDICTS[cell.outcome], cell.seen + said)

    def script_check(self, check: Check) -> CheckResult:
        run = self.evidence.scripts.get(check.exercise)
        if run is None:
            return self.unanswered(check, None)
        if run.trouble:
            return self.result(check, "needs_regrade", "")
        if run.fault or check.id not in run.texts:
            return self.result(check, run.verdict, run.fault)
        seen = run.texts[check.id]
        return self.result(check, "passed" if seen == self.expected[check.id] else "failed", seen)

    def unanswered(self, check: Check, step: Step | None) -> CheckResult:
        """Return the result of a check that printed nothing we can use."""
        fault = self.evidence.faults.get(check.exercise)
        if fault is not None:
            is_culprit = fault.step is step
            return self.result(check, VERDICTS[fault.cell.outcome] if is_culprit else "not_run", "")
        return self.result(check, "needs_regrade" if self.evidence.trouble else "not_run", "")

    def result(self, check: Check, outcome: Verdict, seen: str) -> CheckResult:
        return _check_result(check, outcome, expected=self.expected[check.id], seen=seen)

    def outcome(self, exercise: Exercise, checks: tuple[CheckResult, ...]) -> Verdict:
        found = {check.outcome for check in checks}
        worst: Verdict = next((verdict for verdict in WORST_FIRST if verdict in found), "passed")
        if worst in ("passed", "needs_regrade"):
            return worst
        fault = self.evidence.faults.get(exercise.id)
        if fault is not None:
            return VERDICTS[fault.cell.outcome]
        if exercise.id in self.evidence.unchecked or self.is_untouched(exercise):
            return "failed"
        return "error" if self.raised(exercise, "answer") else worst

    def message(self, exercise: Exercise, outcome: Verdict) -> str:
        """Return the one sentence that explains best why the exercise is not passed."""
        lang, evidence = self.lab.lang, self.evidence
        fault, script = evidence.faults.get(exercise.id), evidence.scripts.get(exercise.id)
        if exercise.id in evidence.unchecked:
            return say(lang, evidence.unchecked[exercise.id])
        if outcome == "needs_regrade":
            reason = (script.trouble if script else "") or evidence.trouble
            return say(lang, "infrastructure", reason=reason)
        if fault is not None:
            return self.blame(fault)
        if self.is_untouched(exercise):
            return say(lang, "untouched")
        if error := self.raised(exercise, "answer"):
            return say(lang, "answer_raised", error=error[1])
        if error := self.raised(exercise, "extra"):
            return say(lang, "extra_raised", position=error[0].position, error=error[1])
        if script is not None and script.fault:
            return script.fault
        if evidence.is_out_of_time and outcome == "not_run":
            return say(lang, "too_long", seconds=round(total_time_s(self.lab)))
        return ""

    def blame(self, fault: Fault) -> str:
        step, cell, lang = fault.step, fault.cell, self.lab.lang
        key = {"tools": "in_given", "script": "in_check"}.get(step.role, f"in_{step.role}")
        place = say(lang, key, position=step.position)
        if cell.outcome == "timeout":
            return say(lang, "timed_out", place=place, seconds=self.lab.cell_timeout_s)
        return say(lang, "died", place=place, reason=cell.said)

    def is_untouched(self, exercise: Exercise) -> bool:
        """Is every answer cell as it was handed out, and no cell of the student's own there?"""
        cell, handed = self.match.of(exercise.id)
        own = any(extra.exercise == exercise.id for extra in self.match.extras)
        return not own and all(is_untouched(cell, each.source) for each in handed)

    def raised(self, exercise: Exercise, role: str) -> tuple[Step, str] | None:
        """Return the first cell of the student's in this exercise that stopped, and its error."""
        own = [s for s in self.evidence.steps if (s.exercise, s.role) == (exercise.id, role)]
        for step in own:
            cell = self.evidence.cells.get(step.id)
            if cell is not None and cell.outcome == "raised":
                return step, _encodable(cell.said)
        return None


def _check_result(check: Check, outcome: Verdict, *, expected: str, seen: str = "") -> CheckResult:
    return CheckResult(
        id=check.id,
        hidden=check.hidden,
        outcome=outcome,
        points=check.points if outcome == "passed" else 0,
        max_points=check.points,
        sentence=check.sentence,
        expected=clip(expected, MAX_SEEN),
        seen=clip(_encodable(seen), MAX_SEEN),
    )


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

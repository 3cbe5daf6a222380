"""Grade one submission: run it, and again without what hung, until every check has an answer.

A pure function of lab, submission, seed and sandbox. What is final stays final: a check that has
printed its values is never taken back by a later run. After a cell that ran out of time or ended
the kernel, its exercise is dropped and the others run again in a fresh kernel. Trouble of ours is
retried once; what it leaves open is ``needs_regrade`` and never a zero.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mini_letta.course.grading.evidence import Evidence, Fault, ScriptRun
from mini_letta.course.grading.handed_in import HandedIn
from mini_letta.course.grading.kernel_run import CellRun, NotebookRun
from mini_letta.course.grading.matching import Match, match_cells
from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.rebuild import Step, compose_notebook, rebuild, without
from mini_letta.course.grading.results import Result
from mini_letta.course.grading.verdicts import judge, total_time_s
from mini_letta.course.labs.lab import Lab

MAX_SCRIPT = 15_000
ANSWERED = ("passed", "differs", "raised")
FATAL = ("timeout", "crashed")


class Engine(Protocol):
    """What can run the code of a student; the sandbox is its business."""

    @property
    def level(self) -> str:
        """How strong the sandbox is: ``bubblewrap``, ``unshare`` or ``rlimits``."""

    def run_notebook(
        self, node: Any, *, library: Path, cell_timeout_s: float, wall_s: float
    ) -> NotebookRun:
        """Run a notebook in a fresh kernel and folder; compare the outputs of its checks."""

    def run_script(self, lab: Lab, exercise: str, script: str, *, seed: int) -> ScriptRun:
        """Run the bash script of an exercise in a prepared memory; inspect what it leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One submission to be graded."""

    student: str
    lab: Lab
    """In the language of the submission."""
    handed: HandedIn
    sha256: str
    seed: int
    library: Path
    """What the kernel may import of this package."""
    expected: Mapping[str, str]
    """Check id -> what the reference prints with this seed."""


def grade_submission(task: Task, engine: Engine) -> Result:
    """Return the result of one submission; nothing that is in it raises."""
    match = match_cells(task.lab, task.handed)
    evidence = Evidence(
        steps=rebuild(task.lab, match, seed=task.seed),
        unchecked=_exercises_without_answer(task.lab, match),
    )
    if not match.is_foreign:
        _Grading(task, engine, evidence).run()
    return judge(
        task.lab,
        match,
        evidence,
        student=task.student,
        sha256=task.sha256,
        master=task.lab.fingerprint(),
        seed=task.seed,
        level=engine.level,
        expected=task.expected,
    )


def _exercises_without_answer(lab: Lab, match: Match) -> dict[str, str]:
    """Return exercise -> ``missing`` or ``not_code``."""
    absent = {}
    for exercise in lab.exercises:
        cell, handed = match.of(exercise.id)
        if not handed:
            absent[exercise.id] = "missing"
        elif cell.kind == "answer" and all(each.kind != "code" for each in handed):
            absent[exercise.id] = "not_code"
    return absent


@dataclass(slots=True, kw_only=True)
class _Attempts:
    """How much more patience there is."""

    ends: float
    """On the monotonic clock."""
    troubles: list[str] = field(default_factory=list)

    @property
    def left_s(self) -> float:
        return self.ends - time.monotonic()


class _Grading:
    """The runs of one submission."""

    def __init__(self, task: Task, engine: Engine, evidence: Evidence) -> None:
        self.task = task
        self.engine = engine
        self.evidence = evidence
        self.attempts = _Attempts(ends=time.monotonic() + total_time_s(task.lab))

    def run(self) -> None:
        """Fill the evidence."""
        while steps := self.open_steps():
            if self.attempts.left_s <= 0:
                self.evidence.is_out_of_time = True
                break
            trouble = self.run_once(steps)
            if trouble:
                self.attempts.troubles.append(trouble)
            if len(self.attempts.troubles) > 1:
                self.evidence.trouble = self.attempts.troubles[-1]
                break
        for step in self.evidence.steps:
            if step.role == "script" and step.id in self.evidence.cells:
                self.run_script(step)

    def open_steps(self) -> tuple[Step, ...]:
        """Return what has to run so that every open check can; empty if there is none."""
        evidence = self.evidence
        steps = without(evidence.steps, dropped=evidence.faults, unchecked=evidence.unchecked)
        asking = [step for step in steps if step.role in ("check", "script")]
        is_open = any(step.id not in evidence.cells for step in asking)
        return steps if is_open else ()

    def run_once(self, steps: Sequence[Step]) -> str:
        """Run one notebook, record what is certain, and return what trouble there was."""
        lab = self.task.lab
        node = compose_notebook(steps, self.task.expected)
        run = self.engine.run_notebook(
            node,
            library=self.task.library,
            cell_timeout_s=lab.cell_timeout_s,
            wall_s=self.attempts.left_s,
        )
        ended = {cell.id: cell for cell in run.cells}
        for number, step in enumerate(steps):
            cell = ended.get(step.id)
            if cell is not None and cell.outcome in ANSWERED:
                self.evidence.cells.setdefault(step.id, cell)
            elif cell is not None and cell.outcome in FATAL:
                return self.blame(steps[: number + 1], cell)
            elif cell is not None and cell.outcome == "trouble":
                return run.trouble or cell.said or "no output arrived"
        if run.trouble or self.open_steps():
            return run.trouble or "not every cell was run"
        return ""

    def blame(self, steps: Sequence[Step], cell: CellRun) -> str:
        """Hold an exercise responsible for a cell that hung or died."""
        culprit = steps[-1]
        exercise = next((step.exercise for step in reversed(steps) if step.exercise), "")
        if not exercise:  # nothing of the student's has run yet
            return f"a given cell did not come to its end: {cell.said or cell.outcome}"
        self.evidence.faults[exercise] = Fault(step=culprit, cell=cell)
        return ""

    def run_script(self, step: Step) -> None:
        """Read the script that a cell printed, run it and keep what it left."""
        lab = self.task.lab
        script = _read_script(self.evidence.cells[step.id])
        if script is None:
            run = ScriptRun(fault=say(lab.lang, "no_script", name=step.name))
        elif len(script) > MAX_SCRIPT:
            values = {"name": step.name, "limit": MAX_SCRIPT}
            run = ScriptRun(fault=say(lab.lang, "script_too_long", **values))
        else:
            run = self.engine.run_script(lab, step.exercise, script, seed=self.task.seed)
            if run.trouble:
                run = self.engine.run_script(lab, step.exercise, script, seed=self.task.seed)
        self.evidence.scripts[step.exercise] = run


def _read_script(cell: CellRun) -> str | None:
    """Return the text that a script cell printed as JSON; None if it printed anything else."""
    try:
        script = json.loads(cell.seen) if cell.outcome != "raised" else None
    except (ValueError, RecursionError):
        return None
    return script if isinstance(script, str) else None

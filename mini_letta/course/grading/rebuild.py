"""The notebook that is run: the master's cells and checks with the student's sources between them.

Order: given cells, answers and the student's own cells; after the last of an exercise's answers
its public checks; all hidden checks at the very end, so that no output which a student gets to see
can hold the source of a hidden check. Tags, order, kernelspec and expected outputs are ours.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import nbformat

from mini_letta.course.grading.handed_in import HandedCell
from mini_letta.course.grading.matching import Match
from mini_letta.course.labs.lab import Cell, Check, Lab
from mini_letta.course.sources import METADATA

Role = Literal["tools", "given", "answer", "extra", "check", "script"]
IGNORE = "nbval-ignore-output"
# Stands for the student's own `check` and `hint`, which have no business in a graded kernel, and
# for IPython's `quit`, which ends the kernel a moment later, in whatever cell that may be.
TOOLS = """\
def check(*names):
    pass


def hint(*names):
    pass


def quit(*code):
    raise SystemExit(*code)


exit = quit"""
# A comment of nbval's in a student's cell would decide whether and how that cell is run.
# Not \s, which would try every start in a run of empty lines: that takes hours for a few MB.
MARKER = re.compile(r"(?m)^([^\S\n]*#(?:[^\S\n]|#)*)(NBVAL|PYTEST)_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One cell of the rebuilt notebook."""

    role: Role
    source: str
    id: str = ""
    """Unique, and the same when others are left out."""
    exercise: str = ""
    """Whose it is; "" for given cells."""
    name: str = ""
    """Id of the check, or the variable of the script."""
    position: int = 0
    """Of the student's cell in the submission."""


def rebuild(lab: Lab, match: Match, *, seed: int) -> tuple[Step, ...]:
    """Return the cells to run, in order.

    Args:
        seed: what the checks draw their inputs from.
    """
    steps = [Step(role="tools", source=TOOLS), *_extras(match, after="")]
    for cell, handed in match.cells:
        steps += _steps_of(lab, match, cell, handed, seed=seed)
    late = [check for check in lab.checks if check.hidden and not check.script]
    steps += [_check_step(lab, check, seed) for check in late]
    return tuple(replace(step, id=f"{step.role}-{n}") for n, step in enumerate(steps, start=1))


def without(
    steps: Sequence[Step], *, dropped: Collection[str], unchecked: Collection[str]
) -> tuple[Step, ...]:
    """Return the cells to run when some exercises are left out.

    Args:
        dropped: exercises of which nothing runs any more.
        unchecked: exercises without an answer: the student's own cells run, checks do not.
    """
    return tuple(
        step
        for step in steps
        if step.exercise not in dropped
        and not (step.exercise in unchecked and step.role in ("check", "script"))
    )


def compose_notebook(steps: Sequence[Step], expected: Mapping[str, str]) -> Any:
    """Return the notebook of these cells.

    Args:
        expected: check id -> what the reference prints; only checks are compared.
    """
    cells = [_compose_cell(step, expected, count) for count, step in enumerate(steps, start=1)]
    node = nbformat.v4.new_notebook(cells=cells)
    node.metadata = nbformat.from_dict(METADATA)
    return node


def _steps_of(
    lab: Lab, match: Match, cell: Cell, handed: Sequence[HandedCell], *, seed: int
) -> Iterator[Step]:
    if cell.kind == "given":
        yield Step(role="given", source=cell.source)
        yield from _extras(match, after=cell.id)
    elif cell.kind == "answer":
        exercise = cell.exercise
        answers = [each for each in handed if each.kind == "code"]
        for each in answers:
            yield _own_step("answer", each, exercise)
        yield from _extras(match, after=cell.id)
        checks = lab.checks_of(exercise)
        for name in dict.fromkeys(check.script for check in checks if check.script):
            yield _script_step(name, exercise)
        for check in checks:
            if not check.hidden and not check.script:
                yield _check_step(lab, check, seed)


def _extras(match: Match, *, after: str) -> Iterator[Step]:
    for extra in match.extras:
        if extra.after == after:
            yield _own_step("extra", extra.cell, extra.exercise)


def _own_step(role: Role, cell: HandedCell, exercise: str) -> Step:
    return Step(
        role=role,
        source=MARKER.sub(r"\1\2 ", cell.source),
        exercise=exercise,
        position=cell.position,
    )


def _check_step(lab: Lab, check: Check, seed: int) -> Step:
    return Step(
        role="check",
        source=lab.program(check, seed),
        exercise=check.exercise,
        name=check.id,
    )


def _script_step(name: str, exercise: str) -> Step:
    """Return a cell that prints a script as JSON; what else could print there is only text too."""
    source = f"import json\n\nprint(json.dumps({name}))"
    return Step(role="script", source=source, exercise=exercise, name=name)


def _compose_cell(step: Step, expected: Mapping[str, str], count: int) -> Any:
    cell = nbformat.v4.new_code_cell(step.source, id=step.id)
    cell.execution_count = count  # nbval compares no cell that seems never to have run
    if step.role != "check":
        cell.metadata.tags = [IGNORE]
    elif expected[step.name]:
        text = expected[step.name]
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
    return cell

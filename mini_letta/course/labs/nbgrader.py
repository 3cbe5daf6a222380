"""A lab as nbgrader's own source notebook, for courses that already grade with it.

The cell that asks for the checks of an exercise is the graded one. Its hidden tests run every
check, and the cell's value is its points. With its solutions and hidden tests taken out it is the
notebook that students have anyway, so what they hand in can go through either grader.

nbgrader runs the tests in the student's own process and believes it. ``mini-letta grade`` does not.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mini_letta.course.labs.build import compose_cell, expect, notebook_json
from mini_letta.course.labs.lab import Cell, Lab, lab_from_json
from mini_letta.course.labs.master import read_lab, read_sources
from mini_letta.course.labs.trial import try_exercise

HIDDEN = """\
{ask}
### BEGIN HIDDEN TESTS
# Every check of {exercise}, also those that students do not have; the value is the points.
from mini_letta.course.labs.nbgrader import count_points

count_points({lab!r})
### END HIDDEN TESTS"""


def source_notebook(root: Path, id: str, kit: Lab, *, env: Mapping[str, str]) -> str:
    """Return the text of the instructor's notebook.

    Args:
        root: top folder of the checkout.
        kit: of the same lab and language.
        env: the surrounding environment.
    Raises:
        BadSource: the master is malformed.
        ReferenceFailed: the reference does not run.
    """
    lab = expect(read_lab(root, id, kit.lang), env=env)
    sources = read_sources(root, id, kit.lang)
    return notebook_json(kit, [_cell(lab, cell, sources) for cell in lab.cells])


def count_points(text: str) -> int:
    """Run all checks of one exercise in the running notebook and return the points of the met.

    Args:
        text: what :func:`only_exercise` returns, as JSON.
    """
    lab = lab_from_json(text)
    namespace = vars(sys.modules["__main__"])
    attempt = try_exercise(lab, lab.exercises[0], namespace, env=os.environ)
    return sum(outcome.check.points for outcome in attempt.outcomes if outcome.is_met)


def only_exercise(lab: Lab, exercise: str) -> Lab:
    """Return the part of a lab that is needed to check one exercise."""
    return replace(
        lab,
        cells=tuple(cell for cell in lab.cells if cell.kind == "given"),
        exercises=(lab.exercise(exercise),),
        checks=lab.checks_of(exercise),
    )


def _cell(lab: Lab, cell: Cell, sources: Mapping[str, str]) -> Any:
    made = compose_cell(lab, cell)
    if cell.kind in ("answer", "written"):
        made.source = sources[cell.id]
    elif cell.kind == "ask":
        tests = only_exercise(lab, cell.exercise).to_json()
        made.source = HIDDEN.format(ask=cell.source, exercise=cell.exercise, lab=tests)
    return made

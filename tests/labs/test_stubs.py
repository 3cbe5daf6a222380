"""An answer that nobody has written is known, whoever put the placeholder there."""

import re
import textwrap
from typing import Any

import pytest

from mini_letta.course.labs.lab import Cell, CellKind
from mini_letta.course.labs.stubs import code_stub, is_untouched, mentions_stub, script_stub
from tests.labs.cli import shell
from tests.labs.kit import Student

CODE = 'def double(n):\n    """Twice."""\n    raise NotImplementedError("Exercise 9.1")'
SCRIPT = 'script = """\n# Exercise 9.1\n"""'
WORDS = "*Answer here.*"
BY_NBGRADER = "# YOUR CODE HERE\nraise NotImplementedError()"


def hand_out_as_nbgrader_does(cell: Any) -> None:
    """Replace our placeholder in a cell by nbgrader's."""
    kind, exercise = (cell.metadata.get("mini_letta", {}).get(key) for key in ("kind", "exercise"))
    if kind == "written":
        cell.source += "\nYOUR ANSWER HERE"
    for stub in (code_stub(exercise), script_stub(exercise)) if kind == "answer" else ():
        cell.source = re.sub(f"( *){re.escape(stub)}", indented, cell.source)


def indented(match: re.Match[str]) -> str:
    """Return nbgrader's placeholder as deep as ours was."""
    return textwrap.indent(BY_NBGRADER, match[1])


@pytest.mark.parametrize(
    ("kind", "stub", "source", "expected"),
    [
        ("answer", CODE, CODE.replace("    ", "\t") + "\n", True),
        ("answer", CODE, CODE.split("raise")[0] + BY_NBGRADER, True),
        ("answer", SCRIPT, f'script = """\n{BY_NBGRADER}\n"""', True),
        ("written", WORDS, f"{WORDS}\nYOUR ANSWER HERE", True),
        ("answer", CODE, CODE + "\n    # later", False),
        ("answer", SCRIPT, 'script = """\n# Exercise 9.2\n"""', False),
        ("written", WORDS, f"{WORDS}\nMine.", False),
    ],
)
def test_placeholders_are_nobodys_answer(
    kind: CellKind, stub: str, source: str, expected: bool
) -> None:
    """Ours and nbgrader's; space does not count, everything else does."""
    cell = Cell(id="x", kind=kind, exercise="9.1", source=stub)
    assert is_untouched(cell, source) is expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("double(5) raised NotImplementedError: Exercise 9.1\n", True),
        ("double(5) raised NotImplementedError: \ndouble(6) -> 12\n", True),
        ("NotImplementedError", True),
        ("double(5) raised NotImplementedError: Exercise 9.12\n", False),
        ("double(5) raised NotImplementedError: check_size is what lab9 asks for\n", False),
    ],
)
def test_the_error_of_a_stub_is_known_by_its_text(printed: str, expected: bool) -> None:
    """Another NotImplementedError is an error like any other."""
    assert mentions_stub(printed, "9.1") is expected


def test_stubs_of_nbgrader_are_where_one_begins_too(student: Student) -> None:
    """In the notebook and on the command line."""
    student.edits(hand_out_as_nbgrader_does)
    out = shell(student).labs("check", "9").out
    assert out.count("here is where you begin.") == 3
    assert out.endswith("\n0 of 4 exercises done\n")
    answers = [cell.source for cell in student.cells("answer")]
    said = student.runs(*answers, *(f'check("9.{number}")' for number in (1, 2, 3)))
    assert said.count("here is where you begin.") == 3

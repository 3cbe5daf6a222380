"""`labs list` and `labs check`: the same words as in the notebook, in a kernel of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mini_letta
from tests.labs.cli import shell
from tests.labs.kit import RIGHT, TRACEBACK, Student, enrol, references


def test_check_uses_the_words_of_the_notebook(student: Student) -> None:
    """What a student reads does not depend on where it was asked for."""
    wrong = "def longest(words):\n    return words[0]"
    student.writes(answer_9_2=wrong)
    in_notebook = student.runs(wrong, 'check("9.2")')
    answer = shell(student).labs("check", "9.2")
    assert (answer.code, answer.out) == (1, in_notebook)


def test_check_of_a_whole_lab_counts_what_is_done(sample: Path, student: Student) -> None:
    """The reference is done everywhere, and remembered as such."""
    student.writes(**references(sample))
    answer = shell(student).labs("check", "9")
    assert answer.code == 0
    assert answer.out.endswith("\n4 of 4 exercises done\n")
    assert [each["done"] for each in student.progress().values()] == [True] * 4


def test_check_of_stubs_is_where_one_begins(student: Student) -> None:
    """No exercise is an error."""
    answer = shell(student).labs("check", "lab9")
    assert answer.code == 1
    assert answer.out.count("here is where you begin.") == 3
    assert answer.out.endswith("\n0 of 4 exercises done\n")


def test_check_stops_what_does_not_end_and_judges_the_rest(student: Student) -> None:
    """The exercise that hangs is named; the others have their results."""
    student.writes(answer_9_1="while True:\n    pass", answer_9_2=RIGHT["9.2"])
    data = shell(student).json("check", "9")
    found = {each["id"]: each for each in data["exercises"]}
    assert found["9.1"]["message"] == (
        "The answer cell ran for more than 5 seconds and was stopped."
    )
    assert found["9.2"]["is_passed"]


def test_check_runs_without_what_the_lab_asks_for(student: Student) -> None:
    """The answer that ships with the package is not there: what imports it fails here too."""
    shipped = "from mini_letta.memory.constraints import check_size"
    student.writes(answer_9_1=f"{shipped}\ndef double(n):\n    return check_size('', n, None)")
    (found,) = shell(student).json("check", "9.1")["exercises"]
    seen = found["unmet"][0]["seen"].splitlines()[0]
    assert seen == "double(49) raised NotImplementedError: check_size is what lab9 asks for"


def test_check_reports_locked_cells_as_the_grader_does(student: Student) -> None:
    """The change is not used, so the answer that needs it fails, and it says why."""
    given = student.cells("given")[1].source
    student.writes(
        given=f"import json\n{given}",
        answer_9_1="def double(n):\n    return json.loads(str(2 * n))",
    )
    data = shell(student).json("check", "9.1")
    assert not data["exercises"][0]["is_passed"]
    assert "the grader will say: Cell 4 (given) is locked" in data["remarks"][0]


def test_check_of_another_labs_notebook_says_so(student: Student) -> None:
    """A notebook without any cell of the lab is not judged exercise by exercise only."""

    def estrange(cell: Any) -> None:
        cell.metadata.clear()
        cell.id = f"x-{cell.id}"

    student.edits(estrange)
    said = shell(student).labs("check", "9").out
    assert "None of the answer cells of lab9 is in this notebook." in said


def test_check_of_a_damaged_notebook_is_a_sentence(student: Student) -> None:
    """It says what is wrong and how to begin again."""
    student.notebook.write_text("", encoding="utf-8")
    answer = shell(student).labs("check", "9")
    assert answer.code == 2
    assert "lab9.ipynb cannot be read: The file is empty." in answer.err


def test_check_speaks_the_language_of_the_notebook(sample: Path, tmp_path: Path) -> None:
    """An English terminal does not change what a Chinese lab says."""
    student = enrol(sample, tmp_path / "zh", "zh")
    said = shell(student).labs("check", "9").out
    assert "就从这里开始" in said
    assert said.endswith("\n4 道练习，完成 0 道\n")


def test_check_of_an_answer_that_is_missing_compares_nothing(student: Student) -> None:
    """Nothing ran, so there is nothing that was seen."""
    student.deletes("answer-9-1")
    said = shell(student).labs("check", "9.1").out
    assert said.splitlines()[1:3] == [
        "answer cell missing",
        "Not met: `double(n)` returns twice the number.",
    ]
    assert "expected:" not in said
    assert said.endswith("\n`mini-letta labs reset 9.1` puts the cell back where it was.\n")


def test_list_shows_labs_and_how_far_one_is(student: Student) -> None:
    """Those of the checkout, and those begun here."""
    student.runs(RIGHT["9.1"], 'check("9.1")')
    out = shell(student).labs("list").out
    assert "      not begun: mini-letta labs start 1\n" in out
    assert out.endswith("lab9  Lab 9 A sample\n      1 of 4 exercises done  .\n")


def test_list_as_json_has_every_exercise(student: Student) -> None:
    """For a program: points and standing of each."""
    last = shell(student).json("list")[-1]
    assert (last["id"], last["folder"], last["points"]) == ("lab9", str(student.folder), 11)
    assert [each["done"] for each in last["exercises"]] == [False] * 4


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The package where there is no checkout around it."""
    source = Path(mini_letta.__file__).parent
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, tmp_path / "site" / "mini_letta", ignore=leave)
    return tmp_path / "site"


def test_a_released_folder_is_enough(student: Student, installed: Path) -> None:
    """Without a checkout one can check, take hints and begin again; solutions are not there."""
    student.writes(answer_9_1=RIGHT["9.1"])

    def call(*args: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "mini_letta", "labs", *args],
            cwd=student.folder,
            env={**os.environ, "PYTHONPATH": str(installed)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert TRACEBACK not in done.stdout
        return done.returncode, done.stdout

    assert call("check", "9.1")[1].startswith("Exercise 9.1: passed")
    assert call("hint", "9.2")[1].startswith("Hint 1 of 3")
    assert call("reset", "9")[0] == 0
    assert call("list")[1].startswith("lab9  Lab 9 A sample\n")
    code, said = call("solution", "9.1")
    assert (code, "the solutions are not part of what students get" in said) == (3, True)
    assert call("start", "9")[0] == 3
    assert "the labs to hand out come with the repository" in call("release", "--to", "out")[1]

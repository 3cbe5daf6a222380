"""`mini-letta grade` as an instructor types it: exit codes, what it says, what it writes."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mini_letta.course.grading.carry_out import carry_out
from mini_letta.course.grading.engine import NoSandbox
from mini_letta.course.grading.marks import BadMarks
from mini_letta.course.grading.order import BadOrder, CannotGrade, Done, Order
from mini_letta.course.grading.results import read_result, result_path
from mini_letta.course.grading.submissions import NoSubmissions
from mini_letta.course.labs.build import make_kit, notebook_text
from mini_letta.course.labs.master import read_lab
from tests.cli.kit import Cli
from tests.grading.kit import PlainEngine, hand_out, solve, submit, write_labs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """A user in an empty folder."""
    return Cli(folder=tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with the tiny lab, and two students' notebooks beside it."""
    root = write_labs(tmp_path / "checkout")
    lab = read_lab(root, "lab1", "en")
    submit(tmp_path / "in", "ada", solve(lab))
    submit(tmp_path / "in", "bo", hand_out(lab))
    (tmp_path / "in" / "ada" / "Lab1 copy.ipynb").touch()
    return root


def grade(tmp_path: Path, root: Path, engine: PlainEngine | None = None, **fields: Any) -> Done:
    """Carry out an order with a stand-in for the sandbox."""
    made: Sequence[PlainEngine] = [engine or PlainEngine()]
    values = {"submissions": tmp_path / "in", "out": tmp_path / "out", "seed": 5, "jobs": 1}
    order = Order(**{**values, "env": os.environ, **fields})
    return carry_out(order, root=root, make_engines=lambda *_, **__: made)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "out"], "name the folder of submissions"),
        (["nowhere", "--out", "out"], "nowhere is not a folder"),
        ([".", "--out", "out"], "lies among the submissions"),
        (["in", "--out", "in"], "lies among the submissions"),
        (["in", "--out", "out", "--jobs", "0"], "--jobs is how many"),
        (["in", "--out", "out", "--seed", "0"], "--seed is a whole number from 1"),
        (["in", "--out", "out", "--seed", "-3"], "--seed is a whole number from 1"),
        (["--out", "out", "--merge", "marks.csv"], "there are no results in"),
        (["in", "--out", "out"], "there is no notebook to grade in"),
        (["in"], "the following arguments are required: --out"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(words: list[str], said: str, cli: Cli) -> None:
    """Exit 2, one sentence with the way out, and nothing is written."""
    (cli.folder / "in").mkdir()
    answer = cli.call("grade", *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err
    assert not (cli.folder / "out").exists()


def test_an_untouched_notebook_of_a_real_lab_is_graded_zero(cli: Cli) -> None:
    """The labs of this checkout, the real sandbox, the whole way: exit 0 and four files."""
    kit = make_kit(read_lab(ROOT, "lab1", "zh"), env=os.environ)
    submit(cli.folder / "in", "王", notebook_text(kit).encode())
    answer = cli.call("grade", "in", "--out", "out", "--seed", "3", "--json")
    if answer.code == 3 and "--unsafe" in answer.err:
        pytest.skip("there is no sandbox here: install bubblewrap")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["outcomes"] == {"graded": 1}
    result = read_result(result_path(cli.folder / "out", "王", "lab1"))
    assert result is not None and (result.points, result.notices) == (0, ())
    names = {path.name for path in (cli.folder / "out").iterdir()}
    assert {"grades.csv", "grades.json", "report.html", "feedback", "results"} <= names


def test_each_submission_is_a_line_and_the_end_says_what_is_next(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a pipe: a line each, names that are no lab, the answers to read, the files."""
    done = grade(tmp_path, root)
    out = tmp_path / "out"
    assert done.exit_code == 0
    assert capsys.readouterr().out.splitlines() == [
        "Grading 2 notebooks, 1 at a time, in a sandbox of level bubblewrap (seed 5) ...",
        "ada  lab1  8/12  (1 to read)",
        "bo  lab1  0/12",
        "Not graded; a notebook must be named lab1.ipynb and so on:",
        "  ada/Lab1 copy.ipynb",
        "2 graded, 0 unchanged.",
        f"Answers for a person to read: 1. Open {out / 'reading.html'}, "
        f"fill in {out / 'marks.csv'}, then:",
        f"  mini-letta grade --out {out} --merge {out / 'marks.csv'}",
        f"Report: {out / 'report.html'}",
        f"Grades: {out / 'grades.csv'}",
        f"Feedback for students: {out / 'feedback'}",
    ]


def test_it_speaks_chinese(tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --lang zh, also when resuming."""
    grade(tmp_path, root, lang="zh")
    grade(tmp_path, root, lang="zh", resumes=True)
    said = capsys.readouterr().out
    assert "批改了 2 份，0 份未变。" in said and "批改了 0 份，2 份未变。" in said
    assert "ada  lab1  8/12  （1 个待批阅）  （未变）" in said
    assert "全班" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_what_needs_a_regrade_is_exit_code_1_with_the_command(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line of the submission says why; the end says how to go on."""
    done = grade(tmp_path, root, PlainEngine(troubles=2))
    said = capsys.readouterr().out
    assert done.exit_code == 1
    assert "ada  lab1  to be graded again: The grader had trouble" in said
    assert f"grade {tmp_path / 'in'} --out {tmp_path / 'out'} --resume" in said


def test_a_weak_sandbox_is_said_loudly_and_recorded(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the screen, in every result, in the report."""
    grade(tmp_path, root, PlainEngine(level="rlimits"), is_unsafe=True)
    assert "WARNING: the sandbox level is rlimits" in capsys.readouterr().out
    result = read_result(result_path(tmp_path / "out", "ada", "lab1"))
    assert result is not None and result.level == "rlimits"
    assert "graded in a weak sandbox" in (tmp_path / "out" / "report.html").read_text()


def test_a_result_of_a_weaker_sandbox_is_made_anew_in_a_stronger_one(
    tmp_path: Path, root: Path
) -> None:
    """The level belongs to what a resumed run compares."""
    grade(tmp_path, root, PlainEngine(level="rlimits"), is_unsafe=True)
    assert grade(tmp_path, root, resumes=True).summary["graded"] == 2


def test_errors_have_the_exit_code_of_their_kind() -> None:
    """2: the call must be worded differently; 3: the machine must be repaired."""
    assert {error.exit_code for error in (BadOrder, NoSubmissions, BadMarks)} == {2}
    assert {error.exit_code for error in (NoSandbox, CannotGrade)} == {3}


def test_marks_are_merged_without_grading_anything(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table that was written is filled in and entered; the grades and the page follow."""
    grade(tmp_path, root)
    table = tmp_path / "out" / "marks.csv"
    filled = table.read_text(encoding="utf-8-sig").replace("1.3,,", "1.3,3,Nearly")
    table.write_text(filled, encoding="utf-8")
    capsys.readouterr()
    engine = PlainEngine()
    done = grade(tmp_path, root, engine, marks=table, submissions=None)
    assert (done.exit_code, done.summary["marks"], engine.runs) == (0, 1, [])
    assert "Marks entered: 1. Rows without points, left alone: 0." in capsys.readouterr().out
    assert "ada,lab1,graded,11,12,0," in (tmp_path / "out" / "grades.csv").read_text()
    page = (tmp_path / "out" / "feedback" / "ada" / "lab1.html").read_text(encoding="utf-8")
    assert "Read by a person: 3 of 4 points." in page and "Nearly" in page


def test_marks_stay_when_the_rest_is_graded_again(tmp_path: Path, root: Path) -> None:
    """Another seed, and with --resume grading and merging in one call."""
    grade(tmp_path, root)
    table = tmp_path / "m.csv"
    table.write_text("student,lab,exercise,points\nada,lab1,1.3,4\n", encoding="utf-8")
    done = grade(tmp_path, root, marks=table, resumes=True, seed=6)
    assert (done.summary["graded"], done.summary["needs_reading"]) == (2, 0)
    assert grade(tmp_path, root, resumes=True, seed=7).summary["needs_reading"] == 0


def test_labs_must_be_there(tmp_path: Path, root: Path) -> None:
    """Installed without a checkout there is nothing to grade with."""
    with pytest.raises(CannotGrade, match="clone it"):
        grade(tmp_path, tmp_path / "elsewhere")

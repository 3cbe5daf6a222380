"""`check("9.1")` in a notebook: what a student reads."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from mini_letta.course.labs.attempt import Attempt, Outcome
from mini_letta.course.labs.kit import read_kit
from mini_letta.course.labs.wording import describe_attempt
from tests.labs.kit import RIGHT, Student, enrol, references

HIDDEN = "1 further check that you do not see here runs when you hand the lab in"


def test_an_untouched_answer_is_where_one_begins(student: Student) -> None:
    """The stub is no error: the page says what to do first."""
    said = student.runs(student.cells("answer")[0].source, 'check("9.1")')
    assert said == (
        "Exercise 9.1: here is where you begin. The answer cell is not written yet.\n"
        "Replace the line that mentions `Exercise 9.1`, run the cell, then "
        'check("9.1"). To get going: hint("9.1").\n'
    )


def test_an_untouched_script_is_where_one_begins(student: Student) -> None:
    """A script of comments is not run."""
    said = student.runs(student.cells("answer")[2].source, 'check("9.3")')
    assert said.startswith("Exercise 9.3: here is where you begin.")


@pytest.mark.parametrize("exercise", RIGHT)
def test_a_right_answer_passes_and_hidden_checks_are_announced(
    student: Student, exercise: str
) -> None:
    """It says how many public checks passed, and that more come."""
    said = student.runs(RIGHT[exercise], f'check("{exercise}")')
    assert said.splitlines()[0] == f"Exercise {exercise}: passed, 1 of 1 public checks."
    assert HIDDEN in said


def test_a_wrong_answer_names_sentence_and_lines_and_gives_a_hint(student: Student) -> None:
    """The sentence of the task that is not met, expected and seen, the first hint."""
    said = student.runs("def longest(words):\n    return words[0]", 'check("9.2")')
    assert said.splitlines() == [
        "Exercise 9.2: 0 of 1 public checks passed.",
        "Not met: `longest(words)` returns the longest word.",
        "  called:   longest(['a', 'bb', 'c'])",
        "  expected: 'bb'",
        "  seen:     'a'",
        f"{HIDDEN}, with other inputs.",
        "Hint 1 of 3: Look at `max`.",
        'The next one: hint("9.2")',
    ]


def test_an_error_is_shown_with_the_line_it_is_in(student: Student) -> None:
    """Type, text and line of the student's own cell, and no traceback."""
    said = student.runs("def double(n):\n    half = n / 0\n    return half", 'check("9.1")')
    assert said.splitlines()[1:3] == [
        "ZeroDivisionError: division by zero",
        "  in line 2 of your cell: half = n / 0",
    ]


def test_an_answer_that_is_no_function_is_told(student: Student) -> None:
    """It is an error like another, and the notebook goes on."""
    said = student.runs("double = 5", 'check("9.1")', "print('goes on')")
    assert "TypeError: 'int' object is not callable" in said
    assert said.endswith("goes on\n")


def test_a_function_under_another_name_of_its_own_is_no_mistake(student: Student) -> None:
    """A lambda or a partial does the same as a function that is called double."""
    said = student.runs("double = lambda n: 2 * n", 'check("9.1")')
    assert said.startswith("Exercise 9.1: passed")
    import_mul = "import operator, functools"
    said = student.runs(import_mul, "double = functools.partial(operator.mul, 2)", 'check("9.1")')
    assert said.startswith("Exercise 9.1: passed")


def test_two_differences_are_shown_and_the_rest_is_counted(student: Student) -> None:
    """A page of them would hide what they have in common."""
    kit = read_kit(student.folder, "lab9")
    check = replace(kit.checks[0], expected="f(1) -> 1\nf(2) -> 2\nx\n")
    outcomes = (Outcome(check=check, seen="f(1) -> 0\nf(2) raised E: e\n"),)
    attempt = Attempt(exercise=kit.exercises[0], outcomes=outcomes)
    assert describe_attempt("en", attempt)[2:-1] == [
        *("  called:   f(1)", "  expected: 1", "  seen:     0"),
        *("  called:   f(2)", "  expected: 2", "  seen:     raised E: e"),
        "  ... and 1 more line that differs",
    ]


def test_stopping_a_check_is_no_traceback(student: Student) -> None:
    """The stop button of the notebook ends the check, and it says what that can mean."""
    said = student.runs("def double(n):\n    raise KeyboardInterrupt", 'check("9.1")')
    assert said.startswith("Exercise 9.1: you stopped the check, so it says nothing.")


def test_a_check_of_nothing_asks_what_to_check(student: Student) -> None:
    """In both languages, since no lab is named."""
    assert student.runs("check()").splitlines()[0] == (
        'Which exercise? Write it as in the task, for example check("1.1").'
    )


def test_leaving_python_does_not_leave_the_notebook(student: Student) -> None:
    """sys.exit() in an answer is told and does not end the kernel."""
    said = student.runs("def double(n):\n    raise SystemExit(3)", 'check("9.1")')
    assert "SystemExit: 3\n  in line 2 of your cell: raise SystemExit(3)" in said


def test_an_answer_that_was_not_run_is_missed_by_name(student: Student) -> None:
    """A name that is not there asks for the cell to be run."""
    said = student.runs('check("9.1")', 'check("9.3")')
    assert "`double` is not defined. Run the answer cell and the cells above it first." in said
    assert "`script` is not defined." in said


def test_a_check_leaves_the_students_names_alone(student: Student) -> None:
    """The check works in a copy of what the notebook has defined."""
    said = student.runs(RIGHT["9.1"], "n = SEED = 'mine'", 'check("9.1")', "print(n, SEED)")
    assert said.endswith("mine mine\n")


def test_a_failing_script_shows_what_it_printed(student: Student) -> None:
    """Exit code, output, and what is not met in the memory it left."""
    said = student.runs("script = 'echo oops; exit 3'", 'check("9.3")')
    assert "Your script ended with exit code 3. It printed:\noops\n" in said
    assert "  expected: ['Create memory', 'n', 'more']\n" in said
    assert "  seen:     ['Create memory', 'n']\n" in said


def test_a_script_that_removes_the_memory_is_told(student: Student) -> None:
    """Where there is no repository left, that is what is said."""
    said = student.runs("script = 'rm -rf .git'", 'check("9.3")')
    assert "Your script left no memory that can be read" in said


def test_a_script_must_be_text(student: Student) -> None:
    """Another value under the right name is told."""
    assert "`script` is not a text" in student.runs("script = 5", 'check("9.3")')


def test_what_a_person_reads_is_not_checked(student: Student) -> None:
    """It says whether there is an answer in the saved notebook, and no more."""
    assert "your answer is not written yet" in student.runs('check("9.4")')
    student.writes(written_9_4="Because I say so.")
    assert "a person reads this answer" in student.runs('check("9.4")')


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("9.7", "There is no exercise 9.7 in lab9. There are: 9.1, 9.2, 9.3, 9.4."),
        ("9", "There is no exercise 9 in lab9. There are: 9.1, 9.2, 9.3, 9.4."),
        ("double", 'Which exercise is double? Write it as in the task, for example check("1.1").'),
        ("8.1", "lab8.json is missing in "),
    ],
)
def test_a_wrong_name_gets_a_clear_sentence(student: Student, typed: str, said: str) -> None:
    """What was meant can be found from the answer."""
    assert student.runs(f'check("{typed}")').startswith(said)


def test_a_damaged_kit_gets_a_clear_sentence(student: Student) -> None:
    """It asks for the two files that belong together."""
    cells = ["from mini_letta.course.labs.check import check", 'check("9.1")']
    student.kit.write_text("{", encoding="utf-8")
    assert "not the .json file of a lab" in student.runs(*cells)


def test_a_notebook_of_another_edition_is_noticed(student: Student) -> None:
    """A kit that was replaced without its notebook is reported beside the result."""
    text = student.kit.read_text(encoding="utf-8")
    student.kit.write_text(text.replace("Look at `max`", "Look at it"), encoding="utf-8")
    said = student.runs(RIGHT["9.1"], 'check("9.1")')
    assert "lab9.ipynb and lab9.json are of different editions" in said


def test_a_change_in_a_locked_cell_is_told_before_it_is_lost(student: Student) -> None:
    """An import added to a given cell works at home and not when it is graded: say so now."""
    source = student.cells("given")[1].source
    student.writes(given=source.replace("import random", "import random\nimport json"))
    said = student.runs(RIGHT["9.1"], 'check("9.1")')
    assert "When you hand in, the grader will say: Cell 4 (given) is locked" in said
    assert "Put your own lines into an answer cell or into a new cell." in said
    assert "  +import json\n" in said


def test_hints_come_one_after_another(student: Student) -> None:
    """Three hints; the last is repeated; how many were taken is remembered."""
    said = [student.runs('hint("9.2")') for _ in range(4)]
    assert [text.splitlines()[0] for text in said] == [
        "Hint 1 of 3: Look at `max`.",
        "Hint 2 of 3: What is compared?",
        "Hint 3 of 3: `max(words, key=...)`",
        "Hint 3 of 3: `max(words, key=...)`",
    ]
    assert student.progress()["9.2"]["hints"] == 3


def test_the_best_result_is_remembered(student: Student) -> None:
    """A later failure does not take back what was passed."""
    student.runs(RIGHT["9.1"], 'check("9.1")', "del double", 'check("9.1")')
    assert student.progress()["9.1"] == {"passed": 1, "total": 1, "done": True, "hints": 1}


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": 1, "exercises": {"9.1": 3}}', "\xff"])
def test_a_damaged_progress_file_is_set_aside(student: Student, text: str) -> None:
    """It is kept under another name, and the result is remembered in a new one."""
    path = student.folder / "progress.json"
    path.write_bytes(text.encode("latin-1"))
    said = student.runs(RIGHT["9.1"], 'check("9.1")')
    assert "progress.json could not be read. It is now progress.damaged.1.json" in said
    assert (student.folder / "progress.damaged.1.json").read_bytes() == text.encode("latin-1")
    assert student.progress()["9.1"]["done"]


def test_a_progress_file_that_cannot_be_written_is_no_error(student: Student) -> None:
    """The result is shown, and that it is not remembered."""
    (student.folder / "progress.json").mkdir()
    said = student.runs(RIGHT["9.1"], 'check("9.1")')
    assert said.startswith("Exercise 9.1: passed")
    assert "progress.json could not be written" in said


def test_a_chinese_notebook_speaks_chinese(sample: Path, tmp_path: Path) -> None:
    """All words are those of the notebook's language; only code is English."""
    student = enrol(sample, tmp_path / "zh", "zh")
    said = student.runs("def longest(words):\n    return words[0]", 'check("9.2")')
    assert said.splitlines() == [
        "练习 9.2：公开检查通过 0/1 项。",
        "没做到：`longest(words)` 返回最长的词。",
        "  调用：longest(['a', 'bb', 'c'])",
        "  应有：'bb'",
        "  实际：'a'",
        "交上去以后，还有 1 项这里看不到的检查，用的是别的输入。",
        "提示 1/3：看看 `max`。",
        '下一条：hint("9.2")',
    ]


def test_the_tools_need_no_other_package() -> None:
    """A kernel of the student's own needs this package and nothing that builds notebooks."""
    names = "('jupytext', 'nbformat', 'nbval', 'pytest')"
    code = (
        f"import sys, mini_letta.course.labs.check; print([n for n in {names} if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("is_solved", [False, True])
def test_a_real_notebook_runs_from_top_to_bottom(
    sample: Path, student: Student, is_solved: bool
) -> None:
    """In Jupyter's own kernel: stubs are where one begins, the reference passes."""
    if is_solved:
        student.writes(**references(sample))
    node = nbformat.read(student.notebook, as_version=4)
    place: dict[str, Any] = {"metadata": {"path": str(student.folder)}}
    NotebookClient(node, timeout=120, resources=place).execute()
    said = ["".join(o.text for o in c.outputs) for c in node.cells if c.id.startswith("ask")]
    wanted = "passed, 1 of 1 public checks." if is_solved else "here is where you begin."
    assert [wanted in text.splitlines()[0] for text in said] == [True, True, True]
    assert json.loads((student.folder / "progress.json").read_text())["schema"] == 1

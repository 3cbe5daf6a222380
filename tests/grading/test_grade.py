"""How one submission becomes a result; the sandbox is a stand-in."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mini_letta.course.grading.evidence import ScriptRun
from mini_letta.course.grading.grade import Task, grade_submission
from mini_letta.course.grading.handed_in import parse_notebook
from mini_letta.course.grading.results import ExerciseResult, Result, result_from_json
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.library import PACKAGE
from mini_letta.course.labs.reference import expected_texts
from tests.grading.kit import (
    POINTS,
    SEED,
    PlainEngine,
    hand_out,
    outcomes_of,
    own_cell,
    place_of,
    solve,
    tiny_lab,
)


@pytest.fixture
def expected(lab: Lab, env: dict[str, str]) -> dict[str, str]:
    """What the reference prints."""
    return expected_texts(lab, SEED, env=env, library=PACKAGE.parent)


def grade(
    lab: Lab,
    expected: Mapping[str, str],
    notebook: dict[str, Any],
    engine: PlainEngine | None = None,
) -> Result:
    """Grade a notebook."""
    task = Task(
        student="ada",
        lab=lab,
        handed=parse_notebook(json.dumps(notebook).encode()),
        sha256="0" * 64,
        seed=SEED,
        library=Path("/nowhere"),
        expected=expected,
    )
    return grade_submission(task, engine or PlainEngine())


def of(result: Result, exercise: str) -> ExerciseResult:
    """Return the result of one exercise."""
    return next(each for each in result.exercises if each.id == exercise)


def test_the_reference_gets_every_point_that_needs_no_reader(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """All checks pass; the answer in words waits for a person."""
    result = grade(lab, expected, solve(lab))
    assert outcomes_of(result.exercises) == {
        "1.1": "passed", "1.2": "passed", "1.3": "needs_reading",
    }  # fmt: skip
    assert (result.outcome, result.points, result.max_points) == ("graded", 8, POINTS)
    assert (result.needs_reading, of(result, "1.3").answer) == (1, "Your answer:\nBecause.")


def test_the_untouched_notebook_gets_nothing(lab: Lab, expected: Mapping[str, str]) -> None:
    """Zero of all points, and each exercise says that it is not answered yet."""
    result = grade(lab, expected, hand_out(lab))
    assert {each.outcome for each in result.exercises} == {"failed"}
    assert {each.message for each in result.exercises} == {"Not answered yet."}
    assert (result.points, result.max_points, result.needs_reading) == (0, POINTS, 0)


def test_an_untouched_answer_that_nbgrader_handed_out_is_nobodys(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """Its placeholder is not an answer for a person to read."""
    notebook = hand_out(lab)
    for cell in notebook["cells"]:
        if cell["metadata"].get("mini_letta", {}).get("kind") == "written":
            cell["source"] += "\nYOUR ANSWER HERE"
    assert grade(lab, expected, notebook).needs_reading == 0


def test_points_are_given_check_by_check(lab: Lab, expected: Mapping[str, str]) -> None:
    """What only the hidden check finds costs the points of the hidden check."""
    answer = "def double(n):\n    return abs(2 * n)"
    exercise = of(grade(lab, expected, solve(lab, answer_1_1=answer)), "1.1")
    assert (exercise.outcome, exercise.points, exercise.max_points) == ("failed", 2, 5)
    assert [(check.id, check.outcome, check.points) for check in exercise.checks] == [
        ("1.1a", "passed", 2), ("1.1b", "failed", 0),
    ]  # fmt: skip


def test_names_of_the_checks_do_not_overwrite_those_of_a_student(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """A helper may be called like something in the prelude, as it may at home."""
    own = "def draw(n):\n    return 2 * n\n\n\ndef double(n):\n    return draw(n)"
    result = grade(lab, expected, solve(lab, answer_1_1=own))
    assert outcomes_of(result.exercises)["1.1"] == "passed"


def test_a_print_left_in_an_answer_costs_nothing(lab: Lab, expected: Mapping[str, str]) -> None:
    """Whoever calls the function: the check itself, or something else that the check runs."""
    chatty = "def double(n):\n    print('looking')\n    return 2 * n"
    result = grade(lab, expected, solve(lab, answer_1_1=chatty))
    assert outcomes_of(result.exercises)["1.1"] == "passed"


def test_an_answer_that_stops_with_an_error_says_which(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """The outcome is error, and the message holds the exception."""
    exercise = of(grade(lab, expected, solve(lab, answer_1_1="1 / 0")), "1.1")
    assert (exercise.outcome, exercise.points) == ("error", 0)
    assert exercise.message == "The answer cell stops with ZeroDivisionError: division by zero"
    assert exercise.checks[0].seen == "NameError: name 'double' is not defined"


def test_after_a_hanging_answer_the_others_run_again_without_it(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """S3: the exercise is timeout with a sentence, a later one gets its points."""
    engine = PlainEngine()
    result = grade(lab, expected, solve(lab, answer_1_1="HANG"), engine)
    exercise = of(result, "1.1")
    assert (exercise.outcome, exercise.points, of(result, "1.2").points) == ("timeout", 0, 3)
    assert exercise.message == "The answer cell ran for more than 10 seconds and was stopped."
    assert {check.outcome for check in exercise.checks} == {"not_run"}
    assert len(engine.runs) == 2 and "answer-3" not in engine.runs[1]


def test_a_check_that_was_answered_before_the_crash_keeps_its_points(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """What is final stays; only what came after the death has nothing to show."""
    result = grade(lab, expected, solve(lab, answer_1_2="CRASH"))
    assert outcomes_of(result.exercises)["1.1"] == "passed"
    assert (of(result, "1.2").outcome, of(result, "1.2").points) == ("crashed", 0)
    assert of(result, "1.2").message == "The answer cell ended the Python process. as told"


def test_a_cell_of_ones_own_that_hangs_goes_down_with_its_exercise(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """The student's own cell after the first answer is blamed on the first exercise."""
    notebook = solve(lab)
    notebook["cells"].insert(place_of(notebook, "ask-1-1"), own_cell("HANG"))
    result = grade(lab, expected, notebook)
    assert outcomes_of(result.exercises)["1.1"] == "timeout"
    assert of(result, "1.1").message.startswith("Your own cell 6 ran for more than")
    assert of(result, "1.2").outcome == "passed"


def test_trouble_of_ours_is_retried_once(lab: Lab, expected: Mapping[str, str]) -> None:
    """S5: one failed start of a kernel changes no mark."""
    calm = grade(lab, expected, solve(lab))
    assert grade(lab, expected, solve(lab), PlainEngine(troubles=1)) == calm


def test_trouble_that_stays_is_never_a_zero(lab: Lab, expected: Mapping[str, str]) -> None:
    """S5: the submission needs to be graded again, and says why."""
    result = grade(lab, expected, solve(lab), PlainEngine(troubles=2))
    assert result.outcome == "needs_regrade"
    assert outcomes_of(result.exercises)["1.1"] == "needs_regrade"
    assert "the kernel did not start" in result.message


def test_trouble_in_a_given_cell_is_ours(lab: Lab, expected: Mapping[str, str]) -> None:
    """Before a line of the student's has run, nothing can be the student's fault."""
    cells = tuple(
        type(cell)(id=cell.id, kind=cell.kind, source="HANG") if cell.id == "setup" else cell
        for cell in lab.cells
    )
    broken = type(lab)(**{name: getattr(lab, name) for name in lab.__slots__} | {"cells": cells})
    assert grade(broken, expected, solve(broken)).outcome == "needs_regrade"


def test_a_missing_answer_is_final(lab: Lab, expected: Mapping[str, str]) -> None:
    """S2: 0 for that exercise, the message, and the master's maximum and number of checks."""
    notebook = solve(lab)
    del notebook["cells"][place_of(notebook, "answer-1-1")]
    result = grade(lab, expected, notebook)
    exercise = of(result, "1.1")
    assert (exercise.outcome, exercise.message) == ("failed", "answer cell missing")
    assert (result.outcome, result.points, result.max_points) == ("graded", 3, POINTS)
    assert [len(each.checks) for each in result.exercises] == [2, 2, 0]


def test_an_answer_in_a_text_cell_is_final(lab: Lab, expected: Mapping[str, str]) -> None:
    """S7: reported as what it is, and not run."""
    notebook = solve(lab)
    notebook["cells"][place_of(notebook, "answer-1-1")]["cell_type"] = "markdown"
    exercise = of(grade(lab, expected, notebook), "1.1")
    assert exercise.message == "answer cell is not a code cell"
    assert {check.outcome for check in exercise.checks} == {"failed"}


def test_an_answer_beside_an_untouched_stub_counts(lab: Lab, expected: Mapping[str, str]) -> None:
    """A student who solves the task in a new cell below has solved it."""
    notebook = hand_out(lab)
    own = own_cell("def double(n):\n    return n + n")
    notebook["cells"].insert(place_of(notebook, "ask-1-1"), own)
    assert of(grade(lab, expected, notebook), "1.1").points == 5


def test_the_last_copy_of_an_answer_counts(lab: Lab, expected: Mapping[str, str]) -> None:
    """S1: the rule is what running from top to bottom does."""
    notebook = solve(lab)
    at = place_of(notebook, "answer-1-1")
    wrong = {**notebook["cells"][at], "id": "x", "source": "double = abs"}
    notebook["cells"].insert(at, wrong)
    assert of(grade(lab, expected, notebook), "1.1").points == 5
    notebook["cells"].insert(at + 2, wrong)
    assert of(grade(lab, expected, notebook), "1.1").points == 0


def test_copies_of_an_answer_in_words_are_all_read(lab: Lab, expected: Mapping[str, str]) -> None:
    """Nothing a student wrote is left unread; a copy that was not filled in does not matter."""
    notebook = solve(lab)
    at = place_of(notebook, "written-1-3")
    notebook["cells"].append({**notebook["cells"][at], "id": "x", "source": "And more."})
    assert of(grade(lab, expected, notebook), "1.3").answer.endswith("Because.\n\nAnd more.")


def test_a_foreign_notebook_is_not_run(lab: Lab, expected: Mapping[str, str]) -> None:
    """No kernel is started for a notebook that shares no cell with the lab."""
    engine = PlainEngine()
    notebook = {**hand_out(lab), "cells": [own_cell("HANG")]}
    result = grade(lab, expected, notebook, engine)
    assert (engine.runs, result.points, result.outcome) == ([], 0, "graded")
    assert result.message.startswith("None of the answer cells of lab1")


def test_every_exercise_may_hang_and_the_run_still_ends(
    lab: Lab, expected: Mapping[str, str]
) -> None:
    """One run for each exercise that is dropped, none more."""
    engine = PlainEngine()
    result = grade(lab, expected, solve(lab, answer_1_1="HANG", answer_1_2="CRASH"), engine)
    assert outcomes_of(result.exercises) == {
        "1.1": "timeout", "1.2": "crashed", "1.3": "needs_reading",
    }  # fmt: skip
    assert len(engine.runs) == 2


def test_a_result_survives_its_file(lab: Lab, expected: Mapping[str, str]) -> None:
    """Written as JSON and read again it is the same, and so are the bytes."""
    notebook = solve(lab, setup="x", answer_1_1='print("\\ud800")\nraise ValueError("\\ud800")')
    result = grade(lab, expected, notebook)
    text = result.to_json()
    text.encode("utf-8")
    assert result_from_json(text, name="x") == result
    assert grade(lab, expected, notebook).to_json() == text


@pytest.mark.parametrize(
    ("run", "outcome", "points"),
    [
        (ScriptRun(texts={"1.4a": "'notes.md'\n"}), "passed", 3),
        (ScriptRun(texts={"1.4a": "''\n"}), "failed", 0),
        (ScriptRun(fault="It ran too long.", verdict="timeout"), "timeout", 0),
    ],
)
def test_a_script_is_judged_by_what_it_leaves(
    run: ScriptRun, outcome: str, points: int, tmp_path: Path
) -> None:
    """The text of the inspection is compared outside, never in the student's kernel."""
    lab = tiny_lab(tmp_path, scripted=True)
    expected = {check.id: "" for check in lab.checks} | {"1.4a": "'notes.md'\n"}
    engine = PlainEngine(script_runs=[run])
    exercise = of(grade(lab, expected, solve(lab), engine), "1.4")
    assert (exercise.outcome, exercise.points) == (outcome, points)
    assert exercise.message == run.fault


def test_trouble_with_a_script_is_retried_and_never_a_zero(tmp_path: Path) -> None:
    """Once is forgiven, twice needs a regrade."""
    lab = tiny_lab(tmp_path, scripted=True)
    expected = {check.id: "" for check in lab.checks}
    trouble, good = ScriptRun(trouble="no git"), ScriptRun(texts={"1.4a": ""})
    result = grade(lab, expected, solve(lab), PlainEngine(script_runs=[trouble, good]))
    assert of(result, "1.4").outcome == "passed"
    result = grade(lab, expected, solve(lab), PlainEngine(script_runs=[trouble, trouble]))
    assert (of(result, "1.4").outcome, result.outcome) == ("needs_regrade", "needs_regrade")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("script = 7", "There is no text in the variable script."),
        ("script = 'x' * 15_001", "The script in script is longer than 15000 characters."),
        ("script = float('nan')", "There is no text in the variable script."),
        ("pass", "There is no text in the variable script."),
    ],
)
def test_what_is_no_script_is_not_run(answer: str, message: str, tmp_path: Path) -> None:
    """A number, a huge text, no JSON or nothing at all: failed with a sentence."""
    lab = tiny_lab(tmp_path, scripted=True)
    expected = {check.id: "" for check in lab.checks}
    exercise = of(grade(lab, expected, solve(lab, answer_1_4=answer)), "1.4")
    assert (exercise.outcome, exercise.points) == ("failed", 0)
    assert exercise.message.startswith(message)

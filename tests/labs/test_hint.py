"""`labs hint`: the same hints as in the notebook."""

from tests.labs.cli import shell
from tests.labs.kit import Student


def test_hints_on_the_command_line_go_on_where_the_notebook_stopped(student: Student) -> None:
    """Both count the same hints."""
    student.runs('hint("9.1")')
    assert shell(student).labs("hint", "9.1").out == (
        'Hint 2 of 3: What is two times n?\nThe next one: hint("9.1")\n'
    )


def test_a_hint_as_json_says_which_one_it_is(student: Student) -> None:
    """Number, how many there are, and the text."""
    assert shell(student).json("hint", "lab9.2") == {
        "exercise": "9.2",
        "number": 1,
        "of": 3,
        "hint": "Look at `max`.",
    }


def test_a_reading_task_has_no_hints(student: Student) -> None:
    """It says why."""
    assert shell(student).labs("hint", "9.4").out == (
        "Exercise 9.4 has no hints: a person reads your answer.\n"
    )


def test_a_hint_for_a_whole_lab_asks_which_exercise(student: Student) -> None:
    """Hints belong to exercises."""
    answer = shell(student).labs("hint", "9")
    assert (answer.code, answer.err) == (2, "mini-letta: Which exercise? For example 9.1.\n")


def test_a_lab_that_was_not_begun_is_told_where_it_was_looked_for(student: Student) -> None:
    """The three places, and how to begin."""
    answer = shell(student).labs("hint", "8.1")
    assert answer.code == 2
    assert "no lab8.json in ., lab8, my-labs/lab8. `mini-letta labs start 8`" in answer.err

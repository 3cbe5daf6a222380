"""`labs solution`: the reference, for those who have the checkout."""

from pathlib import Path

import mini_letta
from mini_letta.course.labs.master import read_lab
from tests.cli.kit import Cli

ROOT = Path(mini_letta.__file__).parents[1]


def solution(exercise: str, lang: str = "en") -> str:
    """Return the reference of an exercise of lab 1."""
    cells = read_lab(ROOT, "lab1", lang).cells
    return next(cell.solution for cell in cells if cell.exercise == exercise and cell.solution)


def test_a_solution_says_first_that_hints_are_left(tmp_path: Path) -> None:
    """Then it is printed all the same."""
    cli = Cli(folder=tmp_path)
    cli.call("labs", "start", "1")
    cli.call("labs", "hint", "1.1")
    answer = cli.call("labs", "solution", "1.1")
    assert answer.out == (
        "You have taken 1 of 3 hints. `mini-letta labs hint 1.1` shows the next one. "
        f"The reference follows.\n\n{solution('1.1')}\n"
    )


def test_after_three_hints_a_solution_is_printed_alone(tmp_path: Path) -> None:
    """Nothing is left to say."""
    cli = Cli(folder=tmp_path)
    cli.call("labs", "start", "1")
    for _ in range(3):
        cli.call("labs", "hint", "1.2")
    assert cli.call("labs", "solution", "lab1.2").out == f"{solution('1.2')}\n"


def test_a_solution_is_in_the_language_asked_for(tmp_path: Path) -> None:
    """What a person reads has a model answer in both."""
    data = Cli(folder=tmp_path).json("--lang", "zh", "labs", "solution", "1.6")
    assert data == {"exercise": "1.6", "hints_taken": 0, "solution": solution("1.6", "zh")}


def test_an_unknown_exercise_has_no_solution(tmp_path: Path) -> None:
    """It says which exercises there are."""
    answer = Cli(folder=tmp_path).call("labs", "solution", "1.99")
    assert answer.code == 2
    assert "There is no exercise 1.99 in lab1. There are: 1.1, " in answer.err

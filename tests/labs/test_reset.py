"""`labs reset`: begin again without losing anything."""

from typing import Any

from tests.labs.cli import shell
from tests.labs.kit import Student

MINE = "double = 'mine'"


def test_a_reset_keeps_what_was_there_under_a_number(student: Student) -> None:
    """The notebook is as it was handed out; the old ones are all still there."""
    fresh = student.notebook.read_bytes()
    for number in (1, 2):
        student.writes(answer_9_1=f"{MINE}{number}")
        mine = student.notebook.read_bytes()
        answer = shell(student).labs("reset", "9")
        assert answer.out == (
            f"lab9.ipynb is fresh again. What you had is in lab9.{number}.ipynb.\n"
        )
        assert student.notebook.read_bytes() == fresh
        assert (student.folder / f"lab9.{number}.ipynb").read_bytes() == mine


def test_a_reset_of_one_exercise_leaves_the_others(student: Student) -> None:
    """Only the one answer is as it was handed out."""
    stub = student.cells("answer")[0].source
    student.writes(answer_9_1=MINE, answer_9_2="longest = 'mine'")
    answer = shell(student).labs("reset", "9", "9.1")
    assert "Exercise 9.1 is as it was handed out." in answer.out
    assert [cell.source for cell in student.cells("answer")][:2] == [stub, "longest = 'mine'"]


def test_a_reset_of_one_exercise_takes_away_its_copies(student: Student) -> None:
    """Copies of an answer would run after the fresh one, so they go with the old."""

    def copy(cell: Any) -> None:
        if cell.id in ("answer-9-1", "task-9-2"):
            cell.cell_type = "code"
            cell.metadata.mini_letta = {"id": "answer-9-1", "kind": "answer"}
            cell.update(source=MINE, outputs=[], execution_count=None)

    student.edits(copy)
    shell(student).labs("reset", "9.1")
    assert [cell.id for cell in student.cells("answer")] == [
        "answer-9-1",
        "answer-9-2",
        "answer-9-3",
    ]


def test_a_reset_brings_back_an_answer_cell_that_was_deleted(student: Student) -> None:
    """It stands where it belongs, between its task and its check."""

    def forget(cell: Any) -> None:
        if cell.id == "answer-9-2":
            cell.metadata.clear()
            cell.id = "other"

    student.edits(forget)
    shell(student).labs("reset", "9", "9.2")
    text = student.notebook.read_text(encoding="utf-8")
    order = [text.index(f'"id": "{id}"') for id in ("task-9-2", "answer-9-2", "ask-9-2")]
    assert order == sorted(order)


def test_a_damaged_notebook_can_be_reset_as_a_whole_only(student: Student) -> None:
    """One answer in it cannot be found, so the sentence says what helps."""
    student.notebook.write_text("{", encoding="utf-8")
    answer = shell(student).labs("reset", "9", "9.1")
    assert answer.code == 2
    assert "lab9.ipynb cannot be read: The file is no complete JSON" in answer.err
    assert shell(student).labs("reset", "9").code == 0
    assert (student.folder / "lab9.1.ipynb").read_text(encoding="utf-8") == "{"


def test_a_deleted_notebook_is_written_anew(student: Student) -> None:
    """There is nothing to keep then."""
    fresh = student.notebook.read_bytes()
    student.notebook.unlink()
    assert shell(student).labs("reset", "9", "9.1").code == 2
    assert shell(student).labs("reset", "9").out == "lab9.ipynb is there, fresh.\n"
    assert student.notebook.read_bytes() == fresh


def test_an_exercise_of_another_lab_is_not_reset(student: Student) -> None:
    """`reset 9 8.1` is a slip, and nothing is done."""
    answer = shell(student).labs("reset", "9", "8.1")
    assert (answer.code, answer.err) == (2, "mini-letta: 8.1 is not an exercise of 9.\n")


def test_a_reset_as_json_says_where_the_old_notebook_is(student: Student) -> None:
    """For a program: what was reset, and the copy."""
    assert shell(student).json("reset", "9") == {
        "lab": "lab9",
        "exercise": "",
        "kept": str(student.folder / "lab9.1.ipynb"),
    }

"""What is found in a folder of submissions, and what a hostile file can do to its reader."""

import json
import os
import socket
from pathlib import Path

import pytest

from mini_letta.course.grading.handed_in import MAX_CELLS, parse_notebook
from mini_letta.course.grading.submissions import (
    MAX_BYTES,
    Found,
    NoSubmissions,
    Unreadable,
    find_submissions,
    read_submission,
)
from tests.grading.kit import submit

LABS = {"lab1": ("words.txt",), "lab2": ()}
NOTEBOOK = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}


def names(found: Found) -> list[tuple[str, str]]:
    """Return student and lab of each submission."""
    return [(each.student, each.lab) for each in found.submissions]


def refusal(root: Path, student: str = "ada") -> str:
    """Return why the notebook of a student is not read."""
    found = find_submissions(root, LABS)
    (submission,) = (each for each in found.submissions if each.student == student)
    with pytest.raises(Unreadable) as refused:
        read_submission(root, submission)
    return refused.value.reason


def unreadable(data: bytes) -> str:
    """Return why bytes are no notebook."""
    with pytest.raises(Unreadable) as refused:
        parse_notebook(data)
    return refused.value.reason


def test_both_flat_and_nested_notebooks_are_found(tmp_path: Path) -> None:
    """`ada/lab1.ipynb` and `bo/lab2/lab2.ipynb` are two submissions, by student."""
    submit(tmp_path, "bo/lab2", NOTEBOOK, "lab2")
    submit(tmp_path, "ada", NOTEBOOK)
    found = find_submissions(tmp_path, LABS)
    assert (names(found), found.strangers) == ([("ada", "lab1"), ("bo", "lab2")], ())


def test_the_folder_of_nbgrader_is_understood(tmp_path: Path) -> None:
    """Of a course folder only `submitted` is read; the rest of it is listed, not graded."""
    submit(tmp_path, "submitted/ada/lab1", NOTEBOOK)
    submit(tmp_path, "source/lab1", NOTEBOOK)
    found = find_submissions(tmp_path, LABS)
    assert (names(found), found.strangers) == ([("ada", "lab1")], ("source",))
    assert json.loads(read_submission(tmp_path, found.submissions[0])) == NOTEBOOK


def test_what_is_not_named_like_a_lab_is_listed(tmp_path: Path) -> None:
    """A misspelt notebook or a file of the student's own is never silently left out."""
    submit(tmp_path, "ada", NOTEBOOK)
    submit(tmp_path, "ada", NOTEBOOK, "Lab2 (1)")
    (tmp_path / "ada" / "mini_letta").mkdir()
    (tmp_path / "ada" / "lab2").mkdir()
    (tmp_path / "ada" / "words.txt").write_text("handed out with the lab")
    (tmp_path / "readme.txt").write_text("")
    (tmp_path / "zoe").mkdir()
    (tmp_path / ".git" / "objects").mkdir(parents=True)
    found = find_submissions(tmp_path, LABS)
    assert names(found) == [("ada", "lab1")]
    assert sorted(found.strangers) == [
        ".git: no notebook of a lab", "ada/Lab2 (1).ipynb", "ada/lab2: no lab2.ipynb",
        "ada/mini_letta", "readme.txt", "zoe: no notebook of a lab",
    ]  # fmt: skip


@pytest.mark.parametrize("own", ["", "lab2"])
def test_the_folder_of_one_student_is_not_taken_for_a_class(tmp_path: Path, own: str) -> None:
    """`grade submissions/ada` says which folder to name; no lab becomes a student."""
    submit(tmp_path, f"ada/{own}", NOTEBOOK, "lab2")
    with pytest.raises(NoSubmissions, match=f"each student has a folder: {tmp_path}$"):
        find_submissions(tmp_path / "ada", LABS)


@pytest.mark.parametrize("closed", ["bo", "bo/lab1"])
def test_a_folder_that_may_not_be_opened_spoils_no_other(
    tmp_path: Path, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is listed, or its notebook is reported when it is read; the others are graded."""
    submit(tmp_path, "ada", NOTEBOOK)
    submit(tmp_path, "bo/lab1", NOTEBOOK)
    open_ = os.open

    def refuse(path: str, flags: int, *args: int, **options: int) -> int:
        if path == closed.split("/")[-1]:  # root is refused nothing, so the refusal is played
            raise PermissionError(13, "Permission denied", path)
        return open_(path, flags, *args, **options)

    monkeypatch.setattr(os, "open", refuse)
    found = find_submissions(tmp_path, LABS)
    assert ("ada", "lab1") in names(found)
    listed = found.strangers == ("bo: Permission denied",)
    assert listed or names(found) == [("ada", "lab1"), ("bo", "lab1")]


def test_a_folder_full_of_files_is_listed_in_part(tmp_path: Path) -> None:
    """A thousand names of one student fill neither the screen nor the report."""
    submit(tmp_path, "ada", NOTEBOOK)
    for number in range(1000):
        (tmp_path / "ada" / f"{number}").touch()
    found = find_submissions(tmp_path, LABS)
    assert (len(found.strangers), found.strangers[-1]) == (21, "ada/...")


def test_a_folder_without_notebooks_says_what_it_should_hold(tmp_path: Path) -> None:
    """The message names the layout, for a missing folder as for an empty one."""
    with pytest.raises(NoSubmissions, match=r"one folder per student with lab1\.ipynb or lab2"):
        find_submissions(tmp_path, LABS)
    with pytest.raises(NoSubmissions, match="is not a folder"):
        find_submissions(tmp_path / "nowhere", LABS)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"..x", "..x"),
        (b"=cmd()", "=cmd()"),
        (b"<b>bold", "<b>bold"),
        ("王小明".encode(), "王小明"),
        (b"a\nb\x1b[31m", "a\\nb\\x1b[31m"),
        (b"b\xff", "b\\xff"),
        (b"b\\xff", "b\\\\xff"),
        ("a\u202egpj".encode(), "a\\u202egpj"),
    ],
)
def test_an_odd_name_of_a_student_is_shown_harmlessly(
    name: bytes, shown: str, tmp_path: Path
) -> None:
    """Control characters and bytes that are no text become escapes, each name its own."""
    folder = os.path.join(os.fsencode(tmp_path), name)
    os.mkdir(folder)
    with open(os.path.join(folder, b"lab1.ipynb"), "wb") as file:
        file.write(b"{}")
    found = find_submissions(tmp_path, LABS)
    assert names(found) == [(shown, "lab1")]
    assert read_submission(tmp_path, found.submissions[0]) == b"{}"


def test_no_link_is_followed(tmp_path: Path) -> None:
    """A link to another student's notebook is no submission, whatever it stands for."""
    good = submit(tmp_path / "in", "bo", NOTEBOOK)
    (tmp_path / "in" / "ada").mkdir()
    (tmp_path / "in" / "ada" / "lab1.ipynb").symlink_to(good)
    assert refusal(tmp_path / "in") == "a_link"
    (tmp_path / "in" / "eve").mkdir()
    (tmp_path / "in" / "eve" / "lab1").symlink_to(tmp_path / "in" / "bo")
    assert refusal(tmp_path / "in", "eve") == "a_link"
    (tmp_path / "in" / "mallory").symlink_to(tmp_path / "in" / "bo")
    assert find_submissions(tmp_path / "in", LABS).strangers == ("mallory",)


def test_a_folder_that_becomes_a_link_after_it_was_found_is_not_entered(tmp_path: Path) -> None:
    """Each folder is opened without following links at the moment of reading."""
    submit(tmp_path, "ada", NOTEBOOK)
    submit(tmp_path / "elsewhere", "ada", NOTEBOOK)
    (submission,) = find_submissions(tmp_path, {"lab1": ()}).submissions
    (tmp_path / "ada").rename(tmp_path / "moved")
    (tmp_path / "ada").symlink_to(tmp_path / "elsewhere" / "ada")
    with pytest.raises(Unreadable) as refused:
        read_submission(tmp_path, submission)
    assert refused.value.reason == "a_link"


def test_a_pipe_or_a_socket_is_not_waited_for(tmp_path: Path) -> None:
    """Opening a FIFO nobody writes to would wait for ever; it is refused at once."""
    (tmp_path / "ada").mkdir()
    os.mkfifo(tmp_path / "ada" / "lab1.ipynb")
    assert refusal(tmp_path) == "not_a_file"
    (tmp_path / "ada" / "lab1.ipynb").unlink()
    (tmp_path / "ada" / "lab1.ipynb").mkdir()
    assert refusal(tmp_path) == "not_a_file"


def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket in the place of a notebook is refused as what it is."""
    (tmp_path / "ada").mkdir()
    monkeypatch.chdir(tmp_path / "ada")  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("lab1.ipynb")
        assert refusal(tmp_path) == "not_a_file"


def test_a_huge_file_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    """A sparse file of a terabyte costs no more than the limit."""
    path = submit(tmp_path, "ada", b"{}")
    os.truncate(path, 2**40)
    assert refusal(tmp_path) == "too_big"
    os.truncate(path, MAX_BYTES)
    (submission,) = find_submissions(tmp_path, LABS).submissions
    assert len(read_submission(tmp_path, submission)) == MAX_BYTES


def test_two_notebooks_of_one_lab_are_not_chosen_from(tmp_path: Path) -> None:
    """Which one counts is for a person to say."""
    submit(tmp_path, "ada", NOTEBOOK)
    submit(tmp_path, "ada/lab1", NOTEBOOK)
    assert refusal(tmp_path) == "two_notebooks"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (json.dumps(NOTEBOOK).encode("utf-16"), "utf16"),
        (b'{"cells": "\xff"}', "not_utf8"),
        (json.dumps(NOTEBOOK).encode()[:-5], "not_json"),
        (b"[" * 2_000_000, "too_deep"),
        (b'{"a":' * 500_000, "too_deep"),
        (b"1" * 100_000, "not_a_notebook"),
        (b"[]", "not_a_notebook"),
        (b'{"cells": {}, "nbformat": 4}', "not_a_notebook"),
        (b'{"cells": [], "nbformat": 3}', "other_format"),
        (b'{"cells": [], "nbformat": true}', "other_format"),
        (b'{"cells": [], "nbformat": 4.0}', "other_format"),
        (b'{"cells": []}', "other_format"),
        (b'{"nbformat": 4, "cells": [%s0]}' % (b"0," * MAX_CELLS), "too_many_cells"),
        (b"PK\x03\x04 a zip", "not_json"),
        (b"<html>sign in</html>", "not_json"),
    ],
)
def test_what_is_no_notebook_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    """Nothing in a file stops the reader; each kind of file gets its sentence."""
    assert unreadable(data) == reason


def test_a_byte_order_mark_does_no_harm() -> None:
    """Some editors put one in front; the notebook is read."""
    assert parse_notebook(json.dumps(NOTEBOOK).encode("utf-8-sig")).cells == ()


@pytest.mark.parametrize(
    "metadata", ["zh", None, [], {"mini_letta": []}, {"mini_letta": {"lang": ["zh"]}}, 1e999]
)
def test_metadata_of_the_wrong_kind_is_none(metadata: object) -> None:
    """The language is English unless it is said properly; infinities and lists are not."""
    data = json.dumps({**NOTEBOOK, "metadata": metadata}).encode()
    assert parse_notebook(data).lang == "en"


def test_the_language_is_the_notebooks_own() -> None:
    """`metadata.mini_letta.lang` chooses the edition."""
    data = json.dumps({**NOTEBOOK, "metadata": {"mini_letta": {"lang": "zh"}}}).encode()
    assert parse_notebook(data).lang == "zh"


def test_what_is_no_cell_is_left_out_and_counted() -> None:
    """Numbers, cells without a source and sources of the wrong kind are noted by position."""
    cells = [7, None, {}, {"source": 3}, {"source": ["a", 1]}, {"source": "x", "cell_type": 5}]
    handed = parse_notebook(json.dumps({**NOTEBOOK, "cells": cells}).encode())
    assert handed.broken == (1, 2, 3, 4, 5)
    assert [(cell.position, cell.kind, cell.source) for cell in handed.cells] == [(6, "", "x")]


def test_a_cell_is_known_by_its_metadata_before_its_own_id() -> None:
    """A copied cell gets a new id and keeps its metadata."""
    cells = [
        {"source": ["a\n", "b"], "id": "1", "metadata": {"mini_letta": {"id": "answer-1-1"}}},
        {"source": "", "id": "2", "metadata": {"nbgrader": {"grade_id": "answer-1-2"}}},
        {"source": "", "id": "answer-1-3", "metadata": []},
        {"source": "", "id": 4, "metadata": {"mini_letta": {"id": {}}, "nbgrader": "x"}},
    ]
    handed = parse_notebook(json.dumps({**NOTEBOOK, "cells": cells}).encode())
    assert [cell.id for cell in handed.cells] == ["answer-1-1", "answer-1-2", "answer-1-3", ""]
    assert handed.cells[0].source == "a\nb"


def test_half_a_character_becomes_an_escape() -> None:
    r"""JSON may say `\ud800`, which no file can hold."""
    data = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}]}'
    assert parse_notebook(data).cells[0].source == "x = '\\ud800'"

"""The kit beside a notebook: how it is named and what is wrong with it."""

from pathlib import Path

import pytest

from mini_letta.course.labs.kit import NoKit, parse_name, read_kit
from mini_letta.course.labs.lab import BadKit, lab_from_json
from tests.labs.kit import Student


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("3", ("lab3", "")),
        ("lab3", ("lab3", "")),
        ("3.2", ("lab3", "3.2")),
        ("lab3.2", ("lab3", "3.2")),
        (" 10.12 ", ("lab10", "10.12")),
        ("three", None),
        ("3.2a", None),
        ("", None),
        ("３", None),
    ],
)
def test_labs_and_exercises_may_be_typed_short(typed: str, name: tuple[str, str] | None) -> None:
    """3 and lab3 are a lab, 3.2 is an exercise, and what is neither is told apart."""
    assert parse_name(typed) == name


def test_a_kit_is_read_as_it_was_written(student: Student) -> None:
    """Reading and writing a kit gives the same bytes, so the same name."""
    kit = read_kit(student.folder, "lab9")
    assert kit.to_json() == student.kit.read_text(encoding="utf-8")
    assert kit.fingerprint() == lab_from_json(kit.to_json()).fingerprint()


def test_a_missing_kit_is_not_a_bad_one(tmp_path: Path) -> None:
    """A folder without a kit says so."""
    with pytest.raises(NoKit):
        read_kit(tmp_path, "lab9")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not the .json file of a lab"),
        (b"[]", "not the .json file of a lab"),
        (b'{"schema": 99}', "belongs to another version"),
        (b'{"schema": 1}', "not the .json file of a lab"),
        (b"\xff\xfe{}", "lab9.json is not text."),
    ],
)
def test_a_damaged_kit_says_what_is_wrong(student: Student, data: bytes, said: str) -> None:
    """Whatever is in the file, the answer is a sentence."""
    student.kit.write_bytes(data)
    with pytest.raises(BadKit, match=said):
        read_kit(student.folder, "lab9")


def test_the_kit_of_another_lab_is_refused(student: Student) -> None:
    """A renamed kit is not taken for the one it is named after."""
    student.kit.rename(student.folder / "lab3.json")
    with pytest.raises(BadKit, match=r"lab3\.json holds lab9"):
        read_kit(student.folder, "lab3")

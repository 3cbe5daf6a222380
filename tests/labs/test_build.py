"""What is built of a master: the kit and the student's notebook."""

import json
import os
from pathlib import Path

import nbformat
import pytest

import mini_letta
from mini_letta.course.labs.build import make_kit, notebook_text
from mini_letta.course.labs.lab import lab_from_json
from mini_letta.course.labs.master import lab_ids, read_lab
from mini_letta.course.sources import LANGUAGES

ROOT = Path(mini_letta.__file__).parents[1]
EDITIONS = [(id, lang) for id in lab_ids(ROOT) for lang in LANGUAGES]
# Pieces of the sample that only the person who grades may see.
KEPT_BACK = ("return 2 * n", "-n - 1", "Because.", "4 points for")


@pytest.mark.parametrize(("id", "lang"), EDITIONS)
def test_built_labs_are_those_of_the_masters(id: str, lang: str) -> None:
    """A rebuild gives the committed files byte for byte; if not, `make labs`."""
    kit = make_kit(read_lab(ROOT, id, lang), env=os.environ)
    folder = ROOT / "labs" / lang
    assert (folder / f"{id}.json").read_text(encoding="utf-8") == kit.to_json()
    assert (folder / f"{id}.ipynb").read_text(encoding="utf-8") == notebook_text(kit)


@pytest.mark.parametrize("id", lab_ids(ROOT))
def test_the_stub_of_a_script_still_names_it(id: str) -> None:
    """An untouched script can be told from one that was not run."""
    lab = read_lab(ROOT, id, "en")
    stubs = {cell.exercise: cell.source for cell in lab.cells if cell.kind == "answer"}
    scripts = {check.exercise: check.script for check in lab.checks if check.script}
    assert [name for exercise, name in scripts.items() if f"{name} = " not in stubs[exercise]] == []


@pytest.mark.parametrize("name", ["lab9.json", "lab9.ipynb"])
def test_students_get_nothing_that_is_kept_back(sample: Path, name: str) -> None:
    """No solution, no hidden check and no rubric is in what is handed out."""
    text = (sample / "labs" / "en" / name).read_text(encoding="utf-8")
    assert [piece for piece in KEPT_BACK if piece in text] == []


def test_the_kit_knows_what_public_checks_print(sample: Path) -> None:
    """Each public check has the reference's text for the seed at home, artefacts included."""
    kit = lab_from_json((sample / "labs" / "en" / "lab9.json").read_text(encoding="utf-8"))
    assert {check.id: check.expected.splitlines()[-1] for check in kit.checks} == {
        "9.1a": "double(5) -> 10",
        "9.2a": "longest(['a', 'bb', 'c']) -> 'bb'",
        "9.3a": "['Create memory', 'n', 'more']",
    }


def test_cells_come_in_order_with_their_tools(sample: Path) -> None:
    """The tools stand before the first code, and each answer is followed by its check."""
    node = nbformat.read(sample / "labs" / "en" / "lab9.ipynb", as_version=4)
    assert [cell.id for cell in node.cells] == [
        *("title", "tools", "words", "given"),
        *("task-9-1", "answer-9-1", "ask-9-1"),
        *("task-9-2", "answer-9-2", "ask-9-2"),
        *("task-9-3", "answer-9-3", "ask-9-3"),
        *("task-9-4", "written-9-4"),
    ]
    assert all(cell.get("outputs", []) == [] for cell in node.cells)


def test_the_notebook_says_which_lab_and_kit_it_is_of(sample: Path) -> None:
    """Language and kit can be told from the notebook alone."""
    mark = nbformat.read(sample / "labs" / "zh" / "lab9.ipynb", as_version=4).metadata.mini_letta
    assert (mark.lab, mark.lang, len(mark.kit)) == ("lab9", "zh", 16)


@pytest.mark.parametrize(
    ("id", "grade", "locked", "solution", "points"),
    [
        ("given", False, True, False, None),
        ("answer-9-1", False, False, True, None),
        ("ask-9-1", True, True, False, 3),
        ("written-9-4", True, False, True, 4),
    ],
)
def test_cells_are_marked_for_nbgrader(
    sample: Path, id: str, grade: bool, locked: bool, solution: bool, points: int | None
) -> None:
    """nbgrader finds what is locked, what is a solution and what is worth how much."""
    node = nbformat.read(sample / "labs" / "en" / "lab9.ipynb", as_version=4)
    metadata = next(cell.metadata for cell in node.cells if cell.id == id)
    wanted = {
        "grade": grade, "grade_id": id, "locked": locked, "schema_version": 3,
        "solution": solution, "task": False, **({"points": points} if points else {}),
    }  # fmt: skip
    assert metadata.nbgrader == wanted
    assert metadata.get("editable", True) is not locked
    assert metadata.get("deletable", True) is not locked


def test_editions_differ_in_words_only(sample: Path) -> None:
    """Both editions have the same exercises, points and numbers of hidden checks."""
    kits = [
        json.loads((sample / "labs" / lang / "lab9.json").read_text(encoding="utf-8"))
        for lang in LANGUAGES
    ]
    shapes = [
        [(each["id"], each["points"], each["hidden_checks"]) for each in kit["exercises"]]
        for kit in kits
    ]
    assert shapes[0] == shapes[1] == [("9.1", 3, 1), ("9.2", 2, 1), ("9.3", 2, 1), ("9.4", 4, 0)]

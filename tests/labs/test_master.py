"""A lab master becomes data: what is handed out, what is checked, what is kept back."""

import os
from pathlib import Path

import pytest

from mini_letta.course.labs.artefact import expected_artefacts
from mini_letta.course.labs.lab import BadKit, Lab, lab_from_json
from mini_letta.course.labs.library import NothingToHide, build_library, empty_function
from mini_letta.course.labs.master import read_lab
from mini_letta.course.labs.reference import ReferenceFailed, expected_texts
from mini_letta.course.sources import BadSource
from tests.labs.sample import write_sample


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """The sample lab in English."""
    return read_lab(write_sample(tmp_path), "lab9", "en")


def broken(tmp_path: Path, old: str, new: str) -> Path:
    """Return a checkout whose sample lab has one thing wrong."""
    root = write_sample(tmp_path)
    master = root / "labs" / "src" / "lab9_sample.py"
    text = master.read_text("utf-8")
    assert old in text
    master.write_text(text.replace(old, new), encoding="utf-8")
    return root


def test_the_student_gets_the_stub_and_not_the_solution(lab: Lab) -> None:
    """What to write is replaced by an error that names the exercise."""
    answer = next(cell for cell in lab.cells if cell.id == "answer-9-1")
    assert answer.source.endswith(
        '"""Return twice n."""\n    raise NotImplementedError("Exercise 9.1")'
    )
    assert "    return 2 * n" in answer.solution


def test_the_stub_of_a_script_is_a_script_that_does_nothing(lab: Lab) -> None:
    """A Python error has no place in bash."""
    answer = next(cell for cell in lab.cells if cell.id == "answer-9-3")
    assert answer.source == 'script = r"""\n# Exercise 9.3\n"""'


def test_a_check_carries_the_sentence_of_its_task_word_for_word(lab: Lab) -> None:
    """A sentence wrapped in the master is one line."""
    sentences = {check.id: check.sentence for check in lab.checks}
    assert sentences["9.1b"] == "It also doubles negative numbers."


def test_a_wrapped_chinese_sentence_is_joined_without_a_space(tmp_path: Path) -> None:
    """Chinese has no spaces between words."""
    lab = read_lab(write_sample(tmp_path), "lab9", "zh")
    assert {check.id: check.sentence for check in lab.checks}["9.1b"] == "负数也加倍。"


def test_exercises_know_their_kind_points_and_hidden_checks(lab: Lab) -> None:
    """Points of an exercise are those of its checks, or of the person who reads."""
    rows = [(e.id, e.kind, e.points, e.hidden_checks) for e in lab.exercises]
    assert rows == [
        ("9.1", "code", 3, 1),
        ("9.2", "code", 2, 1),
        ("9.3", "script", 2, 1),
        ("9.4", "reading", 4, 0),
    ]


def test_the_kit_holds_nothing_that_is_kept_back(lab: Lab) -> None:
    """No solution, no rubric, no hidden check, whatever the field."""
    kit = lab.public().to_json()
    for secret in ("return 2 * n", "-n - 1", "4 points for", "return max", "Because."):
        assert secret in lab.to_json()
        assert secret not in kit


def test_a_lab_survives_being_written_and_read(lab: Lab) -> None:
    """JSON and back is the same lab."""
    assert lab_from_json(lab.to_json()) == lab


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1}', '{"schema": 99}', "null"])
def test_what_is_not_a_kit_is_refused_as_such(text: str) -> None:
    """A damaged or foreign file is an error for the reader, not a traceback."""
    with pytest.raises(BadKit):
        lab_from_json(text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("- **b** Of several", "Of several", "has no sentence"),
        ('{"check": "9.1a", "points": 1}', '{"check": "9.1a"}', "needs at least 1 point"),
        ("# 3. `return 2 * ...`", "#", "has 2 hints"),
        ("    ### BEGIN SOLUTION\n    return 2", "    return 2", "BEGIN SOLUTION"),
        ("# ## 9.2 Longest", "# ## Longest", "does not begin with"),
        ('{"check": "9.1b"', '{"check": "9.1a"', "two checks 9.1a"),
    ],
)
def test_a_fault_in_a_master_is_named(tmp_path: Path, old: str, new: str, problem: str) -> None:
    """Each rule of the format has its own message."""
    with pytest.raises(BadSource, match=problem):
        read_lab(broken(tmp_path, old, new), "lab9", "en")


def test_the_reference_prints_values_for_a_seed(lab: Lab, tmp_path: Path) -> None:
    """The same seed gives the same text, another seed another one."""
    library = build_library(lab, tmp_path / "library")
    first = expected_texts(lab, 1, env=os.environ, library=library)
    assert first["9.2b"] == "longest(['x', 'yy', 'zz']) -> 'yy'\n"
    assert expected_texts(lab, 1, env=os.environ, library=library) == first
    assert expected_texts(lab, 2, env=os.environ, library=library)["9.1a"] != first["9.1a"]


def test_a_reference_that_does_not_run_says_where(tmp_path: Path) -> None:
    """The traceback names the cell."""
    lab = read_lab(broken(tmp_path, "    return 2 * n", "    return 2 * m"), "lab9", "en")
    library = build_library(lab, tmp_path / "library")
    texts = expected_texts(lab, 1, env=os.environ, library=library)
    assert "raised NameError" in texts["9.1a"]
    root = broken(tmp_path / "b", "import random\n\n", "import random\n\n1 / 0\n")
    lab = read_lab(root, "lab9", "en")
    with pytest.raises(ReferenceFailed, match=r"(?s)<given>.*ZeroDivisionError"):
        expected_texts(lab, 1, env=os.environ, library=library)


def test_an_artefact_is_inspected_after_the_script_has_run(lab: Lab, tmp_path: Path) -> None:
    """The reference's script is run in a memory with a real hook."""
    library = build_library(lab, tmp_path / "library")
    assert expected_artefacts(lab, 0, env=os.environ, library=library) == {
        "9.3a": "['Create memory', 'n', 'more']\n",
        "9.3b": "[('---\\nname: N\\ndescription: D\\n---\\nlong\\n', []), "
        "('---\\nname: N\\ndescription: D\\n---\\nlong\\n- more\\n', [])]\n",
    }


def test_a_lab_cannot_hide_what_is_not_there() -> None:
    """A renamed function must not silently stop being hidden."""
    with pytest.raises(NothingToHide, match="does not define"):
        empty_function("def f():\n    return 1\n", "g", lab="lab9")


def test_an_emptied_function_keeps_its_name_and_its_neighbours() -> None:
    """Only the body goes, a docstring included."""
    source = (
        "def f(\n    a: int,\n) -> int:\n    '''Doc.'''\n    return a\n\n\ndef g():\n    return 2\n"
    )
    emptied = empty_function(source, "f", lab="lab9")
    assert emptied == (
        "def f(\n    a: int,\n) -> int:\n"
        '    raise NotImplementedError("f is what lab9 asks for")\n\n\ndef g():\n    return 2\n'
    )

"""The instructor's source notebook, and nbgrader itself with it."""

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import nbformat
import pytest

import mini_letta
from mini_letta.course.labs.build import expect
from mini_letta.course.labs.folder import read_package
from mini_letta.course.labs.master import lab_ids, read_lab
from mini_letta.course.labs.nbgrader import only_exercise, source_notebook
from mini_letta.course.labs.release import release_labs
from tests.labs.kit import RIGHT, Student

ROOT = Path(mini_letta.__file__).parents[1]


def source_of(sample: Path) -> Any:
    """Return the source notebook of the sample."""
    kit = read_package(sample, "lab9", "en").lab
    return nbformat.reads(source_notebook(sample, "lab9", kit, env=os.environ), as_version=4)


def test_the_source_is_the_students_notebook_and_what_is_kept_back(sample: Path) -> None:
    """The same cells in the same order, with the same marks for nbgrader."""
    source = source_of(sample)
    student = nbformat.read(sample / "labs" / "en" / "lab9.ipynb", as_version=4)
    assert [(c.id, c.metadata) for c in source.cells] == [(c.id, c.metadata) for c in student.cells]
    changed = [
        mine.id
        for mine, theirs in zip(source.cells, student.cells, strict=True)
        if mine.source != theirs.source
    ]
    assert changed == [
        *("answer-9-1", "ask-9-1", "answer-9-2", "ask-9-2", "answer-9-3", "ask-9-3"),
        "written-9-4",
    ]


@pytest.mark.parametrize(
    ("exercise", "answer", "points"),
    [
        ("9.1", RIGHT["9.1"], 3),
        ("9.1", "def double(n):\n    return 2 * abs(n)", 1),
        ("9.1", "def double(n):\n    raise NotImplementedError()", 0),
        ("9.3", RIGHT["9.3"], 2),
    ],
)
def test_the_value_of_a_graded_cell_is_its_points(
    sample: Path, student: Student, exercise: str, answer: str, points: int
) -> None:
    """nbgrader takes the number as partial credit; hidden checks count as well."""
    lab = expect(read_lab(sample, "lab9", "en"), env=os.environ)
    tests = only_exercise(lab, exercise).to_json()
    count = (
        f"from mini_letta.course.labs.nbgrader import count_points\nprint(count_points({tests!r}))"
    )
    assert student.runs(answer, count) == f"{points}\n"


@pytest.mark.long
def test_nbgrader_makes_the_assignment_of_every_lab(tmp_path: Path) -> None:
    """The real nbgrader takes every source, and gives students nothing that is kept back."""
    packages = [read_package(ROOT, id, "en") for id in lab_ids(ROOT)]
    release_labs(ROOT, packages, tmp_path / "course", solutions=True, env=os.environ)
    programs = install_nbgrader(tmp_path / "venv")
    for id in lab_ids(ROOT):
        assert generate(programs, tmp_path / "course", id) == 0
        made = tmp_path / "course" / "release" / id / f"{id}.ipynb"
        ours = nbformat.read(ROOT / "labs" / "en" / f"{id}.ipynb", as_version=4)
        theirs = nbformat.read(made, as_version=4)
        asks = [[c.source for c in n.cells if c.id.startswith("ask")] for n in (ours, theirs)]
        assert asks[0] == asks[1]
        assert "### BEGIN" not in made.read_text(encoding="utf-8")


def install_nbgrader(folder: Path) -> Path:
    """Make an environment with nbgrader in it, apart from ours, and return its programs."""
    # Apart, because what it installs makes importing nbval slow.
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    # pip finds its index in the settings of the user, whom the tests hide.
    pip = [str(programs / "python"), "-m", "pip", "install", "-q", "nbgrader"]
    subprocess.run(pip, check=True)
    return programs


def generate(programs: Path, course: Path, id: str) -> int:
    """Run ``nbgrader generate_assignment``; it starts its own alembic by name."""
    command = [str(programs / "nbgrader"), "generate_assignment", id, "--force"]
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return subprocess.run(command, cwd=course, env={**os.environ, "PATH": path}).returncode


def test_nbgrader_is_not_among_our_own_packages() -> None:
    """It makes `import nbval` slow, so it must not come in with the extras."""
    code = "import importlib.util; print(importlib.util.find_spec('nbgrader'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.stdout == "None\n"

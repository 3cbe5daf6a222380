"""`labs release`: what an instructor puts where students fetch it."""

import os
from pathlib import Path

import pytest

from mini_letta.course.labs.folder import Package, read_package
from mini_letta.course.labs.release import Foreign, release_labs
from tests.cli.kit import Cli
from tests.labs.cli import files


def release(root: Path, folder: Path, *, solutions: bool = False, lang: str = "en") -> list[str]:
    """Release the sample lab and return all files in the folder."""
    packages: list[Package] = [read_package(root, "lab9", lang)]
    release_labs(root, packages, folder, solutions=solutions, env=os.environ)
    return files(folder)


def test_a_release_holds_what_students_get(sample: Path, tmp_path: Path) -> None:
    """The built files, in the folders nbgrader uses, and nothing that is kept back."""
    assert release(sample, tmp_path / "out") == [
        "mini-letta-release.json",
        "release/lab9/lab9.ipynb",
        "release/lab9/lab9.json",
    ]
    released = tmp_path / "out" / "release" / "lab9" / "lab9.ipynb"
    assert released.read_bytes() == (sample / "labs" / "en" / "lab9.ipynb").read_bytes()


def test_solutions_are_written_only_when_asked_for(sample: Path, tmp_path: Path) -> None:
    """The source lies beside, with solutions and hidden tests in it."""
    release(sample, tmp_path / "out", solutions=True)
    text = (tmp_path / "out" / "source" / "lab9" / "lab9.ipynb").read_text(encoding="utf-8")
    assert "### BEGIN SOLUTION" in text
    assert "### BEGIN HIDDEN TESTS" in text


def test_a_release_replaces_the_one_before(sample: Path, tmp_path: Path) -> None:
    """And nothing else that has come into the folder since."""
    release(sample, tmp_path / "out")
    notebook = tmp_path / "out" / "release" / "lab9" / "lab9.ipynb"
    notebook.write_text("old", encoding="utf-8")
    (tmp_path / "out" / "submitted").mkdir()
    (tmp_path / "out" / "submitted" / "kept").write_text("", encoding="utf-8")
    assert "submitted/kept" in release(sample, tmp_path / "out", lang="zh")
    assert '"lang": "zh"' in notebook.read_text(encoding="utf-8")


def test_a_folder_of_somebody_elses_is_refused(sample: Path, tmp_path: Path) -> None:
    """Nothing is written into it."""
    (tmp_path / "release").mkdir()
    with pytest.raises(Foreign):
        release(sample, tmp_path)
    assert list((tmp_path / "release").iterdir()) == []


def test_a_file_that_no_release_wrote_is_not_replaced(sample: Path, tmp_path: Path) -> None:
    """Even in a folder of ours."""
    release(sample, tmp_path / "out")
    source = tmp_path / "out" / "source" / "lab9" / "lab9.json"
    source.parent.mkdir(parents=True)
    source.write_text("mine", encoding="utf-8")
    with pytest.raises(Foreign):
        release(sample, tmp_path / "out", solutions=True)
    assert source.read_text(encoding="utf-8") == "mine"


def test_the_command_releases_every_lab_of_the_checkout(tmp_path: Path) -> None:
    """In the language asked for; a second time too, and not over something else."""
    cli = Cli(folder=tmp_path)
    answer = cli.call("labs", "release", "--to", "out", "--lang", "zh")
    assert answer.code == 0
    assert "个实验写到了 out，发给学生的是其中的 release 目录。" in answer.out
    assert "release/lab1/lab1.ipynb" in files(tmp_path / "out")
    assert cli.call("labs", "release", "--to", "out").code == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").write_text("", encoding="utf-8")
    refused = cli.call("labs", "release", "--to", "other")
    assert refused.code == 2
    assert "is not empty and was not written by `labs release`" in refused.err

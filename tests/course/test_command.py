"""`mini-letta course`, `notebooks` and `doctor`, on the notebooks of this repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mini_letta.cli import main
from mini_letta.course.grading.sandbox import detect_sandbox
from mini_letta.course.notebooks import compile_notebook, list_notebooks
from mini_letta.course.readme import READMES, read_shown, run_course
from mini_letta.course.sources import read_source
from mini_letta.pitfalls import TABLE

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = list_notebooks(ROOT / "notebooks", ("en", "zh"))


# What runs for long in both languages is left to `make test-long` in one of them.
EACH_EDITION = pytest.mark.parametrize(
    "lang", ["en", pytest.param("zh", marks=pytest.mark.long)], ids=["en", "zh"]
)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.label)
def test_a_built_notebook_has_the_bytes_of_its_source(notebook: object) -> None:
    """Executed anew in a fresh folder, the notebook comes out as it is in the repository."""
    chosen = next(each for each in NOTEBOOKS if each is notebook)
    assert compile_notebook(chosen, env=os.environ) == chosen.path.read_text(encoding="utf-8")


@EACH_EDITION
def test_the_course_prints_what_the_readme_shows(lang: str) -> None:
    """Every cell matches and every pitfall is reproduced; `make notebooks` renews the copy."""
    assert run_course(lang, env=os.environ) == (0, read_shown(ROOT, lang))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.label)
def test_a_notebook_marks_only_pitfalls_of_the_table(notebook: object) -> None:
    """Each marked pitfall exists, and is shown failing before it is shown fixed."""
    chosen = next(each for each in NOTEBOOKS if each is notebook)
    cells = read_source(chosen.source, chosen.lang).cells
    marks = [cell.metadata["mini_letta"] for cell in cells if "mini_letta" in cell.metadata]
    roles: dict[str, list[str]] = {}
    for mark in marks:
        roles.setdefault(mark["pitfall"], []).append(mark["role"])
    assert roles.keys() <= {pitfall.id for pitfall in TABLE}
    assert all(seen == sorted(seen) and len(set(seen)) == 2 for seen in roles.values())


def test_every_headline_pitfall_is_shown_by_a_notebook() -> None:
    """The three that the course always shows are marked somewhere."""
    sources = "".join(notebook.source.read_text(encoding="utf-8") for notebook in NOTEBOOKS)
    headlines = [pitfall.id for pitfall in TABLE if pitfall.headline]
    assert len(headlines) == 3
    assert [id for id in headlines if f'"pitfall": "{id}"' not in sources] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_readme_shows_commands_and_files_that_exist(lang: str) -> None:
    """Make targets, mini-letta commands, links and paths in the README are real."""
    text = (ROOT / READMES[lang]).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?m)^([a-z-]+):", makefile))
    named = re.findall(r"`make (?:[A-Z]+=\S+ )?([a-z-]+)[` ]", text)
    named += re.findall(r"(?m)^make ([a-z-]+)$", text)
    assert {"course", "test", "lab"} <= set(named) <= targets
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    paths = re.findall(r"`((?:mini_letta|chapters|notebooks|tests)/[\w./-]*)`", text)
    assert [path for path in links + paths if not (ROOT / path).exists()] == []


@EACH_EDITION
def test_the_commands_that_the_readme_shows_work(
    lang: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Typed one after the other by a newcomer, each exits 0; a lab not begun is not passed."""
    handed_in = tmp_path / "submissions" / "ada" / "lab4.ipynb"
    handed_in.parent.mkdir(parents=True)
    shutil.copy(ROOT / "labs" / lang / "lab4.ipynb", handed_in)
    text = (ROOT / READMES[lang]).read_text(encoding="utf-8")
    commands = re.findall(r"(?m)^\.venv/bin/mini-letta (.*)$", text)
    assert len(commands) >= 5
    for command in commands:
        if "pitfalls run" in command:
            continue  # takes its time, and has a test of its own
        if " grade " in f" {command}" and detect_sandbox(os.environ).level == "rlimits":
            continue  # refused here, and that has a test of its own
        script = f'"$0" -m mini_letta --home "$1" {command}'
        argv = ["bash", "-c", script, sys.executable, str(tmp_path / "home")]
        done = subprocess.run(argv, cwd=tmp_path, stdin=subprocess.DEVNULL)
        assert (command, done.returncode) == (command, 1 if "labs check" in command else 0)
    assert "Traceback" not in capfd.readouterr().err


def test_the_doctor_finds_what_the_tests_run_on(capsys: pytest.CaptureFixture[str]) -> None:
    """Python, venv, git and the notebook parts are here; the rest is optional."""
    assert main(["doctor", "--json"]) == 0
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert [name for name, check in checks.items() if check["required"]] == [
        "python",
        "venv",
        "git",
        "notebooks",
    ]
    assert all(check["ok"] for check in checks.values() if check["required"])


def test_the_doctor_says_what_is_missing_and_exits_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without git on PATH the answer names git and how to get it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--lang", "zh", "doctor"]) == 3
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("MISSING   git: not found on PATH")
    assert lines[at + 1].startswith("          -> 请安装 git 2.39 或更新版本：")

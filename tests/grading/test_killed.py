"""What was killed from outside is our trouble; what the student's data breaks is not."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mini_letta.course.grading.engine import SandboxEngine
from mini_letta.course.grading.evidence import ScriptRun
from mini_letta.course.grading.sandbox import Sandbox
from mini_letta.course.labs.lab import Lab
from tests.grading.kit import tiny_lab
from tests.grading.runs import IS_ROOT, require

KILLED = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A lab with one script."""
    return tiny_lab(tmp_path / "checkout", scripted=True)


def plant(folder: Path, name: str, script: str) -> dict[str, str]:
    """Put a program in front of the PATH and return the environment that has it."""
    folder.mkdir()
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def run(lab: Lab, env: Mapping[str, str], sandbox: Sandbox, script: str = "true") -> ScriptRun:
    """Run a script; by default one that leaves the memory as it is."""
    return SandboxEngine(sandbox=sandbox, env=env).run_script(lab, "1.4", script, seed=1)


@pytest.mark.parametrize(
    ("signal", "is_trouble"), [pytest.param("KILL", True), pytest.param("SEGV", False)]
)
def test_a_git_that_is_killed_is_trouble_and_one_that_breaks_is_not(
    signal: str, is_trouble: bool, lab: Lab, tmp_path: Path
) -> None:
    """Whatever a repository does to git, it does not send SIGKILL."""
    git = shutil.which("git")
    script = f'case "$1" in fsck) kill -{signal} $$;; *) exec {git} "$@";; esac'
    done = run(lab, plant(tmp_path / "bin", "git", script), require("bubblewrap"))
    assert (bool(done.trouble), bool(done.fault)) == (is_trouble, not is_trouble)


def test_checks_that_are_killed_are_trouble(lab: Lab) -> None:
    """They read what has been bounded before; nobody inside can reach them."""
    checks = tuple(replace(each, source=KILLED) if each.script else each for each in lab.checks)
    done = run(replace(lab, checks=checks), os.environ, require("bubblewrap"))
    assert (done.trouble, done.fault) == ("the process that runs the checks was killed.", "")


def test_walls_that_are_killed_are_trouble(lab: Lab, tmp_path: Path) -> None:
    """The process in front of the walls is out of a script's reach."""
    env = plant(tmp_path / "bin", "bwrap", "kill -KILL $$")
    done = run(lab, env, Sandbox(level="bubblewrap", own_uid=IS_ROOT))
    assert (done.trouble, done.fault) == ("the sandbox of the script was killed.", "")


def test_a_script_that_kills_itself_is_judged_by_what_it_leaves(lab: Lab) -> None:
    """It is no trouble of ours."""
    done = run(lab, os.environ, require("bubblewrap"), "kill -KILL $$")
    assert (done.trouble, done.fault, list(done.texts)) == ("", "", ["1.4a"])

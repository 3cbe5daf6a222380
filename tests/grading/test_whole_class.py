"""Twenty students and the four labs of this checkout: graded, interrupted, resumed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mini_letta.course.labs.master import lab_ids, read_lab
from tests.grading.kit import hand_out, place_of, solve, submit
from tests.grading.test_scenarios import require_sandbox

ROOT = Path(__file__).resolve().parents[2]
STUDENTS = 20
pytestmark = pytest.mark.long


def hand_in_everything(folder: Path) -> None:
    """Write the submissions in both languages: of each kind four students, of stubs eight."""
    for number in range(STUDENTS):
        lang = ("en", "zh")[number % 2]
        for id in lab_ids(ROOT):
            lab = read_lab(ROOT, id, lang)
            notebook = hand_out(lab) if number % 5 in (1, 4) else solve(lab)
            if number % 5 == 2:
                answer = next(cell.id for cell in lab.cells if cell.kind == "answer")
                del notebook["cells"][place_of(notebook, answer)]
            submit(folder, f"学生{number:02}", b"{" if number % 5 == 3 else notebook, id)


def start(folder: Path, out: str, *options: str) -> "subprocess.Popen[str]":
    """Start the command as an instructor does."""
    words = ["grade", "in", "--out", out, "--seed", "9", *options]
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "mini_letta", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell starts background jobs with SIGINT ignored, and a child inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 no threads
    )


def files(out: Path) -> dict[str, bytes]:
    """Return grades, results and pages, without what names the folder they lie in."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.glob("**/*"))
        if path.is_file() and path.name != "reading.html"
    }


def test_an_interrupted_class_resumes_to_the_grades_of_an_uninterrupted_one(
    tmp_path: Path,
) -> None:
    """Eighty notebooks in the real sandbox, stopped after a dozen: the same bytes in the end."""
    require_sandbox()
    hand_in_everything(tmp_path / "in")
    with start(tmp_path, "out") as stopped:
        assert stopped.stdout is not None
        for count, _ in enumerate(stopped.stdout):
            if count == 12:
                stopped.send_signal(signal.SIGINT)
                break
        _, said = stopped.communicate()
    assert (stopped.returncode, "--resume" in said) == (130, True), said
    with start(tmp_path, "out", "--resume") as resumed:
        printed, said = resumed.communicate()
    assert resumed.returncode == 0, said
    assert "80 graded" not in printed
    with start(tmp_path, "whole") as whole:
        _, said = whole.communicate()
    assert whole.returncode == 0, said
    assert files(tmp_path / "out") == files(tmp_path / "whole")

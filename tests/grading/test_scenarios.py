"""What went wrong for others (public reports about nbgrader, otter, nbval), through the sandbox.

Each test is a sentence about one of the scenarios S1 to S8. One batch is graded for most of them.
"""

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest

from mini_letta.course.grading.carry_out import carry_out
from mini_letta.course.grading.order import Order
from mini_letta.course.grading.results import ExerciseResult, Result, read_result, result_path
from mini_letta.course.grading.sandbox import detect_sandbox
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.master import read_lab
from tests.grading.kit import POINTS, make_cell, own_cell, place_of, solve, submit, write_labs

ROOT = Path(__file__).resolve().parents[2]
MEMORY = "hoard = []\nwhile True:\n    hoard.append(' ' * 10**7)"
KILL = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
EXIT = "import os\nos._exit(0)"
LOOP = "while True:\n    pass"
HELPER = "def loud(text):\n    return text.upper()"


@cache
def require_sandbox() -> None:
    """Skip the test where hidden checks would be refused."""
    if detect_sandbox(os.environ).level == "rlimits":
        pytest.skip("there is no sandbox here: install bubblewrap, or run as root with util-linux")


class Class:
    """A class whose notebooks have been graded."""

    def __init__(self, folder: Path, *, timeout_s: int = 20) -> None:
        require_sandbox()
        self.folder = folder
        self.root = write_labs(folder / "checkout", labs=("lab1", "lab2"), timeout_s=timeout_s)
        self.lab = read_lab(self.root, "lab1", "en")
        self.out = folder / "out"
        self.exit_code = -1

    def hand_in(self, student: str, notebook: dict[str, Any], lab: str = "lab1") -> None:
        """Hand a notebook in."""
        submit(self.folder / "in", student, notebook, lab)

    def order(self, out: Path | None = None) -> Order:
        """Return the order that grades the class."""
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        return Order(
            submissions=self.folder / "in", out=out or self.out, seed=5, is_quiet=True, env=env
        )

    def grade(self) -> None:
        """Grade everything; no process of it is left behind."""
        before = psutil.Process().children(recursive=True)
        self.exit_code = carry_out(self.order(), root=self.root).exit_code
        after = psutil.Process().children(recursive=True)
        assert [process for process in after if process not in before] == []

    def result(self, student: str, lab: str = "lab1") -> Result:
        """Return the result of a student."""
        result = read_result(result_path(self.out, student, lab))
        assert result is not None
        return result

    def exercise(self, student: str, id: str) -> ExerciseResult:
        """Return the result of one exercise."""
        return {each.id: each for each in self.result(student).exercises}[id]

    def rows(self) -> list[dict[str, str]]:
        """Return the rows of grades.csv."""
        with (self.out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def page(self, student: str) -> str:
        """Return the feedback page of a student."""
        path = self.out / "feedback" / student / "lab1.html"
        return path.read_text(encoding="utf-8")


def without(lab: Lab, id: str) -> dict[str, Any]:
    """Return a solved notebook that lacks a cell."""
    notebook = solve(lab)
    del notebook["cells"][place_of(notebook, id)]
    return notebook


def retyped(lab: Lab, id: str, kind: str) -> dict[str, Any]:
    """Return a solved notebook in which a cell has become one of another kind."""
    notebook = solve(lab)
    notebook["cells"][place_of(notebook, id)]["cell_type"] = kind
    return notebook


def inserted(lab: Lab, after: str, cell: Mapping[str, Any], **answers: str) -> dict[str, Any]:
    """Return a solved notebook with a cell more."""
    notebook = solve(lab, **answers)
    notebook["cells"].insert(place_of(notebook, after) + 1, dict(cell))
    return notebook


def swapped(lab: Lab) -> dict[str, Any]:
    """Return a solved notebook with two exercises in the other order."""
    notebook = solve(lab)
    first, second = (place_of(notebook, id) for id in ("answer-1-1", "answer-1-2"))
    cells = notebook["cells"]
    cells[first], cells[second] = cells[second], cells[first]
    return notebook


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """One class in which everything happens, graded once."""
    room = Class(tmp_path_factory.mktemp("class"))
    lab = room.lab
    copy = {**make_cell("answer-1-1", "double = abs"), "id": "copied"}
    room.hand_in("copied", inserted(lab, "answer-1-1", copy))
    room.hand_in("copied", solve(lab), "lab2")
    room.hand_in("split", inserted(lab, "ask-1-1", {**make_cell("ask-1-1", ""), "id": "half"}))
    room.hand_in("no_check", without(lab, "ask-1-1"))
    room.hand_in("no_answer", without(lab, "answer-1-1"))
    room.hand_in("no_setup", without(lab, "setup"))
    room.hand_in("swapped", swapped(lab))
    room.hand_in("memory", solve(lab, answer_1_1=MEMORY))
    room.hand_in("killed", solve(lab, answer_1_1=KILL))
    room.hand_in("public_only", solve(lab, answer_1_1="def double(n):\n    return 42"))
    room.hand_in("text_check", retyped(lab, "ask-1-1", "markdown"))
    room.hand_in("text_answer", retyped(lab, "answer-1-1", "markdown"))
    locked = "import math\nimport json\nLIMIT = 3"
    uses_json = "def double(n):\n    return 2 * json.loads(str(n))"
    room.hand_in("locked", solve(lab, setup=locked, answer_1_1=uses_json))
    uses_helper = "def shout(text, marks):\n    return loud(text) + '!' * min(marks, LIMIT)"
    room.hand_in("helper", inserted(lab, "ask-1-1", own_cell(HELPER), answer_1_2=uses_helper))
    room.grade()
    yield room


def test_s1_a_copied_answer_cell_is_named_with_both_positions(graded: Class) -> None:
    """The last copy counts, as when run top to bottom; nothing else of the student suffers."""
    (notice,) = graded.result("copied").notices
    assert (notice.exercise, "(cells 5, 6)" in notice.text) == ("1.1", True)
    assert (graded.exercise("copied", "1.1").points, graded.exercise("copied", "1.2").points) == (
        0, 3,
    )  # fmt: skip


def test_s1_the_other_notebook_of_the_same_student_is_graded(graded: Class) -> None:
    """Two notebooks are two submissions."""
    assert (graded.result("copied", "lab2").points, graded.exit_code) == (8, 0)


def test_s1_a_check_cell_split_in_two_costs_nothing(graded: Class) -> None:
    """Checks come from the master, whatever became of the cell that asks for them."""
    assert graded.result("split").points == 8


def test_s2_a_deleted_check_cell_costs_nothing(graded: Class) -> None:
    """Neither points nor a check are lost."""
    result = graded.result("no_check")
    assert (result.points, [len(each.checks) for each in result.exercises]) == (8, [2, 2, 0])


def test_s2_a_deleted_answer_is_a_final_zero_with_a_message(graded: Class) -> None:
    """Only that exercise; the maximum stays the master's."""
    result, exercise = graded.result("no_answer"), graded.exercise("no_answer", "1.1")
    assert (exercise.points, exercise.message) == (0, "answer cell missing")
    assert (result.outcome, result.points, result.max_points) == ("graded", 3, POINTS)


@pytest.mark.parametrize("student", ["no_setup", "swapped"])
def test_s2_a_lost_set_up_cell_or_another_order_costs_nothing(graded: Class, student: str) -> None:
    """The set-up comes from the master, and so does the order."""
    assert graded.result(student).points == 8


def test_s3_one_hanging_and_one_crashing_notebook_spoil_nothing(tmp_path: Path) -> None:
    """Six rows; what hung or crashed loses its own exercise, the others get their points."""
    room = Class(tmp_path, timeout_s=3)
    for number in range(4):
        room.hand_in(f"good{number}", solve(room.lab))
    room.hand_in("loops", solve(room.lab, answer_1_2=LOOP))
    room.hand_in("exits", solve(room.lab, answer_1_1=EXIT))
    room.grade()
    assert [(row["student"], row["points"]) for row in room.rows()] == [
        ("exits", "3"), ("good0", "8"), ("good1", "8"), ("good2", "8"), ("good3", "8"),
        ("loops", "5"),
    ]  # fmt: skip
    assert room.exercise("loops", "1.2").outcome == "timeout"
    assert room.exercise("loops", "1.2").message.endswith("more than 3 seconds and was stopped.")
    assert room.exercise("exits", "1.1").outcome == "crashed"


DRIVER = """
import json, os, sys
from pathlib import Path
from mini_letta.course.grading.carry_out import carry_out
from mini_letta.course.grading.order import Order
fields = json.loads(sys.argv[1])
order = Order(submissions=Path(fields["in"]), out=Path(fields["out"]), seed=5, jobs=1,
              env=os.environ)
sys.exit(carry_out(order, root=Path(fields["root"])).exit_code)
"""


def test_s3_finished_results_survive_ctrl_c_and_are_not_redone(tmp_path: Path) -> None:
    """Stopped in the middle of a real kernel, nothing runs on; the rest is done on resuming."""
    room = Class(tmp_path, timeout_s=600)
    room.hand_in("a_good", solve(room.lab))
    room.hand_in("b_hangs", solve(room.lab, answer_1_1=LOOP))
    fields = {"in": str(tmp_path / "in"), "out": str(room.out), "root": str(room.root)}
    with subprocess.Popen(
        [sys.executable, "-u", "-c", DRIVER, json.dumps(fields)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # a shell starts background jobs with SIGINT ignored, and a child inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 no threads
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("a_good"):
                break
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, "--resume" in said) == (130, True)
    assert not any(child.is_running() for child in family)
    written = result_path(room.out, "a_good", "lab1")
    before = written.stat().st_mtime_ns
    room.hand_in("b_hangs", solve(room.lab))
    order = room.order()
    done = carry_out(
        Order(**{name: getattr(order, name) for name in order.__slots__} | {"resumes": True}),
        root=room.root,
    )
    assert (done.summary["graded"], done.summary["unchanged"]) == (1, 1)
    assert written.stat().st_mtime_ns == before


@pytest.mark.parametrize("student", ["memory", "killed"])
def test_s4_nothing_passes_after_a_death(graded: Class, student: str) -> None:
    """The exercise that ate the memory or killed its kernel gets nothing, the next its points."""
    first, second = (graded.exercise(student, id) for id in ("1.1", "1.2"))
    assert first.outcome in ("crashed", "error") and first.points == 0
    assert not any(check.outcome == "passed" for check in first.checks)
    assert second.points == 3


@pytest.mark.long
def test_s5_a_loaded_machine_changes_no_mark(tmp_path: Path) -> None:
    """Eight correct notebooks, two busy loops, three times: the same marks each time."""
    room = Class(tmp_path)
    for number in range(8):
        room.hand_in(f"good{number}", solve(room.lab))
    busy = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(2)]
    try:
        for turn in range(3):
            room.out = tmp_path / f"out{turn}"
            room.grade()
            assert {row["points"] for row in room.rows()} == {"8"}
            assert (room.exit_code, len(room.rows())) == (0, 8)
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_s6_all_public_checks_passed_is_not_all_passed(graded: Class) -> None:
    """The page counts both kinds; the instructor's report shows them apart."""
    page = graded.page("public_only")
    assert "1 of 1 public checks passed" in page and "0 of 1 further checks passed" in page
    assert "It keeps negative numbers negative." in page
    assert "public 2/2 · hidden 1/2" in (graded.out / "report.html").read_text(encoding="utf-8")


def test_s6_no_page_of_a_student_holds_a_hidden_input_or_value(graded: Class) -> None:
    """Neither the source of a hidden check nor what it printed is on any feedback page."""
    hidden = [check for check in graded.exercise("public_only", "1.1").checks if check.hidden]
    values = [check.expected.strip() for check in hidden]
    assert values and values[0].startswith("double(-")
    pages = [path.read_text(encoding="utf-8") for path in graded.out.glob("feedback/*/*.html")]
    for secret in (*(value.split(" -> ")[0] for value in values), "secret", "draw.randint"):
        assert not any(secret in page for page in pages)


def test_s7_a_check_turned_into_text_is_still_run(graded: Class) -> None:
    """The number of checks is the master's."""
    result = graded.result("text_check")
    assert (result.points, sum(len(each.checks) for each in result.exercises)) == (8, 4)


def test_s7_an_answer_turned_into_text_is_said_to_be_no_code(graded: Class) -> None:
    """It is not run, and the rest is."""
    exercise = graded.exercise("text_answer", "1.1")
    assert (exercise.message, exercise.points) == ("answer cell is not a code cell", 0)
    assert graded.result("text_answer").points == 3


def test_s8_work_in_a_locked_cell_is_shown_as_a_diff(graded: Class) -> None:
    """The student sees which line was not used and why the answer failed."""
    page = graded.page("locked")
    assert "Cell 3 (setup) is locked" in page and "+import json" in page
    assert "name &#x27;json&#x27; is not defined" in page


def test_s8_a_helper_in_a_cell_of_ones_own_is_used(graded: Class) -> None:
    """Cells of the student's own run where they stand."""
    assert graded.result("helper").points == 8

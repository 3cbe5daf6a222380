"""Many submissions at once: slots, resuming, Ctrl-C, and one bad notebook among good ones."""

import os
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from mini_letta.course.grading.carry_out import carry_out
from mini_letta.course.grading.grade import Engine
from mini_letta.course.grading.kernel_run import NotebookRun
from mini_letta.course.grading.order import BadOrder, Done, Order
from mini_letta.course.grading.pool import run_pool
from mini_letta.course.grading.results import Result, list_results, read_results
from mini_letta.course.labs.master import read_lab
from tests.grading.kit import PlainEngine, hand_out, solve, submit, write_labs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with the tiny lab."""
    return write_labs(tmp_path / "checkout")


@pytest.fixture
def cohort(tmp_path: Path, root: Path) -> Path:
    """Five students: right, wrong, hanging, untouched in Chinese, and no notebook at all."""
    english, chinese = (read_lab(root, "lab1", lang) for lang in ("en", "zh"))
    folder = tmp_path / "submissions"
    submit(folder, "ada", solve(english))
    submit(folder, "bo", solve(english, answer_1_1="double = abs"))
    submit(folder, "cy", solve(english, answer_1_1="HANG"))
    submit(folder, "王", hand_out(chinese))
    submit(folder, "zed", b"not a notebook")
    return folder


class Engines:
    """Makes the engines of an order, and keeps them to look at."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields
        self.made: list[PlainEngine] = []

    def __call__(self, slots: int, *, env: Mapping[str, str], is_unsafe: bool) -> Sequence[Engine]:
        self.made = [PlainEngine(**self.fields) for _ in range(slots)]
        return self.made

    @property
    def runs(self) -> int:
        """How many notebooks were run."""
        return sum(len(engine.runs) for engine in self.made)


def grade(
    cohort: Path, out: Path, root: Path, engines: Engines | None = None, **fields: Any
) -> Done:
    """Grade a cohort, one at a time, so that the order is known."""
    fields = {"jobs": 1, "seed": 5, "is_quiet": True, "env": os.environ, **fields}
    order = Order(submissions=cohort, out=out, **fields)
    return carry_out(order, root=root, make_engines=engines or Engines())


def results(out: Path) -> dict[str, Result]:
    """Return student -> result."""
    return {result.student: result for _, result in read_results(out)}


def files(out: Path) -> dict[str, bytes]:
    """Return every file below a folder that does not name the folder itself."""
    skipped = {"reading.html"}  # tells the command to type, with the folder in it
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.glob("**/*"))
        if path.is_file() and path.name not in skipped
    }


def test_one_bad_notebook_never_stops_the_others(cohort: Path, root: Path, tmp_path: Path) -> None:
    """S3: a row for everybody; only the hanging exercise of the hanging notebook is lost."""
    done = grade(cohort, tmp_path / "out", root)
    found = results(tmp_path / "out")
    assert {name: (each.outcome, each.points) for name, each in found.items()} == {
        "ada": ("graded", 8), "bo": ("graded", 3), "cy": ("graded", 3), "王": ("graded", 0),
        "zed": ("unreadable", 0),
    }  # fmt: skip
    assert (done.exit_code, done.summary["outcomes"]) == (0, {"graded": 4, "unreadable": 1})


def test_the_feedback_has_the_language_of_the_notebook(
    cohort: Path, root: Path, tmp_path: Path
) -> None:
    """Each notebook chooses its edition of the lab."""
    grade(cohort, tmp_path / "out", root)
    assert results(tmp_path / "out")["王"].exercises[0].message == "还没有作答。"
    page = (tmp_path / "out" / "feedback" / "王" / "lab1.html").read_text(encoding="utf-8")
    assert "小实验" in page


def test_the_reference_runs_once_for_the_whole_batch(root: Path, tmp_path: Path) -> None:
    """Twenty submissions ask for the expected texts; one process gives them."""
    lab = read_lab(root, "lab1", "en")
    for number in range(20):
        submit(tmp_path / "in", f"s{number}", hand_out(lab))
    calls = []
    programs = subprocess.run

    def counted(*args: Any, **named: Any) -> Any:
        calls.append(args)
        return programs(*args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "run", counted)
        grade(tmp_path / "in", tmp_path / "out", root)
    assert [call for call in calls if "plain_run" in str(call)] == calls[:1]


def test_a_resumed_run_does_only_what_is_missing_or_has_changed(
    cohort: Path, root: Path, tmp_path: Path
) -> None:
    """A removed result, a new file, another seed or another lab: nothing else runs again."""
    out = tmp_path / "out"
    grade(cohort, out, root)
    again = Engines()
    grade(cohort, out, root, again, resumes=True)
    assert again.runs == 0
    (out / "results" / "ada" / "lab1.json").unlink()
    submit(cohort, "bo", solve(read_lab(root, "lab1", "en")))
    grade(cohort, out, root, again, resumes=True)
    assert again.runs == 2 and results(out)["bo"].points == 8
    grade(cohort, out, root, again, resumes=True, seed=6)
    assert again.runs == 5  # four notebooks, and the hanging one twice
    assert {each.seed for each in results(out).values()} == {6}
    master = root / "labs" / "src" / "lab1_tiny.py"
    master.write_text(master.read_text().replace("LIMIT = 3", "LIMIT = 4"))
    grade(cohort, out, root, again, resumes=True, seed=6)
    assert again.runs == 5


def test_the_seed_is_drawn_recorded_and_used_again(
    cohort: Path, root: Path, tmp_path: Path
) -> None:
    """Without --seed a fresh one; a resumed run keeps it."""
    out = tmp_path / "out"
    seed = grade(cohort, out, root, seed=None).summary["seed"]
    assert grade(cohort, out, root, seed=None, resumes=True).summary["seed"] == seed
    assert {each.seed for each in results(out).values()} == {seed}
    other = grade(cohort, tmp_path / "other", root, seed=None).summary["seed"]
    assert seed != other and seed > 0


def test_results_are_never_written_over_by_accident(
    cohort: Path, root: Path, tmp_path: Path
) -> None:
    """A folder with results needs --resume."""
    grade(cohort, tmp_path / "out", root)
    with pytest.raises(BadOrder, match=r"holds results already\. Add --resume"):
        grade(cohort, tmp_path / "out", root)


def test_what_could_not_be_graded_is_done_again(cohort: Path, root: Path, tmp_path: Path) -> None:
    """Trouble of ours makes exit code 1, no zero, and a resumed run repairs it."""
    out = tmp_path / "out"
    assert grade(cohort, out, root, Engines(troubles=2)).exit_code == 1
    assert results(out)["ada"].outcome == "needs_regrade"
    again = Engines()
    assert grade(cohort, out, root, again, resumes=True).exit_code == 0
    assert (again.runs, results(out)["ada"].points) == (1, 8)


class BrokenEngine(PlainEngine):
    """A sandbox with a fault in it."""

    def run_notebook(self, node: Any, **named: Any) -> NotebookRun:
        """Raise what nobody expected."""
        raise ZeroDivisionError("a fault of ours")


def test_a_fault_in_the_grader_is_no_mark_and_no_end(
    cohort: Path, root: Path, tmp_path: Path
) -> None:
    """Every other submission still gets its row."""
    order = Order(submissions=cohort, out=tmp_path / "out", jobs=1, is_quiet=True, env=os.environ)
    done = carry_out(order, root=root, make_engines=lambda *_, **__: [BrokenEngine()])
    assert (done.exit_code, done.summary["outcomes"]) == (
        1, {"needs_regrade": 4, "unreadable": 1},
    )  # fmt: skip
    assert "ZeroDivisionError" in results(tmp_path / "out")["ada"].message


def test_a_result_cut_short_is_made_anew(cohort: Path, root: Path, tmp_path: Path) -> None:
    """A full disk or an editor may have spoilt a file; a resumed run replaces it."""
    grade(cohort, tmp_path / "out", root)
    path = tmp_path / "out" / "results" / "ada" / "lab1.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    grade(cohort, tmp_path / "out", root, resumes=True)
    assert path.read_bytes() == whole


def test_no_two_jobs_share_a_slot_and_all_are_done() -> None:
    """Each slot does one job at a time, and both slots are used."""
    together = threading.Barrier(2)
    busy: set[int] = set()

    def work(job: int, slot: int) -> int:
        assert slot not in busy
        busy.add(slot)
        together.wait()
        busy.discard(slot)
        return job * job

    rows = run_pool(range(10), work, lambda job, done: (job, done), slots=2)
    assert sorted(rows) == [(job, job * job) for job in range(10)]


def test_a_job_that_raises_ends_the_pool() -> None:
    """What nobody can be graded without is raised to the caller, and no thread is left."""
    before = threading.active_count()

    def work(job: int, slot: int) -> int:
        raise LookupError("the lab itself is broken")

    with pytest.raises(LookupError):
        list(run_pool([1, 2, 3], work, lambda job, done: done, slots=2))
    assert threading.active_count() == before


DRIVER = """
import os, subprocess, sys
from pathlib import Path
from mini_letta.course.grading.carry_out import carry_out
from mini_letta.course.grading.order import Order
from tests.grading.kit import PlainEngine

class Blocking(PlainEngine):
    def run_notebook(self, node, **named):
        if any("BLOCK" in cell.source for cell in node.cells):
            child = subprocess.Popen(["cat", sys.argv[4]])  # a pipe that nobody writes to
            os.write(2, b"blocked %d\\n" % child.pid)
            child.wait()
        return super().run_notebook(node, **named)

order = Order(submissions=Path(sys.argv[1]), out=Path(sys.argv[2]), jobs=1, env=os.environ,
              seed=5, lang=sys.argv[5])
made = lambda slots, **_: [Blocking() for _ in range(slots)]
sys.exit(carry_out(order, root=Path(sys.argv[3]), make_engines=made).exit_code)
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_interrupted_run_resumes_to_the_same_bytes(
    lang: str, cohort: Path, root: Path, tmp_path: Path
) -> None:
    """Ctrl-C: exit 130, finished results kept, no process left; then equal to a run in one go."""
    blocking = solve(read_lab(root, "lab1", "en"), answer_1_1="word = 'BLOCK'\ndouble = abs")
    submit(cohort, "dora", blocking)
    pipe, out = tmp_path / "pipe", tmp_path / "out"
    os.mkfifo(pipe)
    argv = [sys.executable, "-c", DRIVER, cohort, out, root, pipe, lang]
    with subprocess.Popen(
        [str(word) for word in argv],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # a shell starts background jobs with SIGINT ignored, and a child inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 no threads
    ) as process:  # fmt: skip
        assert process.stderr is not None
        child = int(process.stderr.readline().split()[1])
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate()
    assert process.returncode == 130, complaint
    assert not psutil.pid_exists(child)
    assert list_results(out) == [("ada", "lab1"), ("bo", "lab1"), ("cy", "lab1")]
    assert "--resume" in complaint and "3" in complaint and "Traceback" not in complaint
    again = Engines()
    grade(cohort, out, root, again, resumes=True, seed=None, lang=lang)
    assert again.runs == 2  # dora's and the Chinese one
    grade(cohort, tmp_path / "whole", root, lang=lang)
    assert files(out) == files(tmp_path / "whole")


def test_the_memory_of_the_parent_does_not_grow_with_the_cohort(root: Path, tmp_path: Path) -> None:
    """Forty submissions more, of 20,000 characters each, leave the peak where it was."""
    lab = read_lab(root, "lab1", "en")
    for number in range(50):
        notebook = solve(lab, written_1_3=f"{number} " + "long " * 4000)
        submit(tmp_path / "few", f"s{number % 10}", notebook)
        submit(tmp_path / "many", f"s{number}", notebook)
    peaks: list[int] = []
    for name in ("few", "few", "many"):  # the first run warms up
        tracemalloc.start()
        grade(tmp_path / name, tmp_path / f"{name}{len(peaks)}", root)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] - peaks[1] < 40 * 10_000

"""Time the grading of a submission against a bare `pytest --nbval` of the same notebook.

usage: python tests/bench/grading.py [--rounds 5] [--labs lab3 ...] [--class 6]

The notebook is the reference solution, rebuilt with its checks. Bare: nbval with a plain kernel,
the lab's library on its path. Ours: the same in the sandbox, recorded and judged; the reference of
the batch is run beforehand, once for all. A lab with scripts (lab1, lab2, lab4) also runs and
inspects those, which the bare run does not: they are shown, and not held to the bar. Then a class
graded by one worker and by two. Exits 1 when a ratio misses its bar.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import nbformat

from mini_letta.course.environment import notebook_environment
from mini_letta.course.grading.engine import make_engines
from mini_letta.course.grading.grade import Task, grade_submission
from mini_letta.course.grading.handed_in import parse_notebook
from mini_letta.course.grading.matching import match_cells
from mini_letta.course.grading.rebuild import compose_notebook, rebuild
from mini_letta.course.grading.references import References
from mini_letta.course.labs.master import lab_ids, read_lab

ROOT = Path(__file__).parents[2]
SEED = 7
BARE_BAR = 1.5
WORKERS_BAR = 1.3


def solved_notebook(id: str) -> bytes:
    """Return a student's notebook in which everything is solved."""
    lab = read_lab(ROOT, id, "en")
    solutions = {cell.id: cell.solution for cell in lab.cells if cell.solution}
    notebook = json.loads((ROOT / "labs" / "en" / f"{id}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = solutions.get(cell["id"], cell["source"])
    return json.dumps(notebook).encode()


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def run_bare(notebook: bytes, library: Path) -> None:
    """Run a notebook through nbval, as anybody would."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lab.ipynb"
        path.write_bytes(notebook)
        env = notebook_environment(os.environ, scratch=Path(folder))
        env["PYTHONPATH"] = str(library)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "nbval.plugin", "--nbval"]
        done = subprocess.run(
            [*command, "--nbval-current-env", str(path)], cwd=folder, env=env, capture_output=True
        )
        if done.returncode:
            sys.exit(f"the bare run failed:\n{done.stdout.decode()[-2000:]}")


def measure_one(id: str, folder: Path, rounds: int) -> bool:
    """Print one line; return whether it is within its bar."""
    references = References(
        read_lab=lambda lab, lang: read_lab(ROOT, lab, lang),
        seed=SEED,
        env=os.environ,
        folder=folder,
    )
    reference = references.get(id, "en")
    engine = make_engines(1, env=os.environ, is_unsafe=False)[0]
    handed = parse_notebook(solved_notebook(id))
    task = Task(
        student="ada",
        lab=reference.lab,
        handed=handed,
        sha256="",
        seed=SEED,
        library=reference.library,
        expected=reference.expected,
    )
    steps = rebuild(reference.lab, match_cells(reference.lab, handed), seed=SEED)
    rebuilt = nbformat.writes(compose_notebook(steps, reference.expected)).encode()
    times = [
        (
            seconds(lambda: grade_submission(task, engine)),
            seconds(lambda: run_bare(rebuilt, reference.library)),
        )
        for _ in range(rounds)
    ]
    ours, bare = (statistics.median(each) for each in zip(*times, strict=True))
    has_scripts = any(check.script for check in reference.lab.checks)
    bar = "" if has_scripts else f" (bar {BARE_BAR})"
    note = "   and its scripts" if has_scripts else ""
    print(f"{id}: ours {ours:.2f} s, bare nbval {bare:.2f} s: {ours / bare:.2f}x{bar}{note}")
    return has_scripts or ours / bare <= BARE_BAR


def grade_class(submissions: Path, out: Path, jobs: int) -> None:
    """Grade a folder with the command."""
    command = [sys.executable, "-m", "mini_letta", "grade", str(submissions), "--out", str(out)]
    subprocess.run(
        [*command, "--jobs", str(jobs), "--seed", str(SEED)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def measure_workers(id: str, folder: Path, size: int) -> bool:
    """Print how much faster two workers are than one; return whether that is enough."""
    for number in range(size):
        path = folder / "in" / f"student-{number}" / f"{id}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(solved_notebook(id))
    one, two = (
        seconds(partial(grade_class, folder / "in", folder / f"out-{jobs}", jobs))
        for jobs in (1, 2)
    )
    print(
        f"{size} x {id}: one worker {one:.1f} s, two {two:.1f} s: "
        f"{one / two:.2f}x (bar {WORKERS_BAR})"
    )
    return one / two >= WORKERS_BAR


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--labs", nargs="+", default=lab_ids(ROOT))
    parser.add_argument("--class", dest="size", type=int, default=6)
    options = parser.parse_args()
    within = []
    for id in options.labs:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            Path(folder).chmod(0o755)
            within.append(measure_one(id, Path(folder), options.rounds))
    with tempfile.TemporaryDirectory() as folder:
        within.append(measure_workers(options.labs[-1], Path(folder), options.size))
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())

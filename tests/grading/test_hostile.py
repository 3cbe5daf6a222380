"""Submissions that mean harm, graded beside an honest one: no mark rises, nobody else suffers.

What a cell can do to its kernel is tested in ``test_kernel_run``; here it is what becomes of it in
the result of a whole batch.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mini_letta.course.grading.results import list_results
from tests.grading.kit import hand_out, make_cell, solve, submit
from tests.grading.test_scenarios import Class

WRONG = "def double(n):\n    return n"
# Student -> the answer to the first exercise, and what the exercise may come out as.
ATTACKS = {
    "endless": ("while True:\n    pass", {"timeout"}),
    "deaf": (
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass",
        {"timeout"},
    ),
    "swallows": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        {"timeout"},
    ),
    "stopped": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", {"timeout", "crashed"}),
    "exits": ("import os\nos._exit(0)", {"crashed"}),
    "quits": (f"quit()\n{WRONG}", {"error"}),
    "kills": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", {"crashed"}),
    "kills_all": ("import os, signal\nos.kill(-1, signal.SIGKILL)", {"crashed", "error"}),
    "forks": ("import os\nwhile True:\n    os.fork()", {"error", "crashed", "timeout"}),
    "hoards": ("x = []\nwhile True:\n    x.append(' ' * 10**7)", {"error", "crashed"}),
    "fills": (
        "with open('big', 'wb') as f:\n    while True:\n        f.write(b'x' * 10**6)",
        {"error", "crashed"},
    ),
    "prints": (
        "while True:\n    print('x' * 10**6)",
        {"crashed", "error", "timeout", "failed"},  # failed: a kernel that has no memory to say so
    ),
    "lives_on": (
        "import threading, time\n"
        "def work():\n    while True:\n        time.sleep(0.05)\n"
        "        print('double(21) -> 42')\n"
        f"threading.Thread(target=work).start()\n{WRONG}",
        {"failed"},
    ),
    "detaches": (
        f"import subprocess\nsubprocess.Popen(['sleep', '600'], start_new_session=True)\n{WRONG}",
        {"failed"},
    ),
    "calls": (
        "import urllib.request\nurllib.request.urlopen('http://198.51.100.1', timeout=5)",
        {"error"},
    ),
    "mounts": (
        "import subprocess\n"
        "subprocess.run(['unshare', '-Urm', 'mount', '-t', 'tmpfs', 'x', '/tmp'], check=True)",
        {"error"},
    ),
    "forges": (
        "kernel = get_ipython().kernel\n"
        "output = {'name': 'stdout', 'text': ['double(21) -> 42']}\n"
        "def double(n):\n    kernel.session.send(kernel.iopub_socket, 'stream', output,\n"
        "        parent=kernel.get_parent())",
        {"crashed"},
    ),
    "no_print": ("import builtins\nbuiltins.print = lambda *a, **k: None\n" + WRONG, {"failed"}),
    "says_equal": (
        "class Yes(int):\n    __eq__ = lambda *a: True\n    __repr__ = lambda self: '-4'\n"
        "def double(n):\n    return Yes(n)",
        {"failed"},
    ),
    "rewrites": (
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])\n" + WRONG,
        {"failed"},
    ),
    "own_tell": (
        "import mini_letta.course.labs.values as values\n"
        "values.tell = lambda f, *a: print('passed')\n" + WRONG,
        {"failed"},
    ),
    "skips": ("# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\n" + WRONG, {"failed"}),
    "seeks": (
        "import os\nplaces = ('/tmp', '/submission', '/root', '/home', '/run', '/var')\n"
        "names = {'lab.ipynb', 'lab1.ipynb', 'lab1.json', 'lab1_tiny.py', 'grades.csv'}\n"
        "found = [f for place in places for _, _, files in os.walk(place) for f in files]\n"
        "def double(n):\n    return 2 * n if names & set(found) else 0",
        {"failed"},
    ),
}
TRACES = "touched"
SPOIL_THEMSELVES = {"no_print", "rewrites", "own_tell", "lives_on", "prints"}
BYTES = {
    "huge": b" " * 5_000_001,
    "utf16": "{}".encode("utf-16"),
    "truncated": b'{"nbformat": 4, "cells": [{"cell_type": "code"',
    "nested": b"[" * 1_000_000,
    "picture": b"\x89PNG\r\n\x1a\n",
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """An honest student among attackers, graded once."""
    room = Class(tmp_path_factory.mktemp("hostile"), timeout_s=5)
    room.hand_in("honest", solve(room.lab))
    for student, (answer, _) in ATTACKS.items():
        room.hand_in(student, solve(room.lab, answer_1_1=answer))
    for student, data in BYTES.items():
        submit(room.folder / "in", student, data)
    submit(room.folder / "in", "marked", json.dumps(solve(room.lab)).encode("utf-8-sig"))
    plant(room)
    room.grade()
    yield room


def plant(room: Class) -> None:
    """Hand in an untouched notebook with files beside it that would run if they were read."""
    room.hand_in("plants", hand_out(room.lab))
    folder = room.folder / "in" / "plants"
    trap = f"open({str(room.folder / TRACES)!r}, 'a').close()\n"
    (folder / "mini_letta").mkdir()
    for name in ("mini_letta/__init__.py", "conftest.py", "sitecustomize.py", "nbval.py"):
        (folder / name).write_text(trap, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:nbval\n", encoding="utf-8")
    (room.folder / "in" / "links").mkdir()
    (room.folder / "in" / "links" / "lab1.ipynb").symlink_to(
        room.folder / "in" / "honest" / "lab1.ipynb"
    )


@pytest.mark.parametrize("student", ATTACKS)
def test_an_attack_raises_no_mark(graded: Class, student: str) -> None:
    """The exercise has its recorded outcome and no point; the honest part keeps its own.

    Unless the attack spoils the kernel that the student's own later checks run in.
    """
    exercise = graded.exercise(student, "1.1")
    assert exercise.outcome in ATTACKS[student][1], exercise
    assert exercise.points == 0
    assert student in SPOIL_THEMSELVES or graded.exercise(student, "1.2").points == 3


def test_the_honest_student_is_not_touched(graded: Class) -> None:
    """Every point, whatever the others do at the same time."""
    assert graded.result("honest").points == 8
    assert graded.exit_code == 0


def test_everybody_has_a_row(graded: Class) -> None:
    """Nobody falls out of the batch."""
    handed_in = {"honest", "marked", "plants", "links", *ATTACKS, *BYTES}
    assert {row["student"] for row in graded.rows()} == handed_in
    assert len(list_results(graded.out)) == len(handed_in)


@pytest.mark.parametrize("student", [*BYTES, "links"])
def test_what_is_no_notebook_is_unreadable(graded: Class, student: str) -> None:
    """0 of the master's points, with a sentence for the student."""
    result = graded.result(student)
    assert (result.outcome, result.points, result.max_points) == ("unreadable", 0, 12)
    assert result.message and result.message.split()[0] in graded.page(student)


def test_a_byte_order_mark_costs_nothing(graded: Class) -> None:
    """The notebook is graded like any other."""
    assert graded.result("marked").points == 8


def test_planted_files_are_never_read(graded: Class) -> None:
    """Packages, plugins and settings beside a notebook run nowhere, and change no mark."""
    assert not (graded.folder / TRACES).exists()
    assert graded.result("plants").points == 0


def test_what_a_hung_run_has_seen_cannot_be_carried_into_the_next(tmp_path: Path) -> None:
    """A hidden check's source, written to the folder in one run, is not there in the second.

    Else it could be printed by a public check of the second run, and stand in the feedback.
    """
    room = Class(tmp_path, timeout_s=3)
    leak = (
        "from pathlib import Path\nseen = Path('seen')\n"
        "old = seen.read_text() if seen.exists() else ''\n"
        "def shout(text, marks):\n    return 'LEAK' + old"
    )
    spy = (
        "from pathlib import Path\nseen = Path('seen')\n"
        "def double(n):\n"
        "    if n < 0:\n"
        "        seen.write_text(''.join(get_ipython().user_ns['In']) + str(n))\n"
        "        while True: pass\n"
        "    return 42"
    )
    room.hand_in("spy", solve(room.lab, answer_1_1=spy, answer_1_2=leak))
    room.grade()
    assert room.exercise("spy", "1.1").outcome == "timeout"
    checks = {check.id: check.seen for check in room.exercise("spy", "1.2").checks}
    assert checks["1.2a"].endswith("-> 'LEAK'\n") and checks["1.2b"].endswith("-> 'LEAK'\n")


def test_odd_names_of_students_are_harmless_everywhere(tmp_path: Path) -> None:
    """Paths, HTML, formulas, control characters and bytes that are no text: a row and a page."""
    room = Class(tmp_path)
    names = [b"..x", b"<b>bold", b"=cmd()", b"a\nb\x1b[31m", b"\xff\xfe", "王小明".encode()]
    for name in names:
        room.hand_in(os.fsdecode(name), {**hand_out(room.lab), "cells": [make_cell("x", "1")]})
    room.grade()
    shown = {row["student"] for row in room.rows()}
    assert shown == {"..x", "<b>bold", "'=cmd()", "a\\nb\\x1b[31m", "\\xff\\xfe", "王小明"}
    pages = {path.parent.name for path in (room.out / "feedback").glob("*/lab1.html")}
    assert pages == {os.fsdecode(name) for name in names}
    report = (room.out / "report.html").read_text(encoding="utf-8")
    assert "<b>" not in report and "\x1b" not in report and "%FF%FE/lab1.html" in report


def test_a_notebook_of_wrong_types_is_graded(tmp_path: Path) -> None:
    """Cells that are no cells, metadata of every kind and infinities stop nothing."""
    room = Class(tmp_path)
    notebook = solve(room.lab)
    notebook["metadata"]["x"] = float("nan")
    notebook["cells"] += [None, 7, {"source": {}}, {"cell_type": [], "source": "x", "metadata": 3}]
    notebook["cells"][0]["metadata"] = {"mini_letta": {"id": ["title"]}, "tags": {"a": 1e999}}
    room.hand_in("ada", notebook)
    room.grade()
    result = room.result("ada")
    assert (result.points, [notice.kind for notice in result.notices]) == (8, ["broken_cells"])

"""A grader who is not root: no user for each submission, and the same walls.

The other tests run as whoever runs them; here root takes the place of somebody else.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mini_letta.course.grading.sandbox import Level
from tests.grading.runs import IS_ROOT, require

CHECKOUT = Path(__file__).resolve().parents[2]
NOBODY = 59_998  # as whom nothing else runs
PROGRAM = """
import json, os, psutil, sys, tempfile
from pathlib import Path
from mini_letta.course.grading.command import run_command
from mini_letta.course.grading.kernel_run import run_notebook
from mini_letta.course.grading.kernel_spec import Place
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import Inside, Sandbox, detect_sandbox
from tests.grading.runs import notebook

found = detect_sandbox(os.environ)
level, *cells = json.loads(sys.argv[1])
sandbox = Sandbox(level=level, own_uid=False)
with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    place = Place(sandbox=sandbox, uid=None, library=Path(folder), env=os.environ)
    done = run_notebook(notebook(*cells), place, cell_timeout_s=10, wall_s=120)
    inside = Inside(uid=None, home=Path(folder), env={"PATH": "/usr/bin:/bin"})
    command = ["sh", "-c", "pwd; echo kept > file"]
    script = run_command(sandbox, command, inside, limits=Limits(), wall_s=60, env=os.environ)
    kept = (Path(folder) / "file").read_text()
running = [each for each in psutil.process_iter() if each.status() != psutil.STATUS_ZOMBIE]
print(json.dumps({
    "found": [found.level, found.own_uid], "trouble": done.trouble,
    "cells": [[cell.outcome, cell.seen] for cell in done.cells],
    "script": [script.said.replace(folder, "FOLDER"), kept],
    "left": [each.name() for each in running if each.pid not in (1, os.getpid())],
}))
"""
CELLS = (
    "import os, socket",
    "print(os.getcwd(), os.listdir())",
    "try:\n    socket.create_connection(('192.0.2.1', 80), 5)\n"
    "except OSError as error:\n    print(error.errno)",
    "print(len([name for name in os.listdir('/proc') if name.isdigit()]) < 6)",
    f"print(os.path.exists({str(CHECKOUT / 'labs')!r}))",
    "os._exit(0)",
    "print('later')",
)

BOMB = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
ONLY_ROOT = pytest.mark.skipif(not IS_ROOT, reason="the other tests run without root then")


def become_nobody() -> str:
    """Return a shell script that runs its arguments as nobody, who can reach Python and checkout.

    Both may lie in a home that is closed to others: in mounts of its own they are all of it.
    """
    needed = {Path(sys.base_prefix), Path(sys.prefix), CHECKOUT}
    closed = {next(filter(is_closed, [*reversed(path.parents), path]), None) for path in needed}
    hidden = [path for path in sorted(needed) if any(c and path.is_relative_to(c) for c in closed)]
    aside = [(shlex.quote(str(path)), f"/mnt/{number}") for number, path in enumerate(hidden)]
    lines = ["mount -t tmpfs tmpfs /mnt"]
    lines += [f"mkdir {place}; mount --bind {path} {place}" for path, place in aside]
    lines += [
        f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(str(path))}" for path in closed if path
    ]
    lines += [f"mkdir -p {path}; mount --bind {place} {path}" for path, place in aside]
    # No exec: process 1 has to be one that takes in orphans.
    lines += [f'setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups "$@"', "exit $?"]
    return "\n".join(lines)


def is_closed(folder: Path) -> bool:
    """Is it impossible for others to pass?"""
    return not folder.stat().st_mode & 0o001


def run_as_nobody(*command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as nobody, with processes of its own, which end when it does."""
    return subprocess.run(
        [
            *["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
            *["sh", "-ec", become_nobody(), "sh", *command],
        ],
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
    )


def grade_as_nobody(level: Level, *cells: str) -> dict[str, Any]:
    """Run cells and a script at a level, and return what became of them."""
    require("unshare")
    task = json.dumps([level, *cells])
    done = run_as_nobody(sys.executable, "-B", "-c", PROGRAM, task)
    assert done.stderr == ""
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@ONLY_ROOT
def test_bubblewrap_needs_no_root() -> None:
    """No network, no file tree and no process of the machine, and a dead kernel is noticed."""
    if run_as_nobody("bwrap", "--ro-bind", "/", "/", "true").returncode:
        pytest.skip("there is no bubblewrap here, or only root may make namespaces")
    done = grade_as_nobody("bubblewrap", *CELLS)
    assert (done["found"], done["trouble"]) == (["bubblewrap", False], "")
    assert done["cells"] == [
        ["passed", ""], ["passed", "/submission []\n"], ["passed", "101\n"],
        ["passed", "True\n"], ["passed", "False\n"], ["crashed", ""], ["not_run", ""],
    ]  # fmt: skip
    assert (done["script"], done["left"]) == (["/submission\n", "kept\n"], [])


@ONLY_ROOT
def test_a_fork_bomb_without_walls_is_ended() -> None:
    """Its processes count beside the grader's own, and they all end at once."""
    done = grade_as_nobody("rlimits", BOMB, "print('later')")
    assert done["trouble"] == ""
    assert done["cells"][0][0] in ("timeout", "crashed")
    assert done["cells"][1][0] == "not_run"
    assert (done["script"], done["left"]) == (["FOLDER\n", "kept\n"], [])

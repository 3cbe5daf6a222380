"""The calls that outlive a run or hide memory are refused, at every level, and nothing else is."""

import errno
import os
import platform
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mini_letta.course.grading.call_filter import (
    MACHINES,
    NONE,
    REFUSED,
    build_filter,
    clone_of,
    filtered,
    refused_calls,
)
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import PROBE_UID, Inside, Level, enclose
from tests.grading.runs import ALL_LEVELS, IS_ROOT, require

TRY = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[1:]):
    ctypes.set_errno(0)
    print(libc.syscall(number, 0, b"name", b"data", 4, -4), ctypes.get_errno())
"""
# Without the filter this would return twice, once in the child.
CLONE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
child = libc.syscall(int(sys.argv[1]), int(sys.argv[2]), 0, 0, 0, 0)
if child == 0:
    os._exit(0)
print(child > 0, ctypes.get_errno())
"""
CONNECT = """
import socket, sys
with socket.socket(socket.AF_UNIX) as client:
    print(client.connect_ex(chr(0) + sys.argv[1]))
"""
LEAVE = """
import os
try:
    os.sched_setaffinity(0, range(1024))
except OSError as error:
    print(error.errno)
print(os.sched_getaffinity(0))
"""
SIGCHLD, NEW_USER = 17, 0x10000000
MACHINE = platform.machine()
GETPID = {"x86_64": 39, "aarch64": 172}
NUMBERS = [*map(str, refused_calls(MACHINE))]
REFUSALS = [f"-1 {errno.ENOSYS}"] * len(REFUSED)
pytestmark = pytest.mark.skipif(MACHINE not in MACHINES, reason="this machine's calls are unknown")


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it printed."""
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def run_inside(level: Level, *command: str, cpu: int | None = None) -> str:
    """Run Python behind the walls, as the user of a submission, and return what it printed."""
    sandbox = require(level)
    with tempfile.TemporaryDirectory(prefix="mlt-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        # Without walls a user of its own may not reach this interpreter.
        uid = PROBE_UID if IS_ROOT and level != "rlimits" else None
        inside = Inside(uid=uid, home=Path(folder), cpu=cpu)
        argv = enclose(sandbox, [sys.executable, "-I", "-c", *command], inside, Limits())
        done = run(argv)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_other_calls_go_on() -> None:
    """Asking for one's process id does."""
    shown = run(filtered([sys.executable, "-c", TRY, str(GETPID[MACHINE])])).stdout
    assert int(shown.split()[0]) > 0


def test_a_child_cannot_take_the_filter_off() -> None:
    """It holds for everything that is started later, another filter or not."""
    inner = filtered([sys.executable, "-c", TRY, *NUMBERS])
    shown = run(filtered(["sh", "-c", '"$@"; exit $?', "sh", *inner])).stdout
    assert shown.splitlines() == REFUSALS


@pytest.mark.skipif(MACHINE != "x86_64", reason="the second table is x86_64's")
def test_the_second_table_of_calls_is_refused_whole() -> None:
    """The same calls have other numbers there."""
    shown = run(filtered([sys.executable, "-c", TRY, str(0x40000000 + 39)])).stdout
    assert shown == f"-1 {errno.ENOSYS}\n"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [(SIGCHLD, "True 0\n"), (SIGCHLD | NEW_USER, f"False {errno.ENOSYS}\n")],
)
def test_a_process_may_be_made_and_a_user_namespace_not(flags: int, expected: str) -> None:
    """In one of its own it could mount a file system that nobody counts."""
    command = [sys.executable, "-c", CLONE, str(clone_of(MACHINE)), str(flags)]
    assert run(filtered(command)).stdout == expected


def test_words_and_exit_code_of_the_command_come_through() -> None:
    """The filter is put on and the command takes its place."""
    done = run(filtered(["sh", "-c", "echo $1; exit 7", "sh", "a b"]))
    assert (done.stdout, done.returncode) == ("a b\n", 7)


def test_on_an_unknown_machine_nothing_is_allowed() -> None:
    """A filter with no machine's mark refuses every call, so nothing starts."""
    program = filtered(["true"])
    program[program.index("-c") + 2] = build_filter(NONE, (), 0).hex()
    assert run(program).returncode != 0


@ALL_LEVELS
def test_every_level_refuses_every_call(level: Level) -> None:
    """Keys, messages and shared memory without a file: nothing is left there for another run."""
    assert run_inside(level, TRY, *NUMBERS).splitlines() == REFUSALS


@ALL_LEVELS
def test_nobody_leaves_the_processor_of_a_slot(level: Level) -> None:
    """However many processes one submission starts, its neighbours keep theirs."""
    cpu = max(os.sched_getaffinity(0))
    assert run_inside(level, LEAVE, cpu=cpu) == f"{errno.ENOSYS}\n{{{cpu}}}\n"


@ALL_LEVELS
def test_a_socket_without_a_file_is_reached_only_where_there_are_no_walls(level: Level) -> None:
    """It belongs to the network namespace; the filter leaves sockets alone, a kernel needs them."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("")  # the system picks a name that is free
        server.listen()
        name = server.getsockname()[1:].decode("ascii")
        code = 0 if level == "rlimits" else errno.ECONNREFUSED
        assert run_inside(level, CONNECT, name) == f"{code}\n"

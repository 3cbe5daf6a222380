"""No key is left in the kernel for the next submission."""

import errno
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mini_letta.course.grading.key_filter import CALLS, build_filter, without_keys
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import PROBE_UID, Inside, Level, enclose
from tests.grading.runs import ALL_LEVELS, IS_ROOT, require

TRY = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[1:]):
    print(libc.syscall(number, b"user", b"name", b"data", 4, -4), ctypes.get_errno())
"""
GETPID = {"x86_64": 39, "aarch64": 172}
knows_machine = pytest.mark.skipif(
    platform.machine() not in CALLS, reason="the calls of this machine are not known"
)


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it printed."""
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@knows_machine
def test_the_calls_for_keys_are_refused_and_others_are_not() -> None:
    """ENOSYS for each of the three; asking for one's process id goes on."""
    machine = platform.machine()
    numbers = [*map(str, CALLS[machine][1]), str(GETPID[machine])]
    lines = run(without_keys([sys.executable, "-c", TRY, *numbers])).stdout.splitlines()
    assert lines[:3] == [f"-1 {errno.ENOSYS}"] * 3
    assert int(lines[3].split()[0]) > 0


@knows_machine
def test_a_child_cannot_take_the_filter_off() -> None:
    """It holds for everything that is started later, another filter or not."""
    numbers = [*map(str, CALLS[platform.machine()][1])]
    inner = without_keys([sys.executable, "-c", TRY, *numbers])
    lines = run(without_keys(["sh", "-c", '"$@"; exit $?', "sh", *inner])).stdout.splitlines()
    assert lines == [f"-1 {errno.ENOSYS}"] * 3


@knows_machine
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the second table is x86_64's")
def test_the_second_table_of_calls_is_refused_whole() -> None:
    """The same calls have other numbers there."""
    shown = run(without_keys([sys.executable, "-c", TRY, str(0x40000000 + 39)])).stdout
    assert shown == f"-1 {errno.ENOSYS}\n"


@knows_machine
def test_words_and_exit_code_of_the_command_come_through() -> None:
    """The filter is put on and the command takes its place."""
    done = run(without_keys(["sh", "-c", "echo $1; exit 7", "sh", "a b"]))
    assert (done.stdout, done.returncode) == ("a b\n", 7)


def test_on_an_unknown_machine_nothing_is_allowed() -> None:
    """A filter with another machine's mark refuses every call, so nothing starts."""
    program = without_keys(["true"])
    place = program.index("-c") + 2
    program[place] = build_filter(0x12345678, (0, 0, 0)).hex()
    assert run(program).returncode != 0


@knows_machine
@ALL_LEVELS
def test_no_level_reaches_the_keys(level: Level) -> None:
    """Behind every kind of walls, as the user that runs the code of a submission."""
    sandbox = require(level)
    numbers = [*map(str, CALLS[platform.machine()][1])]
    with tempfile.TemporaryDirectory(prefix="mlt-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        # Without walls a user of its own may not reach this interpreter.
        uid = PROBE_UID if IS_ROOT and level != "rlimits" else None
        inside = Inside(uid=uid, home=Path(folder))
        command = [sys.executable, "-I", "-c", TRY, *numbers]
        argv = enclose(sandbox, command, inside, Limits())
        assert run(argv).stdout.splitlines() == [f"-1 {errno.ENOSYS}"] * 3

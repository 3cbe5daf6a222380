"""A command that ends: in time, with its processes, whatever holds its output."""

import os
import select
from pathlib import Path

import pytest

from mini_letta.bash import Outcome, run_bash


def run(command: str, dir: Path, *, timeout_s: float = 60, max_chars: int = 100) -> Outcome:
    env = {"PATH": os.environ["PATH"]}
    return run_bash(command, dir=dir, env=env, timeout_s=timeout_s, max_chars=max_chars)


class Lifeline:
    """A pipe whose write end only processes of the command hold: at its end they are gone."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def is_cut(self) -> bool:
        """Wait for the last of them to end; False if one lives on."""
        with open(self.fd, "rb") as pipe:
            return bool(select.select([pipe], [], [], 30)[0]) and pipe.read() == b""


def test_output_and_exit_code_are_returned(tmp_path: Path) -> None:
    """What it wrote, and how it ended."""
    assert run("echo hi; exit 2", tmp_path) == Outcome(output="hi\n", is_cut=False, exit_code=2)


def test_a_command_out_of_time_is_stopped_with_its_children(tmp_path: Path) -> None:
    """The whole process group goes, and what was written so far is kept."""
    lifeline = Lifeline(tmp_path / "line")
    outcome = run("exec 9>line; echo begun; sleep 1000 & exec 9>&-; wait", tmp_path, timeout_s=0.5)
    assert outcome == Outcome(output="begun\n", is_cut=False, exit_code=None)
    assert lifeline.is_cut()


def test_a_background_child_holding_the_output_holds_nothing_up(tmp_path: Path) -> None:
    """The command is over when bash is, and its group ends with it."""
    lifeline = Lifeline(tmp_path / "line")
    outcome = run("exec 9>line; sleep 1000 & exec 9>&-; echo done", tmp_path)
    assert outcome == Outcome(output="done\n", is_cut=False, exit_code=0)
    assert lifeline.is_cut()


def test_a_daemon_holding_the_output_holds_nothing_up(tmp_path: Path) -> None:
    """A process that left the group may live on, but nobody waits for it."""
    script = "(python3 -c 'import os, time; os.setsid(); time.sleep(3)' &); echo done"
    assert run(script, tmp_path).output == "done\n"


def test_closed_output_does_not_end_the_wait(tmp_path: Path) -> None:
    """A command that closes its output is still waited for, and still stopped."""
    assert run("exec >&- 2>&-; exit 4", tmp_path).exit_code == 4
    assert run("exec >&- 2>&-; sleep 1000", tmp_path, timeout_s=0.2).exit_code is None


def test_endless_output_neither_fills_memory_nor_ends_the_command_early(tmp_path: Path) -> None:
    """Only the beginning is kept; the command runs to its end."""
    outcome = run("head -c 20000000 /dev/zero | tr '\\0' x; exit 5", tmp_path, max_chars=10)
    assert outcome == Outcome(output="x" * 10, is_cut=True, exit_code=5)


def test_a_startup_file_is_not_read(tmp_path: Path) -> None:
    """`BASH_ENV` of the surroundings cannot bring anything in."""
    (tmp_path / "rc").write_text("echo sourced\n")
    assert output_with({"BASH_ENV": str(tmp_path / "rc")}, tmp_path) == "hi\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [("BASH_FUNC_echo%%", "() { true; }"), ("SHELLOPTS", "noexec"), ("BASHOPTS", "extdebug")],
)
def test_no_exported_function_or_option_is_taken_over(
    tmp_path: Path, name: str, value: str
) -> None:
    """What a user exports from bash does not change what a command means."""
    assert output_with({name: value}, tmp_path) == "hi\n"


def output_with(variables: dict[str, str], dir: Path) -> str:
    env = {"PATH": os.environ["PATH"], **variables}
    return run_bash("echo hi", dir=dir, env=env, timeout_s=60, max_chars=100).output

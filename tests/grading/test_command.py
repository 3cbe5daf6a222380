"""A student's script in the sandbox: how it ends, and what it leaves."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mini_letta.course.grading.command import CommandRun, run_command
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import Inside
from tests.grading.runs import ALL_LEVELS, WALLED, own_user, processes_of, require

MINUTES = 240.0


@pytest.fixture
def uid() -> Iterator[int | None]:
    """A user of the test's own."""
    with own_user() as claimed:
        yield claimed


@pytest.fixture
def home(tmp_path: Path, uid: int | None) -> Path:
    """The folder the script runs in."""
    folder = tmp_path / "home"
    folder.mkdir()
    for above in (tmp_path, *tmp_path.parents):
        if above.name.startswith(("pytest-", "popen-", "test_")):
            above.chmod(0o755)
    if uid is not None:
        os.chown(folder, uid, uid)
    return folder


def run(
    level: str, script: str, home: Path, uid: int | None, wall_s: float = MINUTES
) -> CommandRun:
    """Run a script."""
    inside = Inside(
        uid=uid, home=home, cwd=home, writable=(home,), env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    )
    command = ["bash", "--noprofile", "--norc", "-c", script]
    return run_command(
        require(level), command, inside, limits=Limits(), wall_s=wall_s, env=os.environ
    )


@ALL_LEVELS
def test_a_script_says_how_it_ended_and_leaves_its_files(
    level: str, home: Path, uid: int | None
) -> None:
    """Output of both kinds in one, and the exit code."""
    done = run(level, "echo out; echo err >&2; echo kept > file; exit 3", home, uid)
    assert (done.outcome, done.code, done.said) == ("ended", 3, "out\nerr\n")
    assert (home / "file").read_text() == "kept\n"


@WALLED
def test_a_script_has_no_network_and_no_other_process(
    level: str, home: Path, uid: int | None
) -> None:
    """Neither does it see the checkout."""
    checkout = Path(__file__).resolve().parents[2]
    script = f"ls {checkout}/labs 2>&1 | wc -l; ls /proc | grep -c '^[0-9]'; cat /proc/net/route"
    done = run(level, script, home, uid)
    first, second, *routes = done.said.splitlines()
    assert (first, int(second) < 8, len(routes) <= 1) == ("1", True, True)


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        ("while :; do :; done", "timeout"),
        ("trap '' INT TERM HUP; while :; do :; done", "timeout"),
        ("setsid sleep 1000 & sleep 1000", "timeout"),
    ],
)
def test_a_script_without_end_is_ended(
    script: str, outcome: str, home: Path, uid: int | None
) -> None:
    """And all it has started."""
    done = run("bubblewrap", script, home, uid, wall_s=1)
    assert done.outcome == outcome
    assert processes_of(uid) == []


@pytest.mark.parametrize(
    "script",
    [
        "while :; do n=$((n + 1)); head -c 20000000 /dev/zero > f$n; done",
        "while :; do mkdir $(printf 'd%.0s' {1..200}) && cd d*; done",
        "i=0; while :; do : > f$((i++)); done",
    ],
)
def test_a_script_that_fills_the_disk_is_ended(script: str, home: Path, uid: int | None) -> None:
    """Bytes, depth or number."""
    done = run("bubblewrap", script, home, uid)
    assert (done.outcome, done.said.startswith("It used more than")) == ("crashed", True)


def test_a_fork_bomb_ends_and_leaves_nothing(home: Path, uid: int | None) -> None:
    """It runs into its limit, or into the clock."""
    run("bubblewrap", "bomb() { bomb | bomb & }; bomb; sleep 1000", home, uid, wall_s=2)
    assert processes_of(uid) == []


def test_output_without_end_is_bounded(home: Path, uid: int | None) -> None:
    """The file it goes to may not grow further than any other file."""
    done = run("bubblewrap", "yes", home, uid)
    assert len(done.said) <= 20_000
    assert done.code != 0

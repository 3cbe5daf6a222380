"""Which walls are to be had here, and the commands that raise them, as data."""

import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from mini_letta.cli.machine import check_machine
from mini_letta.course.grading.call_filter import filtered
from mini_letta.course.grading.engine import make_engines
from mini_letta.course.grading.limits import MIB, Limits
from mini_letta.course.grading.sandbox import (
    ENV,
    LEVELS,
    Inside,
    Level,
    Sandbox,
    detect_sandbox,
    enclose,
    works,
)
from mini_letta.course.grading.users import limits_beside
from tests.grading.runs import ALL_LEVELS, IS_ROOT, WALLED

COMMAND = ["python", "-c", "pass"]
INSIDE = Inside(
    uid=60_007,
    home=Path("/tmp/mlk-x/home"),
    writable=(Path("/tmp/mlk-x/ipc"),),
    readable=(Path("/srv/library"),),
    hidden=(Path("/srv/library/secret"),),
    env={"PATH": "/usr/bin", "LC_ALL": "C"},
    cpu=3,
)
PROGRAMS = (
    *("prlimit", "setpriv", "sh", "taskset", "unshare"),
    *("chroot", "cp", "ln", "mkdir", "mount", "readlink"),  # of the shell that builds a tree
)


def enclosed(level: Level, inside: Inside = INSIDE) -> list[str]:
    """Return the command at a level."""
    sandbox = Sandbox(level=level, own_uid=inside.uid is not None)
    return enclose(sandbox, COMMAND, inside, Limits())


def values(argv: list[str], option: str, count: int = 1) -> Iterator[list[str]]:
    """Yield what stands behind each occurrence of an option."""
    for place, word in enumerate(argv):
        if word == option:
            yield argv[place + 1 : place + 1 + count]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder for PATH that holds the tools of the weaker levels, and no bubblewrap."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in PROGRAMS:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    return folder


@cache
def is_available(level: Level) -> bool:
    """Does a level work here?"""
    return works(Sandbox(level=level, own_uid=IS_ROOT), os.environ)


def best(*levels: Level) -> Level:
    """Return the strongest of the levels that works here."""
    return next((level for level in levels if is_available(level)), "rlimits")


def test_the_strongest_level_that_works_is_found() -> None:
    """Tried, not guessed from what is installed."""
    assert detect_sandbox(os.environ) == Sandbox(level=best(*LEVELS), own_uid=IS_ROOT)


@pytest.mark.parametrize("is_installed", [False, True])
def test_bubblewrap_that_is_absent_or_may_not_run_is_not_chosen(
    is_installed: bool, programs: Path
) -> None:
    """The next level is, and `doctor` says which it is and what to do."""
    if is_installed:
        (programs / "bwrap").write_text("#!/bin/sh\necho 'no permissions' >&2; exit 1\n")
        (programs / "bwrap").chmod(0o755)
    env = {"PATH": str(programs)}
    level = best("unshare")
    assert detect_sandbox(env) == Sandbox(level=level, own_uid=IS_ROOT)
    check = check_machine({**os.environ, **env})[-1]
    assert (check.ok, check.found.split()[0]) == (False, level)
    assert ("grade as root" if is_installed else "apt-get install") in check.advice["en"]


def test_without_any_tool_only_limits_are_left(tmp_path: Path) -> None:
    """And no user of its own, which takes a tool as well."""
    assert detect_sandbox({"PATH": str(tmp_path)}) == Sandbox(level="rlimits", own_uid=False)


@ALL_LEVELS
def test_every_level_sets_environment_and_limits_and_then_the_user(level: Level) -> None:
    """Nothing of the grader's environment, and the user last: before it, limits can be raised."""
    argv = enclosed(level)
    inner = argv[argv.index(ENV) :]
    home = str(INSIDE.home) if level == "rlimits" else "/submission"
    chdir = ["-C", str(INSIDE.home)] if level == "rlimits" else []
    variables = [f"HOME={home}", "LC_ALL=C", "PATH=/usr/bin"]
    processor = ["taskset", "--cpu-list", "3"]
    user, limits = inner.index("setpriv"), inner.index("prlimit")
    filter = user - len(filtered([]))
    assert inner[:limits] == [ENV, "-i", *chdir, *variables, *processor]
    assert inner[filter:user] == filtered([])
    assert set(inner[limits + 1 : filter]) == {
        *["--nproc=100", f"--as={1536 * MIB}", f"--fsize={50 * MIB}"],
        *["--cpu=600", "--core=0", "--nofile=256"],
    }
    assert inner[user + 1 :] == [
        *["--reuid", "60007", "--regid", "60007", "--clear-groups", "--no-new-privs"],
        *["--bounding-set=-all", "--inh-caps=-all", *COMMAND],
    ]


def test_bubblewrap_shows_what_is_listed_and_nothing_else() -> None:
    """Read-only but for the folder of the run and what is named; never the whole machine."""
    argv = enclosed("bubblewrap")
    assert list(values(argv, "--bind", 2)) == [
        ["/tmp/mlk-x/ipc"] * 2,
        ["/tmp/mlk-x/home", "/submission"],
    ]
    shown = {target for _, target in values(argv, "--ro-bind", 2)}
    python = {sys.prefix, sys.base_prefix} - {"/usr"}
    assert {"/srv/library", *python} <= shown
    assert not shown & {"/", "/tmp", "/home", "/root", "/etc", "/work"}
    assert {"--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"} < set(argv)
    assert {"--die-with-parent", "--new-session"} < set(argv)


def test_a_hidden_folder_is_covered_after_the_one_that_shows_it() -> None:
    """With nothing, and read-only."""
    argv = enclosed("bubblewrap")
    secret = argv.index("/srv/library/secret")
    assert argv[secret - 1 : secret + 3] == [
        *["--tmpfs", "/srv/library/secret", "--remount-ro", "/srv/library/secret"]
    ]
    assert argv.index("/srv/library") < secret


def test_folders_above_what_is_shown_are_open_to_the_user() -> None:
    """Made by bubblewrap itself they would be 0700, and no other user could pass."""
    argv = enclosed("bubblewrap")
    made = {folder: place for place, folder in enumerate(argv) if argv[place - 1] == "--dir"}
    assert all(argv[place - 3 : place - 1] == ["--perms", "0755"] for place in made.values())
    targets = [target for _, target in values(argv, "--ro-bind", 2)]
    targets += [target for _, target in values(argv, "--bind", 2)]
    above = {str(parent) for target in targets for parent in Path(target).parents}
    assert above - set(made) <= {"/", "/usr", "/tmp"}
    assert made["/srv"] < argv.index("/srv/library")


def test_without_a_user_of_its_own_no_capability_is_left() -> None:
    """Not even to a grader who is root."""
    argv = enclosed("bubblewrap", Inside(uid=None, home=INSIDE.home))
    assert list(values(argv, "--cap-drop")) == [["ALL"]]
    assert not {"setpriv", "--cap-add"} & set(argv)


def test_the_processes_of_the_grader_do_not_count_against_a_submission() -> None:
    """Without a user of its own they would, and no kernel could start."""
    assert limits_beside(Limits(), 60_007) == Limits()
    assert limits_beside(Limits(), None).processes > Limits().processes


def test_unshare_dies_with_its_parent_and_keeps_its_shell() -> None:
    """`unshare` alone outlives the grader; a shell that execs loses the death signal."""
    argv = enclosed("unshare")
    assert argv[:4] == ["setpriv", "--pdeathsig", "KILL", "unshare"]
    assert {"--net", "--pid", "--mount", "--ipc", "--uts", "--fork", "--kill-child"} < set(argv)
    script = argv[argv.index("-c") + 1]
    assert "exec " not in script


def test_every_slot_has_a_processor_of_its_own() -> None:
    """As long as there are enough; `grade` starts no more slots."""
    cpus = os.sched_getaffinity(0)
    engines = make_engines(len(cpus), env=os.environ, is_unsafe=True)
    assert {engine.cpu for engine in engines} == cpus


@WALLED
def test_a_working_level_starts_a_python_and_a_missing_one_does_not(level: Level) -> None:
    """The probe is a real start of this interpreter as another user."""
    if not is_available(level):
        pytest.skip(f"the level {level} cannot be had here")
    assert not works(Sandbox(level=level, own_uid=IS_ROOT), {"PATH": "/nonexistent"})

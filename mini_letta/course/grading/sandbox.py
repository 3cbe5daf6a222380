"""The walls around a student's code: which are to be had here, and the command that raises them.

From the strongest level to the weakest:

``bubblewrap``
    ``bwrap`` starts from an empty file tree and shows only what is listed. No network, own process
    ids; what is left when the command ends is killed with its namespace.
``unshare``
    The same with the tools of util-linux, for root without bubblewrap.
``rlimits``
    Limits only: the code can read what its user can read, and reach the network.

A root grader gives every run a user of its own at each level, and only then do the limits on
processes count per submission. Everything here returns argument lists; nothing is started except
by :func:`detect_sandbox`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mini_letta.course.grading.call_filter import filtered
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.unshare import unshare_argv

Level = Literal["bubblewrap", "unshare", "rlimits"]
LEVELS: tuple[Level, ...] = ("bubblewrap", "unshare", "rlimits")
HOME = "/submission"
SYSTEM = ("/usr",)
LINKS = ("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
SETTINGS = tuple(f"/etc/{name}" for name in ("passwd", "group", "nsswitch.conf", "ld.so.cache"))
SCRATCH = ("/tmp", "/dev/shm")
ENV = "/usr/bin/env"  # by its whole name: the grader's PATH need not lead anywhere inside
PROBE_S = 20
PROBE_UID = 59_999  # nobody else's, or their processes would count


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What is to be had on this machine."""

    level: Level
    """See the module's docstring."""
    own_uid: bool
    """The code can run as a user of its own (:mod:`mini_letta.course.grading.users`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """What a command finds inside; every path is seen under the name it has outside."""

    uid: int | None
    """User and group; None for the grader's own."""
    home: Path
    """Folder of the run, writable; seen as ``/submission`` where there is a file tree to build."""
    cwd: Path | None = None
    """Where the command starts; by default in ``home``."""
    writable: tuple[Path, ...] = ()
    """More folders to write."""
    readable: tuple[Path, ...] = ()
    """Folders to read."""
    hidden: tuple[Path, ...] = ()
    """Folders inside readable ones that are seen empty."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment, but for HOME."""
    cpu: int | None = None
    """The only processor it may use, so that the neighbours keep theirs; None for all."""


def enclose(sandbox: Sandbox, command: Sequence[str], inside: Inside, limits: Limits) -> list[str]:
    """Return the argument list that runs ``command`` behind the walls of the sandbox."""
    if sandbox.level == "rlimits":
        return inner_argv(command, inside, limits, home=str(inside.home), chdir=True)
    inner = inner_argv(command, inside, limits, home=HOME, chdir=False)
    if sandbox.level == "unshare":
        home = (inside.home, HOME)
        return unshare_argv(inner, home=home, limits=limits, cwd=inside.cwd, **_view(inside))
    return [*bubblewrap_argv(inside, limits), *inner]


def inner_argv(
    command: Sequence[str], inside: Inside, limits: Limits, *, home: str, chdir: bool
) -> list[str]:
    """Return the command with its environment, its processor, its limits and its user."""
    variables = {**inside.env, "HOME": home}
    argv = [ENV, "-i", *(["-C", str(inside.cwd or inside.home)] if chdir else [])]
    argv += [f"{name}={value}" for name, value in sorted(variables.items())]
    argv += [] if inside.cpu is None else ["taskset", "--cpu-list", str(inside.cpu)]
    argv += [
        *["prlimit", f"--nproc={limits.processes}", f"--as={limits.address_space}"],
        *[f"--fsize={limits.file_size}", f"--cpu={limits.cpu_s}", "--core=0", "--nofile=256"],
    ]
    if inside.uid is None:
        return [*argv, *filtered(command)]
    become = [
        *["setpriv", "--reuid", str(inside.uid), "--regid", str(inside.uid)],
        *["--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"],
    ]
    return [*argv, *filtered([*become, *command])]


def bubblewrap_argv(inside: Inside, limits: Limits) -> list[str]:
    """Return bwrap's own part of the command."""
    argv = [
        *["bwrap", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
        *["--die-with-parent", "--new-session"],
    ]
    for name in LINKS:
        path = Path(name)
        if path.is_symlink():
            argv += ["--symlink", os.readlink(path), name]
        elif path.exists():
            argv += ["--ro-bind", name, name]
    argv += _parents([*SYSTEM, *SETTINGS])
    for name in (*SYSTEM, *SETTINGS):
        argv += ["--ro-bind-try", name, name]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    for name in SCRATCH:
        argv += ["--perms", "1777", "--size", str(limits.scratch), "--tmpfs", name]
    view = _view(inside)
    argv += _parents(map(str, (*view["readable"], *view["writable"])))
    for path in view["readable"]:
        argv += ["--ro-bind", str(path), str(path)]
    for path in view["hidden"]:
        argv += ["--perms", "0755", "--tmpfs", str(path), "--remount-ro", str(path)]
    for path in view["writable"]:
        argv += ["--bind", str(path), str(path)]
    argv += ["--bind", str(inside.home), HOME, "--chdir", str(inside.cwd or HOME)]
    argv += ["--cap-drop", "ALL"]
    if inside.uid is not None:
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):  # for setpriv
            argv += ["--cap-add", capability]
    return argv


def _view(inside: Inside) -> dict[str, tuple[Path, ...]]:
    """Return what is shown besides the system: the interpreter, the readable, the writable."""
    interpreter = [Path(path) for path in dict.fromkeys((sys.base_prefix, sys.prefix))]
    mine = [path for path in interpreter if not path.is_relative_to("/usr")]
    return {
        "readable": (*mine, *inside.readable),
        "hidden": inside.hidden,
        "writable": inside.writable,
    }


def _parents(paths: Iterable[str]) -> list[str]:
    """Return bwrap's options for the folders above: made by itself they would be 0700."""
    above = {str(parent) for path in paths for parent in Path(path).parents} - {"/"}
    made: list[str] = []
    for folder in sorted(above - {"/usr", "/tmp", "/dev"}):
        made += ["--perms", "0755", "--dir", folder]
    return made


def detect_sandbox(env: Mapping[str, str]) -> Sandbox:
    """Return the strongest sandbox that works here, tried with a real command.

    Args:
        env: the surrounding environment, of which ``PATH`` is used.
    """
    has_users = os.geteuid() == 0 and shutil.which("setpriv", path=env.get("PATH")) is not None
    for level in LEVELS:
        # The root of a container may have no other user to become, or none who reaches Python.
        for own_uid in [True, False] if has_users else [False]:
            sandbox = Sandbox(level=level, own_uid=own_uid)
            if works(sandbox, env):
                return sandbox
    return Sandbox(level="rlimits", own_uid=False)


def works(sandbox: Sandbox, env: Mapping[str, str]) -> bool:
    """Return whether a Python starts behind these walls."""
    if sandbox.level == "unshare" and not sandbox.own_uid:
        return False  # mounting takes root
    with tempfile.TemporaryDirectory(prefix="mlp-", dir="/tmp") as folder:
        home = Path(folder)
        home.chmod(0o755)
        inside = Inside(
            uid=PROBE_UID if sandbox.own_uid else None,
            home=home,
            env={"PATH": "/usr/bin:/bin"},
            cpu=min(os.sched_getaffinity(0)),
        )
        argv = enclose(sandbox, [sys.executable, "-I", "-c", ""], inside, Limits())
        program = shutil.which(argv[0], path=env.get("PATH"))
        if program is None:
            return False
        try:
            done = subprocess.run(
                [program, *argv[1:]],
                env={"PATH": env.get("PATH", os.defpath)},
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_S,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0

"""What runs a student's code: one engine for each slot, all in the same kind of sandbox."""

import os
import signal
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any

from mini_letta.course.grading.command import CommandRun, run_command
from mini_letta.course.grading.copy_git import CannotCopy, copy_git
from mini_letta.course.grading.evidence import ScriptRun
from mini_letta.course.grading.kernel_run import NotebookRun, run_folder, run_notebook
from mini_letta.course.grading.kernel_spec import Place
from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.sandbox import Inside, Sandbox, detect_sandbox
from mini_letta.course.grading.users import run_user
from mini_letta.course.labs.artefact import inspect_repository, prepare, script_environment
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.library import PACKAGE
from mini_letta.course.labs.reference import (
    ReferenceFailed,
    ReferenceKilled,
    given_cells,
    read_texts,
)
from mini_letta.course.workbench import Workbench
from mini_letta.errors import MiniLettaError
from mini_letta.git import GitError

NEEDED = ("nbval", "pytest", "nbformat", "ipykernel")


class NoSandbox(MiniLettaError):
    """Hidden checks must not run where a submission could read them."""


class PartMissing(MiniLettaError):
    """A package that grading needs is not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxEngine:
    """Runs notebooks and scripts in one slot."""

    sandbox: Sandbox
    env: Mapping[str, str]
    """The surrounding environment."""
    limits: Limits = field(default_factory=Limits)
    cpu: int | None = None
    """The only processor a submission may use; None for all."""

    @property
    def level(self) -> str:
        """How strong the sandbox is."""
        return self.sandbox.level

    def run_notebook(
        self, node: Any, *, library: Path, cell_timeout_s: float, wall_s: float
    ) -> NotebookRun:
        """Run a notebook; see :func:`mini_letta.course.grading.kernel_run.run_notebook`."""
        with run_user(is_own=self.sandbox.own_uid) as uid:
            place = Place(
                sandbox=self.sandbox,
                uid=uid,
                library=library,
                hidden=hidden_packages(),
                limits=self.limits,
                cpu=self.cpu,
                env=self.env,
            )
            return run_notebook(node, place, cell_timeout_s=cell_timeout_s, wall_s=wall_s)

    def run_script(self, lab: Lab, exercise: str, script: str, *, seed: int) -> ScriptRun:
        """Run a student's bash script in a new memory, and inspect what it leaves from outside."""
        start = next((check.start for check in lab.checks_of(exercise) if check.start), "")
        cells = given_cells(lab)
        try:
            with run_folder() as folder:
                texts = read_texts(cells, [start] if start else [], **self._trusted())
                return self._run_script(lab, exercise, script, texts.get(start, ""), folder, seed)
        except (ReferenceFailed, GitError) as error:
            return ScriptRun(trouble=str(error))

    def _run_script(
        self, lab: Lab, exercise: str, script: str, start: str, folder: Path, seed: int
    ) -> ScriptRun:
        with prepare(lab, start, folder, seed=seed) as bench:
            with run_user(is_own=self.sandbox.own_uid) as uid:
                run = self._run_bash(script, bench, uid, wall_s=lab.cell_timeout_s)
            if run.outcome != "ended":
                return _killed(lab, run)
            if run.code == -signal.SIGKILL and self.level != "rlimits":
                # A script cannot reach the process that stands before the walls.
                return ScriptRun(trouble="the sandbox of the script was killed.")
            git_dir = PurePosixPath(bench.dir.relative_to(folder)) / ".git"
            try:
                repo = copy_git(folder, git_dir, folder / "copy.git", env=self.env)
            except CannotCopy as error:
                return ScriptRun(fault=say(lab.lang, "no_repository", reason=str(error)))
            try:
                texts = inspect_repository(lab, exercise, repo.dir, seed=seed, env=self.env)
            except ReferenceKilled:
                raise
            except ReferenceFailed as error:
                reason = str(error).splitlines()[-1]
                return ScriptRun(fault=say(lab.lang, "no_repository", reason=reason))
            return ScriptRun(texts=texts)

    def _run_bash(
        self, script: str, bench: Workbench, uid: int | None, *, wall_s: float
    ) -> CommandRun:
        home = bench.user_home
        if uid is not None:
            hand_over(home, uid)
        env = script_environment(bench)
        inside = Inside(uid=uid, home=home, cwd=bench.dir, writable=(home,), env=env, cpu=self.cpu)
        command = ["bash", "--noprofile", "--norc", "-c", script]
        return run_command(
            self.sandbox, command, inside, limits=self.limits, wall_s=wall_s, env=self.env
        )

    def _trusted(self) -> dict[str, Any]:
        return {"env": self.env, "library": PACKAGE.parent}


def make_engines(slots: int, *, env: Mapping[str, str], is_unsafe: bool) -> list[SandboxEngine]:
    """Return an engine for each slot.

    Raises:
        NoSandbox: there is none here, and nobody has said that this is meant.
        PartMissing: a package is not installed.
    """
    missing = [name for name in NEEDED if not _is_installed(name)]
    if missing:
        raise PartMissing(
            f"grading needs {', '.join(missing)}. In a checkout run `make course`; elsewhere "
            "`pip install 'mini-letta[grade]'`."
        )
    sandbox = detect_sandbox(env)
    if sandbox.level == "rlimits" and not is_unsafe:
        raise NoSandbox(
            "there is no sandbox on this machine, so a submission could read the hidden checks "
            "and the network. Install bubblewrap (Debian, Ubuntu: sudo apt-get install "
            "bubblewrap), or add --unsafe if you trust every submission."
        )
    cpus = sorted(os.sched_getaffinity(0))
    return [
        SandboxEngine(sandbox=sandbox, env=env, cpu=cpus[slot % len(cpus)]) for slot in range(slots)
    ]


def hand_over(folder: Path, uid: int) -> None:
    """Give a folder and all in it to a user; nothing of a student's may have run in it yet."""
    folder.chmod(0o755)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


def hidden_packages() -> tuple[Path, ...]:
    """Return the folder of this package among the installed ones, if it is installed there."""
    installed = Path(sysconfig.get_path("purelib")) / "mini_letta"
    return (installed,) if installed.is_dir() else ()


def _killed(lab: Lab, run: CommandRun) -> ScriptRun:
    if run.outcome == "timeout":
        fault = say(lab.lang, "script_timed_out", seconds=lab.cell_timeout_s)
        return ScriptRun(fault=fault, verdict="timeout")
    return ScriptRun(fault=say(lab.lang, "script_killed", reason=run.said), verdict="crashed")


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True

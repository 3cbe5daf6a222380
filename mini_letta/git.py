"""The only module that starts git, and the environment that makes its outcome repeatable.

Chapter 7, "Hermetic git". A user's configuration, signing key, hooks path or exported
``GIT_DIR`` must never change what the harness does; the few settings that also have to hold for
commits typed by hand are pinned in the repository itself (``memory/repo.py``).
"""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mini_letta.errors import MiniLettaError

TIMEOUT_S = 60.0
AGENT_NAME = "mini-letta agent"
AGENT_EMAIL = "agent@mini-letta.invalid"


class GitError(MiniLettaError):
    """git ran and failed, or could not be started: ``argv``, ``returncode``, ``stderr``."""

    def __init__(self, argv: tuple[str, ...], returncode: int, stderr: str) -> None:
        self.argv = argv
        self.returncode = returncode
        self.stderr = stderr
        super().__init__(f"`{' '.join(argv)}` failed ({returncode}): {stderr.strip()}")


class GitMissing(MiniLettaError):
    """There is no git on PATH."""


@dataclass(frozen=True, slots=True)
class GitResult:
    """What one git process left behind."""

    returncode: int
    """0 is success."""
    stdout: bytes
    """Raw bytes: file names in a repository need not be UTF-8."""
    stderr: str
    """Decoded for people, undecodable bytes replaced."""

    @property
    def text(self) -> str:
        """stdout as text without its final newline."""
        return self.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def hermetic_environment(base: Mapping[str, str], *, now: int | None = None) -> dict[str, str]:
    """Return an environment in which git gives the same outcome on every machine.

    Args:
        base: the surrounding environment; every ``GIT_*`` variable and the approval variable
            are left out, the rest is kept.
        now: seconds since the epoch to date commits with; ``None`` leaves the wall clock.
    """
    env = {
        name: value
        for name, value in base.items()
        if not name.startswith("GIT_") and name != "MINI_LETTA_CONSTRAINTS_UPDATE"
    }
    env |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        # `git replace` would show another object than the one that was committed
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
        "TZ": "UTC",
    }
    for role in ("AUTHOR", "COMMITTER"):
        env[f"GIT_{role}_NAME"] = AGENT_NAME
        env[f"GIT_{role}_EMAIL"] = AGENT_EMAIL
        if now is not None:
            env[f"GIT_{role}_DATE"] = f"{now} +0000"
    return env


def run_git(
    dir: Path,
    *args: str,
    env: Mapping[str, str],
    input: bytes = b"",
    check: bool = True,
    timeout_s: float = TIMEOUT_S,
) -> GitResult:
    """Run one git process in ``dir`` and return what it left behind.

    Args:
        dir: working directory of the process.
        env: complete environment, normally from :func:`hermetic_environment`.
        input: bytes for standard input; the process never reads the terminal.
        check: raise on a non-zero exit.
        timeout_s: seconds until the process is killed.
    Raises:
        GitMissing: git is not installed.
        GitError: it exited non-zero and ``check`` is set, or it ran out of time.
    """
    argv = ("git", *args)
    try:
        done = subprocess.run(
            argv,
            cwd=dir,
            env=env,
            input=input,
            capture_output=True,
            check=False,
            timeout=timeout_s,
        )
    except FileNotFoundError as error:
        if not dir.is_dir():
            raise GitError(argv, 128, f"there is no folder {dir}") from error
        raise GitMissing(
            "git was not found on PATH. Install git 2.39 or newer, then run `mini-letta doctor`."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise GitError(argv, 124, f"no answer within {timeout_s:.0f} seconds") from error
    result = GitResult(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))
    if check and result.returncode:
        raise GitError(argv, result.returncode, result.stderr)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class Repo:
    """One git checkout, main or linked worktree, and the environment git runs in."""

    dir: Path
    """Top folder of the checkout."""
    env: Mapping[str, str]
    """Complete environment of each git process, normally from :func:`hermetic_environment`."""

    def run(
        self,
        *args: str,
        input: bytes = b"",
        check: bool = True,
        timeout_s: float = TIMEOUT_S,
        extra_env: Mapping[str, str] | None = None,
    ) -> GitResult:
        """Run one git process in this checkout; see :func:`run_git`."""
        env = {**self.env, **(extra_env or {})}
        return run_git(self.dir, *args, env=env, input=input, check=check, timeout_s=timeout_s)

    def head(self) -> str | None:
        """Return the commit id at HEAD, or None when nothing is committed yet."""
        result = self.run("rev-parse", "--quiet", "--verify", "HEAD", check=False)
        return result.text if result.returncode == 0 else None

    def git_dir(self) -> Path:
        """Return the git dir *of this checkout*; a linked worktree has its own.

        Never build it as ``dir / ".git"``: in a linked worktree that is a file (chapter 7).
        """
        return Path(self.run("rev-parse", "--absolute-git-dir").text)

    def common_dir(self) -> Path:
        """Return the git dir that all worktrees share; hooks and objects live there."""
        return (self.dir / self.run("rev-parse", "--git-common-dir").text).resolve()

"""What mini-letta needs from the machine, checked where it matters instead of failing later."""

import re
from collections.abc import Mapping
from pathlib import Path

from mini_letta.errors import MiniLettaError

MIN_GIT = (2, 39)


class GitTooOld(MiniLettaError):
    """The git on PATH lacks what the memory repositories rely on."""


def git_version(env: Mapping[str, str]) -> tuple[int, int] | None:
    """Return the version of the git on PATH, or None when its answer cannot be read.

    Raises:
        GitMissing: there is no git on PATH.
    """
    from mini_letta.git import hermetic_environment, run_git

    answer = run_git(Path("/"), "--version", env=hermetic_environment(env), check=False)
    found = re.search(r"(\d+)\.(\d+)", answer.text)
    return (int(found[1]), int(found[2])) if found else None


def require_git(env: Mapping[str, str]) -> None:
    """Raise unless git 2.39 or newer is on PATH."""
    found = git_version(env)
    if found is None or found < MIN_GIT:
        said = "an unreadable version" if found is None else f"git {found[0]}.{found[1]}"
        raise GitTooOld(
            f"found {said}, but git {MIN_GIT[0]}.{MIN_GIT[1]} or newer is needed. "
            "Install it, then run `mini-letta doctor`."
        )

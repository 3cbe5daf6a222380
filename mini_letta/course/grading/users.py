"""Users for the code of submissions: one each, and no two runs on a machine share one.

A limit on processes counts per user, and at its end a run kills whatever its user still runs. So a
user belongs to one grader at a time, whoever else grades on this machine; a lock file that ends
with its process says so.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from mini_letta.course.grading.limits import Limits
from mini_letta.errors import MiniLettaError

FIRST_UID = 60_000
COUNT = 1000
LOCKS = Path("/run")


class NoUserLeft(MiniLettaError):
    """Every user for submissions is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A user that runs the code of submissions, ours until released or until we end."""

    uid: int
    """User and group id; needs no entry anywhere."""
    lock: int
    """Open file descriptor of the lock."""

    def release(self) -> None:
        """Let others have it."""
        os.close(self.lock)


@contextmanager
def run_user(*, is_own: bool) -> Iterator[int | None]:
    """Claim a user for one run, or yield None where only the grader's own is to be had."""
    if not is_own:
        yield None
        return
    user = claim_user()
    try:
        yield user.uid
    finally:
        user.release()


def claim_user() -> User:
    """Return a user that nobody else has; only root can.

    Raises:
        NoUserLeft: there is none.
    """
    # Not the first free one: whatever the kernel may keep for a user is not met by the next run.
    first = secrets.randbelow(COUNT)
    for uid in (FIRST_UID + (first + step) % COUNT for step in range(COUNT)):
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        lock = os.open(LOCKS / f"mini-letta-{uid}.lock", flags, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return User(uid=uid, lock=lock)
    raise NoUserLeft(f"all {COUNT} users for submissions are in use. Wait for the other graders.")


def limits_beside(limits: Limits, uid: int | None) -> Limits:
    """Return the limits for a user; None is the grader's own, whose other processes count too."""
    if uid is not None:
        return limits
    others = 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.uids().real == os.getuid():
                others += process.num_threads()
    return replace(limits, processes=limits.processes + others)

"""Watch the processes and files of one run while it lasts, and end all of it.

rlimits count per process. What a submission uses in sum, and whether it ever ends, can only be
seen from outside.
"""

import errno
import itertools
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from mini_letta.course.grading.limits import MIB, Limits

LOOK_EVERY_S = 0.25
RUNNER_MEMORY = 1024 * MIB
"""Resident bytes of the trusted process; only what a kernel sends can make it grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One run: the process it was started with, its folders, its limits."""

    pid: int
    """Of the process we started; the sandbox is below it."""
    folders: tuple[Path, ...]
    """Where the student's code can write outside of memory."""
    limits: Limits
    ends_at: float
    """``time.monotonic()`` at which the time is up."""
    uid: int | None
    """User of the sandbox, if it is nobody else's."""
    is_runner: bool = False
    """The process we started is ours and holds what the kernel sends."""

    def exceeded(self) -> str:
        """Return which limit is exceeded, as the end of "it used ..."; "" if none is."""
        used = sum(_resident(process) for process in self.below())
        if used > self.limits.memory:
            return f"more than {self.limits.memory // MIB} MiB of memory"
        if self.is_runner and _resident_of(self.pid) > RUNNER_MEMORY:
            return f"more than {self.limits.output // MIB} MiB of output"
        size, files = _measure(self.folders, self.limits)
        if size > self.limits.folder:
            return f"more than {self.limits.folder // MIB} MiB of files"
        if files > self.limits.files:
            return f"more than {self.limits.files} files"
        return ""

    def is_over(self) -> bool:
        """Is the time up?"""
        return time.monotonic() > self.ends_at

    def below(self) -> list[psutil.Process]:
        """Return the processes below the one we started."""
        with suppress(psutil.NoSuchProcess):
            return list(psutil.Process(self.pid).children(recursive=True))
        return []

    def end(self) -> None:
        """Kill the run: the process we started, all below it, and all of the sandbox's user."""
        processes = self.below()
        with suppress(psutil.NoSuchProcess):
            processes.insert(0, psutil.Process(self.pid))
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        while self.uid is not None and (left := list(_processes_of(self.uid))):
            for process in left:  # a fork bomb may fork on while it is killed: again until none
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(left, timeout=1)


def _processes_of(uid: int) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess):
            if uid in process.uids() and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def _resident_of(pid: int) -> int:
    try:
        return _resident(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return 0


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _measure(folders: tuple[Path, ...], limits: Limits) -> tuple[int, int]:
    """Return bytes on disk and number of files, counting no further than the limits."""
    size = files = 0
    pending = [str(folder) for folder in folders]
    while pending and size <= limits.folder and files <= limits.files:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in itertools.islice(entries, limits.files + 1):
                    files += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # nested so deep that nobody can look
                return size, limits.files + 1
    return size, files

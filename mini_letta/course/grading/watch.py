"""Watch the processes and files of one run while it lasts, and end all of it.

rlimits count per process. What a submission uses in sum, and whether it ever ends, can only be
seen from outside.
"""

import errno
import itertools
import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from mini_letta.course.grading.limits import MIB, Limits

LOOK_EVERY_S = 0.25
POLL_S = 0.01
RUNNER_MEMORY = 1024 * MIB
"""Resident bytes of the trusted process; only what a kernel sends can make it grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One run: the process it was started with, its folders, its limits."""

    pid: int
    """Of the process we started; the sandbox is below it."""
    folders: tuple[Path, ...]
    """Where the student's code can write outside of memory; its home comes first."""
    limits: Limits
    ends_at: float
    """``time.monotonic()`` at which the time is up."""
    uid: int | None
    """User of the sandbox, if it is nobody else's."""
    is_runner: bool = False
    """The process we started is ours and holds what the kernel sends."""

    def exceeded(self) -> str:
        """Return which limit is exceeded, as the end of "it used ..."; "" if none is."""
        used = sum(map(_resident, self.below()))
        if used > self.limits.memory:
            return f"more than {self.limits.memory // MIB} MiB of memory"
        if self.is_runner and sum(map(_resident, self.started())) > RUNNER_MEMORY:
            return f"more than {self.limits.output // MIB} MiB of output"
        size, files = _measure(self.folders, self.limits)
        nameless, in_use = _nameless(self.below(), self.limits)
        if size + nameless > self.limits.folder:
            return f"more than {self.limits.folder // MIB} MiB of files"
        if max(files, in_use) > self.limits.files:
            return f"more than {self.limits.files} files"
        return ""

    def is_over(self) -> bool:
        """Is the time up?"""
        return time.monotonic() > self.ends_at

    def started(self) -> list[psutil.Process]:
        """Return the process we started; none if it is gone, for then its number may be reused."""
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(self.pid)
            return [process] if process.ppid() == os.getpid() else []
        return []

    def below(self) -> list[psutil.Process]:
        """Return the processes below the one we started."""
        with suppress(psutil.NoSuchProcess):
            return [each for process in self.started() for each in process.children(recursive=True)]
        return []

    def end(self) -> None:
        """Kill the run: the process we started, all below it, and all that is known as its own."""
        below = self.below()
        for process in (*below, *self.started()):
            with suppress(ProcessLookupError, PermissionError):
                # The group at once, so that no process forks on while others are killed.
                if (group := os.getpgid(process.pid)) != os.getpgid(0):
                    os.killpg(group, signal.SIGKILL)
            with suppress(psutil.Error):
                process.kill()
        while left := [each for each in {*below, *self.own()} if _is_running(each)]:
            for process in left:  # a fork bomb may fork on while it is killed: again until none
                with suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(left, timeout=POLL_S)

    def own(self) -> Iterator[psutil.Process]:
        """Yield what runs as the sandbox's user; if that is the grader, what has the run's HOME."""
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if self.uid is not None:
                    is_own = self.uid in process.uids()
                else:
                    is_own = process.environ().get("HOME") == str(self.folders[0])
                if is_own:
                    yield process


def _is_running(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _nameless(processes: list[psutil.Process], limits: Limits) -> tuple[int, int]:
    """Return the bytes of files in use that have no name, and how many are in use at all.

    Without a name are removed files and shared memory; mapped ones are measured for root only.
    Looks no further than the limit on files.
    """
    sizes: dict[tuple[int, int], int] = {}
    in_use = 0
    for process, kind in itertools.product(processes, ("fd", "map_files")):
        with suppress(OSError), os.scandir(f"/proc/{process.pid}/{kind}") as entries:
            for entry in itertools.islice(entries, limits.files + 1 - in_use):
                in_use += 1
                with suppress(OSError):
                    file = entry.stat()
                    if stat.S_ISREG(file.st_mode) and file.st_nlink == 0:
                        sizes[file.st_dev, file.st_ino] = file.st_blocks * 512
    return sum(sizes.values()), in_use


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

"""Many submissions at once: a thread for each slot, which does nothing but wait for processes.

The results go to the disk and not through here. Ctrl-C ends every process that was started, drops
what was half done, and leaves every finished result where it is.
"""

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Generic, TypeVar

import psutil

Job = TypeVar("Job")
Done = TypeVar("Done")
Row = TypeVar("Row")
JOIN_S = 0.1


def run_pool(
    jobs: Sequence[Job],
    work: Callable[[Job, int], Done],
    keep: Callable[[Job, Done], Row],
    *,
    slots: int,
) -> Generator[Row]:
    """Do every job, and yield what ``keep`` returns in the order the jobs end.

    Args:
        work: does a job in one of the slots, numbered from 0; no two jobs share a slot at a time.
        keep: stores what a job gave; not called any more once the pool is being stopped.
    Raises:
        BaseException: whatever a job raised, or the interruption; nothing is running any more.
    """
    pool = _Pool(jobs, work, keep)
    threads = [
        threading.Thread(target=pool.serve, args=(slot,), daemon=True)
        for slot in range(min(slots, len(jobs)))
    ]
    try:
        for thread in threads:
            thread.start()
        for _ in jobs:
            row = pool.ended.get()
            if isinstance(row, _Failed):
                raise row.error
            yield row
    finally:
        pool.stopping.set()
        _end_all(threads)


class _Failed:
    """A job that raised."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class _Pool(Generic[Job, Done, Row]):
    """What the threads share."""

    def __init__(
        self,
        jobs: Sequence[Job],
        work: Callable[[Job, int], Done],
        keep: Callable[[Job, Done], Row],
    ) -> None:
        self.jobs = iter(jobs)
        self.work = work
        self.keep = keep
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.ended: queue.SimpleQueue[Row | _Failed] = queue.SimpleQueue()

    def serve(self, slot: int) -> None:
        """Do one job after another."""
        try:
            while (job := self.next_job()) is not None:
                done = self.work(job, slot)
                if self.stopping.is_set():
                    return
                self.ended.put(self.keep(job, done))
        except BaseException as error:  # noqa: BLE001 - raised again where the rows are read
            self.ended.put(_Failed(error))

    def next_job(self) -> Job | None:
        """Return a job that nobody has begun; None when there is none or none shall begin."""
        with self.lock:
            return None if self.stopping.is_set() else next(self.jobs, None)


def _end_all(threads: Sequence[threading.Thread]) -> None:
    """Wait for the threads; while one is alive, kill what it waits for.

    Again and again, for a job may start another process after the first was killed.
    """
    running = [thread for thread in threads if thread.ident is not None]
    while any(thread.is_alive() for thread in running):
        try:
            _kill_children()
            for thread in running:
                thread.join(JOIN_S)
        except KeyboardInterrupt:
            continue  # already on our way out


def _kill_children() -> None:
    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.NoSuchProcess:
            continue

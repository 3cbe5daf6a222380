"""The file of a session: appended to, never rewritten, one writer at a time.

Chapter 8, "What a killed process leaves". An event counts once its line is on the disk (fsync).
A line without its end was never acknowledged: the next writer cuts it off and says so. Anything
else that is wrong is left as it is for a person. The lock is the kernel's (``flock``): it ends
with the process that held it. Introduced in v0.4.
"""

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mini_letta.errors import MiniLettaError
from mini_letta.sessions.events import (
    FORMAT_VERSION,
    BadEvent,
    Data,
    Event,
    Op,
    decode,
    encode,
)
from mini_letta.sessions.fold import Fold, InvalidSurface

Tell = Callable[[str], None]


class SessionDamaged(MiniLettaError):
    """A line of a session log is not what this program writes; the file is left alone."""


class SessionNotSaved(MiniLettaError):
    """An event could not be written; the log is as it was before."""


class Log:
    """One session log as far as it has been read. Nothing but :meth:`append` adds to it."""

    def __init__(self, path: Path) -> None:
        """Remember the file's place; it need not exist."""
        self.path = path
        self.fold = Fold()
        self._end = 0  # bytes of the file that are in the fold
        self._inode = 0
        self._file: int | None = None  # its descriptor, while this process may write
        self._clock: Callable[[], int] = int
        self._tell: Tell = print

    @property
    def id(self) -> str:
        """The session's name."""
        return self.path.name.removesuffix(".jsonl")

    def read(self) -> None:
        """Take in what has been written since; a line without its end is not there yet.

        Raises:
            SessionDamaged: a line is no event, or does not follow from those before it.
        """
        try:
            descriptor = _open_regular(self.path, os.O_RDONLY)
        except FileNotFoundError:
            self._start_over()
            return
        except OSError as error:
            raise SessionDamaged(self._describe(error.strerror or str(error))) from error
        try:
            self._read_lines(descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def writing(self, *, clock: Callable[[], int], tell: Tell) -> Iterator[None]:
        """Be the only writer for a while; begins by reading what others wrote.

        Args:
            clock: seconds since the epoch; what is appended is dated with it.
            tell: told when another process has to be waited for, and what was repaired.

        Raises:
            SessionDamaged: as :meth:`read`.
            SessionNotSaved: the folder or the file cannot be written.
        """
        descriptor = self._open_locked(tell)
        self._file, self._clock, self._tell = descriptor, clock, tell
        try:
            self._catch_up(descriptor)
            if not self.fold.events:
                self.append("session/start", {"version": FORMAT_VERSION, "id": self.id})
            yield
        finally:
            self._file = None
            os.close(descriptor)  # and with it the lock

    def append(
        self,
        type: str,
        data: Data,
        *,
        op: Op | None = None,
        cites: tuple[int, ...] | None = None,
    ) -> Event:
        """Write one event and return it once it is on the disk; only within :meth:`writing`.

        Raises:
            SessionNotSaved: by name.
        """
        if self._file is None:
            raise RuntimeError("a log is appended to within `writing`")
        self._catch_up(self._file)
        event = Event(
            seq=len(self.fold.events),
            type=type,
            time=self._clock() * 1000,
            data=data,
            op=op,
            cites=cites,
        )
        line = encode(event)
        try:
            _write_all(self._file, line)
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):  # else the next writer cuts it off
                os.ftruncate(self._file, self._end)
            raise self._not_saved(error) from error
        self.fold.add(event)
        self._end += len(line)
        return event

    def _open_locked(self, tell: Tell) -> int:
        """Return a descriptor of the file at this path, locked."""
        while True:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                descriptor = _open_regular(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            except OSError as error:
                raise self._not_saved(error) from error
            try:
                _lock(descriptor, tell)
                found = os.stat(self.path)
            except FileNotFoundError:  # moved away while we waited: open the new one
                os.close(descriptor)
                continue
            except BaseException:
                os.close(descriptor)
                raise
            if found.st_ino == os.fstat(descriptor).st_ino:
                return descriptor
            os.close(descriptor)

    def _read_lines(self, descriptor: int) -> bytes:
        """Take in every whole line behind ``_end``; return what is left, a line without its end."""
        found = os.fstat(descriptor)
        if found.st_ino != self._inode or found.st_size < self._end:
            self._start_over()
            self._inode = found.st_ino
        *lines, rest = _read_from(descriptor, self._end).split(b"\n")
        for line in lines:
            try:
                self.fold.add(_first(decode(line)))
            except (BadEvent, InvalidSurface) as error:
                place = f"line {len(self.fold.events) + 1}: {error}"
                raise SessionDamaged(self._describe(place)) from error
            self._end += len(line) + 1
        return rest

    def _catch_up(self, descriptor: int) -> None:
        """Read and repair what this process does not know of: an interrupt can end an append."""
        if os.fstat(descriptor).st_size != self._end or not self._end:
            self._repair(descriptor, self._read_lines(descriptor))

    def _repair(self, descriptor: int, rest: bytes) -> None:
        """Give the last line its end if only that is missing, else set the line aside."""
        if not rest:
            return
        try:
            self.fold.add(_first(decode(rest)))
        except (BadEvent, InvalidSurface):
            aside = self.path.with_name(self.path.name + ".torn")
            try:
                with open(aside, "ab", opener=_private) as file:
                    file.write(rest + b"\n")
                os.ftruncate(descriptor, self._end)
                os.fsync(descriptor)
            except OSError as error:
                raise self._not_saved(error) from error
            self._tell(
                f"the last line of {self.path} was not finished ({len(rest)} bytes): a process "
                f"was killed while it wrote. It is in {aside.name} now; all before it stands."
            )
            return
        _write_all(descriptor, b"\n")
        os.fsync(descriptor)
        self._end += len(rest) + 1

    def _start_over(self) -> None:
        self.fold = Fold()
        self._end = 0
        self._inode = 0

    def _describe(self, reason: str) -> str:
        return (
            f"{self.path} cannot be read as a session log ({reason}). Nothing was changed. Put "
            "the line right, or move the file away to start this conversation anew."
        )

    def _not_saved(self, error: OSError) -> SessionNotSaved:
        return SessionNotSaved(
            f"cannot write {self.path}: {error.strerror or error}. What was stored before is "
            "unchanged. Make room or make the folder writable, then say it again."
        )


def _first(event: Event) -> Event:
    """Return the event, or refuse it as the first of a log in another format."""
    if event.seq == 0 and (
        event.type != "session/start" or event.data["version"] != FORMAT_VERSION
    ):
        raise BadEvent(f"a log begins with a session/start of version {FORMAT_VERSION}")
    return event


def _open_regular(path: Path, flags: int) -> int:
    """Open a file, and nothing else: a pipe would make the reader wait for ever."""
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a file")
    return descriptor


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _lock(descriptor: int, tell: Tell) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        tell("another process is talking in this conversation; waiting for its turn to end")
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _read_from(descriptor: int, start: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(start)
        return file.read()


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]

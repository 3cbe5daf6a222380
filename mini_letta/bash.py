"""Run one bash command so that it ends: its process group, its output and its time are bounded.

Chapter 6, "Four tools". A process that the command moves out of its group (``setsid``) outlives
it, but can hold nothing up. Introduced in v0.2.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

POLL_S = 0.05
CHUNK_BYTES = 65_536
MAX_BYTES_PER_CHARACTER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a command left on the screen."""

    output: str
    """Standard output and standard error as they came, at most ``max_chars`` characters."""
    is_cut: bool
    """The command wrote more than that."""
    exit_code: int | None
    """None when it ran out of time."""


def run_bash(
    command: str, *, dir: Path, env: Mapping[str, str], timeout_s: float, max_chars: int
) -> Outcome:
    """Run ``command`` in ``dir`` with nothing on standard input.

    Raises OSError or UnicodeError if the system cannot start it.
    """
    process = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-c", command],
        cwd=dir,
        env={name: value for name, value in env.items() if not _steers_bash(name)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # a process group of its own, to be ended as one
    )
    assert process.stdout is not None
    limit = max_chars * MAX_BYTES_PER_CHARACTER
    with process.stdout as pipe:
        try:
            raw, total, in_time = _collect(process, pipe, limit=limit, timeout_s=timeout_s)
        finally:
            with suppress(ProcessLookupError, PermissionError):  # nobody left in the group
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    text = raw.decode("utf-8", "replace")
    return Outcome(
        output=text[:max_chars],
        is_cut=total > len(raw) or len(text) > max_chars,
        exit_code=process.returncode if in_time else None,
    )


def _steers_bash(name: str) -> bool:
    """Return whether a variable makes bash run, skip or redefine commands: a startup file, options,
    or a function that a user exported, ``git()`` for instance.
    """
    return name in ("BASH_ENV", "SHELLOPTS", "BASHOPTS") or name.startswith("BASH_FUNC_")


def _collect(
    process: "subprocess.Popen[bytes]", pipe: IO[bytes], *, limit: int, timeout_s: float
) -> tuple[bytes, int, bool]:
    """Return the first ``limit`` bytes, how many there were, and whether bash ended in time.

    Waits for bash, not for the end of the pipe: a process left in the background may hold the
    pipe open for hours.
    """
    kept, total = bytearray(), 0
    deadline = time.monotonic() + timeout_s
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            has_ended = process.poll() is not None  # asked first, so that its last words are read
            if selector.select(0 if has_ended else min(left, POLL_S)):
                chunk = os.read(pipe.fileno(), CHUNK_BYTES)
                if not chunk:
                    return bytes(kept), total, _ends_within(process, left)
                total += len(chunk)
                kept += chunk[: max(0, limit - len(kept))]
            elif has_ended:
                return bytes(kept), total, True
    return bytes(kept), total, False


def _ends_within(process: "subprocess.Popen[bytes]", timeout_s: float) -> bool:
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return False
    return True

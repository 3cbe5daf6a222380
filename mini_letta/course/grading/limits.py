"""What the code of one submission may use, in numbers.

Per process by the kernel (rlimits), in sum by the watch in :mod:`mini_letta.course.grading.watch`.
"""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one run; bytes unless the name says otherwise."""

    address_space: int = 1536 * MIB
    """Of one process; more is a MemoryError."""
    memory: int = 1536 * MIB
    """Resident memory of all processes together."""
    processes: int = 100
    """Processes and threads of the sandbox's user; a kernel has about ten."""
    cpu_s: int = 600
    """Seconds of processor time of one process."""
    file_size: int = 50 * MIB
    """Of one file."""
    folder: int = 200 * MIB
    """All files the run leaves in its folder, together."""
    files: int = 20_000
    """How many files may lie in the folder."""
    output: int = 20 * MIB
    """All messages of the kernel, or all output of a command."""
    scratch: int = 100 * MIB
    """Private /tmp and /dev/shm, each."""


RUNNER_ADDRESS_SPACE = 4096 * MIB
"""Of the trusted pytest process, which holds what a kernel sends."""

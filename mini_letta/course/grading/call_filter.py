"""System calls that a submission is refused, by a filter that nobody inside can take off again.

Three kinds, because the namespaces and limits of a sandbox do not reach them:

- What stays in the kernel after the process: a key belongs to a user, and one submission could
  leave an answer there for another. Messages, semaphores and shared memory of System V and POSIX
  end with the IPC namespace, but at the level ``rlimits`` there is none.
- What takes from the neighbours: every slot of a batch has a processor of its own, which nobody
  may leave.
- What holds memory that nobody can count from outside: memory without a file and without a
  process; a file system of one's own, which takes a user namespace; files handed to an io_uring.

Refused is ``ENOSYS``, as on a kernel that was built without the call; the C library then starts
threads with ``clone`` instead of ``clone3``. Source: seccomp(2); bpf_common.h, seccomp.h and
audit.h of the Linux kernel.
"""

import platform
import sys
from collections.abc import Mapping, Sequence

# Name -> its number on x86_64 and on aarch64.
REFUSED: Mapping[str, tuple[int, int]] = {
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "io_uring_setup": (425, 425),
    "sched_setaffinity": (203, 122),
    "unshare": (272, 97),
    "clone3": (435, 435),  # a filter cannot read its flags
}
CLONE = (56, 220)  # refused with the flag NEW_USER
NEW_USER = 0x10000000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # and their mark in a filter
NONE = 0
"""The mark of no machine: a filter for it refuses everything."""

# Runs inside, before the user is changed: argument 1 is the filter in hexadecimal.
START = """
import ctypes, os, sys
code = bytes.fromhex(sys.argv[1])
buffer = ctypes.create_string_buffer(code, len(code))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
program = Program(len(code) // 8, ctypes.addressof(buffer))
prctl = ctypes.CDLL(None, use_errno=True).prctl
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
if prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or prctl(SECCOMP, FILTER, ctypes.byref(program), 0, 0):
    sys.exit("the filter of system calls cannot be installed: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
"""
LOAD, RETURN = 0x20, 0x06
IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT = 0x15, 0x35, 0x45
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # offsets in what the filter looks at
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 38  # 38: ENOSYS
OTHER_TABLE = 0x40000000  # x86_64 has a second table of calls from here on


def filtered(command: Sequence[str]) -> list[str]:
    """Return the argument list that runs ``command`` without the refused calls.

    On a machine whose calls are not known here, the argument list fails.
    """
    machine = platform.machine()
    program = build_filter(MACHINES.get(machine, NONE), refused_calls(machine), clone_of(machine))
    return [sys.executable, "-I", "-S", "-c", START, program.hex(), *command]


def refused_calls(machine: str) -> list[int]:
    """Return the numbers of the refused calls on a machine."""
    return [numbers[machine == "aarch64"] for numbers in REFUSED.values()]


def clone_of(machine: str) -> int:
    """Return the number of ``clone`` on a machine."""
    return CLONE[machine == "aarch64"]


def build_filter(mark: int, refused: Sequence[int], clone: int) -> bytes:
    """Return the filter as the kernel takes it.

    Args:
        mark: of the machine; calls of every other kind are refused, as is the second table.
        refused: numbers of calls.
        clone: number of the call that is refused if it makes a user namespace.
    """
    tests = [(IF_AT_LEAST, OTHER_TABLE), *((IF_EQUAL, number) for number in refused)]
    last = 3 + len(tests) + 4  # where REFUSE stands; ALLOW is before it
    program = [_step(LOAD, MACHINE), _step(IF_EQUAL, mark, no=last - 2), _step(LOAD, NUMBER)]
    for kind, number in tests:
        program.append(_step(kind, number, yes=last - len(program) - 1))
    program += [
        _step(IF_EQUAL, clone, no=2),
        _step(LOAD, FIRST_ARGUMENT),
        _step(IF_ANY_BIT, NEW_USER, yes=1),
        _step(RETURN, ALLOW),
        _step(RETURN, REFUSE),
    ]
    return b"".join(program)


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction; a test skips ``yes`` or ``no`` of those that follow."""
    return code.to_bytes(2, sys.byteorder) + bytes([yes, no]) + value.to_bytes(4, sys.byteorder)

"""No system call that keeps something in the kernel behind the walls.

A key in the kernel's keyring belongs to a user and outlives the process, the namespaces and the
folder of a run: one submission could leave an answer there for another. So the calls that reach
keys are refused (``ENOSYS``), by a filter that a process cannot take off again, nor its children.
What the other means of talking need (System V, POSIX queues, abstract sockets) ends with the
namespaces; at the level ``rlimits`` there are none, and hidden checks are refused there.

Source: seccomp(2), bpf.h, audit.h of the Linux kernel.
"""

import platform
import sys
from collections.abc import Mapping

# Machine -> its mark in a filter, and the numbers of add_key, request_key and keyctl.
CALLS: Mapping[str, tuple[int, tuple[int, int, int]]] = {
    "x86_64": (0xC000003E, (248, 249, 250)),
    "aarch64": (0xC00000B7, (217, 218, 219)),
}
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
LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, MACHINE = 0, 4  # offsets in what the filter looks at
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 38  # 38: ENOSYS
OTHER_TABLE = 0x40000000  # x86_64 has a second table of calls from here on


def without_keys(command: list[str]) -> list[str]:
    """Return the argument list that runs ``command`` without access to the kernel's keys.

    On a machine whose calls are not known here, the argument list fails.
    """
    mark, numbers = CALLS.get(platform.machine(), (0, (0, 0, 0)))
    return [sys.executable, "-I", "-S", "-c", START, build_filter(mark, numbers).hex(), *command]


def build_filter(mark: int, numbers: tuple[int, ...]) -> bytes:
    """Return the filter: calls of another machine's kind, of the second table, and ``numbers``."""
    refused = [(JUMP_IF_AT_LEAST, OTHER_TABLE), *((JUMP_IF_EQUAL, number) for number in numbers)]
    last = len(refused) + 3  # where REFUSE stands; ALLOW is before it
    program = [
        _instruction(LOAD, MACHINE),
        _instruction(JUMP_IF_EQUAL, mark, otherwise=last - 1),
        _instruction(LOAD, NUMBER),
    ]
    for kind, number in refused:
        program.append(_instruction(kind, number, then=last - len(program)))
    return b"".join([*program, _instruction(RETURN, ALLOW), _instruction(RETURN, REFUSE)])


def _instruction(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one instruction; ``then`` and ``otherwise`` skip that many of the next ones."""
    return (
        code.to_bytes(2, sys.byteorder)
        + bytes([then, otherwise])
        + value.to_bytes(4, sys.byteorder)
    )

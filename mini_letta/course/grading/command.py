"""Run one command in a sandbox, without a kernel: the script of a student."""

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import Inside, Sandbox, enclose
from mini_letta.course.grading.users import limits_beside
from mini_letta.course.grading.watch import LOOK_EVERY_S, Watch

MAX_SHOWN = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRun:
    """What became of a command."""

    outcome: Literal["ended", "timeout", "crashed"]
    """``crashed``: it used more than it may, and was killed."""
    code: int
    """Exit code; negative for a signal."""
    said: str
    """Its output, standard error included, at most 20,000 characters; or why it was killed."""


def run_command(
    sandbox: Sandbox,
    command: Sequence[str],
    inside: Inside,
    *,
    limits: Limits,
    wall_s: float,
    env: Mapping[str, str],
) -> CommandRun:
    """Run a command behind the walls and wait for its end, or put one to it.

    Args:
        inside: what it finds there.
        wall_s: seconds until it is killed.
        env: the surrounding environment; only ``PATH`` is used, to find the sandbox's programs.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            enclose(sandbox, command, inside, limits_beside(limits, inside.uid)),
            cwd="/",
            env={"PATH": env.get("PATH", os.defpath)},
            stdin=subprocess.DEVNULL,
            stdout=output,  # a file, so that --fsize bounds it as well
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        watch = Watch(
            pid=process.pid,
            folders=(inside.home, *inside.writable),
            limits=limits,
            ends_at=time.monotonic() + wall_s,
            uid=inside.uid,
        )
        outcome: Literal["ended", "timeout", "crashed"] = "ended"
        reason = ""
        try:
            while outcome == "ended" and not _has_ended(process):
                if what := watch.exceeded():
                    outcome, reason = "crashed", f"It used {what}."
                elif watch.is_over():
                    outcome, reason = "timeout", f"It ran for {wall_s:.0f} seconds."
        finally:
            watch.end()
            code = process.wait()
        output.seek(0)
        said = output.read(MAX_SHOWN * 4).decode("utf-8", "backslashreplace")[:MAX_SHOWN]
    return CommandRun(outcome=outcome, code=code, said=reason or said)


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(timeout=LOOK_EVERY_S)
    except subprocess.TimeoutExpired:
        return False
    return True

"""What the checks of a lab should print: the reference run with the same seed, in plain Python.

In a process of its own, so that the lab's library, not the whole package, is what the reference is
run against. Trusted code only: nothing of a student ever comes here.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from mini_letta.course.environment import notebook_environment
from mini_letta.course.labs.lab import Lab
from mini_letta.errors import MiniLettaError

TIMEOUT_S = 300
PLAIN_RUN = Path(__file__).with_name("plain_run.py")


class ReferenceFailed(MiniLettaError):
    """The reference of a lab does not run; the text says where."""


class ReferenceKilled(ReferenceFailed):
    """It was killed from outside, for want of memory, say: nothing is known about what it read."""


def expected_texts(lab: Lab, seed: int, *, env: Mapping[str, str], library: Path) -> dict[str, str]:
    """Return what each check of the reference prints: check id -> text.

    Checks of artefacts are left out: what they inspect is a repository, not a namespace.

    Args:
        seed: what the checks draw their inputs from.
        env: the surrounding environment.
        library: from :func:`mini_letta.course.labs.library.build_library`.
    Raises:
        ReferenceFailed: a cell or a check raised.
    """
    cells = reference_cells(lab)
    checks = [check for check in lab.checks if not check.script]
    programs = {check.id: lab.program(check, seed) for check in checks}
    answer = run_cells(cells, programs, env=env, library=library)
    return {check.id: answer[check.id] for check in checks}


def reference_cells(lab: Lab) -> dict[str, str]:
    """Return the code of the reference: cell id -> source, in order."""
    return {
        cell.id: cell.solution or cell.source
        for cell in lab.cells
        if cell.kind in ("given", "answer")
    }


def given_cells(lab: Lab) -> dict[str, str]:
    """Return the code that is given with the lab: cell id -> source, in order."""
    return {cell.id: cell.source for cell in lab.cells if cell.kind == "given"}


def read_texts(
    cells: Mapping[str, str], names: Iterable[str], *, env: Mapping[str, str], library: Path
) -> dict[str, str]:
    """Return the texts that trusted cells assign to variables: name -> text.

    Raises:
        ReferenceFailed: there is no such variable.
    """
    programs = {name: f"print(end={name})" for name in names}
    return run_cells(cells, programs, env=env, library=library)


def run_cells(
    cells: Mapping[str, str],
    programs: Mapping[str, str],
    *,
    env: Mapping[str, str],
    library: Path,
) -> dict[str, str]:
    """Run trusted cells one after another, then each program in a copy of what they defined.

    Args:
        cells: name -> source.
        programs: name -> source of what prints.
    Returns:
        Name of a program -> its standard output.
    Raises:
        ReferenceFailed: one of them raised, or time ran out.
        ReferenceKilled: it was killed.
    """
    with tempfile.TemporaryDirectory(prefix="mini-letta-reference-") as temporary:
        scratch = Path(temporary)
        (scratch / "cwd").mkdir()
        surroundings = {
            **notebook_environment(env, scratch=scratch),
            "PYTHONPATH": str(library),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            done = subprocess.run(
                [sys.executable, "-P", str(PLAIN_RUN)],
                input=json.dumps({"cells": cells, "programs": programs}),
                cwd=scratch / "cwd",
                env=surroundings,
                capture_output=True,
                encoding="utf-8",
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired as error:
            raise ReferenceFailed(f"the reference ran for {TIMEOUT_S} seconds.") from error
    if done.returncode == -signal.SIGKILL:
        raise ReferenceKilled("the process that runs the checks was killed.")
    if done.returncode:
        raise ReferenceFailed(f"the reference does not run:\n{done.stderr.strip()}")
    answer: dict[str, str] = json.loads(done.stdout)
    return answer

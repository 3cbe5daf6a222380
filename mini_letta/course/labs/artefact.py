"""Exercises whose answer is a bash script: what the script leaves behind is what is checked.

A memory with its real hook is prepared, the script runs in it (in a sandbox when it is graded),
and the repository is inspected from outside, by a process that has never run a line of the
student's. A check of an artefact finds the repository as ``repo`` in its namespace.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mini_letta import stages
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.library import PACKAGE
from mini_letta.course.labs.reference import (
    ReferenceFailed,
    given_cells,
    read_texts,
    reference_cells,
    run_cells,
)
from mini_letta.course.workbench import Output, Workbench

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
SCRIPT_TIMEOUT_S = 60


def prepare(lab: Lab, start: str, folder: Path, *, seed: int) -> Workbench:
    """Return a workbench with a new memory in which the lab's start script has run.

    Args:
        start: bash; may be empty. Finds ``SEED`` set, so that names in it can depend on it.
        folder: existing folder for the temporary home.
    Raises:
        ReferenceFailed: the start script failed.
    """
    bench = Workbench(stages.load(lab.stage).HARNESS, lang=lab.lang, parent=folder)
    output = bench.run(f"SEED={seed}\n{start}")
    if output.code:
        raise ReferenceFailed(f"the start script of {lab.id} failed:\n{output.text}")
    bench.clock.step()
    return bench


def script_environment(bench: Workbench) -> dict[str, str]:
    """Return the environment a script runs in: git, a shell and ``python3``, no ``mini-letta``."""
    base = Path(sys.executable).resolve().parent
    return {**bench.environment(), "PATH": os.pathsep.join([str(base), SYSTEM_PATH])}


def run_script(bench: Workbench, script: str) -> Output:
    """Run a student's script on the student's own machine, without a sandbox."""
    try:
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", script],
            cwd=bench.dir,
            env=script_environment(bench),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SCRIPT_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return Output(text=f"stopped after {SCRIPT_TIMEOUT_S} seconds", code=124)
    return Output(
        text=bench.shown(done.stdout.decode("utf-8", "backslashreplace")), code=done.returncode
    )


def inspect_repository(
    lab: Lab, exercise: str, repository: Path, *, seed: int, env: Mapping[str, str]
) -> dict[str, str]:
    """Return what the artefact checks of one exercise print about a repository: check id -> text.

    Args:
        repository: a checkout or a bare repository; only read.
        env: the surrounding environment.
    Raises:
        ReferenceFailed: a check raised, so it cannot say anything about this repository.
    """
    cells = given_cells(lab)
    cells["repo"] = (
        "import os\nfrom pathlib import Path\n"
        "from mini_letta.git import Repo, hermetic_environment\n"
        f"repo = Repo(dir=Path({str(repository)!r}), env=hermetic_environment(os.environ))"
    )
    programs = {c.id: lab.program(c, seed) for c in lab.checks_of(exercise) if c.script}
    return run_cells(cells, programs, env=env, library=PACKAGE.parent)


def expected_artefacts(
    lab: Lab, seed: int, *, env: Mapping[str, str], library: Path
) -> dict[str, str]:
    """Return what the artefact checks print about what the reference's scripts leave behind.

    Raises:
        ReferenceFailed: a script or a check of the reference failed.
    """
    checks = {check.exercise: check for check in lab.checks if check.script}
    if not checks:
        return {}
    names = {name for check in checks.values() for name in (check.script, check.start) if name}
    texts = read_texts(reference_cells(lab), names, env=env, library=library)
    printed: dict[str, str] = {}
    for exercise, check in checks.items():
        with tempfile.TemporaryDirectory(prefix="mini-letta-artefact-") as folder:
            bench = prepare(lab, texts.get(check.start, ""), Path(folder), seed=seed)
            output = run_script(bench, texts[check.script])
            if output.code:
                raise ReferenceFailed(f"the script of {exercise} failed:\n{output.text}")
            printed |= inspect_repository(lab, exercise, bench.dir, seed=seed, env=env)
    return printed

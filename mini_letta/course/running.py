"""Run built notebooks through nbval, strictly, and report each cell as it happens.

nbval runs in a process of its own, on copies in a temporary folder: the notebooks are only read,
and no pytest configuration, plugin or variable of the user or of a repository takes part.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mini_letta.course.environment import notebook_environment
from mini_letta.course.notebooks import Notebook
from mini_letta.errors import MiniLettaError

CELL_TIMEOUT_S = 120
STOP_S = 15.0


class RunError(MiniLettaError):
    """nbval did not get as far as running cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One code cell of one notebook."""

    notebook: Notebook
    id: str
    """Unique within its notebook."""
    pitfall: str | None
    """Id of the pitfall the cell shows, if it shows one."""
    role: str | None
    """``fails`` or ``fixed``, of that pitfall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Which cells will run, in order; comes first."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A cell begins; with the first of a notebook the kernel starts."""

    cell: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A cell is over. Every collected cell ends exactly once."""

    cell: Cell
    outcome: str
    """``passed``; ``failed``; or ``not_run``: nothing can be said, an earlier cell is to blame."""
    detail: str
    """Why it failed, in many lines: the input, and how the outputs differ. Else empty."""
    time_s: float


def run_notebooks(
    notebooks: Sequence[Notebook],
    *,
    env: Mapping[str, str],
    cell_timeout_s: float = CELL_TIMEOUT_S,
) -> Iterator[Collected | Started | Ended]:
    """Execute each notebook in a kernel of its own and compare every output; yield what happens.

    Args:
        env: the surrounding environment.
        cell_timeout_s: a cell that takes longer is interrupted and fails.
    Raises:
        RunError: a notebook is missing or cannot be read; then none has run.
    """
    for notebook in notebooks:
        if not notebook.path.is_file():
            raise RunError(f"{notebook.label} is missing. Build it with `make notebooks`.")
    with tempfile.TemporaryDirectory(prefix="mini-letta-run-") as temporary:
        # The same name that pytest will use: on macOS the temporary folder is behind a link.
        scratch = Path(temporary).resolve()
        copies = {str(_copy(notebook, scratch)): notebook for notebook in notebooks}
        log = scratch / "pytest.log"
        ended = False
        argv = [*_pytest_command(scratch, cell_timeout_s=cell_timeout_s), *copies]
        for event in _follow(argv, scratch=scratch, log=log, env=env):
            ended = True
            yield _read_event(event, copies)
        if not ended:
            said = log.read_text(encoding="utf-8", errors="replace").strip()
            raise RunError(f"nbval could not run the notebooks. It said:\n{said}")


def _copy(notebook: Notebook, scratch: Path) -> Path:
    copy = scratch / "notebooks" / notebook.lang / notebook.path.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(notebook.path.read_bytes())
    return copy


def _follow(
    argv: list[str], *, scratch: Path, log: Path, env: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Run pytest and yield its events; cells that it never came to end as ``not_run``."""
    reader, writer = os.pipe()
    open_cells: dict[str, dict[str, Any]] = {}
    with os.fdopen(reader, encoding="ascii") as events, log.open("wb") as output:
        process = subprocess.Popen(
            [*argv, "--mini-letta-events", str(writer)],
            cwd=scratch,
            env=notebook_environment(env, scratch=scratch),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=[writer],
            start_new_session=True,  # Ctrl-C reaches it once, through _stop
        )
        os.close(writer)
        try:
            for event in _events(events):
                if event["event"] == "collected":
                    open_cells = {_key(cell): cell for cell in event["cells"]}
                if event["event"] == "ended":
                    open_cells.pop(_key(event), None)
                yield event
        finally:
            _stop(process)
    for cell in open_cells.values():
        yield {**cell, "event": "ended", "outcome": "not_run", "detail": "", "time_s": 0.0}


def _pytest_command(scratch: Path, *, cell_timeout_s: float) -> list[str]:
    config = scratch / "pytest.ini"
    config.write_text("[pytest]\n", encoding="ascii")
    plugins = ["-p", "nbval.plugin", "-p", "mini_letta.course.nbval_events"]
    return [
        *[sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"],
        *["-c", str(config), "--rootdir", str(scratch), *plugins],
        *["--nbval", "--nbval-current-env", "--nbval-cell-timeout", str(cell_timeout_s)],
    ]


def _events(stream: IO[str]) -> Iterator[dict[str, Any]]:
    """Yield the events; a last line cut short by the death of its writer is left out."""
    for line in stream:
        if line.endswith("\n"):
            yield json.loads(line)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Wait for pytest; after an interruption of ours, let it stop its kernels first."""
    try:
        process.wait(timeout=STOP_S if sys.exc_info()[0] is None else 0)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _key(cell: Mapping[str, Any]) -> str:
    return f"{cell['path']}::{cell['id']}"


def _read_event(
    event: Mapping[str, Any], copies: Mapping[str, Notebook]
) -> Collected | Started | Ended:
    if event["event"] == "collected":
        return Collected(cells=tuple(_cell(cell, copies) for cell in event["cells"]))
    cell = _cell(event, copies)
    if event["event"] == "started":
        return Started(cell=cell)
    return Ended(
        cell=cell, outcome=event["outcome"], detail=event["detail"], time_s=event["time_s"]
    )


def _cell(event: Mapping[str, Any], copies: Mapping[str, Notebook]) -> Cell:
    mark = event["mark"]
    return Cell(
        notebook=copies[event["path"]],
        id=event["id"],
        pitfall=mark.get("pitfall"),
        role=mark.get("role"),
    )

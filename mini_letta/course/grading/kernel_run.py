"""Run one notebook through nbval: nbval outside, trusted; the kernel inside the sandbox.

What the checks should print lies in the notebook, and the notebook lies in a folder that does not
exist inside. Everything of a run is in one folder under /tmp (a socket's path may have 107 bytes,
whatever ``TMPDIR`` says), which is gone afterwards, as are all its processes.
"""

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import nbformat

from mini_letta.course.environment import notebook_environment
from mini_letta.course.grading.kernel_spec import KERNEL, Place, write_kernel
from mini_letta.course.grading.limits import RUNNER_ADDRESS_SPACE
from mini_letta.course.grading.provisioner import STDERR
from mini_letta.course.grading.watch import LOOK_EVERY_S, Watch

CellOutcome = Literal["passed", "differs", "raised", "timeout", "crashed", "not_run", "trouble"]
STARTUP_S = 60
TAIL = 2000
GRACE_S = 15
"""After its timeout nbval needs five seconds to give a cell up; after these it is stuck itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRun:
    """What became of one code cell."""

    id: str
    outcome: CellOutcome
    """``differs``: it printed something else than the notebook says. ``trouble``: ours, and no
    statement about the cell."""
    seen: str = ""
    """What it printed to standard output, at most 20,000 characters."""
    said: str = ""
    """``NameError: ...`` of a cell that raised, or why it ended otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookRun:
    """What became of a notebook."""

    cells: tuple[CellRun, ...]
    """Every code cell, in order."""
    trouble: str = ""
    """Why the run itself failed, our doing; "" if it did not."""


def run_notebook(node: Any, place: Place, *, cell_timeout_s: float, wall_s: float) -> NotebookRun:
    """Run every code cell in a fresh kernel; compare stdout where the cell is not marked.

    After a cell that ran out of time or ended its kernel the others are ``not_run``.

    Args:
        node: a notebook; its own kernel specification is not used.
        cell_timeout_s: seconds until a cell is interrupted.
        wall_s: seconds until all is killed, whatever it does.
    """
    with run_folder() as base:
        run = _Run(base, place, cell_timeout_s=cell_timeout_s, wall_s=wall_s)
        return run.run(node)


@contextmanager
def run_folder() -> Iterator[Path]:
    """Make a folder under /tmp for one run, and remove it whatever has been put there."""
    path = Path(tempfile.mkdtemp(prefix="mlk-", dir="/tmp"))
    path.chmod(0o711)  # the sandbox's user passes through, and cannot list
    try:
        yield path
    finally:
        # not shutil.rmtree, which gives up in a nest of a thousand folders
        subprocess.run(["rm", "-rf", "--", str(path)], check=False, capture_output=True)


class _Run:
    """One run of one notebook."""

    def __init__(self, base: Path, place: Place, *, cell_timeout_s: float, wall_s: float) -> None:
        self.place = place
        self.cell_timeout_s = cell_timeout_s
        self.ends_at = time.monotonic() + wall_s
        self.base = base
        self.trusted = base / "trusted"
        self.sockets = base / "ipc"
        self.home = base / "home"
        self.uid = place.uid
        self.ended: dict[str, CellRun] = {}
        self.current = ""
        self.cell_ends_at = self.ends_at
        self.is_stopped = False
        self.trouble = ""

    def run(self, node: Any) -> NotebookRun:
        self.trusted.mkdir(mode=0o700)
        self.sockets.mkdir(mode=0o700)
        self.home.mkdir(mode=0o755)
        if self.uid is not None:
            os.chown(self.home, self.uid, self.uid)
        node.metadata.setdefault("mini_letta", {})["compare"] = "stdout"
        nbformat.write(node, self.trusted / "lab.ipynb")
        write_kernel(
            self.place, jupyter=self.trusted / "jupyter", sockets=self.sockets, home=self.home
        )
        ids = [cell.id for cell in node.cells if cell.cell_type == "code"]
        self.follow(ids)
        cells = tuple(self.ended.get(id, CellRun(id=id, outcome="not_run")) for id in ids)
        return NotebookRun(cells=cells, trouble=self.trouble)

    def command(self) -> list[str]:
        config = self.trusted / "pytest.ini"
        config.write_text("[pytest]\n", encoding="ascii")
        return [
            *["prlimit", f"--as={RUNNER_ADDRESS_SPACE}", sys.executable, "-m", "pytest", "-q"],
            *["--color=no", "--noconftest", "-p", "no:cacheprovider", "-c", str(config)],
            *["--rootdir", str(self.trusted), "-p", "nbval.plugin"],
            *["-p", "mini_letta.course.nbval_events", "--nbval", "--nbval-kernel-name", KERNEL],
            *["--nbval-cell-timeout", str(self.cell_timeout_s)],
            *["--nbval-kernel-startup-timeout", str(STARTUP_S)],
            *["--mini-letta-max-output", str(self.place.limits.output)],
            str(self.trusted / "lab.ipynb"),
        ]

    def follow(self, ids: list[str]) -> None:
        """Run pytest until every cell has ended, or until the end that we put to it."""
        env = notebook_environment(self.place.env, scratch=self.trusted)
        env["JUPYTER_PATH"] = str(self.trusted / "jupyter")
        log = self.trusted / "pytest.log"
        reader, writer = os.pipe()
        with os.fdopen(reader, "rb", buffering=0) as events, log.open("wb") as output:
            process = subprocess.Popen(
                [*self.command(), "--mini-letta-events", str(writer)],
                cwd=self.trusted,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[writer],
                start_new_session=True,  # a Ctrl-C is for the grader, who ends this
            )
            os.close(writer)
            watch = self.watch(process.pid)
            try:
                for event in self.events(events, watch):
                    self.note(event)
                    if self.is_stopped or len(self.ended) == len(ids):
                        break
                else:
                    self.trouble = f"nbval ended early.{_tail(log)}{_tail(self.base / STDERR)}"
            finally:
                watch.end()
                process.wait()

    def events(self, stream: Any, watch: Watch) -> Iterator[dict[str, Any]]:
        """Yield nbval's events, and one of our own when a limit is exceeded or the time is up."""
        pending = b""
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            look_at = time.monotonic() + LOOK_EVERY_S
            while True:
                if selector.select(timeout=LOOK_EVERY_S):
                    data = os.read(stream.fileno(), 65536)
                    if not data:
                        return
                    *lines, pending = (pending + data).split(b"\n")
                    yield from map(json.loads, lines)
                if time.monotonic() >= look_at:
                    look_at = time.monotonic() + LOOK_EVERY_S
                    if what := watch.exceeded():
                        yield {"event": "exceeded", "what": what}
                    if time.monotonic() > min(self.ends_at, self.cell_ends_at):
                        yield {"event": "over"}

    def watch(self, pid: int) -> Watch:
        return Watch(
            pid=pid,
            folders=(self.home, self.sockets),
            limits=self.place.limits,
            ends_at=self.ends_at,
            uid=self.uid,
            is_runner=True,
        )

    def note(self, event: Mapping[str, Any]) -> None:
        """Take in one event of nbval's or of the watch's."""
        if event["event"] == "started":
            startup_s = 0 if self.current else STARTUP_S
            self.cell_ends_at = time.monotonic() + startup_s + self.cell_timeout_s + GRACE_S
            self.current = event["id"]
        elif event["event"] == "exceeded":
            self.stop("crashed", f"It used {event['what']}.")
        elif event["event"] == "over":
            self.stop("timeout", "The time was up.")
        elif event["event"] == "ended":
            outcome = event["outcome"] if event["outcome"] != "failed" else event["reason"]
            cell = CellRun(id=event["id"], outcome=outcome, seen=event["seen"], said=event["said"])
            self.ended.setdefault(cell.id, cell)
            self.is_stopped = outcome in ("timeout", "crashed", "trouble")
            if outcome == "trouble":
                self.trouble = f"{cell.said}{_tail(self.base / STDERR)}"

    def stop(self, outcome: CellOutcome, said: str) -> None:
        """End the run in the cell that is running."""
        self.is_stopped = True
        if self.current:
            cell = CellRun(id=self.current, outcome=outcome, said=said)
            self.ended.setdefault(cell.id, cell)
        else:
            self.trouble = f"no cell had started. {said}{_tail(self.base / STDERR)}"


def _tail(path: Path) -> str:
    """Return the end of a file behind a line feed; "" if there is none."""
    try:
        text = path.read_bytes()[-TAIL:].decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return f"\n{text}" if text else ""

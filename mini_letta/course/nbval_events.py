"""A pytest plugin that tells, one JSON line per event, how the cells of notebooks fare in nbval.

Loaded with ``-p mini_letta.course.nbval_events --mini-letta-events FD`` by
:mod:`mini_letta.course.running`, which says what the lines mean.

nbval marks what follows a timed-out cell as expected to fail and runs on, so a later "passed"
means nothing: such cells are reported as not run. A kernel that dies would be waited for until
the cell's time is up: a watching thread ends the whole run at once instead.
"""

import difflib
import json
import os
import re
import threading
from collections.abc import Generator
from typing import Any

import pytest

WATCH_EVERY_S = 0.5
COLOUR = re.compile("\x1b\\[[0-9;]*m")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare where the events go."""
    parser.addoption("--mini-letta-events", type=int, help="an open file descriptor")


def pytest_configure(config: pytest.Config) -> None:
    """Start telling, if somebody listens."""
    events = config.getoption("--mini-letta-events")
    if events is not None:
        config.pluginmanager.register(Teller(events))


class Teller:
    """Writes the events of one run."""

    def __init__(self, events: int) -> None:
        self.events = events

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell which cells there are, in the order they will run; nothing if that failed."""
        if session.testsfailed:
            return
        self.tell("collected", cells=[_identify(item) for item in session.items])

    def pytest_runtest_setup(self, item: Any) -> None:
        """Tell that a cell is about to run; with the first of a notebook its kernel starts."""
        self.tell("started", **_identify(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        """Watch the kernel while the cell runs."""
        done = threading.Event()
        watch = threading.Thread(target=self.watch_kernel, args=(item, done), daemon=True)
        watch.start()
        try:
            return (yield)
        finally:
            done.set()
            watch.join()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Tell how a cell ended."""
        report: Any = yield
        if call.when == "call" or (call.when == "setup" and not report.passed):
            unreliable = report.skipped or item.get_closest_marker("xfail") is not None
            outcome = "not_run" if unreliable else report.outcome
            detail = _explain(item, report.longreprtext) if report.failed else ""
            fate = {"outcome": outcome, "detail": detail, "time_s": call.duration}
            self.tell("ended", **_identify(item), **fate)
        return report

    def watch_kernel(self, item: Any, done: threading.Event) -> None:
        """End the run when the kernel's process is gone although the cell has not ended."""
        process = item.parent.kernel.km.provisioner.process
        while not done.wait(WATCH_EVERY_S):
            # After a timeout nbval itself stops the kernel.
            if process.poll() is not None and not item.parent.timed_out:
                detail = f"The kernel died in this cell (exit code {process.returncode})."
                fate = {"outcome": "failed", "detail": detail, "time_s": 0.0}
                self.tell("ended", **_identify(item), **fate)
                os._exit(1)

    def tell(self, event: str, **data: Any) -> None:
        """Write one line, however long; pure ASCII, so that no character can be cut in two."""
        pending = (json.dumps({"event": event, **data}) + "\n").encode("ascii")
        while pending:
            pending = pending[os.write(self.events, pending) :]


def _identify(item: Any) -> dict[str, Any]:
    """Return which cell this is: an nbval item knows its place and its notebook cell."""
    mark = item.cell.metadata.get("mini_letta", {})
    return {"path": str(item.path), "id": item.cell.id, "mark": mark}


def _explain(item: Any, said: str) -> str:
    """Return nbval's words, or where only outputs differ the cell and a diff of page and here."""
    page, here = (_as_lines(outputs) for outputs in (item.cell.outputs, item.test_outputs or []))
    if "Cell outputs differ" not in said or page == here:
        return COLOUR.sub("", said)
    diff = list(difflib.unified_diff(page, here, n=2, lineterm=""))[2:]
    return "\n".join([*item.cell.source.splitlines(), *diff])


def _as_lines(outputs: list[Any]) -> list[str]:
    texts: list[str] = []
    for output in outputs:
        if "text" in output:
            texts.append(output["text"])
        elif "data" in output:
            texts += [f"{kind}: {text}" for kind, text in sorted(output["data"].items())]
        else:
            texts.append(f"{output.get('ename')}: {output.get('evalue')}")
    return [line for text in texts for line in text.splitlines()]

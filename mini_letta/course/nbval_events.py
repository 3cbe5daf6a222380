"""A pytest plugin that tells, one JSON line per event, how the cells of notebooks fare in nbval.

Loaded with ``-p mini_letta.course.nbval_events --mini-letta-events FD`` by
:mod:`mini_letta.course.running`, which says what the lines mean.

nbval marks what follows a timed-out cell as expected to fail and runs on, so a later "passed"
means nothing: such cells are reported as not run. A kernel that dies would be waited for until
the cell's time is up, and one that never stops sending would be listened to: the whole run ends
at once instead.

A notebook that is graded says ``"compare": "stdout"`` in its ``mini_letta`` metadata: a warning on
stderr or a picture does not make a right value wrong.
"""

import difflib
import json
import os
import re
import threading
from collections.abc import Generator
from typing import Any

import pytest
from jupyter_client.session import Session
from nbval.plugin import NbCellError
from zmq import ZMQError

WATCH_EVERY_S = 0.2
MAX_SEEN = 20_000
NOT_COMPARED = ("stderr", "text/plain", "text/html", "text/markdown", "image/png", "image/svg+xml")
COLOUR = re.compile("\x1b\\[[0-9;]*m")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare where the events go."""
    parser.addoption("--mini-letta-events", type=int, help="an open file descriptor")
    parser.addoption("--mini-letta-max-output", type=int, help="bytes that kernels may send in all")


def pytest_configure(config: pytest.Config) -> None:
    """Start telling, if somebody listens."""
    events = config.getoption("--mini-letta-events")
    if events is not None:
        teller = Teller(events)
        config.pluginmanager.register(teller)
        limit = config.getoption("--mini-letta-max-output")
        if limit is not None:
            teller.limit_output(limit)


class Teller:
    """Writes the events of one run."""

    def __init__(self, events: int) -> None:
        self.events = events
        self.running: Any = None

    def limit_output(self, limit: int) -> None:
        """End the run when kernels have sent more bytes; counted before anything is decoded."""
        split, sent = Session.feed_identities, 0

        def count(session: Any, parts: list[bytes], copy: bool = True) -> Any:
            nonlocal sent
            sent += sum(map(len, parts))
            if sent > limit and self.running is not None:
                self.end_run(self.running, f"More than {limit // 2**20} MiB of output.")
            return split(session, parts, copy)

        # The one place that every message passes before it is decoded; jupyter_client has no hook.
        Session.feed_identities = count  # type: ignore[method-assign, assignment]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell which cells there are, in the order they will run; nothing if that failed."""
        if session.testsfailed:
            return
        self.tell("collected", cells=[_identify(item) for item in session.items])

    def pytest_runtest_setup(self, item: Any) -> None:
        """Tell that a cell is about to run; with the first of a notebook its kernel starts."""
        self.running = item
        if item.parent.nb.metadata.get("mini_letta", {}).get("compare") == "stdout":
            item.parent.skip_compare = (*item.parent.skip_compare, *NOT_COMPARED)
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
            is_late = report.passed and item.parent.timed_out  # went on after its interrupt
            outcome = "not_run" if unreliable else "failed" if is_late else report.outcome
            detail = _explain(item, report.longreprtext) if report.failed else ""
            reason, said = ("timeout", "") if is_late else ("", "")
            if report.failed:
                reason, said = _reason(item, call)
            fate = {"outcome": outcome, "detail": detail, "time_s": call.duration}
            result = {"reason": reason, "said": said, "seen": _stdout(item)}
            self.tell("ended", **_identify(item), **fate, **result)
        return report

    def watch_kernel(self, item: Any, done: threading.Event) -> None:
        """End the run when the kernel's process is gone although the cell has not ended."""
        process = item.parent.kernel.km.provisioner.process
        while not done.wait(WATCH_EVERY_S):
            # After a timeout nbval itself stops the kernel.
            if process.poll() is not None and not item.parent.timed_out:
                code = process.returncode
                self.end_run(item, f"The kernel died in this cell (exit code {code}).")

    def end_run(self, item: Any, detail: str) -> None:
        """Tell that the kernel of a cell is done for, and end the process."""
        fate = {"outcome": "failed", "detail": detail, "time_s": 0.0}
        result = {"reason": "crashed", "said": detail, "seen": ""}
        self.tell("ended", **_identify(item), **fate, **result)
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


def _reason(item: Any, call: Any) -> tuple[str, str]:
    """Return why a cell failed: ``differs``, ``raised``, ``timeout``, ``crashed`` or ``trouble``.

    ``crashed`` is also a kernel that sends what cannot be read. ``trouble`` is nobody's answer: no
    kernel came up, or nbval gave up waiting for a message.
    """
    error = call.excinfo.value
    text = COLOUR.sub("", str(error))
    if call.when == "setup":
        return "trouble", text
    if text == "Kernel dead on test start":
        return "crashed", "The kernel had ended before this cell."
    if not isinstance(error, NbCellError):
        kind = type(error).__name__
        if isinstance(error, OSError | ZMQError):
            return "trouble", f"{kind}: {text}"[:MAX_SEEN]
        # Not its text: that is the kernel's, and may hold the source of a hidden check.
        return "crashed", f"The kernel sent what cannot be read ({kind})."
    if "waiting for output" in text:
        return "trouble", text
    if "Timeout of" in text:
        return "timeout", text
    raised = [out for out in item.test_outputs or [] if out.output_type == "error"]
    if raised:
        words = f"{raised[-1].get('ename')}: {raised[-1].get('evalue')}".split()
        return "raised", " ".join(words)[:MAX_SEEN]  # on one line, whatever the error says
    return "differs", ""


def _stdout(item: Any) -> str:
    """Return what a cell has printed, cut off where it is long."""
    outputs = item.test_outputs or []
    texts = [str(out.text) for out in outputs if out.get("name") == "stdout"]
    return "".join(texts)[:MAX_SEEN]


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
            texts.append(str(output["text"]))  # a kernel can send anything
        elif isinstance(output.get("data"), dict):
            texts += [f"{kind}: {text}" for kind, text in sorted(output["data"].items())]
        else:
            texts.append(f"{output.get('ename')}: {output.get('evalue')}")
    return [line for text in texts for line in text.splitlines()]

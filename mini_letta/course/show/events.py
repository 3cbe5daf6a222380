"""What happened in a turn, as messages from one party to another."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from mini_letta.prompt.conversation import is_update
from mini_letta.providers.plans import REFUSAL
from mini_letta.providers.protocol import Message, ToolCall
from mini_letta.transcript import list_untold
from mini_letta.turn import Turn

PARTIES = ("user", "model", "tools", "hook", "harness")
COMMITTED = re.compile(r"^\[.+ [0-9a-f]{7,64}\] ", flags=re.MULTILINE)  # as git reports a commit
# One command of a shell line; a cunning one gets past this, as it gets past the hook.
COMMIT = re.compile(r"\bgit\b[^;&|]*\bcommit\b(?:[^;&|]*\s(?P<past>--no-verify|-n)\b)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that one party tells another."""

    source: str
    """One of :data:`PARTIES`."""
    target: str
    """Another one."""
    text: str
    """What is told, in as many lines as it has; may hold anything."""
    label: str = ""
    """What kind of thing it is, a key of the words of ``trace.py``; empty if that is plain."""
    tone: str = "plain"
    """A key of ``svg.INK``."""
    max_lines: int = 1
    """Lines worth showing."""
    is_pending: bool = False
    """It is still to come, or did not take place."""


def list_events(turn: Turn, *, shown: Callable[[str], str] = str) -> list[Event]:
    """Return the events of a turn in order.

    What the hook said is read from what git printed. A commit that printed nothing (``-q``) and
    was not refused leaves no trace of it.

    Args:
        shown: applied to every text.
    """
    calls = {call.id: call for message in turn.messages for call in message.tool_calls}
    events = [event for message in turn.messages for event in _read_message(message, calls)]
    events += [
        Event(
            source="harness",
            target="model",
            text=text,
            label="untold",
            tone="bad",
            max_lines=3,
            is_pending=True,
        )
        for text in list_untold(turn)
    ]
    return [replace(event, text=shown(event.text)) for event in events]


def _read_message(message: Message, calls: Mapping[str, ToolCall]) -> Iterator[Event]:
    text = message.text
    if message.role == "user":
        yield Event(source="user", target="model", text=text, max_lines=3)
    elif message.role == "tool":
        call = calls.get(message.tool_call_id or "")
        if call:
            yield from _read_verdict(call, text)
        tone = "bad" if message.failed else "muted"
        yield Event(source="tools", target="model", text=text, tone=tone)
    elif is_update(message):
        yield Event(source="harness", target="model", text=text, label="update", tone="accent")
    elif message.role == "system":
        yield Event(
            source="harness", target="model", text=text, label="notice", tone="bad", max_lines=3
        )
    else:
        if text:
            yield Event(source="model", target="user", text=text, max_lines=3)
        for call in message.tool_calls:
            yield Event(source="model", target="tools", text=_describe_call(call))


def _describe_call(call: ToolCall) -> str:
    """Return the tool and what it is given, on one line."""
    given = call.arguments  # as the model wrote it, if that is no JSON object
    with suppress(ValueError, RecursionError):
        arguments = json.loads(call.arguments)
        if isinstance(arguments, dict):
            given = " | ".join(str(value) for value in arguments.values())
    return f"{call.name}: {given}".replace("\n", "\\n")


def _read_verdict(call: ToolCall, output: str) -> Iterator[Event]:
    """Yield what the hook said about a commit, or that it was not asked."""
    _, refused, rest = output.partition(REFUSAL)
    if refused:
        problems = rest.strip("\n").partition("\n\n")[0]
        yield Event(
            source="hook", target="tools", text=problems, label="refused", tone="bad", max_lines=3
        )
    elif COMMITTED.search(output) and (commit := COMMIT.search(call.arguments)):
        past = commit["past"] or ""
        yield Event(
            source="hook",
            target="tools",
            text=past,
            label="bypassed" if past else "passed",
            tone="warn" if past else "good",
            is_pending=bool(past),
        )

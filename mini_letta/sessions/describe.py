"""Sessions and their events as lines of text for a person.

Introduced in v0.4.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mini_letta.sessions.events import SURFACE, Event
from mini_letta.sessions.log import Log, SessionDamaged
from mini_letta.sessions.view import to_message

WIDTH = 72
"""Characters of an event's text on its line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One session in a list."""

    id: str
    """The file's name without its ending."""
    events: int
    """How many; 0 if the log cannot be read."""
    turns: int
    """How many turns were begun."""
    last: int | None
    """Milliseconds since the epoch of the newest event."""
    damage: str
    """Why it cannot be read; empty if it can."""


def list_sessions(folder: Path) -> list[Summary]:
    """Return what is in a folder of session logs, sorted by id; a damaged one is in it as well."""
    return [_summarise(path) for path in sorted(folder.glob("*.jsonl"))]


def describe_event(event: Event) -> str:
    """Return one line: what was said, or what the event records, shortened to :data:`WIDTH`.

    What would move the cursor or turn the writing around is shown as U+FFFD.
    """
    if event.type in SURFACE:
        text = " ".join(_words(event))
    else:
        text = json.dumps(event.data, ensure_ascii=False)
    line = "".join(
        letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split())
    )
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else "\ufffd"


def _words(event: Event) -> Iterator[str]:
    message = to_message(event)
    if event.plugin:
        yield f"[{event.plugin}]"
    yield message.text or ("" if message.tool_calls else "(empty)")
    for call in message.tool_calls:
        yield f"-> {call.name} {call.arguments}"


def _summarise(path: Path) -> Summary:
    log = Log(path)
    damage = ""
    try:
        log.read()
    except SessionDamaged as error:
        damage = str(error)
    events = [] if damage else log.fold.events
    return Summary(
        id=log.id,
        events=len(events),
        turns=sum(event.type == "turn/start" for event in events),
        last=events[-1].time if events else None,
        damage=damage,
    )

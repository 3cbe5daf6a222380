"""One event of a session log, and its line in the file.

Chapter 8, "A log, not a list". An event is never changed. What it does to the model's view is in
its marker: ``append`` puts it at the end, ``replace`` puts it in the place of others (see
``fold.py``). Source: the session events of DeepSeek Harness. Introduced in v0.4.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

FORMAT_VERSION = 1

USER = "user/message"
ASSISTANT = "assistant/message"
RESULT = "tool/result"
SURFACE = (USER, ASSISTANT, RESULT)
"""The only types the model can see; they carry a marker, every other type must not."""

VOCABULARY = (
    *SURFACE,
    *("session/start", "turn/start", "turn/end", "tool/call", "notice/raised"),
    *("prompt/compiled", "memory/shown", "compaction/start", "compaction/summary"),
    "compaction/end",
)
"""The types this program understands. Of another one it cannot know what it would miss."""

Data = Mapping[str, Any]
T = TypeVar("T")


class BadEvent(Exception):
    """A line is not an event; the text says why, and the reader of the file says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """A marker: this event takes the place of others."""

    start: int
    """seq of the first one, by its place in the model's view."""
    end: int
    """seq of the last one; may be the first one."""


Op = Literal["append"] | Replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a session."""

    seq: int
    """0, 1, 2, ... without gaps."""
    type: str
    """One of :data:`VOCABULARY`, or any other in an event marked ``ignorable``."""
    time: int
    """Milliseconds since the epoch."""
    data: Data
    """What happened; its keys depend on the type."""
    op: Op | None = None
    """The marker; None for a type the model never sees."""
    cites: tuple[int, ...] | None = None
    """seqs of earlier events this one is made from."""
    ignorable: bool = False
    """A reader that does not know the type may go on without it."""

    @property
    def plugin(self) -> str | None:
        """Which part of the harness worded a user message; None if a person did."""
        source = self.data.get("source", {}) if self.type == USER else {}
        return source.get("plugin") if source.get("kind") == "plugin" else None


def encode(event: Event) -> bytes:
    """Return the line of an event, newline included."""
    record: dict[str, Any] = {"seq": event.seq, "type": event.type, "time": event.time}
    if event.op == "append":
        record["surfaceOp"] = "append"
    elif event.op is not None:
        record["surfaceOp"] = {"op": "replace", "start": event.op.start, "end": event.op.end}
    if event.cites is not None:
        record["sourceEventSeqs"] = list(event.cites)
    if event.ignorable:
        record["ignorable"] = True
    record["data"] = event.data
    try:
        return json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half a character pair: escaped, it can be read again
        return json.dumps(record).encode("ascii") + b"\n"


def decode(line: bytes) -> Event:
    """Return the event of one line.

    Raises:
        BadEvent: no JSON, a key or value that no event has, or an unknown type that is not
            marked ``ignorable``.
    """
    try:
        record = json.loads(line.decode("utf-8"))
    # ValueError: no UTF-8, no JSON, a number too long; RecursionError: nested too deeply
    except (ValueError, RecursionError) as error:
        raise BadEvent(f"it is not JSON ({error})") from error
    if not isinstance(record, dict):
        raise BadEvent("it is not a JSON object")
    unknown = record.keys() - {*REQUIRED, "surfaceOp", "sourceEventSeqs", "ignorable"}
    missing = REQUIRED - record.keys()
    if unknown or missing:
        raise BadEvent(f"keys missing: {sorted(missing)}; not known: {sorted(unknown)}")
    event = Event(
        seq=_whole(record["seq"]),
        type=_expect(str, record["type"]),
        time=_whole(record["time"]),
        data=_expect(dict, record["data"]),
        op=_decode_op(record["surfaceOp"]) if "surfaceOp" in record else None,
        cites=_decode_cites(record["sourceEventSeqs"]) if "sourceEventSeqs" in record else None,
        ignorable=_expect(bool, record.get("ignorable", False)),
    )
    if event.type not in VOCABULARY and not event.ignorable:
        raise BadEvent(f"its type {event.type!r} is not known here; a newer program wrote it")
    _check_shape(event)
    return event


REQUIRED = frozenset({"seq", "type", "time", "data"})
# type -> key -> what its value has to be. Only what this program reads: more may be there.
SHAPES: Mapping[str, Mapping[str, type]] = {
    "session/start": {"version": int, "id": str},
    USER: {"source": dict, "content": list},
    ASSISTANT: {"content": list},
    RESULT: {"callId": str, "isError": bool, "content": list},
    "turn/end": {"reason": dict},
    "tool/call": {"id": str, "name": str, "arguments": str},
    "notice/raised": {"text": str},
    "prompt/compiled": {"system": str, "rawSha256": str, "renderingSha256": str},
    "memory/shown": {"renderingSha256": str},
    "compaction/end": {"id": str},
}
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "text": ("text",),
    "tool-call": ("id", "name", "arguments"),
}


def _check_shape(event: Event) -> None:
    for key, kind in SHAPES.get(event.type, {}).items():
        if not isinstance(event.data.get(key), kind):
            raise BadEvent(f"its data has no proper `{key}`")
    for block in event.data.get("content", ()) if event.type in SURFACE else ():
        known = isinstance(block, dict) and BLOCKS.get(str(block.get("type")))
        if not known or not all(isinstance(block.get(key), str) for key in known):
            raise BadEvent("its content has a block that is neither a text nor a tool call")
    revision = event.data.get("revision")
    if event.type in ("prompt/compiled", "memory/shown") and not isinstance(revision, str | None):
        raise BadEvent("its `revision` is no text")


def _decode_op(value: object) -> Op:
    if value == "append":
        return "append"
    if isinstance(value, dict) and value.keys() == {"op", "start", "end"}:  # noqa: SIM102
        if value["op"] == "replace":
            return Replace(start=_whole(value["start"]), end=_whole(value["end"]))
    raise BadEvent("its surfaceOp is neither append nor a replacement")


def _decode_cites(value: object) -> tuple[int, ...]:
    return tuple(_whole(seq) for seq in _expect(list, value))


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadEvent(f"{value!r} is no whole number from 0 on")
    return value


def _expect(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise BadEvent(f"{value!r} should be of type {kind.__name__}")
    return value

"""Compaction: the older part of a conversation makes room for a summary of it.

Chapter 8, "Compaction". The events stay in the log; a checkpoint takes their place in what the
model sees. A turn is never split, so a tool call keeps its result. Source: the compaction marker
of DeepSeek Harness. Introduced in v0.4.
"""

from dataclasses import dataclass

from mini_letta.errors import MiniLettaError
from mini_letta.providers.protocol import SUMMARY_REQUEST, Message, Provider
from mini_letta.sessions.events import USER, Event, Replace
from mini_letta.sessions.fold import Fold
from mini_letta.sessions.log import Log
from mini_letta.sessions.view import COMPACT, NOTICE, UPDATE, to_message

KEEP_TURNS = 2
"""How many of the newest turns stay as they are."""
CHECKPOINT = "Summary of the conversation before this point:"


class NoSummary(MiniLettaError):
    """The model did not answer with a summary; the conversation is as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What a compaction did."""

    checkpoint: Event
    """The message that stands for what was replaced."""
    replaced: tuple[int, ...]
    """seqs of the events the model saw before and does not see any more."""


def compact(log: Log, provider: Provider, *, system: str) -> Compaction | None:
    """Replace all but the newest turns by a summary; None if there is nothing to replace.

    Args:
        log: within its ``writing``.
        provider: writes the summary.
        system: the system prompt it is shown.

    Raises:
        NoSummary: the model called a tool or said nothing.
        SessionNotSaved: by name.
        Whatever the provider raises. The log then says that the compaction failed.
    """
    replaced = choose_range(log.fold)
    if not replaced:
        return None
    id = f"compaction-{len(log.fold.events)}"
    start = log.append("compaction/start", {"id": id, "replaces": list(replaced)})
    try:
        summary = _summarise([log.fold.events[seq] for seq in replaced], provider, system)
    except BaseException as error:
        log.append("compaction/end", {"id": id, "error": str(error) or type(error).__name__})
        raise
    stored = log.append("compaction/summary", {"id": id, "text": summary})
    checkpoint = log.append(
        USER,
        {
            "source": {"kind": "plugin", "plugin": COMPACT, "compaction": id},
            "content": [{"type": "text", "text": f"{CHECKPOINT}\n\n{summary}"}],
        },
        op=Replace(start=replaced[0], end=replaced[-1]),
        cites=(start.seq, stored.seq, *replaced),
    )
    log.append("compaction/end", {"id": id})
    return Compaction(checkpoint=checkpoint, replaced=replaced)


def choose_range(fold: Fold) -> tuple[int, ...]:
    """Return what may be replaced, in the model's order: all before the newest turns.

    Of two turns the newer one stays; a single turn stays whole. What the harness said to open a
    turn belongs to it.
    """
    seen = fold.current
    starts = [at for at, event in enumerate(seen) if event.type == USER and event.plugin is None]
    if len(starts) < 2:
        return ()
    cut = starts[-min(KEEP_TURNS, len(starts) - 1)]
    while seen[cut - 1].plugin in (NOTICE, UPDATE):
        cut -= 1
    return tuple(fold.nodes[:cut])


def _summarise(events: list[Event], provider: Provider, system: str) -> str:
    messages = [Message(role="system", text=system), *map(to_message, events)]
    reply = provider([*messages, Message(role="user", text=SUMMARY_REQUEST)], [])
    if reply.tool_calls or not reply.text.strip():
        raise NoSummary(
            "the model was asked for a summary and gave none. Nothing was replaced; try "
            "`mini-letta compact` again."
        )
    return reply.text.strip()

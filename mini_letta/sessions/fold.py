"""Which events the model sees, and in which order: the fold of a session log.

Chapter 8, "Current, shadowed, log-only". One function of the events decides both what the model
reads and what a search says of an event, so the two cannot drift apart. Source: the session
surface of DeepSeek Harness. Introduced in v0.4.
"""

from typing import Literal

from mini_letta.sessions.events import ASSISTANT, RESULT, SURFACE, Event, Replace

Label = Literal["current", "shadowed", "log-only"]


class InvalidSurface(Exception):
    """An event does not fit the ones before it. The fold is as it was without it."""


class Fold:
    """The events so far and what the model sees of them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        """All of them; an event's index is its seq."""
        self.nodes: list[int] = []
        """seqs of what the model sees, in its order."""
        self._shadowed: set[int] = set()

    def add(self, event: Event) -> None:
        """Take in the next event.

        Raises:
            InvalidSurface: it breaks a rule; nothing has changed.
        """
        if event.seq != len(self.events):
            raise InvalidSurface(f"its seq is {event.seq} where {len(self.events)} was expected")
        if (event.type in SURFACE) != (event.op is not None):
            raise InvalidSurface(f"{event.type} {'with' if event.op else 'without'} a surfaceOp")
        self._check_cites(event)
        if isinstance(event.op, Replace):
            self._replace(event, event.op)
        elif event.op == "append":
            self.nodes.append(event.seq)
        self.events.append(event)

    def labels(self) -> list[Label]:
        """Return what each event is to the model: seen, replaced by another one, or never seen."""
        current = set(self.nodes)
        return [
            "shadowed" if seq in self._shadowed else "current" if seq in current else "log-only"
            for seq in range(len(self.events))
        ]

    @property
    def current(self) -> list[Event]:
        """The events the model sees, in its order."""
        return [self.events[seq] for seq in self.nodes]

    def _check_cites(self, event: Event) -> None:
        cites = event.cites
        if cites is None:
            return
        if event.type not in SURFACE:
            raise InvalidSurface(f"{event.type} cites other events")
        if len(set(cites)) < len(cites) or any(seq >= event.seq for seq in cites):
            raise InvalidSurface("it cites an event twice, or one that is not before it")
        if not cites and event.type != ASSISTANT:
            raise InvalidSurface("its citations are empty")

    def _replace(self, event: Event, op: Replace) -> None:
        if op.start not in self.nodes or op.end not in self.nodes:
            raise InvalidSurface(f"it replaces {op.start}..{op.end}, which the model does not see")
        first, last = self.nodes.index(op.start), self.nodes.index(op.end)
        if first > last:
            raise InvalidSurface(f"it replaces {op.start}..{op.end}, which is in reverse order")
        removed = self.nodes[first : last + 1]
        if not set(removed) <= set(event.cites or ()):
            raise InvalidSurface("it does not cite everything that it replaces")
        if event.type == RESULT:
            self._check_rewritten_result(event, removed)
        self.nodes[first : last + 1] = [event.seq]
        self._shadowed.update(removed)

    def _check_rewritten_result(self, event: Event, removed: list[int]) -> None:
        """A tool result may be shortened in place; whose result it is stays."""
        old = self.events[removed[0]]
        is_same = old.type == RESULT and _all_but_content(old) == _all_but_content(event)
        if len(removed) > 1 or not is_same:
            raise InvalidSurface("a tool result can only replace the content of one tool result")


def _all_but_content(event: Event) -> dict[str, object]:
    return {key: value for key, value in event.data.items() if key != "content"}

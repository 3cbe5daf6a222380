"""A turn that is written down while it happens.

Chapter 8, "What a killed process leaves". Each thing said is on the disk before the next one is
done; a turn that could not end is ended by whoever comes next. Introduced in v0.4.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from mini_letta.harness import Notice, Record
from mini_letta.providers.protocol import Message
from mini_letta.session import Session
from mini_letta.sessions.compaction import Compaction, compact
from mini_letta.sessions.fold import Fold
from mini_letta.sessions.log import Log, SessionNotSaved
from mini_letta.sessions.resume import LoggedConversation, log_of, remove_old_updates
from mini_letta.sessions.view import NOTICE, to_data, to_message, view

COMPACT_ABOVE = 40_000
"""Characters of conversation above which it is compacted without being asked."""


@contextmanager
def take_turn_in_log(session: Session) -> Iterator[Record]:
    """Be alone in the conversation for one turn, caught up with what other processes said.

    Raises:
        SessionDamaged, SessionNotSaved: by name.
    """
    with _alone(session) as log:
        log.append("turn/start", {})
        try:
            yield lambda message: _record(log, message)
        except BaseException as error:
            with suppress(SessionNotSaved):  # the error is what matters; the next turn tidies up
                _end_turn(log, _reason(error))
            raise
        _end_turn(log, {"kind": "completed"})


def compact_conversation(session: Session) -> Compaction | None:
    """Compact between two turns; None if there is nothing to compact.

    Raises:
        As :func:`mini_letta.sessions.compaction.compact`, and SessionDamaged.
    """
    with _alone(session):
        return _compact(session)


@dataclass(frozen=True, slots=True)
class CompactAbove:
    """The step that compacts a conversation grown too long; a failure is told, not raised."""

    limit: int
    """Characters of all messages together."""

    @property
    def name(self) -> str:
        """What ``stages diff`` calls it."""
        return f"compact above {self.limit} characters"

    def __call__(self, session: Session) -> list[Notice]:
        """Compact if needed; the model needs no notice, it reads the checkpoint."""
        if sum(map(_size, session.conversation.messages)) > self.limit:
            try:
                _compact(session)
            except Exception as error:  # noqa: BLE001 (whatever a provider raises; the turn is done)
                session.tell(f"the conversation could not be compacted: {error}")
        return []


@contextmanager
def _alone(session: Session) -> Iterator[Log]:
    conversation = session.conversation
    log = log_of(conversation)
    with log.writing(clock=session.clock, tell=session.tell):
        if _is_open(log.fold):
            _end_turn(log, {"kind": "interrupted"})
        remove_old_updates(log)
        _adopt(conversation, log)
        yield log


def _compact(session: Session) -> Compaction | None:
    log = log_of(session.conversation)
    done = compact(log, session.provider, system=session.conversation.system or "")
    _adopt(session.conversation, log)
    if done:
        session.tell(f"{len(done.replaced)} messages were replaced by a summary")
    return done


def _adopt(conversation: object, log: Log) -> None:
    if isinstance(conversation, LoggedConversation):
        conversation.adopt(view(log.fold))


def _size(message: Message) -> int:
    return len(message.text) + sum(len(call.arguments) for call in message.tool_calls)


def _is_open(fold: Fold) -> bool:
    """Return whether the newest turn has no end."""
    ends = [event.type for event in fold.events if event.type in ("turn/start", "turn/end")]
    return ends[-1:] == ["turn/start"]


def _record(log: Log, message: Message) -> None:
    """Append one message of the turn, and each tool call in it before the tool is run."""
    is_notice = message.role == "system"
    raised = _raised(log.fold, message.text) if is_notice else ()
    type, data = to_data(message, plugin=NOTICE if is_notice else None)
    log.append(type, data, op="append", cites=raised or None)
    for call in message.tool_calls:
        log.append("tool/call", {"id": call.id, "name": call.name, "arguments": call.arguments})


def _end_turn(log: Log, reason: dict[str, str]) -> None:
    """Give every tool call without a result one that says so, then end the turn."""
    messages = [to_message(event) for event in log.fold.current]
    asked = [at for at, message in enumerate(messages) if message.tool_calls]
    for call in messages[asked[-1]].tool_calls if asked else ():
        if all(message.tool_call_id != call.id for message in messages[asked[-1] + 1 :]):
            text = "Interrupted: nobody knows whether this was carried out. Look before you repeat."
            result = Message(role="tool", text=text, tool_call_id=call.id, failed=True)
            log.append(*to_data(result), op="append")
    log.append("turn/end", {"reason": reason})


def _reason(error: BaseException) -> dict[str, str]:
    if isinstance(error, KeyboardInterrupt):
        return {"kind": "aborted"}
    return {"kind": "error", "message": str(error) or type(error).__name__}


def _raised(fold: Fold, text: str) -> tuple[int, ...]:
    """Return the seq of the oldest notice of this text that the model was not told, if any."""
    told = {seq for event in fold.events for seq in event.cites or ()}
    untold = (e for e in fold.events if e.type == "notice/raised" and e.seq not in told)
    return tuple(event.seq for event in untold if event.data["text"] == text)[:1]

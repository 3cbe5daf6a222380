"""A conversation whose truth is a session log: opened from it, and saved by appending.

Chapter 8, "Two processes, one conversation". Introduced in v0.4.
"""

from dataclasses import dataclass, fields
from pathlib import Path

from mini_letta.prompt.conversation import Conversation, is_update
from mini_letta.sessions.events import USER, Event, Replace
from mini_letta.sessions.log import Log
from mini_letta.sessions.view import UPDATE, to_data, view


@dataclass(slots=True, kw_only=True)
class LoggedConversation(Conversation):
    """A conversation, and the log it is derived from."""

    log: Log
    """Everything that happened; what the other fields say follows from it."""

    def adopt(self, derived: Conversation) -> None:
        """Become what ``derived`` says."""
        for field in fields(Conversation):
            setattr(self, field.name, getattr(derived, field.name))


def resume_conversation(path: Path) -> Conversation:
    """Return the conversation of the log at ``path``, new if there is none; writes nothing.

    Raises:
        SessionDamaged: by name.
    """
    log = Log(path)
    log.read()
    conversation = LoggedConversation(log=log)
    conversation.adopt(view(log.fold))
    return conversation


def log_of(conversation: Conversation) -> Log:
    """Return the log of a conversation that has one."""
    if not isinstance(conversation, LoggedConversation):
        raise TypeError("this conversation has no log; load it with `resume_conversation`")
    return conversation.log


def save_to_log(_path: Path, conversation: Conversation) -> None:
    """Append what the log does not say yet of prompt, memory shown and pending notices.

    What was said in a turn is recorded when it is said, not here.

    Raises:
        SessionNotSaved: by name.
    """
    log = log_of(conversation)
    if conversation.system not in (None, view(log.fold).system):
        log.append(
            "prompt/compiled",
            {
                "system": conversation.system,
                "rawSha256": conversation.raw_sha256,
                "revision": conversation.revision,
                "renderingSha256": conversation.rendering_sha256,
            },
        )
    remove_old_updates(log)
    known = view(log.fold)
    updates = [message for message in conversation.messages if is_update(message)]
    for update in updates[len([m for m in known.messages if is_update(m)]) :]:
        log.append(*to_data(update, plugin=UPDATE), op="append")
    # Last: a process killed before this announces the memory a second time, and never not at all.
    shown = (conversation.revision, conversation.rendering_sha256)
    if shown != (known.revision, known.rendering_sha256):
        data = {"revision": conversation.revision, "renderingSha256": shown[1]}
        log.append("memory/shown", data)
    for text in conversation.pending[len(known.pending) :]:
        log.append("notice/raised", {"text": text})


def remove_old_updates(log: Log) -> None:
    """Empty every memory update that the system prompt contains by now.

    An event cannot be removed from a log. It is replaced by an empty message, and an empty
    message is not sent.
    """
    compiled = max((e.seq for e in log.fold.events if e.type == "prompt/compiled"), default=0)
    for event in log.fold.current:
        if event.plugin == UPDATE and event.seq < compiled and event.data["content"]:
            _empty(log, event)


def _empty(log: Log, event: Event) -> None:
    data = {**event.data, "content": []}
    log.append(USER, data, op=Replace(start=event.seq, end=event.seq), cites=(event.seq,))

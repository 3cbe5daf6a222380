"""The path of one user message, top to bottom.

Chapter 6, "One turn". What differs between stages is behind the seams of ``harness.py``; this file
is the same in all of them. Introduced in v0.2.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from mini_letta.harness import Harness, Notice, Record, Step
from mini_letta.providers.protocol import Message, Reply, ToolCall
from mini_letta.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one user message led to."""

    reply: str
    """The model's last words."""
    messages: tuple[Message, ...]
    """All that was said, in order: memory updates, notices, the user, model and tools."""
    notices: tuple[Notice, ...]
    """What the steps before and after the turn reported, in order."""


def run_turn(harness: Harness, session: Session, user_text: str) -> Turn:
    """Carry one user message to its reply.

    If the provider fails, the conversation in memory is as it was before, and a notice that the
    model has not seen is delivered next time. A log keeps what had been said (v0.4).
    """
    with harness.take_turn(session) as record:
        return _carry_out(harness, session, user_text, record)


def _carry_out(harness: Harness, session: Session, user_text: str, record: Record) -> Turn:
    conversation = session.conversation

    # 1. Look around before anyone speaks. What is found is written down before it is told.
    early = _run_steps(harness.before_turn, session)
    conversation.pending += [notice.text for notice in early]

    # 2. The system prompt, and what has changed since the model last saw its memory.
    updates = harness.refresh_prompt(
        session.repo, conversation, session.raw_prompt, render=harness.render_memory
    )
    harness.save_conversation(session.conversation_file, conversation)
    _confirm(early)

    # 3. Notices nobody has told the model yet, then the user.
    said: list[Message] = []
    for text in conversation.pending:
        _say(record, said, Message(role="system", text=text))
    _say(record, said, Message(role="user", text=user_text))

    # 4. Model and tools take turns until the model asks for nothing more.
    _converse(harness, session, said, record)
    conversation.messages += said
    conversation.pending.clear()

    # 5. Look around again. What is found now is told at the start of the next turn, by whichever
    #    process runs it.
    late = _run_steps(harness.after_turn, session)
    conversation.pending += [notice.text for notice in late]
    harness.save_conversation(session.conversation_file, conversation)
    _confirm(late)

    return Turn(
        reply=said[-1].text,
        messages=(*updates, *said),
        notices=(*early, *late),
    )


def _run_steps(steps: Iterable[Step], session: Session) -> list[Notice]:
    return [notice for step in steps for notice in step(session)]


def _confirm(notices: Iterable[Notice]) -> None:
    for notice in notices:
        notice.stored()


def _converse(harness: Harness, session: Session, said: list[Message], record: Record) -> None:
    """Let model and tools talk; appends to ``said``, whose last entry is then the reply."""
    for _ in range(harness.max_steps):
        reply = _ask(harness, session, said)
        answer = Message(role="assistant", text=reply.text, tool_calls=reply.tool_calls)
        _say(record, said, answer)
        if not reply.tool_calls:
            return
        for call in reply.tool_calls:
            _say(record, said, _use_tool(harness, session, call))
    stop = Message(role="assistant", text=_explain_stop(harness.max_steps))
    _say(record, said, stop)


def _say(record: Record, said: list[Message], message: Message) -> None:
    """Add one message to the turn, and to what outlives the process."""
    record(message)
    said.append(message)


def _ask(harness: Harness, session: Session, said: list[Message]) -> Reply:
    system = Message(role="system", text=session.conversation.system or "")
    messages = [system, *session.conversation.messages, *said]
    return session.provider(messages, [tool.spec for tool in harness.tools])


def _use_tool(harness: Harness, session: Session, call: ToolCall) -> Message:
    result = harness.run_tool(harness.tools, session, call)
    return Message(role="tool", text=result.text, tool_call_id=call.id, failed=not result.ok)


def _explain_stop(max_steps: int) -> str:
    return (
        f"[mini-letta stopped this turn after {max_steps} replies that all asked for tools. What "
        "the tools did so far stands; nothing else was done. Say how to go on.]"
    )

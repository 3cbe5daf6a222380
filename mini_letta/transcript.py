"""One turn as plain text: what the model called, what came back, what it said."""

import json

from mini_letta.prompt.conversation import is_update
from mini_letta.providers.protocol import Message, ToolCall
from mini_letta.turn import Turn

INDENT = "   "


def describe_turn(turn: Turn) -> list[str]:
    """Return the lines of one turn in the order they happened, the user's words left out.

    A tool call is ``-> name {arguments}``, its result follows indented by three spaces, the
    model's words are behind ``mini-letta:``. Behind ``notice:`` is what the harness told the model;
    what it found after the model's last word is marked as still to be told. Of a memory update
    only the first line is shown; ``mini-letta prompt`` shows it whole.
    """
    lines = [line for message in turn.messages for line in _describe(message)]
    late = list_untold(turn)
    return lines + [line for text in late for line in _labelled("notice for the next turn: ", text)]


def list_untold(turn: Turn) -> list[str]:
    """Return the notices that came after the model's last word, for the next turn to tell."""
    told = {message.text for message in turn.messages}
    return [notice.text for notice in turn.notices if notice.text not in told]


def _describe(message: Message) -> list[str]:
    if message.role == "tool":
        return [(INDENT + line).rstrip() for line in message.text.splitlines()]
    if is_update(message):
        return [f"system: {_first_line(message.text)}"]
    if message.role == "system":
        return _labelled("notice: ", message.text)
    if message.role == "user":
        return []
    said = _labelled("mini-letta: ", message.text) if message.text else []
    return said + [f"-> {call.name} {_arguments(call)}" for call in message.tool_calls]


def _first_line(text: str) -> str:
    """Return the first line and how much more there is: a memory update holds the whole memory."""
    first, *rest = text.splitlines() or [""]
    return f"{first} ({len(rest)} more lines)" if rest else first


def _arguments(call: ToolCall) -> str:
    try:
        return json.dumps(json.loads(call.arguments), ensure_ascii=False)
    except (ValueError, RecursionError):
        return call.arguments  # the model's own bytes, malformed as they are


def _labelled(label: str, text: str) -> list[str]:
    first, *rest = text.splitlines() or [""]
    return [label + first, *((INDENT + line).rstrip() for line in rest)]

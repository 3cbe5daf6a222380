"""The words a harness and a model exchange.

Chapter 6, "One turn". A provider is a function from a conversation to one reply; it decides only
what to say and which tool to call. Introduced in v0.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

SUMMARY_REQUEST = (
    "Summarise the conversation above for yourself: you will go on with the summary alone. Keep "
    "what the user said and decided, what was done, and what is still open. Answer with the "
    "summary only, in the language of the conversation."
)
"""What the harness says, in the user's place, when it wants a summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One tool the model wants to use."""

    id: str
    """Unique within the turn; the result carries it back."""
    name: str
    """May name a tool that does not exist."""
    arguments: str
    """JSON text as the model wrote it; may be malformed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One entry of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    """Who speaks; the harness itself speaks as ``system``."""
    text: str
    """What is said; of a tool, its result."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Only from the assistant."""
    tool_call_id: str | None = None
    """Only from a tool: the call this answers."""
    failed: bool = False
    """Only from a tool: the call did not do what was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model answers: words, tool calls, or both. Without tool calls the turn ends."""

    text: str
    """May be empty."""
    tool_calls: tuple[ToolCall, ...] = ()
    """In the order they are to be carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    """Letters and underscores."""
    description: str
    """One or two sentences for the model."""
    parameters: Mapping[str, str]
    """Parameter name -> what it means. Each is a string and each is required."""


class Provider(Protocol):
    """Answers a conversation. ``messages[0]`` is the system prompt."""

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """Return the next reply."""
        ...

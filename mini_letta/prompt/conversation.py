"""What one conversation consists of, as the prompt and the turn share it.

Chapter 8, "When does a change reach the model?". Introduced in v0.2.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from mini_letta.git import Repo
from mini_letta.providers.protocol import Message

UPDATE_TAG = "<memory_update"


@dataclass(slots=True, kw_only=True)
class Conversation:
    """One conversation with one agent; the only record here that changes while it is used."""

    system: str | None = None
    """The system prompt as the model sees it. None until it was first compiled."""
    raw_sha256: str = ""
    """Which raw prompt ``system`` was compiled from."""
    revision: str | None = None
    """The commit of the memory the model was last shown; None for an empty repository."""
    rendering_sha256: str = ""
    """Which text of the memory the model was last shown."""
    messages: list[Message] = field(default_factory=list)
    """Everything after the system prompt, oldest first."""
    pending: list[str] = field(default_factory=list)
    """Notices that the model has not seen yet, oldest first."""


RenderMemory = Callable[[Repo, str | None], str]  # (repo, revision at HEAD or None) -> text


class RefreshPrompt(Protocol):
    """Brings a conversation up to date with the memory."""

    def __call__(
        self, repo: Repo, conversation: Conversation, raw_prompt: str, *, render: RenderMemory
    ) -> list[Message]:
        """Change ``conversation`` in place and return the messages added to it."""
        ...


def is_update(message: Message) -> bool:
    """Return whether the harness announced new memory with this message."""
    return message.role == "system" and message.text.startswith(UPDATE_TAG)


def start_conversation(_path: Path) -> Conversation:
    """Return a new conversation, whatever there was before.

    Introduced in v0.2. From v0.3 on the prompt and the notices are read from ``_path``.
    """
    return Conversation()


def forget_conversation(_path: Path, _conversation: Conversation) -> None:
    """Keep nothing: the conversation ends with the process. Introduced in v0.2."""

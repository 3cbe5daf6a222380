"""The seams: everything a stage may add to, append to or replace.

Chapter 6, "A harness is a record". A stage is the previous stage's record with a few fields
changed, so that ``stages diff`` can say in a few lines what a stage is. Introduced in v0.2.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from mini_letta.agents import Agent
from mini_letta.errors import MiniLettaError
from mini_letta.memory.hooks import Validator
from mini_letta.prompt.conversation import Conversation, RefreshPrompt, RenderMemory
from mini_letta.providers.protocol import Message, ToolCall
from mini_letta.session import Session
from mini_letta.tools import Tool, ToolResult

GROWING = ("tools", "commands", "before_turn", "after_turn")
"""Fields that a stage may only add to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the harness tells the model; a step can return nothing stronger."""

    text: str
    """Begins with its state in capitals, such as ``MEMORY INVALID``."""
    stored: Callable[[], None] = field(default=lambda: None, compare=False)
    """Called once the text is where the next process finds it: a crash before may repeat it."""


Record = Callable[[Message], None]
Step = Callable[[Session], list[Notice]]


class SeamError(MiniLettaError):
    """A stage used a verb it may not use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """One stage of the program."""

    tag: str
    """Such as ``v0.2``."""
    tools: tuple[Tool, ...]
    """What the agent can do, names unique."""
    commands: tuple[str, ...]
    """What the command line offers, such as ``memory check``."""
    before_turn: tuple[Step, ...] = ()
    """Run in order before the model hears the user."""
    after_turn: tuple[Step, ...] = ()
    """Run in order after the model's last word."""
    render_memory: RenderMemory
    """Which memory the model is shown: (repo, revision at HEAD) -> text."""
    refresh_prompt: RefreshPrompt
    """When it is shown, and how a change of it is told."""
    conversation_file: Callable[[Agent, str], Path]
    """Where a conversation of an agent is kept."""
    load_conversation: Callable[[Path], Conversation]
    """What an earlier process left in a file."""
    save_conversation: Callable[[Path, Conversation], None]
    """What is left for the next process."""
    take_turn: Callable[[Session], AbstractContextManager[Record]]
    """Surrounds a turn, and hands out what is told of each message when it is said."""
    validator: Validator
    """What the commit hook of a new memory is made of."""
    run_tool: Callable[[tuple[Tool, ...], Session, ToolCall], ToolResult]
    """Carries out one call of the model."""
    max_steps: int = 20
    """Replies of the model in one turn."""

    def with_(self, **seams: Any) -> "Harness":
        """Return a copy with the named seams replaced.

        Raises:
            SeamError: no such seam, or one that only grows.
        """
        for name in seams:
            if name in GROWING:
                raise SeamError(f"`{name}` only grows; use add_tools, add_commands or append_*.")
            if name not in SEAMS and name != "tag":
                raise SeamError(f"there is no seam `{name}`. Seams: {', '.join(SEAMS)}.")
        return replace(self, **seams)

    def add_tools(self, *tools: Tool) -> "Harness":
        """Return a copy with more tools; a name can be taken only once."""
        taken = {tool.name for tool in self.tools}
        for tool in tools:
            if tool.name in taken:
                raise SeamError(f"there is a tool `{tool.name}` already; give it another name.")
            taken.add(tool.name)
        return replace(self, tools=self.tools + tools)

    def add_commands(self, *commands: str) -> "Harness":
        """Return a copy with more commands."""
        return replace(self, commands=self.commands + commands)

    def append_before_turn(self, *steps: Step) -> "Harness":
        """Return a copy that runs more steps before the turn, after those there are."""
        return replace(self, before_turn=self.before_turn + steps)

    def append_after_turn(self, *steps: Step) -> "Harness":
        """Return a copy that runs more steps after the turn, after those there are."""
        return replace(self, after_turn=self.after_turn + steps)


SEAMS = tuple(f.name for f in fields(Harness) if f.name not in (*GROWING, "tag"))
"""Fields that a stage or a lab may replace."""

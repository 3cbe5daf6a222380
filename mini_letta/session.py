"""Who is talking: everything a turn, a tool or a step needs to know of its surroundings.

Chapter 6, "One turn". Introduced in v0.2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mini_letta.agents import DEFAULT_CONVERSATION, Agent, find_agent
from mini_letta.errors import MiniLettaError
from mini_letta.first_memory import RAW_PROMPT
from mini_letta.git import Repo, hermetic_environment
from mini_letta.memory.repo import open_memory
from mini_letta.prompt.conversation import Conversation, is_update
from mini_letta.providers.protocol import Provider

if TYPE_CHECKING:  # a harness names the session in the types of its seams
    from mini_letta.harness import Harness


class PromptUnreadable(MiniLettaError):
    """The agent's raw prompt is not text, or may not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One agent in one conversation; frozen but for the conversation itself."""

    agent: Agent
    """Whose memory it is."""
    repo: Repo
    """The memory repository, in a hermetic environment without a pinned date."""
    provider: Provider
    """Who answers."""
    env: Mapping[str, str]
    """The surrounding environment that processes of the agent start from."""
    clock: Callable[[], int]
    """Seconds since the epoch."""
    lang: str
    """``en`` or ``zh``."""
    raw_prompt: str
    """The agent's prompt with its placeholder."""
    conversation_id: str
    """Which of the agent's conversations."""
    conversation: Conversation
    """What was said, and what is still to be said."""
    conversation_file: Path
    """Where the conversation is kept, if the stage keeps it."""
    tell: Callable[[str], None]
    """Takes a line for the person, such as what had to be repaired or waited for."""


def open_session(
    harness: "Harness",
    *,
    home: Path,
    agent_id: str,
    provider: Provider,
    env: Mapping[str, str],
    clock: Callable[[], int],
    lang: str = "en",
    conversation_id: str = DEFAULT_CONVERSATION,
    tell: Callable[[str], None] = lambda _line: None,
) -> Session:
    """Open a conversation with an agent that exists; nothing is written.

    Raises:
        BadId, NoSuchAgent: by name.
        NotAMemory: the agent's memory folder is not a repository.
        ConversationUnreadable, SessionDamaged: what an earlier process stored is damaged.
    """
    agent = find_agent(home, agent_id)
    file = harness.conversation_file(agent, conversation_id)
    return Session(
        agent=agent,
        repo=open_memory(agent.memory_dir, hermetic_environment(env)),
        provider=provider,
        env=env,
        clock=clock,
        lang=lang,
        raw_prompt=_read_raw_prompt(agent.prompt_file),
        conversation_id=conversation_id,
        conversation=harness.load_conversation(file),
        conversation_file=file,
        tell=tell,
    )


def describe_prompt(harness: "Harness", session: Session, *, fresh: bool = False) -> str:
    """Return the system prompt as the next turn would send it, and change nothing.

    Args:
        harness: the stage.
        session: an open conversation.
        fresh: what a new conversation would get, instead of this one's stored prompt and the
            updates announced since.
    """
    known = Conversation() if fresh else harness.load_conversation(session.conversation_file)
    harness.refresh_prompt(session.repo, known, session.raw_prompt, render=harness.render_memory)
    updates = [message.text for message in known.messages if is_update(message)]
    texts = [known.system or "", *updates]
    return "\n\n".join(text.rstrip("\n") for text in texts) + "\n"


def _read_raw_prompt(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:  # removed, or its agent is being created this moment
        return RAW_PROMPT["en"]  # whoever asks, in whatever language: the bytes must not change
    except (OSError, UnicodeError) as error:
        raise PromptUnreadable(
            f"the agent's prompt {path} cannot be read ({error}). Put a UTF-8 text there, or "
            "remove it to get the standard one."
        ) from error

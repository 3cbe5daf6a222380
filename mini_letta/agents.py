"""Agents: a folder each, with a memory repository and the prompt around it.

Layout under the home: ``agents/<id>/memory`` (git), ``agents/<id>/prompt.md`` (the raw prompt with
its placeholder), ``agents/<id>/conversations/`` and, from v0.4 on, ``sessions/``. Chapter 5,
"Where memory lives". Introduced in v0.2.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mini_letta.errors import MiniLettaError
from mini_letta.first_memory import FIRST_MEMORY, RAW_PROMPT
from mini_letta.git import hermetic_environment
from mini_letta.memory.hooks import WHOLE_TREE, Validator
from mini_letta.memory.repo import MemoryExists, create_memory

DEFAULT_CONVERSATION = "main"
ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class BadId(MiniLettaError):
    """An id that could not be a folder's name everywhere."""

    exit_code = 2


class AgentExists(MiniLettaError):
    """There is an agent of this id already."""

    exit_code = 2


class NoSuchAgent(MiniLettaError):
    """There is no agent of this id."""

    exit_code = 2


class HomeUnusable(MiniLettaError):
    """The home folder cannot be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent on disk."""

    id: str
    """Unique within its home."""
    dir: Path
    """The agent's own folder."""

    @property
    def memory_dir(self) -> Path:
        """The main checkout of its memory repository."""
        return self.dir / "memory"

    @property
    def prompt_file(self) -> Path:
        """The raw prompt, a text with ``{CORE_MEMORY}`` in it; a person may edit it."""
        return self.dir / "prompt.md"

    def conversation_file(self, conversation_id: str) -> Path:
        """Return where a conversation is kept; it need not exist."""
        return self.dir / "conversations" / f"{check_id(conversation_id)}.json"

    def session_log(self, conversation_id: str) -> Path:
        """Return where the log of a conversation is kept; it need not exist.

        Neither id has a dot in it, so the two cannot be mistaken for another pair.
        """
        name = f"{self.id}.{check_id(conversation_id)}.jsonl"
        return self.dir.parent.parent / "sessions" / name


def check_id(id: str) -> str:
    """Return ``id``, or raise BadId if it may not name an agent or a conversation."""
    if not ID_PATTERN.fullmatch(id):
        raise BadId(
            f"{id!r} cannot be an id. Use 1 to 64 letters, digits, `-` and `_`, a letter or digit "
            "first."
        )
    return id


def create_agent(
    home: Path,
    agent_id: str,
    *,
    env: Mapping[str, str],
    clock: Callable[[], int],
    lang: str = "en",
    validator: Validator = WHOLE_TREE,
) -> Agent:
    """Create an agent with a first memory.

    Its memory appears in one step, and with it the agent: of two that do so at once one succeeds.
    ``clock`` (seconds since the epoch) dates the first commit; ``lang`` is ``en`` or ``zh``;
    ``validator`` is what the hook of the memory is made of.
    Raises BadId, AgentExists or HomeUnusable.
    """
    agent = Agent(id=agent_id, dir=home / "agents" / check_id(agent_id))
    env = hermetic_environment(env, now=clock())
    try:
        create_memory(agent.memory_dir, env, files=FIRST_MEMORY[lang], validator=validator)
        agent.prompt_file.write_text(RAW_PROMPT[lang], encoding="utf-8", newline="\n")
    except MemoryExists as error:
        raise AgentExists(
            f"there is an agent {agent.id} already: {agent.dir}. Choose another id, or talk to it "
            f"with `mini-letta --agent {agent.id} say TEXT`."
        ) from error
    except OSError as error:
        raise HomeUnusable(
            f"cannot create agents in {home}: {error.strerror or error}. Choose another folder "
            "with --home, or make this one writable."
        ) from error
    return agent


def find_agent(home: Path, agent_id: str) -> Agent:
    """Return the agent of this id.

    Raises:
        BadId, NoSuchAgent: by name.
    """
    agent = Agent(id=agent_id, dir=home / "agents" / check_id(agent_id))
    if not agent.memory_dir.exists():
        raise NoSuchAgent(
            f"there is no agent {agent_id} in {home}. Create it with "
            f"`mini-letta agent create {agent_id}`."
        )
    return agent


def list_agents(home: Path) -> list[Agent]:
    """Return the agents of this home, sorted by id; none if the home does not exist."""
    dir = home / "agents"
    ids = sorted(entry.name for entry in dir.iterdir()) if dir.is_dir() else []
    agents = [Agent(id=id, dir=dir / id) for id in ids if ID_PATTERN.fullmatch(id)]
    return [agent for agent in agents if agent.memory_dir.exists()]

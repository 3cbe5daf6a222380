"""What every command is handed: where, who, as of which stage, and how to answer."""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mini_letta.cli.options import DEFAULT_AGENT
from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.agents import Agent
    from mini_letta.git import Repo
    from mini_letta.harness import Harness
    from mini_letta.session import Session

# Commands about the course or about the stages themselves: the same at every stage.
ALWAYS = frozenset({"stages", "pitfalls", "doctor", "course", "notebooks", "labs", "grade", "tour"})


class UsageError(MiniLettaError):
    """The command has to be worded differently."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One call of the command line, with everything it may know of the outside."""

    home: Path
    """Folder the agents live in; need not exist yet."""
    tag: str
    """Stage to act as, such as ``v1.0``; not yet known to exist."""
    agent_id: str
    """As typed; not yet checked."""
    lang: str
    """``en`` or ``zh``."""
    json: bool
    """Answer with one JSON value instead of text."""
    env: Mapping[str, str]
    """The process environment, untouched."""
    cwd: Path
    """Working directory, which relative arguments refer to."""

    def harness(self) -> "Harness":
        """Return the harness of the chosen stage."""
        from mini_letta import stages

        require_tag(self.tag)
        harness: Harness = stages.load(self.tag).HARNESS
        return harness

    def require_command(self, command: str) -> None:
        """Refuse a command that the chosen stage does not have yet, naming the stage that does."""
        from mini_letta import stages

        require_tag(self.tag)
        if command.partition(" ")[0] in ALWAYS or command in self.harness().commands:
            return
        arrives = [tag for tag in stages.TAGS if command in stages.load(tag).HARNESS.commands]
        where = f"it arrives in {arrives[0]}" if arrives else "no stage has it yet"
        hint = f" Try `mini-letta --at {arrives[0]} {command}`." if arrives else ""
        raise UsageError(f"{self.tag} has no command `{command}`: {where}.{hint}")

    def agent_env(self) -> dict[str, str]:
        """Return the environment git runs in for this call, once git is known to be good enough."""
        from mini_letta.cli.requirements import require_git
        from mini_letta.git import hermetic_environment

        require_git(self.env)
        return hermetic_environment(self.env)

    def repo(self, dir: Path) -> "Repo":
        """Return the git repository at ``dir``.

        Raises:
            MiniLettaError: git is missing or too old, or ``dir`` is not the top of a repository.
        """
        from mini_letta.memory.repo import open_memory

        return open_memory(dir, self.agent_env())

    def named_repo(self, dir: str) -> "Repo":
        """Return the repository at a folder that the user named."""
        path = self.cwd / dir
        if not dir or not path.is_dir():
            raise UsageError(f"{dir!r} is not a folder. Name the top folder of a git repository.")
        return self.repo(path)

    def memory(self, dir: str | None) -> "Repo":
        """Return the repository at ``dir``, or the agent's own memory for None."""
        if dir is not None:
            return self.named_repo(dir)
        from mini_letta.agents import find_agent

        return self.repo(find_agent(self.home, self.agent_id).memory_dir)

    def create_agent(self, agent_id: str) -> "Agent":
        """Create an agent of this home."""
        from mini_letta import agents

        env = self.agent_env()
        return agents.create_agent(
            self.home,
            agent_id,
            env=env,
            clock=clock,
            lang=self.lang,
            validator=self.harness().validator,
        )

    def ensure_agent(self) -> "Agent":
        """Return the agent; create the default one when there is none, saying so."""
        from mini_letta import agents

        if self.agent_id == DEFAULT_AGENT:
            with suppress(agents.AgentExists):
                created = self.create_agent(DEFAULT_AGENT)
                print(f"created agent {created.id} in {created.dir}", file=sys.stderr)
        return agents.find_agent(self.home, self.agent_id)

    def open_session(self, conversation_id: str) -> "Session":
        """Return a conversation with the agent, in which the mock answers.

        Says on standard error when its memory is in the middle of a merge or the like, and later
        what the conversation had to wait for or to repair.
        """
        from mini_letta import session
        from mini_letta.providers.mock import MockModel

        self.ensure_agent()
        opened = session.open_session(
            self.harness(),
            home=self.home,
            agent_id=self.agent_id,
            provider=MockModel(),
            env=self.agent_env(),
            clock=clock,
            lang=self.lang,
            conversation_id=conversation_id,
            tell=say_aside,
        )
        self.warn_unfinished(opened.repo)
        return opened

    def warn_unfinished(self, repo: "Repo") -> None:
        """Say on standard error when git is in the middle of something in this checkout."""
        from mini_letta.memory.unfinished import describe_unfinished

        for line in describe_unfinished(repo):
            say_aside(line)

    def report(self, data: Any, lines: Iterable[str]) -> None:
        """Print ``data`` as JSON if asked for, else ``lines`` one below the other."""
        if self.json:
            print(json.dumps(data, ensure_ascii=False, indent=2))
            return
        for line in lines:
            print(line)


def say_aside(line: str) -> None:
    """Print a line for the person on standard error, apart from what was asked for."""
    print(f"mini-letta: {line}", file=sys.stderr, flush=True)


def clock() -> int:
    """Return the wall clock in seconds since the epoch."""
    return int(time.time())


def build_context(args: Namespace, *, env: Mapping[str, str], cwd: Path) -> Context:
    """Return the context of one parsed call."""
    return Context(
        home=_home(args.home, env=env, cwd=cwd),
        tag=args.at,
        agent_id=args.agent,
        lang=args.lang or language_of_locale(env),
        json=args.json,
        env=env,
        cwd=cwd,
    )


def require_tag(tag: str) -> None:
    """Raise a usage error unless ``tag`` names a stage."""
    from mini_letta import stages

    if tag not in stages.TAGS:
        raise UsageError(f"there is no stage {tag!r}. Stages: {', '.join(stages.TAGS)}.")


def language_of_locale(env: Mapping[str, str]) -> str:
    """Return ``zh`` for a Chinese locale and ``en`` for every other."""
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def _home(option: str | None, *, env: Mapping[str, str], cwd: Path) -> Path:
    if option == "":
        raise UsageError("--home is empty. Name a folder, or leave the option out.")
    named = option or env.get("MINI_LETTA_HOME")
    if named:
        return cwd / os.path.expanduser(named)
    if not env.get("HOME"):
        raise UsageError("HOME is not set. Say where the agents live with --home DIR.")
    return Path(env["HOME"]) / ".mini-letta"

"""What every command is handed: where, who, as of which stage, and how to answer."""

import json
import os
from argparse import Namespace
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.git import Repo
    from mini_letta.harness import Harness

# Commands about the course or about the stages themselves: the same at every stage.
ALWAYS = frozenset({"stages", "pitfalls", "doctor", "course", "notebooks"})


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
        if command.split()[0] in ALWAYS or command in self.harness().commands:
            return
        arrives = [tag for tag in stages.TAGS if command in stages.load(tag).HARNESS.commands]
        where = f"it arrives in {arrives[0]}" if arrives else "no stage has it yet"
        hint = f" Try `mini-letta --at {arrives[0]} {command}`." if arrives else ""
        raise UsageError(f"{self.tag} has no command `{command}`: {where}.{hint}")

    def repo(self, dir: Path) -> "Repo":
        """Return the git repository at ``dir`` in the hermetic environment.

        Raises:
            UsageError: there is no such folder.
            MiniLettaError: git is missing or too old, or the folder is not a repository.
        """
        from mini_letta.cli.requirements import require_git
        from mini_letta.git import hermetic_environment
        from mini_letta.memory.repo import open_memory

        if not dir.is_dir():
            raise UsageError(f"{dir} is not a folder. Name a git repository.")
        require_git(self.env)
        return open_memory(dir, hermetic_environment(self.env))

    def report(self, data: Any, lines: Iterable[str]) -> None:
        """Print ``data`` as JSON if asked for, else ``lines`` one below the other."""
        if self.json:
            print(json.dumps(data, ensure_ascii=False, indent=2))
            return
        for line in lines:
            print(line)


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

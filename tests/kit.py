"""One agent, one stage, one conversation: what the tests of turn, tools and prompt share."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from mini_letta import v1_0
from mini_letta.agents import create_agent
from mini_letta.harness import Harness
from mini_letta.providers.mock import MockModel
from mini_letta.providers.protocol import Provider, Reply, ToolCall
from mini_letta.session import Session, open_session

NOW = 1767225600
GOOD = "---\nname: Human\ndescription: You\n---\n- {}\n"
MISSING = "human.md: missing frontmatter (must start with ---)"


def open_agent(
    home: Path,
    env: Mapping[str, str],
    *,
    harness: Harness = v1_0.HARNESS,
    provider: Provider | None = None,
    lang: str = "en",
    clock: Callable[[], int] = lambda: NOW,
    tell: Callable[[str], None] = lambda _line: None,
) -> Session:
    """Open the conversation of agent ``a`` as a new process would, creating the agent if needed."""
    if not (home / "agents" / "a").exists():
        create_agent(home, "a", env=env, clock=clock, lang=lang)
    return open_session(
        harness,
        home=home,
        agent_id="a",
        provider=provider or MockModel(),
        env=env,
        clock=clock,
        lang=lang,
        tell=tell,
    )


def commit(session: Session, files: Mapping[str, str], *options: str) -> str:
    """Write files, commit exactly them and return the new HEAD."""
    for path, text in files.items():
        file = session.repo.dir / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    session.repo.run("add", "--", *files)
    session.repo.run("commit", "--quiet", "-m", "change", *options)
    return session.repo.run("rev-parse", "HEAD").text


def bypass(session: Session, text: str = "BYPASSED\n") -> str:
    """Commit a human.md that the hook would refuse, and return the new HEAD."""
    return commit(session, {"human.md": text}, "--no-verify")


def call(name: str, *, id: str = "1", **arguments: str) -> ToolCall:
    """Return a tool call with proper arguments."""
    return ToolCall(id=id, name=name, arguments=json.dumps(arguments))


def calling(name: str, **arguments: str) -> Reply:
    """Return a reply that asks for one tool."""
    return Reply(text="", tool_calls=(call(name, **arguments),))

"""Opening a conversation: cheap, and clear about what is wrong."""

from pathlib import Path

import pytest

from mini_letta import v0_2, v0_3, v1_0
from mini_letta.agents import BadId, NoSuchAgent
from mini_letta.first_memory import RAW_PROMPT
from mini_letta.memory.repo import NotAMemory
from mini_letta.providers.mock import MockModel
from mini_letta.session import PromptUnreadable, describe_prompt, open_session
from mini_letta.turn import run_turn
from tests.kit import GOOD, NOW, commit, open_agent

Env = dict[str, str]


def test_opening_writes_nothing(home: Path, env: Env) -> None:
    """A conversation leaves no trace before its first turn."""
    open_agent(home, env)
    assert not (home / "agents" / "a" / "conversations").exists()


def test_an_unknown_agent_is_not_created(home: Path, env: Env) -> None:
    """Talking to nobody is an error."""
    with pytest.raises(NoSuchAgent):
        open_session(
            v1_0.HARNESS, home=home, agent_id="x", provider=MockModel(), env=env, clock=lambda: NOW
        )


def test_a_conversation_id_is_a_plain_name(home: Path, env: Env) -> None:
    """It becomes a file name, so it may not lead elsewhere."""
    open_agent(home, env)
    with pytest.raises(BadId):
        open_session(
            v1_0.HARNESS,
            home=home,
            agent_id="a",
            provider=MockModel(),
            env=env,
            clock=lambda: NOW,
            conversation_id="../../b",
        )


def test_a_memory_that_lost_its_repository_is_named(home: Path, env: Env) -> None:
    """The harness does not go on with whatever repository lies around it."""
    session = open_agent(home, env)
    session.repo.run("init", "--quiet", str(home))
    (session.repo.dir / ".git").rename(home / "kept")
    with pytest.raises(NotAMemory, match="is not the top of a git repository"):
        open_agent(home, env)


def test_the_standard_prompt_stands_in_for_a_missing_one(home: Path, env: Env) -> None:
    """Removing prompt.md gives one standard prompt, whatever language the caller speaks."""
    open_agent(home, env).agent.prompt_file.unlink()
    prompts = {open_agent(home, env, lang=lang).raw_prompt for lang in ("en", "zh")}
    assert prompts == {RAW_PROMPT["en"]}


def test_a_prompt_that_is_not_text_is_named(home: Path, env: Env) -> None:
    """The error names the file and what to do."""
    open_agent(home, env).agent.prompt_file.write_bytes(b"\xff")
    with pytest.raises(PromptUnreadable, match=r"prompt\.md cannot be read"):
        open_agent(home, env)


def test_an_uncommitted_edit_is_in_the_prompt_of_v0_2_alone(home: Path, env: Env) -> None:
    """v0.2 reads the folder, later stages read HEAD."""
    session = open_agent(home, env)
    (session.repo.dir / "human.md").write_text("SPOILED")
    stages = (v0_2.HARNESS, v0_3.HARNESS, v1_0.HARNESS)
    assert ["SPOILED" in describe_prompt(h, open_agent(home, env, harness=h)) for h in stages] == [
        True,
        False,
        False,
    ]


def test_showing_the_prompt_changes_nothing(home: Path, env: Env) -> None:
    """The stored prompt with its updates, or what a new conversation would get."""
    session = open_agent(home, env)
    run_turn(v1_0.HARNESS, session, "ping")
    stored = session.conversation_file.read_bytes()
    commit(session, {"human.md": GOOD.format("new")})
    shown = describe_prompt(v1_0.HARNESS, session)
    assert (shown.count("<memory_update"), shown.count("- new")) == (1, 1)
    fresh = describe_prompt(v1_0.HARNESS, session, fresh=True)
    assert (fresh.count("<memory_update"), fresh.count("- new")) == (0, 1)
    assert session.conversation_file.read_bytes() == stored

"""Scenario S9: a prompt that keeps its bytes, and the message that tells of newer memory."""

from pathlib import Path

from mini_letta import v1_0
from mini_letta.logged_turn import compact_conversation
from mini_letta.providers.mock import Scripted
from mini_letta.providers.protocol import Message
from mini_letta.turn import run_turn
from tests.kit import GOOD, commit, open_agent

Env = dict[str, str]
NOTE = "---\nname: N\ndescription: D\n---\n{}\n"


def hear(home: Path, env: Env, text: str = "hello") -> list[Message]:
    """Run one turn in a process of its own and return what the model was shown."""
    model = Scripted(["ok"])
    run_turn(v1_0.HARNESS, open_agent(home, env, provider=model), text)
    return list(model.seen[0])


def updates(messages: list[Message]) -> list[str]:
    return [m.text for m in messages if m.text.startswith("<memory_update")]


def test_a_commit_leaves_the_prompt_and_is_announced_once(home: Path, env: Env) -> None:
    """The system prompt keeps its bytes; one update names the revision and stays visible."""
    first = hear(home, env)
    head = commit(open_agent(home, env), {"human.md": GOOD.format("likes tabs")})
    second, third = hear(home, env), hear(home, env)
    assert first[0] == second[0] == third[0]
    assert updates(first) == []
    assert updates(second) == updates(third)
    (update,) = updates(second)
    assert update.startswith(f'<memory_update revision="{head}">\n')
    assert "- likes tabs" in update


def test_an_update_comes_after_everything_said_before(home: Path, env: Env) -> None:
    """Within one process it follows the earlier turn and precedes the user."""
    model = Scripted(["one", "two"])
    session = open_agent(home, env, provider=model)
    run_turn(v1_0.HARNESS, session, "first")
    commit(session, {"human.md": GOOD.format("new")})
    turn = run_turn(v1_0.HARNESS, session, "second")
    assert [m.role for m in model.seen[1]] == ["system", "user", "assistant", "system", "user"]
    assert turn.messages[0].text.startswith("<memory_update")


def test_a_commit_that_shows_the_same_memory_is_not_announced(home: Path, env: Env) -> None:
    """A change of a deferred file does not change what the prompt shows."""
    commit(open_agent(home, env), {"work/MEMORY.md": "# Work\n", "work/x.md": NOTE.format(1)})
    hear(home, env)
    commit(open_agent(home, env), {"work/x.md": NOTE.format(2)})
    assert updates(hear(home, env)) == []


def test_memory_that_goes_back_is_announced_again(home: Path, env: Env) -> None:
    """The model was last shown something else, so it is told."""
    session = open_agent(home, env)
    old = (session.repo.dir / "human.md").read_text()
    hear(home, env)
    for text in (GOOD.format("new"), old):
        commit(session, {"human.md": text})
        shown = updates(hear(home, env))
    assert len(shown) == 2


def test_an_uncommitted_edit_changes_nothing(home: Path, env: Env) -> None:
    """Neither the prompt nor a message speaks of it."""
    first = hear(home, env)
    (open_agent(home, env).repo.dir / "human.md").write_text("SPOILED")
    second = hear(home, env)
    assert (second[0], updates(second)) == (first[0], [])


def test_a_full_compile_takes_the_updates_in(home: Path, env: Env) -> None:
    """Afterwards the prompt itself has the new text and nothing more is announced."""
    hear(home, env)
    session = open_agent(home, env)
    commit(session, {"human.md": GOOD.format("likes tabs")})
    hear(home, env)
    assert compact_conversation(open_agent(home, env)) is not None
    messages = hear(home, env)
    assert updates(messages) == []
    assert "- likes tabs" in messages[0].text


def test_a_new_raw_prompt_is_a_full_compile(home: Path, env: Env) -> None:
    """When a person edits prompt.md the next turn has it, with the newest memory inside."""
    hear(home, env)
    session = open_agent(home, env)
    commit(session, {"human.md": GOOD.format("likes tabs")})
    session.agent.prompt_file.write_text("NEW {CORE_MEMORY}")
    messages = hear(home, env)
    assert messages[0].text.startswith("NEW <human>")
    assert updates(messages) == []

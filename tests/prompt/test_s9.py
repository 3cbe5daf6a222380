"""S9, the prompt cache: a scenario from real reports, told as one story."""

from collections.abc import Sequence
from pathlib import Path

from mini_letta.logged_turn import compact_conversation
from mini_letta.providers.protocol import Message, Reply, ToolSpec
from mini_letta.turn import run_turn
from mini_letta.v1_0 import HARNESS
from tests.kit import GOOD, commit, open_agent


class Listener:
    """A provider that says nothing of interest and remembers what it was sent."""

    def __init__(self) -> None:
        self.heard: list[list[Message]] = []

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        self.heard.append(list(messages))
        return Reply(text="Yes.")

    @property
    def system(self) -> str:
        """The system prompt of the last call."""
        return self.heard[-1][0].text

    @property
    def updates(self) -> list[str]:
        """The memory updates of the last call, in order."""
        return [m.text for m in self.heard[-1][1:] if m.text.startswith("<memory_update")]


def test_s9_the_prompt_keeps_its_bytes(home: Path, env: dict[str, str]) -> None:
    """A commit reaches the model once, after all it heard before, and stays until a recompile."""
    model = Listener()
    session = open_agent(home, env, harness=HARNESS, provider=model)
    run_turn(HARNESS, session, "ping")
    prompt = model.system
    session.repo.dir.joinpath("persona.md").write_text(GOOD.format("uncommitted"))
    run_turn(HARNESS, session, "ping")
    assert (model.system, model.updates) == (prompt, [])

    session.repo.run("checkout", "--quiet", "--", ".")
    revision = commit(session, {"human.md": GOOD.format("Likes oolong.")})
    run_turn(HARNESS, session, "ping")
    assert model.system == prompt
    assert len(model.updates) == 1
    assert revision in model.updates[0]
    assert "Likes oolong." in model.updates[0]
    earlier, last_user = model.heard[-2], model.heard[-1][-1]
    assert model.heard[-1][: len(earlier)] == earlier  # nothing before it has moved
    assert (last_user.role, last_user.text) == ("user", "ping")

    run_turn(HARNESS, session, "ping")
    assert (model.system, len(model.updates)) == (prompt, 1)

    assert compact_conversation(session) is not None
    run_turn(HARNESS, session, "ping")
    assert "Likes oolong." in model.system
    assert model.updates == []


def test_s9_another_process_sends_the_same_bytes(home: Path, env: dict[str, str]) -> None:
    """Prompt and update are stored, so the next process continues where this one stopped."""
    model = Listener()
    session = open_agent(home, env, harness=HARNESS, provider=model)
    run_turn(HARNESS, session, "ping")
    prompt = model.system
    commit(session, {"human.md": GOOD.format("Likes oolong.")})
    run_turn(HARNESS, open_agent(home, env, harness=HARNESS, provider=model), "ping")
    assert (model.system, len(model.updates)) == (prompt, 1)
    run_turn(HARNESS, open_agent(home, env, harness=HARNESS, provider=model), "ping")
    assert (model.system, len(model.updates)) == (prompt, 1)


def test_s9_a_deferred_file_is_not_announced(home: Path, env: dict[str, str]) -> None:
    """Only its index is in the prompt, so a change of its text changes nothing the model sees."""
    model = Listener()
    session = open_agent(home, env, harness=HARNESS, provider=model)
    commit(session, {"notes/MEMORY.md": "# Notes\n", "notes/x.md": GOOD.format("one")})
    run_turn(HARNESS, session, "ping")
    prompt = model.system
    commit(session, {"notes/x.md": GOOD.format("two")})
    run_turn(HARNESS, session, "ping")
    assert (model.system, model.updates) == (prompt, [])

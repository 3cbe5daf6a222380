"""A turn: what the model is shown, what comes back, and what is never lost."""

from pathlib import Path

import pytest

from mini_letta import v0_2, v0_3, v1_0
from mini_letta.harness import Harness, Notice
from mini_letta.providers.mock import MockModel, Scripted, ScriptExhausted
from mini_letta.session import Session
from mini_letta.turn import run_turn
from tests.kit import MISSING, bypass, calling, commit, open_agent

Env = dict[str, str]


def test_a_turn_goes_from_the_user_to_the_reply(home: Path, env: Env) -> None:
    """System prompt first, then what was said; the reply is the model's last word."""
    model = Scripted(["Good day."])
    turn = run_turn(v1_0.HARNESS, open_agent(home, env, provider=model), "hello")
    assert [(m.role, m.text) for m in turn.messages] == [
        ("user", "hello"),
        ("assistant", "Good day."),
    ]
    assert turn.reply == "Good day."
    assert [m.role for m in model.seen[0]] == ["system", "user"]


def test_the_model_reads_what_its_tools_return(home: Path, env: Env) -> None:
    """The result of a tool is the last thing the model sees before it goes on."""
    model = Scripted([calling("shell", command="echo 7"), "seven"])
    run_turn(v1_0.HARNESS, open_agent(home, env, provider=model), "count")
    assert (model.seen[1][-1].role, model.seen[1][-1].text) == ("tool", "7")
    assert model.seen[1][-1].tool_call_id == "1"


def test_earlier_turns_stay_in_the_conversation(home: Path, env: Env) -> None:
    """The second turn shows the model the first one."""
    model = Scripted(["one", "two"])
    session = open_agent(home, env, provider=model)
    run_turn(v1_0.HARNESS, session, "first")
    run_turn(v1_0.HARNESS, session, "second")
    assert [m.text for m in model.seen[1][1:]] == ["first", "one", "second"]


def test_a_model_that_never_stops_is_stopped(home: Path, env: Env) -> None:
    """After `max_steps` replies the turn ends and says so."""
    harness = v1_0.HARNESS.with_(max_steps=3)
    session = open_agent(home, env, provider=MockModel("never_stops"))
    turn = run_turn(harness, session, "go")
    assert turn.reply.startswith("[mini-letta stopped this turn after 3 replies")
    assert [m.role for m in turn.messages].count("tool") == 3


def test_a_failing_provider_leaves_the_conversation_as_it_was(home: Path, env: Env) -> None:
    """Nothing of the turn is half kept."""
    session = open_agent(home, env, provider=Scripted([calling("shell", command="true")]))
    with pytest.raises(ScriptExhausted):
        run_turn(v1_0.HARNESS, session, "hello")
    assert session.conversation.messages == []


def test_a_notice_survives_a_failing_provider(home: Path, env: Env) -> None:
    """What the model could not be told is told by the next process."""
    broken = open_agent(home, env, provider=Scripted([]))
    bypass(broken)
    with pytest.raises(ScriptExhausted):
        run_turn(v1_0.HARNESS, broken, "hello")
    model = Scripted(["ok"])
    run_turn(v1_0.HARNESS, open_agent(home, env, provider=model), "hello")
    assert any(MISSING in message.text for message in model.seen[0])


def test_a_bypass_within_a_turn_reaches_the_model_in_the_next_process(home: Path, env: Env) -> None:
    """The audit at the end of a turn speaks to whoever runs the next one, once."""
    turn = run_turn(
        v1_0.HARNESS, open_agent(home, env, provider=MockModel("no_verify")), "remember x"
    )
    assert [n.text.splitlines()[2] for n in turn.notices] == [f"  {MISSING}"]
    told = []
    for _ in range(2):
        model = Scripted(["ok"])
        run_turn(v1_0.HARNESS, open_agent(home, env, provider=model), "hello")
        told.append(sum("MEMORY INVALID" in m.text for m in model.seen[0]))
    assert told == [1, 1]  # the second process reads it in what was said before


@pytest.mark.parametrize("stage", [v0_2.HARNESS, v0_3.HARNESS], ids=["v0.2", "v0.3"])
def test_before_v1_0_a_bypass_goes_unreported(home: Path, env: Env, stage: Harness) -> None:
    """A commit made with --no-verify reaches the next turn without a notice."""
    session = open_agent(home, env, harness=stage)
    bypass(session)
    assert run_turn(stage, session, "ping").notices == ()


def test_a_commit_between_two_turns_is_reported_once(home: Path, env: Env) -> None:
    """Whoever moved HEAD, the start of the next turn tells, and a fixing commit ends it."""
    session = open_agent(home, env)
    good = (session.repo.dir / "human.md").read_text()
    head = bypass(session)
    first = run_turn(v1_0.HARNESS, session, "ping")
    assert [head[:7] in n.text and MISSING in n.text for n in first.notices] == [True]
    assert run_turn(v1_0.HARNESS, session, "ping").notices == ()
    commit(session, {"human.md": good})
    assert run_turn(v1_0.HARNESS, session, "ping").notices == ()


def test_steps_run_in_order_around_the_model(home: Path, env: Env) -> None:
    """Steps before the turn are heard in it, steps after the turn in the next."""

    def early(_session: Session) -> list[Notice]:
        return [Notice(text="EARLY")]

    def late(_session: Session) -> list[Notice]:
        return [Notice(text="LATE")]

    model = Scripted(["one", "two"])
    session = open_agent(home, env, provider=model)
    harness = v0_3.HARNESS.append_before_turn(early).append_after_turn(late)
    run_turn(harness, session, "a")
    run_turn(harness, session, "b")
    assert [m.text for m in model.seen[1][1:]] == ["EARLY", "a", "one", "LATE", "EARLY", "b"]


def test_turn_py_is_read_in_five_minutes() -> None:
    """The file that explains a turn keeps to its length."""
    source = Path(run_turn.__code__.co_filename).read_text()
    assert len(source.splitlines()) <= 120

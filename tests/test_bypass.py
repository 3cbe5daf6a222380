"""S10 through whole turns: what the model is told about commits that passed no hook."""

from pathlib import Path

import pytest

from mini_letta.providers.mock import Scripted
from mini_letta.providers.protocol import Reply
from mini_letta.turn import Turn, run_turn
from mini_letta.v1_0 import HARNESS
from tests.kit import GOOD, MISSING, bypass, calling, commit, open_agent


def reports(turn: Turn) -> list[str]:
    """Return the notices of a turn about invalid memory."""
    return [n.text for n in turn.notices if n.text.startswith("MEMORY INVALID")]


def test_s10_the_next_turn_tells_the_model_once(home: Path, env: dict[str, str]) -> None:
    """File, reason and request reach the model at the start of the next turn, once."""
    session = open_agent(home, env, provider=Scripted([Reply(text="ok")] * 3))
    run_turn(HARNESS, session, "ping")
    bypass(session)
    turn = run_turn(HARNESS, session, "ping")
    (notice,) = reports(turn)
    assert MISSING in notice
    assert "fixing commit" in notice
    assert [m.text for m in turn.messages if m.role == "system"][-1] == notice
    assert reports(run_turn(HARNESS, session, "ping")) == []


def test_s10_the_fix_in_the_same_turn_silences_the_report(home: Path, env: dict[str, str]) -> None:
    """The agent repairs with an ordinary commit; the audit after the turn is content."""
    fix = calling("write_file", path="human.md", content=GOOD.format("tea"))
    commit_it = calling("shell", command="git add -- human.md && git commit -q -m fix")
    replies = [fix, commit_it, Reply(text="done"), Reply(text="ok")]
    session = open_agent(home, env, provider=Scripted(replies))
    bypass(session)
    assert len(reports(run_turn(HARNESS, session, "ping"))) == 1
    assert session.repo.run("status", "--porcelain").text == ""
    assert reports(run_turn(HARNESS, session, "ping")) == []


def test_s10_a_bypass_by_the_agent_is_told_in_the_next_process(
    home: Path, env: dict[str, str]
) -> None:
    """Found after the turn, it is delivered at the start of the next one, whoever runs it."""
    bad = calling("write_file", path="human.md", content="BYPASSED\n")
    sneak = calling("shell", command="git commit -qam sneaky --no-verify")
    session = open_agent(home, env, provider=Scripted([bad, sneak, Reply(text="done")]))
    assert len(reports(run_turn(HARNESS, session, "ping"))) == 1
    other = open_agent(home, env, provider=Scripted([Reply(text="ok")]))
    turn = run_turn(HARNESS, other, "ping")
    assert reports(turn) == []
    told = [m.text for m in turn.messages if m.text.startswith("MEMORY INVALID")]
    assert len(told) == 1
    assert MISSING in told[0]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_s10_a_new_memory_is_never_reported(home: Path, env: dict[str, str], lang: str) -> None:
    """What create wrote is valid by all rules, in both languages."""
    session = open_agent(home, env, lang=lang)
    turn = run_turn(HARNESS, session, "ping")
    assert turn.notices == ()
    commit(session, {"notes.md": GOOD.format("x")})
    assert run_turn(HARNESS, session, "ping").notices == ()

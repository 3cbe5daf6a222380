"""Turns that are written down: resumed, interrupted, shared by two processes, compacted."""

import multiprocessing
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from mini_letta.logged_turn import CompactAbove, compact_conversation
from mini_letta.providers.mock import MockModel, Scripted, ScriptExhausted
from mini_letta.providers.protocol import SUMMARY_REQUEST, Message, Reply, ToolSpec
from mini_letta.session import Session
from mini_letta.sessions.compaction import NoSummary
from mini_letta.sessions.log import Log
from mini_letta.turn import run_turn
from mini_letta.v0_4 import HARNESS
from tests.kit import GOOD, calling, commit, open_agent

Env = dict[str, str]


class Listener:
    """The mock, and what it was shown at each call."""

    def __init__(self) -> None:
        self.heard: list[list[Message]] = []
        self._model = MockModel()

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        self.heard.append(list(messages))
        return self._model(messages, tools)

    @property
    def last(self) -> list[tuple[str, str]]:
        """Role and text of what it was shown last, the system prompt left out."""
        return [(m.role, m.text) for m in self.heard[-1][1:]]


def log_of(session: Session) -> Log:
    """Return the log as a new process reads it."""
    log = Log(session.conversation_file)
    log.read()
    return log


def say(home: Path, env: Env, *said: str) -> Listener:
    """Run turns in a new process each, and return what their model heard."""
    ear = Listener()
    for text in said:
        run_turn(HARNESS, open_agent(home, env, harness=HARNESS, provider=ear), text)
    return ear


def test_another_process_goes_on_with_the_conversation(home: Path, env: Env) -> None:
    """What was said, called and returned is shown to the model again, in order."""
    ear = say(home, env, "remember I like tea", "ping")
    roles = [role for role, _ in ear.last]
    assert roles == ["user", *["assistant", "tool"] * 3, "assistant", "system", "user"]
    assert ear.last[0] == ("user", "remember I like tea")
    calls = [call.name for message in ear.heard[-1] for call in message.tool_calls]
    assert calls == ["read_file", "write_file", "shell"]


def test_two_conversations_do_not_hear_each_other(home: Path, env: Env) -> None:
    """Each has a log of its own."""
    say(home, env, "my cat is called Ada")
    main = open_agent(home, env, harness=HARNESS)
    assert main.conversation_file == home / "sessions" / "a.main.jsonl"
    other = main.agent.session_log("other")
    assert HARNESS.load_conversation(other).messages == []


def test_each_thing_is_on_the_disk_before_the_next_one_is_done(home: Path, env: Env) -> None:
    """While a tool runs, the log says what the user asked and that the tool was called."""
    session = open_agent(
        home, env, harness=HARNESS, provider=Scripted([calling("shell", command="true"), "ok"])
    )
    seen: list[str] = []

    def look(*arguments: object) -> object:
        seen.extend(event.type for event in log_of(session).fold.events)
        return HARNESS.run_tool(*arguments)  # type: ignore[arg-type]

    run_turn(HARNESS.with_(run_tool=look), session, "go")
    assert seen[-3:] == ["user/message", "assistant/message", "tool/call"]


def test_a_failing_provider_leaves_what_was_said_in_the_log(home: Path, env: Env) -> None:
    """The turn ends with the reason; the next one goes on after it."""
    broken = open_agent(
        home, env, harness=HARNESS, provider=Scripted([calling("shell", command="echo 7")])
    )
    with pytest.raises(ScriptExhausted):
        run_turn(HARNESS, broken, "count")
    end = log_of(broken).fold.events[-1]
    assert (end.type, end.data["reason"]["kind"]) == ("turn/end", "error")
    ear = say(home, env, "ping")
    assert ear.last == [("user", "count"), ("assistant", ""), ("tool", "7"), ("user", "ping")]


def test_an_interrupt_ends_the_turn_and_answers_the_open_call(home: Path, env: Env) -> None:
    """A tool call without a result would be refused by every real endpoint."""

    def interrupt(*_arguments: object) -> object:
        raise KeyboardInterrupt

    model = Scripted([calling("shell", command="true")])
    session = open_agent(home, env, harness=HARNESS, provider=model)
    with pytest.raises(KeyboardInterrupt):
        run_turn(HARNESS.with_(run_tool=interrupt), session, "go")
    *_, result, end = log_of(session).fold.events
    assert (result.type, result.data["callId"], result.data["isError"]) == (
        "tool/result",
        "1",
        True,
    )
    assert end.data == {"reason": {"kind": "aborted"}}


def die_in_a_tool(home: Path, env: Env) -> None:
    """Run a turn whose tool kills this process."""
    command = "kill -9 $PPID"
    model = Scripted([calling("shell", command=command), "not reached"])
    run_turn(HARNESS, open_agent(home, env, harness=HARNESS, provider=model), "go")


def test_a_killed_turn_is_ended_by_the_next_process(home: Path, env: Env) -> None:
    """Its open call gets a result that says that nobody knows, and nothing said is lost."""
    open_agent(home, env)
    job = multiprocessing.get_context("spawn").Process(target=die_in_a_tool, args=(home, env))
    job.start()
    job.join()
    assert job.exitcode == -signal.SIGKILL
    ear = say(home, env, "ping")
    assert [role for role, _ in ear.last] == ["user", "assistant", "tool", "user"]
    assert ear.last[2][1].startswith("Interrupted: nobody knows whether this was carried out.")
    ends = [e.data["reason"]["kind"] for e in ear_log(home).fold.events if e.type == "turn/end"]
    assert ends == ["interrupted", "completed"]


def ear_log(home: Path) -> Log:
    """Return the log of the main conversation."""
    log = Log(home / "sessions" / "a.main.jsonl")
    log.read()
    return log


def talk(home: Path, env: Env, name: str, number: int) -> None:
    """Say something many times, in one process that stays."""
    session = open_agent(home, env, harness=HARNESS)
    for at in range(number):
        run_turn(HARNESS, session, f"{name} {at}")


def test_two_processes_in_one_conversation_take_turns(home: Path, env: Env) -> None:
    """Turns are not mixed, and each process hears what the other one said."""
    open_agent(home, env)
    context = multiprocessing.get_context("spawn")
    jobs = [context.Process(target=talk, args=(home, env, name, 5)) for name in ("one", "two")]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0, 0]
    marks = [e.type for e in ear_log(home).fold.events if e.type.startswith("turn/")]
    assert marks == ["turn/start", "turn/end"] * 10
    assert [role for role, _ in say(home, env, "ping").last] == [
        *["user", "assistant"] * 10,
        "user",
    ]


def test_who_has_to_wait_is_told_so(home: Path, env: Env) -> None:
    """A second process that finds the conversation taken says what it waits for."""
    taken = open_agent(home, env, harness=HARNESS)
    with HARNESS.take_turn(taken):
        job = multiprocessing.get_context("spawn").Process(
            target=report_waiting, args=(home, env, home / "told")
        )
        job.start()
        while not (home / "told").exists():
            job.join(0.05)
            assert job.is_alive()
    job.join()
    told = (home / "told").read_text()
    assert told == "another process is talking in this conversation; waiting for its turn to end"


def report_waiting(home: Path, env: Env, told: Path) -> None:
    """Run a turn and leave what the person was told in a file."""
    log = Log(home / "sessions" / "a.main.jsonl")

    def tell(line: str) -> None:
        told.write_text(line)

    with log.writing(clock=lambda: 0, tell=tell):
        pass


def test_compaction_replaces_older_turns_by_a_summary(home: Path, env: Env) -> None:
    """The model reads the summary, then the two newest turns; the log keeps everything."""
    say(home, env, "my cat is called Ada", "second", "third")
    done = compact_conversation(open_agent(home, env, harness=HARNESS))
    assert done is not None
    ear = say(home, env, "ping")
    assert [role for role, _ in ear.last] == ["user", *["user", "assistant"] * 2, "user"]
    assert "- my cat is called Ada" in ear.last[0][1]
    assert ear.last[0][1].startswith("Summary of the conversation before this point:")
    labels = ear_log(home).fold.labels()
    assert [labels[seq] for seq in done.replaced] == ["shadowed", "shadowed"]


def test_a_second_compaction_keeps_what_the_first_one_said(home: Path, env: Env) -> None:
    """A summary of a summary still has the cat in it."""
    say(home, env, "my cat is called Ada", "second", "third")
    compact_conversation(open_agent(home, env, harness=HARNESS))
    say(home, env, "fourth", "fifth")
    compact_conversation(open_agent(home, env, harness=HARNESS))
    first = say(home, env, "ping").last[0][1]
    assert first.splitlines()[-3:] == ["- my cat is called Ada", "- second", "- third"]


def test_the_tool_calls_of_a_turn_stay_with_their_results(home: Path, env: Env) -> None:
    """What is replaced ends where a turn ends."""
    say(home, env, "remember a", "remember b", "remember c")
    done = compact_conversation(open_agent(home, env, harness=HARNESS))
    assert done is not None
    events = ear_log(home).fold.events
    replaced = [events[seq].type for seq in done.replaced]
    assert replaced == ["user/message", *["assistant/message", "tool/result"] * 3, replaced[-1]]
    assert replaced[-1] == "assistant/message"


def test_a_single_turn_is_not_compacted(home: Path, env: Env) -> None:
    """There is nothing older than the newest turn."""
    say(home, env, "ping")
    assert compact_conversation(open_agent(home, env, harness=HARNESS)) is None


@pytest.mark.parametrize("answer", ["", "  ", calling("shell", command="true")], ids=repr)
def test_a_model_without_a_summary_changes_nothing(
    home: Path, env: Env, answer: Reply | str
) -> None:
    """The log says that a compaction failed; the model sees what it saw before."""
    before = say(home, env, "one", "two").last
    with pytest.raises(NoSummary):
        compact_conversation(open_agent(home, env, harness=HARNESS, provider=Scripted([answer])))
    assert ear_log(home).fold.events[-1].data["error"].startswith("the model was asked")
    assert say(home, env, "three").last[: len(before)] == before


def test_after_a_compaction_the_prompt_has_the_newest_memory(home: Path, env: Env) -> None:
    """It is compiled anew, and the updates it contains are not sent again."""
    say(home, env, "one", "two")
    commit(open_agent(home, env), {"human.md": GOOD.format("likes tabs")})
    before = say(home, env, "three")
    assert "likes tabs" not in before.heard[-1][0].text
    compact_conversation(open_agent(home, env, harness=HARNESS))
    after = say(home, env, "ping")
    assert "likes tabs" in after.heard[-1][0].text
    assert not any(text.startswith("<memory_update") for _, text in after.last)


def test_a_long_conversation_is_compacted_by_itself(home: Path, env: Env) -> None:
    """The step after the turn looks at the size; the person is told."""
    told: list[str] = []
    harness = HARNESS.append_after_turn(CompactAbove(200))
    session = open_agent(home, env, harness=harness, provider=Listener(), tell=told.append)
    for text in ("x" * 50, "y" * 50, "z" * 50):
        run_turn(harness, session, text)
    assert told[0] == "2 messages were replaced by a summary"
    assert session.conversation.messages[0].text.startswith("Summary of the conversation")


def test_a_compaction_that_fails_does_not_undo_the_turn(home: Path, env: Env) -> None:
    """The reply is given, and the person is told what did not work."""

    def fails_to_summarise(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        if messages[-1].text == SUMMARY_REQUEST:
            raise ConnectionError("the line is dead")
        return Reply(text="ok")

    told: list[str] = []
    harness = HARNESS.append_after_turn(CompactAbove(0))
    session = open_agent(home, env, harness=harness, provider=fails_to_summarise, tell=told.append)
    replies = [run_turn(harness, session, text).reply for text in ("one", "two")]
    assert (replies, told) == (
        ["ok", "ok"],
        ["the conversation could not be compacted: the line is dead"],
    )

"""A session log under SIGKILL: whatever was acknowledged is there, and the next process goes on."""

import multiprocessing
import random
import signal
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from mini_letta.providers.protocol import Message
from mini_letta.sessions.events import USER
from mini_letta.sessions.log import Log
from tests.conftest import NOW
from tests.kit import open_agent
from tests.sessions.test_log import said, texts, write
from tests.sessions.test_turns import ear_log, say, talk


def append_and_acknowledge(path: Path, acknowledged: Connection) -> None:
    """Append events of many sizes for ever, and say after each that it is on the disk."""
    log = Log(path)
    sizes = random.Random(7)
    with log.writing(clock=lambda: NOW, tell=print):
        while True:
            log.append(USER, said("x" * sizes.choice([1, 100, 5_000, 300_000])), op="append")
            acknowledged.send(log.fold.events[-1].seq)


def kill_a_writer(path: Path, *, after: int) -> None:
    """Kill a writer at some moment behind its ``after``-th acknowledgement, and look at the log."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe(duplex=False)
    job = context.Process(target=append_and_acknowledge, args=(path, theirs))
    job.start()
    seq = [mine.recv() for _ in range(after)][-1]
    job.kill()
    job.join()
    assert job.exitcode == -signal.SIGKILL
    log = Log(path)
    log.read()
    assert len(log.fold.events) > seq
    before = len(texts(path))
    write(path, "after the crash")
    assert texts(path)[before:] == ["after the crash"]


@pytest.mark.parametrize("after", [1, 4, 9])
def test_what_a_killed_writer_acknowledged_is_there(tmp_path: Path, after: int) -> None:
    """The next writer continues behind it."""
    kill_a_writer(tmp_path / "a.main.jsonl", after=after)


@pytest.mark.long
def test_a_log_survives_many_kills(tmp_path: Path) -> None:
    """The same file again and again, at moments drawn from a seed."""
    moments = random.Random(1)
    for _ in range(40):
        kill_a_writer(tmp_path / "a.main.jsonl", after=moments.randint(1, 6))


def test_a_log_cut_anywhere_is_a_log_of_fewer_events(tmp_path: Path) -> None:
    """Whichever byte was the last to reach the disk, all whole lines stand and writing goes on."""
    whole = tmp_path / "whole.jsonl"
    write(whole, "one", "zwei 二", "three")
    content = whole.read_bytes()
    for cut in range(len(content) + 1):
        path = tmp_path / f"{cut}.jsonl"
        path.write_bytes(content[:cut])
        log = Log(path)
        log.read()
        lines = content[:cut].count(b"\n")
        assert len(log.fold.events) == lines
        write(path, "next")
        assert texts(path)[-1] == "next"


def test_every_beginning_of_a_log_is_a_conversation(tmp_path: Path, env: dict[str, str]) -> None:
    """A process killed between any two events leaves something that can be gone on with."""
    home = tmp_path / "home"
    say(home, env, "remember a", "ping")
    events = ear_log(home).fold.events
    path = home / "sessions/a.main.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    for event in events:
        path.write_bytes(b"".join(lines[: event.seq + 1]))
        heard = say(home, env, "go on").heard[-1]
        said_before = [e for e in events[: event.seq + 1] if e.type == USER and not e.plugin]
        assert sum(message.role == "user" for message in heard) == len(said_before) + 1
        assert every_call_has_a_result(heard)


def every_call_has_a_result(messages: list[Message]) -> bool:
    """Do as many results as calls follow each message that calls tools?"""
    calls = sum(len(message.tool_calls) for message in messages)
    return calls == sum(message.role == "tool" for message in messages)


@pytest.mark.long
def test_a_conversation_survives_kills_at_random_moments(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """Whole turns are never lost, every call has a result, and the next turn just works."""
    home = tmp_path / "home"
    open_agent(home, env)
    moments = random.Random(2)
    for _ in range(15):
        job = multiprocessing.get_context("spawn").Process(target=talk, args=(home, env, "x", 50))
        job.start()
        job.join(0.5 + moments.random())
        job.kill()
        job.join()
        before = [e for e in ear_log(home).fold.events if e.type == "turn/end"]
        assert every_call_has_a_result(say(home, env, "ping").heard[-1])
        after = [e for e in ear_log(home).fold.events if e.type == "turn/end"]
        assert after[: len(before)] == before

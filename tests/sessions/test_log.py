"""The file of a session: what is read, repaired, refused and never lost."""

import multiprocessing
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta.sessions.events import USER, BadEvent, Event, Replace, decode, encode
from mini_letta.sessions.log import Log, SessionDamaged, SessionNotSaved
from tests.conftest import NOW

Told = list[str]


def said(text: str) -> dict[str, object]:
    """Return the data of a user message."""
    return {"source": {"kind": "user"}, "content": [{"type": "text", "text": text}]}


def write(path: Path, *texts: str, told: Told | None = None) -> Log:
    """Append user messages as one process would, and return its log."""
    log = Log(path)
    tell = (told if told is not None else []).append
    with log.writing(clock=lambda: NOW, tell=tell):
        for text in texts:
            log.append(USER, said(text), op="append")
    return log


def texts(path: Path) -> list[str]:
    """Return what a new process reads."""
    log = Log(path)
    log.read()
    return [event.data["content"][0]["text"] for event in log.fold.current]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The place of a log that does not exist."""
    return tmp_path / "sessions" / "a.main.jsonl"


def test_a_log_begins_with_its_version_and_counts_from_zero(path: Path) -> None:
    """The first line says what the file is; time is in milliseconds."""
    log = write(path, "one", "two")
    assert [event.seq for event in log.fold.events] == [0, 1, 2]
    assert log.fold.events[0].data == {"version": 1, "id": "a.main"}
    assert log.fold.events[0].time == NOW * 1000


def test_what_one_process_wrote_another_one_reads(path: Path) -> None:
    """Appending goes on where the file ends."""
    write(path, "one")
    write(path, "two")
    assert texts(path) == ["one", "two"]


def test_a_log_that_does_not_exist_is_empty_and_is_not_made_by_reading(path: Path) -> None:
    """Looking writes nothing."""
    assert texts(path) == []
    assert not path.parent.exists()


def test_only_the_owner_can_read_a_log(path: Path) -> None:
    """What was said is nobody else's business."""
    write(path, "one")
    assert path.stat().st_mode & 0o077 == 0


def test_words_can_be_read_with_any_pager(path: Path) -> None:
    """Chinese stays Chinese in the file."""
    write(path, "记住我")
    assert "记住我" in path.read_text(encoding="utf-8")


def test_half_a_character_pair_survives(path: Path) -> None:
    """Text that is not valid Unicode comes back as it was."""
    write(path, "\ud83d")
    assert texts(path) == ["\ud83d"]


@pytest.mark.parametrize("torn", [b"{", b'{"seq": 2, "type": "turn/st', b"\xff\xfe", b"garbage"])
def test_a_torn_last_line_is_set_aside_and_reported(path: Path, torn: bytes) -> None:
    """Everything before it stands, the bytes are kept, and the writer goes on."""
    write(path, "one")
    with path.open("ab") as file:
        file.write(torn)
    assert texts(path) == ["one"]
    told: Told = []
    write(path, "two", told=told)
    assert texts(path) == ["one", "two"]
    assert path.with_name("a.main.jsonl.torn").read_bytes() == torn + b"\n"
    assert f"was not finished ({len(torn)} bytes)" in told[0]


def test_a_line_that_only_lacks_its_end_is_kept(path: Path) -> None:
    """An editor may have taken the last newline away; the event itself is whole."""
    write(path, "one")
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    told: Told = []
    write(path, "two", told=told)
    assert (texts(path), told) == (["one", "two"], [])


def damage(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """Write three messages, change the lines of the file, and return its bytes."""
    write(path, "one", "two", "three")
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    return path.read_bytes()


DAMAGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "a gap": (lambda lines: [*lines[:2], lines[3]], "line 3: its seq is 3 where 2 was expected"),
    "a line twice": (
        lambda lines: [*lines[:3], *lines[2:]],
        "line 4: its seq is 2 where 3 was expected",
    ),
    "a torn line in the middle": (
        lambda lines: [*lines[:2], b"{\n", lines[3]],
        "line 3: it is not JSON",
    ),
    "an empty line": (lambda lines: [*lines[:2], b"\n", *lines[2:]], "line 3: it is not JSON"),
    "no beginning": (lambda lines: lines[1:], "line 1: its seq is 1 where 0 was expected"),
    "a newer format": (
        lambda lines: [lines[0].replace(b'"version": 1', b'"version": 2'), *lines[1:]],
        "line 1: a log begins with a session/start of version 1",
    ),
    "an unknown type": (
        lambda lines: [*lines[:3], lines[3].replace(b"user/message", b"future/type")],
        "line 4: its type 'future/type' is not known here",
    ),
    "a message without a marker": (
        lambda lines: [*lines[:3], lines[3].replace(b'"surfaceOp": "append", ', b"")],
        "line 4: user/message without a surfaceOp",
    ),
    "bytes that are no text": (
        lambda lines: [lines[0], b"\xff\xfe\n", *lines[2:]],
        "line 2: it is not JSON",
    ),
    "a bottomless line": (
        lambda lines: [lines[0], b"[" * 100_000 + b"\n", *lines[2:]],
        "line 2: it is not JSON",
    ),
}


@pytest.mark.parametrize(("change", "reason"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_log_is_named_by_its_line_and_left_alone(
    path: Path, change: Callable[[list[bytes]], list[bytes]], reason: str
) -> None:
    """Neither reading nor writing touches it."""
    before = damage(path, change)
    for attempt in (lambda: Log(path).read(), lambda: write(path, "four")):
        with pytest.raises(SessionDamaged) as refusal:
            attempt()
        assert reason in str(refusal.value)
    assert path.read_bytes() == before


def test_an_unknown_event_that_may_be_ignored_is_ignored(path: Path) -> None:
    """A newer program marks what an older one can do without."""
    write(path, "one")
    future = Event(seq=2, type="future/type", time=0, data={"a": 1}, ignorable=True)
    with path.open("ab") as file:
        file.write(encode(future))
    assert texts(write(path, "two").path) == ["one", "two"]


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [make_pipe, make_folder])
def test_what_is_no_file_is_neither_waited_for_nor_written(
    path: Path, make: Callable[[Path], None]
) -> None:
    """A pipe in the place of a log stops nobody."""
    path.parent.mkdir()
    make(path)
    with pytest.raises(SessionDamaged, match="it is not a file"):
        Log(path).read()
    with pytest.raises(SessionNotSaved):
        write(path, "one")


def test_a_log_that_was_moved_away_begins_anew(path: Path) -> None:
    """A process that has it open notices when it writes next."""
    log = write(path, "one")
    path.rename(path.with_name("old"))
    with log.writing(clock=lambda: NOW, tell=print):
        log.append(USER, said("two"), op="append")
    assert texts(path) == ["two"]


def test_a_full_disk_loses_nothing(path: Path) -> None:
    """The event is refused, the log is as before, and once there is room it goes on."""
    log = write(path, "one")
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with log.writing(clock=lambda: NOW, tell=print):
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))
            with pytest.raises(SessionNotSaved, match="Make room"):
                log.append(USER, said("two"), op="append")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == before
        log.append(USER, said("three"), op="append")
    assert texts(path) == ["one", "three"]


def test_a_folder_that_cannot_be_made_is_an_error_for_the_reader(tmp_path: Path) -> None:
    """A file is in the way."""
    (tmp_path / "sessions").write_text("in the way")
    with pytest.raises(SessionNotSaved, match="Make room or make the folder writable"):
        write(tmp_path / "sessions" / "a.main.jsonl", "one")


def append_many(path: Path, name: str, number: int) -> None:
    """Append one event in each of many short spells of being the writer."""
    log = Log(path)
    for at in range(number):
        with log.writing(clock=lambda: NOW, tell=lambda _line: None):
            log.append(USER, said(f"{name}{at}"), op="append")


def test_writers_in_several_processes_leave_one_log(path: Path) -> None:
    """No event is lost or doubled, and each writer's own are in order."""
    context = multiprocessing.get_context("spawn")
    jobs = [context.Process(target=append_many, args=(path, name, 25)) for name in "abc"]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    found = texts(path)
    assert [[text for text in found if text[0] == name] for name in "abc"] == [
        [f"{name}{at}" for at in range(25)] for name in "abc"
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    seq=st.integers(0, 10**6),
    time=st.integers(0, 10**15),
    data=st.dictionaries(st.text(), json_values, max_size=3),
    cites=st.none() | st.lists(st.integers(0, 99)).map(tuple),
    op=st.none()
    | st.just("append")
    | st.builds(Replace, start=st.integers(0, 99), end=st.integers(0, 99)),
)
def test_an_event_comes_back_from_its_line(
    seq: int, time: int, data: dict[str, object], cites: tuple[int, ...] | None, op: object
) -> None:
    """One line, whatever is in it."""
    event = Event(
        seq=seq,
        type="some/type",
        time=time,
        data=data,
        cites=cites,
        op=op,  # type: ignore[arg-type]
        ignorable=True,
    )
    line = encode(event)
    assert line.count(b"\n") == 1
    assert decode(line) == event


@given(st.binary())
def test_no_bytes_make_the_reader_stumble(line: bytes) -> None:
    """Either an event or a reason."""
    try:
        assert encode(decode(line))
    except BadEvent as error:
        assert str(error)


@given(st.dictionaries(st.sampled_from(["source", "content", "version", "id"]), json_values))
def test_no_data_makes_the_reader_stumble(data: dict[str, object]) -> None:
    """A message of the right type with anything in it: an event or a reason."""
    line = encode(Event(seq=1, type=USER, time=0, data=data, op="append"))
    try:
        assert decode(line).data == data
    except BadEvent as error:
        assert str(error)

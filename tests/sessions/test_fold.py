"""The fold: what the model sees of a log, and what an event is to it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta.sessions.events import ASSISTANT, RESULT, SURFACE, USER, Event, Op, Replace
from mini_letta.sessions.fold import Fold, InvalidSurface

CASES = json.loads(
    (Path(__file__).parents[1] / "data/recall/fold_cases.json").read_text(encoding="utf-8")
)["cases"]


def event_of(given: dict[str, Any], at: int) -> Event:
    """Return the event that a case of the answer key describes at one place of its list."""
    op = given.get("op")
    return Event(
        seq=given.get("seq", at),
        type=given["type"],
        time=at,
        data={"content": given.get("text"), "callId": given.get("call")},
        op=Replace(start=op["replace"][0], end=op["replace"][1]) if isinstance(op, dict) else op,
        cites=tuple(given["cites"]) if "cites" in given else None,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_fold_answers_as_the_answer_key_does(case: dict[str, Any]) -> None:
    """Labels and order, or a refusal."""
    fold = Fold()
    events = [event_of(given, at) for at, given in enumerate(case["given"]["events"])]
    expected = case["expect"]
    if "error" in expected:
        with pytest.raises(InvalidSurface):
            for event in events:
                fold.add(event)
        return
    for event in events:
        fold.add(event)
    assert fold.nodes == expected["nodes"]
    assert fold.labels() == expected.get("surface", fold.labels())


def user(seq: int, *, op: Op = "append", cites: tuple[int, ...] | None = None) -> Event:
    """Return a user message."""
    return Event(seq=seq, type=USER, time=0, data={"content": seq}, op=op, cites=cites)


BAD_AFTER_TWO = {
    "a seq that is taken": user(1),
    "a gap": user(3),
    "a citation of itself": user(2, cites=(2,)),
    "a citation twice": user(2, cites=(0, 0)),
    "no citation in a list of them": user(2, cites=()),
    "citations on a marker": Event(seq=2, type="turn/start", time=0, data={}, cites=(0,)),
    "a range that nobody sees": user(2, op=Replace(start=0, end=7), cites=(0,)),
    "a replacement without citations": user(2, op=Replace(start=0, end=1)),
}


@pytest.mark.parametrize("event", BAD_AFTER_TWO.values(), ids=BAD_AFTER_TWO.keys())
def test_a_refused_event_changes_nothing(event: Event) -> None:
    """Validation comes before the change."""
    fold = Fold()
    fold.add(user(0))
    fold.add(user(1))
    with pytest.raises(InvalidSurface):
        fold.add(event)
    assert (len(fold.events), fold.nodes) == (2, [0, 1])


def test_a_result_cannot_take_the_place_of_two() -> None:
    """Only one result is rewritten at a time."""
    fold = Fold()
    for seq in (0, 1):
        fold.add(Event(seq=seq, type=RESULT, time=0, data={"callId": "c"}, op="append"))
    both = Replace(start=0, end=1)
    with pytest.raises(InvalidSurface, match="one tool result"):
        fold.add(Event(seq=2, type=RESULT, time=0, data={"callId": "c"}, op=both, cites=(0, 1)))


def replay(events: list[Event]) -> list[int]:
    """Return what the model sees, worked out from scratch and in another way.

    An event stands where the first one that it stands for stood: so every event has a place, and
    what is left is sorted by it.
    """
    place: dict[int, int] = {}
    gone: set[int] = set()
    for event in events:
        if event.op == "append":
            place[event.seq] = event.seq
        elif event.op is not None:
            low, high = place[event.op.start], place[event.op.end]
            inside = [s for s, at in place.items() if s not in gone and low <= at <= high]
            gone.update(inside)
            place[event.seq] = low
    return sorted((seq for seq in place if seq not in gone), key=place.__getitem__)


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Return a valid log: messages, markers, and replacements of any visible range."""
    events: list[Event] = []
    seen: list[int] = []
    for seq in range(draw(st.integers(0, 30))):
        kind = draw(st.sampled_from(["say", "say", "mark", "replace"]))
        if kind == "replace" and seen:
            first = draw(st.integers(0, len(seen) - 1))
            last = draw(st.integers(first, len(seen) - 1))
            removed = seen[first : last + 1]
            extra = draw(st.sets(st.integers(0, seq - 1)))
            cites = tuple(draw(st.permutations(sorted(extra | set(removed)))))
            events.append(user(seq, op=Replace(start=removed[0], end=removed[-1]), cites=cites))
            seen[first : last + 1] = [seq]
        elif kind == "mark":
            marker = draw(st.sampled_from(["turn/start", "tool/call", "future/type"]))
            events.append(Event(seq=seq, type=marker, time=0, data={}))
        else:
            type = draw(st.sampled_from([USER, ASSISTANT]))
            events.append(Event(seq=seq, type=type, time=0, data={"content": seq}, op="append"))
            seen.append(seq)
    return events


@given(logs())
def test_an_independent_replay_sees_the_same(events: list[Event]) -> None:
    """Order and labels follow from where each event stands."""
    fold = Fold()
    for event in events:
        fold.add(event)
    current = replay(events)
    assert fold.nodes == current
    for event, label in zip(events, fold.labels(), strict=True):
        expected = "current" if event.seq in current else "shadowed"
        assert label == (expected if event.type in SURFACE else "log-only")

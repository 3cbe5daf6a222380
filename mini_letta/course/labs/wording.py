"""An attempt in words: the same in a notebook and on the command line."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from mini_letta.course.labs.attempt import Attempt, Outcome
from mini_letta.course.labs.lab import Exercise
from mini_letta.course.labs.phrases import say

WIDTH = 300
BEFORE = 80
MAX_DIFFERENCES = 2
TOLD = re.compile(r"(?P<call>.*?\)) (?:-> (?=.)|(?=raised ))(?P<what>.*)")
"""A line of ``tell``; a call whose arguments look like one as well is cut too early, no worse."""


def describe_attempt(lang: str, attempt: Attempt) -> list[str]:
    """Return what came of an exercise, line by line; hints are not part of it."""
    exercise = attempt.exercise
    if exercise.kind == "reading":
        key = "reading" if attempt.is_written else "reading_open"
        return [say(lang, key, id=exercise.id, points=exercise.points)]
    counts = {"id": exercise.id, "met": attempt.met, "total": len(attempt.outcomes)}
    if attempt.is_passed:
        hidden = [describe_hidden(lang, exercise), *_reread(lang, exercise)]
        return [say(lang, "passed", **counts), *hidden]
    if attempt.is_untouched:
        key = "begin_part" if attempt.met else "begin"
        return [say(lang, key, **counts), say(lang, "begin_next", id=exercise.id)]
    lines = [say(lang, "partly", **counts), *attempt.message.splitlines()]
    first = attempt.first_unmet()
    if first is not None:
        lines += _describe_unmet(lang, first, is_explained=bool(attempt.message))
        lines += _name_others(lang, attempt, first)
    return [*lines, describe_hidden(lang, exercise)]


def summarise_attempt(attempt: Attempt) -> dict[str, Any]:
    """Return what came of an exercise as plain data."""
    unmet = [outcome for outcome in attempt.outcomes if not outcome.is_met]
    return {
        "id": attempt.exercise.id,
        "title": attempt.exercise.title,
        "kind": attempt.exercise.kind,
        "is_passed": attempt.is_passed,
        "is_untouched": attempt.is_untouched,
        "passed": attempt.met,
        "total": len(attempt.outcomes),
        "hidden": attempt.exercise.hidden_checks,
        "message": attempt.message,
        "unmet": [
            {
                "id": outcome.check.id,
                "sentence": outcome.check.sentence,
                "expected": outcome.check.expected,
                "seen": outcome.seen,
                "fault": outcome.fault,
            }
            for outcome in unmet
        ],
    }


def describe_hidden(lang: str, exercise: Exercise) -> str:
    """Return what still comes when the lab is handed in."""
    count = exercise.hidden_checks
    if count == 0:
        return say(lang, "no_hidden")
    return say(lang, "more_hidden" if count > 1 else "more_hidden_one", count=count)


def describe_hint(lang: str, exercise: Exercise, number: int) -> list[str]:
    """Return a hint, from 1, and how to get the next."""
    last = number >= len(exercise.hints)
    after = say(lang, "last_hint") if last else say(lang, "next_hint", id=exercise.id)
    return [say(lang, "hint", number=number, text=exercise.hints[number - 1]), after]


def cut_around(lines: Sequence[str]) -> list[str]:
    """Return lines that differ somewhere, each cut to a part that shows the first difference."""
    same = sum(1 for _ in takewhile(lambda chars: len(set(chars)) == 1, zip(*lines, strict=False)))
    begin = max(0, same - BEFORE) if max(map(len, lines)) > WIDTH else 0
    return [_cut(line, begin) for line in lines]


def _cut(line: str, begin: int) -> str:
    end = begin + WIDTH
    return f"{'...' if begin else ''}{line[begin:end]}{'...' if len(line) > end else ''}"


def _reread(lang: str, exercise: Exercise) -> list[str]:
    return [say(lang, "reread")] if exercise.hidden_checks else []


def _describe_unmet(lang: str, outcome: Outcome, *, is_explained: bool) -> Iterator[str]:
    yield say(lang, "unmet", sentence=outcome.check.sentence)
    if outcome.fault and not is_explained:
        yield f"  {say(lang, 'stopped', error=outcome.fault)}"
    if not outcome.seen and (outcome.fault or is_explained):
        return  # there is nothing to compare
    differences = outcome.differences()
    for expected, seen in differences[:MAX_DIFFERENCES]:
        yield from (f"  {line}" for line in _describe_difference(lang, expected, seen))
    more = len(differences) - MAX_DIFFERENCES
    if more > 0:
        yield f"  {say(lang, 'more_lines' if more > 1 else 'more_lines_one', count=more)}"


def _describe_difference(lang: str, expected: str, seen: str) -> Iterator[str]:
    one, other = TOLD.fullmatch(expected), TOLD.fullmatch(seen)
    if one and other and one["call"] == other["call"]:
        yield say(lang, "called") + _cut(one["call"], 0)
        expected, seen = one["what"], other["what"]
    texts = cut_around([expected, seen])
    for key, text in zip(("expected", "seen"), texts, strict=True):
        yield say(lang, key) + (text or say(lang, "nothing"))


def _name_others(lang: str, attempt: Attempt, first: Outcome) -> list[str]:
    sentences = dict.fromkeys(
        outcome.check.sentence for outcome in attempt.outcomes if not outcome.is_met
    )
    others = [sentence for sentence in sentences if sentence != first.check.sentence]
    return [say(lang, "unmet_too", sentence=sentence) for sentence in others]

"""``report.html`` for the instructor: who waits for a person, the class, and every check.

Written piece by piece in several passes over the results on disk, so that a class of a thousand
takes no more memory than one of ten. What grows is counted per check, never per student.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from mini_letta.course.grading.page import listed, page_foot, page_head, with_code
from mini_letta.course.grading.results import Result, list_results, read_results
from mini_letta.course.grading.run_record import recorded_strangers
from mini_letta.course.grading.spelling import escape
from mini_letta.course.grading.words import word

DETAILS = "details"
FEEDBACK = "feedback"


def overview_pieces(out: Path, lang: str) -> Iterator[str]:
    """Yield the report on all results of a folder, piece by piece."""
    counts = _count(out)
    title = word(lang, "title")
    values = {
        "count": counts.results,
        "seed": ", ".join(map(str, sorted(counts.seeds))),
        "level": ", ".join(sorted(counts.levels)),
    }
    facts = escape(word(lang, "facts", **values))
    yield page_head(title, lang, wide=True)
    yield f"<header>\n<h1>{escape(title)}</h1>\n<p>{facts}</p>\n</header>\n"
    yield from _people(out, lang)
    yield from _class(out, lang)
    yield from _strangers(out, lang)
    yield from _checks(counts, lang)
    yield page_foot()


def link(kind: str, folder: str, lab: str) -> str:
    """Return the address of a student's page, relative to the report, safe in an attribute."""
    return f"{kind}/{quote(os.fsencode(folder))}/{quote(lab)}.html"


@dataclass(slots=True, kw_only=True)
class _Check:
    """How one check went in the whole class."""

    exercise: str
    sentence: str
    hidden: bool
    passed: int = 0
    total: int = 0


@dataclass(slots=True, kw_only=True)
class _Counts:
    """What is counted over all results."""

    results: int = 0
    seeds: set[int] = field(default_factory=set)
    levels: set[str] = field(default_factory=set)
    checks: dict[tuple[str, str], _Check] = field(default_factory=dict)
    """By lab and check."""


def _count(out: Path) -> _Counts:
    counts = _Counts()
    for _, result in read_results(out):
        counts.results += 1
        counts.seeds.add(result.seed)
        counts.levels.add(result.level)
        if result.outcome != "graded":
            continue
        for exercise in result.exercises:
            heading = f"{exercise.id} {exercise.title}"
            for check in exercise.checks:
                fresh = _Check(exercise=heading, sentence=check.sentence, hidden=check.hidden)
                counted = counts.checks.setdefault((result.lab, check.id), fresh)
                counted.total += 1
                counted.passed += check.outcome == "passed"
    return counts


def _people(out: Path, lang: str) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(word(lang, 'people'))}</h2>\n<ul>\n"
    is_empty = True
    for folder, result in read_results(out):
        if reasons := _reasons(result, lang):
            is_empty = False
            address = link(DETAILS, folder, result.lab)
            yield (
                f'<li data-mark="·"><a href="{address}">{escape(result.student)}, '
                f"{escape(result.lab)}</a>: {escape('; '.join(reasons))}</li>\n"
            )
    if is_empty:
        yield f'<li data-mark="✓">{escape(word(lang, "nobody"))}</li>\n'
    yield "</ul>\n</section>\n"


def _reasons(result: Result, lang: str) -> list[str]:
    """Return why a person should look at a result; empty for the most."""
    reasons = []
    if result.outcome != "graded":
        reasons.append(f"{word(lang, f'outcome_{result.outcome}')}: {result.message}")
    elif result.message:
        reasons.append(result.message)
    if result.level == "rlimits":
        reasons.append(word(lang, "weak", level=result.level))
    stopped = [each.id for each in result.exercises if each.outcome in ("timeout", "crashed")]
    if stopped:
        reasons.append(word(lang, "crashes", exercises=", ".join(stopped)))
    if result.needs_reading:
        reasons.append(word(lang, "to_read", count=result.needs_reading))
    return reasons


def _class(out: Path, lang: str) -> Iterator[str]:
    labs = sorted({lab for _, lab in list_results(out)}, key=lambda lab: (len(lab), lab))
    columns = "".join(f"<th>{escape(name)}</th>" for name in (word(lang, "student"), *labs))
    yield f"<section>\n<h2>{escape(word(lang, 'class'))}</h2>\n<table>\n<tr>{columns}</tr>\n"
    for folder, group in groupby(read_results(out), key=lambda each: each[0]):
        cells, student = dict.fromkeys(labs, "–"), folder
        for _, result in group:
            student = result.student
            cells[result.lab] = _cell(folder, result, lang)
        inner = "".join(f"<td>{cell}</td>" for cell in cells.values())
        yield f"<tr><td>{escape(student)}</td>{inner}</tr>\n"
    yield "</table>\n</section>\n"


def _cell(folder: str, result: Result, lang: str) -> str:
    address = link(DETAILS, folder, result.lab)
    if result.outcome != "graded":
        said = escape(word(lang, f"outcome_{result.outcome}"))
        return f'<a class="open" href="{address}">{said}</a>'
    checks = [check for exercise in result.exercises for check in exercise.checks]
    parts = []
    for name, hidden in (("public", False), ("hidden", True)):
        own = [check.outcome == "passed" for check in checks if check.hidden is hidden]
        parts += [f"{word(lang, name)} {sum(own)}/{len(own)}"] if own else []
    if result.needs_reading:
        parts.append(word(lang, "to_read", count=result.needs_reading))
    points = f"{result.points}/{result.max_points}"
    more = escape(" · ".join(parts))
    return f'<a href="{address}">{points}</a><br><span class="quiet">{more}</span>'


def _strangers(out: Path, lang: str) -> Iterator[str]:
    if names := recorded_strangers(out):
        yield f"<section>\n<h2>{escape(word(lang, 'strangers'))}</h2>\n"
        yield listed([("·", escape(name)) for name in names])
        yield "</section>\n"


def _checks(counts: _Counts, lang: str) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(word(lang, 'checks'))}</h2>\n"
    for lab, group in groupby(counts.checks.items(), key=lambda each: each[0][0]):
        names = ("exercise", "sentence", "hidden", "passed")
        columns = "".join(f"<th>{escape(word(lang, name))}</th>" for name in names)
        yield f"<h3>{escape(lab)}</h3>\n<table>\n<tr>{columns}</tr>\n"
        for (_, id), check in group:
            of = word(lang, "of", passed=check.passed, total=check.total)
            kind = word(lang, "hidden" if check.hidden else "public")
            yield (
                f"<tr><td>{escape(check.exercise)}</td><td>{id}: {with_code(check.sentence)}</td>"
                f'<td class="narrow">{escape(kind)}</td><td class="narrow">{escape(of)}</td></tr>\n'
            )
        yield "</table>\n"
    yield "</section>\n"

"""``grades.csv`` for a spreadsheet and ``grades.json`` for a program, from the results on disk.

The CSV begins with a byte order mark: without it Excel reads UTF-8 as the system's own character
set and turns every Chinese name into noise. Every other reader skips the mark (``utf-8-sig``). A
text that a spreadsheet would take for a formula gets an apostrophe in front.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mini_letta.course.grading.results import Result, plain, read_results, write_whole
from mini_letta.course.grading.spelling import visible

COLUMNS = (
    *("student", "lab", "outcome", "points", "max_points", "needs_reading"),
    *("level", "seed", "message"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
BOM = "\ufeff"


def write_grades(out: Path) -> None:
    """Write ``grades.csv`` and ``grades.json`` from all results, one in memory at a time."""
    write_whole(out / "grades.csv", _csv_pieces(out))
    write_whole(out / "grades.json", _json_pieces(out))


def safe_cell(text: str) -> str:
    """Return text that a spreadsheet shows and does not calculate, on one line."""
    line = visible(text.replace("\n", " "))
    return f"'{line}" if line.lstrip(" '").startswith(FORMULA) else line


def _csv_pieces(out: Path) -> Iterator[str]:
    yield BOM + csv_line(COLUMNS)
    for _, result in read_results(out):
        row = [getattr(result, name) for name in COLUMNS]
        yield csv_line(safe_cell(value) if isinstance(value, str) else value for value in row)


def csv_line(values: Iterable[Any]) -> str:
    """Return one line of a CSV file."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def _json_pieces(out: Path) -> Iterator[str]:
    yield '{"schema": 1, "results": ['
    between = "\n"
    for _, result in read_results(out):
        yield between + json.dumps(_summary(result), ensure_ascii=False)
        between = ",\n"
    yield "\n]}\n"


def _summary(result: Result) -> dict[str, Any]:
    """Return a result without the long texts, which are in its own file."""
    names = ("student", "lab", "lang", "sha256", "master", "seed", "level", "outcome", "message")
    totals = ("points", "max_points", "needs_reading")
    exercises = [
        {
            "id": exercise.id,
            "outcome": exercise.outcome,
            "points": plain(exercise.points),
            "max_points": exercise.max_points,
            "message": exercise.message,
            "checks": [
                {
                    "id": check.id,
                    "hidden": check.hidden,
                    "outcome": check.outcome,
                    "points": check.points,
                    "max_points": check.max_points,
                }
                for check in exercise.checks
            ],
        }
        for exercise in result.exercises
    ]
    return {name: getattr(result, name) for name in (*names, *totals)} | {"exercises": exercises}

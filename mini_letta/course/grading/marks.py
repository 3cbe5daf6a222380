"""Bring in the marks that a person gave: ``student,lab,exercise,points[,comment]``.

All or nothing: every problem of the file is reported at once, and then nothing is written. Rows
without points are answers not read yet. Entering a file again, corrected, is fine.
"""

import csv
import io
import math
from dataclasses import dataclass, replace
from pathlib import Path

from mini_letta.course.grading.gradebook import safe_cell
from mini_letta.course.grading.results import (
    ExerciseResult,
    Result,
    plain,
    read_results,
    write_result,
)
from mini_letta.course.grading.spelling import clip, visible
from mini_letta.course.grading.words import word
from mini_letta.errors import MiniLettaError

COLUMNS = ("student", "lab", "exercise", "points")
MAX_COMMENT = 5000

Key = tuple[str, str]  # student, lab


class BadMarks(MiniLettaError):
    """A file of marks cannot be entered; the text lists every reason."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One row."""

    line: int
    """In the file, from 1."""
    student: str
    lab: str
    exercise: str
    points: str
    """As written."""
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What came of a file of marks."""

    count: int
    """Marks entered."""
    blank: int
    """Rows without points."""


def merge_marks(out: Path, path: Path, *, lang: str) -> Merged:
    """Enter a file of marks into the results of ``out``; the reports are not written here.

    Raises:
        BadMarks: with every problem there is; nothing was written.
    """
    problems: list[tuple[int, str]] = []
    rows = _read_rows(path, lang, problems)
    filled = [row for row in rows if row.points]
    problems += _find_duplicates(filled, lang)
    by_key: dict[Key, list[Mark]] = {}
    for row in filled:
        by_key.setdefault((row.student, row.lab), []).append(row)
    problems += _check_against_results(out, by_key, lang)
    if problems:
        lines = "\n".join(f"  {problem}" for _, problem in sorted(problems))
        raise BadMarks(word(lang, "marks_refused", path=path, problems=lines))
    for folder, result in read_results(out):
        if marks := by_key.get((result.student, result.lab)):
            write_result(out, folder, _enter(result, marks))
    return Merged(count=len(filled), blank=len(rows) - len(filled))


def _read_rows(path: Path, lang: str, problems: list[tuple[int, str]]) -> list[Mark]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadMarks(word(lang, "marks_not_text", path=path)) from error
    except FileNotFoundError as error:
        raise BadMarks(word(lang, "marks_missing", path=path)) from error
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        columns, *rows = [(reader.line_num, [each.strip() for each in row]) for row in reader]
    except (csv.Error, ValueError):  # ValueError: not even a first line
        columns, rows = (1, []), []
    if columns[1] not in ([*COLUMNS], [*COLUMNS, "comment"]):
        why = "  " + word(lang, "marks_columns")
        raise BadMarks(word(lang, "marks_refused", path=path, problems=why))
    marks = []
    for line, values in rows:
        if len(values) == len(columns[1]):
            marks.append(_mark(line, values))
        elif any(values):
            count = {"count": len(values), "columns": len(columns[1])}
            problems.append((line, word(lang, "marks_length", line=line, **count)))
    return marks


def _mark(line: int, values: list[str]) -> Mark:
    student, lab, exercise, points, *comment = values
    if student and safe_cell(student[1:]) == student:
        student = student[1:]  # the apostrophe that our own CSV puts before a name like `=x`
    return Mark(
        line=line,
        student=student,
        lab=lab,
        exercise=exercise,
        points=points,
        comment=clip("".join(comment), MAX_COMMENT),
    )


def _find_duplicates(rows: list[Mark], lang: str) -> list[tuple[int, str]]:
    problems = []
    seen: dict[tuple[str, str, str], int] = {}
    for row in rows:
        first = seen.setdefault((row.student, row.lab, row.exercise), row.line)
        if first != row.line:
            problems.append((row.line, word(lang, "marks_twice", first=first, **_names(row))))
    return problems


def _check_against_results(
    out: Path, by_key: dict[Key, list[Mark]], lang: str
) -> list[tuple[int, str]]:
    problems = []
    students = set()
    missing = dict(by_key)
    named = {student for student, _ in by_key}
    for _, result in read_results(out):
        if result.student in named:
            students.add(result.student)
        for row in missing.pop((result.student, result.lab), ()):
            if problem := _check_row(row, result, lang):
                problems.append((row.line, problem))
    for row in (row for rows in missing.values() for row in rows):
        key = "marks_unknown_lab" if row.student in students else "marks_unknown_student"
        problems.append((row.line, word(lang, key, **_names(row))))
    return problems


def _check_row(row: Mark, result: Result, lang: str) -> str:
    """Return what is wrong with a row; "" for nothing."""
    names = _names(row)
    exercise = {each.id: each for each in result.exercises}.get(row.exercise)
    if exercise is None:
        return word(lang, "marks_unknown_exercise", **names)
    if exercise.kind != "reading":
        return word(lang, "marks_not_reading", **names)
    if exercise.outcome != "needs_reading" and not exercise.is_read:
        return word(lang, "marks_no_answer", **names)
    points = _number(row.points)
    if points is None:
        return word(lang, "marks_number", **names)
    if not 0 <= points <= exercise.max_points:
        return word(lang, "marks_range", max_points=exercise.max_points, **names)
    return ""


def _enter(result: Result, marks: list[Mark]) -> Result:
    by_exercise = {mark.exercise: mark for mark in marks}
    exercises = tuple(
        _marked(each, by_exercise[each.id]) if each.id in by_exercise else each
        for each in result.exercises
    )
    return replace(result, exercises=exercises)


def _marked(exercise: ExerciseResult, mark: Mark) -> ExerciseResult:
    points = plain(_number(mark.points) or 0)
    return replace(
        exercise,
        outcome="passed" if points == exercise.max_points else "failed",
        points=points,
        is_read=True,
        comment=mark.comment,
    )


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _names(row: Mark) -> dict[str, object]:
    named = {name: visible(getattr(row, name)) for name in COLUMNS}
    return {"line": row.line, **named}

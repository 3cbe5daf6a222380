"""What a person has to read: one page with every answer, and a table to enter the marks in."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from mini_letta.course.grading.gradebook import BOM, csv_line, safe_cell
from mini_letta.course.grading.marks import COLUMNS
from mini_letta.course.grading.page import page_foot, page_head
from mini_letta.course.grading.results import ExerciseResult, Result, read_results, write_whole
from mini_letta.course.grading.spelling import escape
from mini_letta.course.grading.words import word

PAGE = "reading.html"
TABLE = "marks.csv"

Rubrics = Mapping[tuple[str, str, str], str]  # lab, language, exercise -> how it is marked


def write_reading(out: Path, *, lang: str, rubrics: Rubrics) -> None:
    """Write the page of answers, and the table unless somebody has begun to fill it in."""
    write_whole(out / PAGE, _pieces(out, lang, rubrics))
    if not _is_begun(out / TABLE):
        write_whole(out / TABLE, _rows(out))


def _pieces(out: Path, lang: str, rubrics: Rubrics) -> Iterator[str]:
    title = word(lang, "answers")
    yield page_head(title, lang)
    yield f"<header>\n<h1>{escape(title)}</h1>\n"
    how = word(lang, "answers_how", marks=out / TABLE, out=out)
    yield f"<p>{escape(how)}</p>\n</header>\n"
    tasks = sorted({(result.lab, each.id) for result, each in _unread(out)})
    for lab, exercise in tasks:  # all answers to one task together: they are marked alike
        yield from _task(out, lab, exercise, lang=lang, rubrics=rubrics)
    if not tasks:
        yield f"<p>{escape(word(lang, 'no_answers'))}</p>\n"
    yield page_foot()


def _task(out: Path, lab: str, exercise: str, *, lang: str, rubrics: Rubrics) -> Iterator[str]:
    shown: set[str] = set()
    for result, each in _unread(out):
        if (result.lab, each.id) != (lab, exercise):
            continue
        if result.lang not in shown:
            shown.add(result.lang)
            worth = word(lang, "worth", points=each.max_points)
            yield f"<h2>{escape(f'{lab}, {each.id} {each.title}')} ({escape(worth)})</h2>\n"
            if rubric := rubrics.get((lab, result.lang, exercise)):
                yield f"<h3>{escape(word(lang, 'rubric'))}</h3>\n<pre>{escape(rubric)}</pre>\n"
        yield (
            f"<section>\n<h3>{escape(result.student)}</h3>\n"
            f"<pre>{escape(each.answer)}</pre>\n</section>\n"
        )


def _rows(out: Path) -> Iterator[str]:
    yield BOM + csv_line((*COLUMNS, "comment"))
    for result, each in _unread(out):
        yield csv_line((safe_cell(result.student), result.lab, each.id, "", ""))


def _unread(out: Path) -> Iterator[tuple[Result, ExerciseResult]]:
    for _, result in read_results(out):
        for exercise in result.exercises:
            if exercise.outcome == "needs_reading":
                yield result, exercise


def _is_begun(path: Path) -> bool:
    """Is there a table with marks or comments in it, or something we cannot read?"""
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except FileNotFoundError:
        return False
    except (UnicodeDecodeError, csv.Error):
        return True
    return any("".join(row[3:]).strip() for row in rows[1:])

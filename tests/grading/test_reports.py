"""The files that are made of the results: safe to open, nothing hidden in a student's page."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mini_letta.course.grading.feedback import write_feedback
from mini_letta.course.grading.gradebook import safe_cell, write_grades
from mini_letta.course.grading.phrases import SENTENCES
from mini_letta.course.grading.reports import write_reports
from mini_letta.course.grading.results import (
    BadResult,
    Notice,
    Result,
    list_results,
    read_result,
    result_path,
    write_result,
)
from mini_letta.course.grading.words import WORDS
from tests.grading.kit import sample_result

HOSTILE = "<script>alert(1)</script>\" onload='x' \x1b[2J \u202e {} %s"


class Tags(HTMLParser):
    """Collects the tags and attributes of a page, and sees that they are closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def hostile_result() -> Result:
    """Return a result in which every text that a student can choose is an attack."""
    result = sample_result(HOSTILE)
    code, reading = result.exercises
    check = replace(code.checks[2], seen=HOSTILE)
    code = replace(code, message=HOSTILE, checks=(*code.checks[:2], check))
    reading = replace(reading, answer=HOSTILE, comment=HOSTILE, is_read=True)
    notice = Notice(kind="locked_changed", text=HOSTILE, diff=HOSTILE)
    return replace(result, exercises=(code, reading), notices=(notice,), message=HOSTILE)


def rows(out: Path) -> list[dict[str, str]]:
    """Return what a program reads in grades.csv."""
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("shows_hidden", [False, True])
def test_a_page_is_safe_whatever_a_student_wrote(shows_hidden: bool) -> None:
    """No script, no handler, no foreign address, no control character."""
    page = write_feedback(hostile_result(), shows_hidden=shows_hidden)
    tags = Tags(page)
    assert "script" not in tags.seen
    assert not any(name.startswith("on") or name in ("src", "href") for name in tags.attributes)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", page)
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


def test_a_students_page_holds_nothing_hidden() -> None:
    """S6: of a hidden check only the count and the sentence of the task."""
    page = write_feedback(sample_result())
    assert "0 of 1 further checks passed" in page and "Sentence 1.1b." in page
    assert "HIDDEN" not in page and "1.1b<" not in page
    assert "HIDDEN-SEEN" in write_feedback(sample_result(), shows_hidden=True)


def test_a_page_shows_expected_and_seen_of_a_public_check() -> None:
    """Both values stand there, and only the line that differs is marked."""
    page = write_feedback(sample_result())
    assert "<pre>one\n<mark>two</mark></pre>" in page
    assert "<pre>one\n<mark>&lt;b&gt;2&lt;/b&gt;</mark></pre>" in page
    assert "1 of 2 public checks passed" in page


def test_code_in_a_sentence_is_set_as_code() -> None:
    """Sentences of the task are Markdown; between backticks nothing but code happens."""
    code, reading = sample_result().exercises
    check = replace(code.checks[0], sentence="`a<b` holds.")
    exercise = replace(code, checks=(check,))
    page = write_feedback(replace(sample_result(), exercises=(exercise, reading)))
    assert "<code>a&lt;b</code> holds." in page


def test_a_page_has_the_language_of_the_notebook() -> None:
    """A Chinese notebook gets a Chinese page."""
    page = write_feedback(sample_result(lang="zh"))
    assert '<html lang="zh-Hans">' in page and "公开检查通过 1 / 2 项" in page


def test_what_was_not_graded_says_so_and_shows_no_points() -> None:
    """Trouble of ours is told as ours, an unreadable file with its reason."""
    page = write_feedback(replace(sample_result(outcome="needs_regrade"), message="inner detail"))
    assert "Not graded yet" in page and "points" not in page and "inner detail" not in page
    page = write_feedback(replace(sample_result(outcome="unreadable"), message="It is empty."))
    assert "This notebook could not be read" in page and "It is empty." in page


def test_a_cell_that_looks_like_a_formula_is_text(tmp_path: Path) -> None:
    """A spreadsheet shows the name; a program reads it with the apostrophe."""
    for name in ("=cmd()", "+1", "-x", "@SUM(A1)", " =x", "ada"):
        write_result(tmp_path, name, sample_result(name))
    write_grades(tmp_path)
    found = [row["student"] for row in rows(tmp_path)]
    assert sorted(found) == ["' =x", "'+1", "'-x", "'=cmd()", "'@SUM(A1)", "ada"]
    assert safe_cell("\t=x\ny") == "\\t=x y" and safe_cell("'=x") == "''=x"


def test_the_csv_has_one_row_for_each_submission(tmp_path: Path) -> None:
    """It begins with a byte order mark for Excel, and says what a gradebook needs."""
    write_result(tmp_path, "王小明", sample_result("王小明", lang="zh"))
    write_result(tmp_path, "ada", replace(sample_result(), message="two\nlines, one cell"))
    write_grades(tmp_path)
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbfstudent,lab,outcome,")
    assert rows(tmp_path) == [
        {"student": student, "lab": "lab1", "outcome": "graded", "points": "2", "max_points": "8",
         "needs_reading": "1", "level": "bubblewrap", "seed": "7", "message": message}
        for student, message in (("ada", "two lines, one cell"), ("王小明", ""))
    ]  # fmt: skip


def test_the_json_lists_every_check(tmp_path: Path) -> None:
    """`grades.json` holds outcomes and points, and leaves the long texts to the results."""
    write_grades(tmp_path)
    assert json.loads((tmp_path / "grades.json").read_text()) == {"schema": 1, "results": []}
    write_result(tmp_path, "ada", sample_result())
    write_result(tmp_path, "bo", sample_result("bo"))
    write_grades(tmp_path)
    ada, _ = json.loads((tmp_path / "grades.json").read_text())["results"]
    assert [check["id"] for check in ada["exercises"][0]["checks"]] == ["1.1a", "1.1b", "1.1c"]
    assert (ada["points"], ada["max_points"], ada["needs_reading"]) == (2, 8, 1)
    assert "HIDDEN" not in json.dumps(ada)


def test_the_report_shows_who_waits_the_class_and_every_check(tmp_path: Path) -> None:
    """S6: public and hidden are told apart; names are escaped, addresses too."""
    write_result(tmp_path, "a\udcff&b", sample_result("a\\xff&b"))
    write_result(tmp_path, "zed", sample_result("zed", outcome="needs_regrade"))
    write_reports(tmp_path, lang="en", rubrics={("lab1", "en", "1.3"): "A rubric & more"})
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    Tags(page)
    assert 'href="details/a%FF%26b/lab1.html">a\\xff&amp;b, lab1</a>: 1 to read' in page
    assert "public 1/2 · hidden 0/1" in page
    narrow = '<td class="narrow">hidden</td><td class="narrow">0 of 1</td>'
    assert f"<td>1.1b: Sentence 1.1b.</td>{narrow}" in page
    answers = (tmp_path / "reading.html").read_text(encoding="utf-8")
    Tags(answers)
    assert "A rubric &amp; more" in answers and "<pre>Because.</pre>" in answers


def test_the_hostile_result_spoils_no_page(tmp_path: Path) -> None:
    """Report, answers and details stay well-formed, and load nothing."""
    waiting = replace(hostile_result().exercises[1], is_read=False, outcome="needs_reading")
    result = replace(hostile_result(), exercises=(hostile_result().exercises[0], waiting))
    write_result(tmp_path, "x", result)
    write_reports(tmp_path, lang="zh", rubrics={})
    for path in tmp_path.glob("**/*.html"):
        tags = Tags(path.read_text(encoding="utf-8"))
        assert not tags.seen & {"script", "img", "iframe", "link", "object"}


def test_a_table_of_marks_that_somebody_fills_in_is_left_alone(tmp_path: Path) -> None:
    """Written anew while it is empty; never over somebody's work."""
    write_result(tmp_path, "ada", sample_result())
    write_reports(tmp_path, lang="en", rubrics={})
    table = tmp_path / "marks.csv"
    assert table.read_text(encoding="utf-8-sig").splitlines()[1:] == ["ada,lab1,1.3,,"]
    write_result(tmp_path, "bo", sample_result("bo"))
    write_reports(tmp_path, lang="en", rubrics={})
    assert len(table.read_text().splitlines()) == 3
    table.write_text("student,lab,exercise,points,comment\nada,lab1,1.3,4,\n")
    write_reports(tmp_path, lang="en", rubrics={})
    assert "ada,lab1,1.3,4," in table.read_text()


def test_results_come_by_student_then_by_number_of_the_lab(tmp_path: Path) -> None:
    """lab10 stands after lab9."""
    for lab in ("lab10", "lab9"):
        write_result(tmp_path, "ada", replace(sample_result(), lab=lab))
    assert list_results(tmp_path) == [("ada", "lab9"), ("ada", "lab10")]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 2}', "\udc80"])
def test_a_file_that_is_no_result_says_what_to_do(text: str, tmp_path: Path) -> None:
    """Whatever stands in it, the message names the file and the way out."""
    path = result_path(tmp_path, "ada", "lab1")
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadResult, match=r"lab1\.json.*--resume"):
        read_result(path)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "x"},
        {"seed": None},
        {"level": 7},
        {"outcome": "perfect"},
        {"exercises": [{}]},
        {"exercises": "x"},
        {"notices": [{"kind": 1, "text": ""}]},
        {"surprise": 1},
    ],
    ids=str,
)
def test_a_result_that_was_edited_by_hand_is_refused(
    change: dict[str, object], tmp_path: Path
) -> None:
    """A value of another kind would end in a traceback, or in a mark that nobody gave."""
    write_result(tmp_path, "ada", sample_result())
    path = result_path(tmp_path, "ada", "lab1")
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadResult, match=r"lab1\.json.*--resume"):
        read_result(path)


@pytest.mark.parametrize("value", ["4", None, True, [1]], ids=str)
def test_points_that_are_no_number_are_refused(value: object, tmp_path: Path) -> None:
    """In an exercise or in a check."""
    write_result(tmp_path, "ada", sample_result())
    path = result_path(tmp_path, "ada", "lab1")
    data = json.loads(path.read_text())
    data["exercises"][0]["points"] = value
    path.write_text(json.dumps(data))
    with pytest.raises(BadResult, match="points is"):
        read_result(path)


@pytest.mark.parametrize("table", [SENTENCES, WORDS], ids=["submission", "instructor"])
def test_both_languages_say_the_same_things(table: dict[str, dict[str, str]]) -> None:
    """The same sentences with the same braces."""
    english, chinese = (
        {key: sorted(re.findall(r"{\w+}", text)) for key, text in table[lang].items()}
        for lang in ("en", "zh")
    )
    assert english == chinese

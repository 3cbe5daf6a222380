"""The marks a person gives, brought into the results."""

from dataclasses import replace
from pathlib import Path

import pytest

from mini_letta.course.grading.marks import BadMarks, Merged, merge_marks
from mini_letta.course.grading.results import Result, carry_marks, read_result, result_path
from mini_letta.course.grading.results import write_result as write
from tests.grading.kit import sample_result

HEADER = "student,lab,exercise,points,comment\n"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Two students whose answers are to be read."""
    for student in ("ada", "=bo"):
        write(tmp_path, student, sample_result(student))
    return tmp_path


def merge(out: Path, rows: str, *, lang: str = "en") -> Merged:
    """Write a file of marks and enter it."""
    path = out / "mine.csv"
    path.write_text(rows, encoding="utf-8")
    return merge_marks(out, path, lang=lang)


def result(out: Path, student: str = "ada") -> Result:
    """Return the result of a student."""
    found = read_result(result_path(out, student, "lab1"))
    assert found is not None
    return found


def test_a_mark_is_entered_with_its_comment(out: Path) -> None:
    """The points count, the answer no longer waits, and the comment is kept."""
    assert merge(out, HEADER + 'ada,lab1,1.3,3,"Good, but\nshort"\n') == Merged(count=1, blank=0)
    reading = result(out).exercises[1]
    assert (reading.outcome, reading.points, reading.is_read) == ("failed", 3, True)
    assert reading.comment == "Good, but\nshort"
    assert (result(out).points, result(out).needs_reading) == (5, 0)
    assert result(out, "=bo").needs_reading == 1


def test_full_points_are_a_pass_and_halves_are_points(out: Path) -> None:
    """A mark may have a fraction; the maximum is passed."""
    merge(out, "student,lab,exercise,points\nada,lab1,1.3,2.5\n")
    assert result(out).points == 4.5
    merge(out, "student,lab,exercise,points\nada,lab1,1.3,4.0\n")
    assert (result(out).exercises[1].outcome, result(out).points) == ("passed", 6)


def test_rows_without_points_are_answers_not_read_yet(out: Path) -> None:
    """A half filled table can be entered, and again when it is full."""
    rows = HEADER + "ada,lab1,1.3,1,\n\n=bo,lab1,1.3, ,later\n"
    assert merge(out, rows) == Merged(count=1, blank=1)
    assert merge(out, rows) == Merged(count=1, blank=1)


def test_the_apostrophe_of_our_own_csv_is_understood(out: Path) -> None:
    """A name that we write as `'=bo` for Excel's sake comes back as `=bo`."""
    merge(out, "\ufeff" + HEADER + "'=bo,lab1,1.3,4,\n")
    assert result(out, "=bo").points == 6


def test_all_problems_are_told_at_once_and_nothing_is_written(out: Path) -> None:
    """One bad row keeps the good ones out, and each bad row has its line."""
    before = result(out)
    rows = [
        "ada,lab1,1.3,4,",
        "eve,lab1,1.3,4,",
        "ada,lab2,1.3,4,",
        "ada,lab1,1.9,4,",
        "ada,lab1,1.1,4,",
        "=bo,lab1,1.3,5,",
        "ada,lab1,1.3,2,",
        "ada,lab1,1.3",
        "../../etc,lab1,1.3,<b>,",
    ]
    with pytest.raises(BadMarks) as refused:
        merge(out, HEADER + "\n".join(rows))
    assert str(refused.value).splitlines()[1:-1] == [
        "  line 3: no result of a student eve",
        "  line 4: no result of ada for lab2",
        "  line 5: lab1 has no exercise 1.9",
        "  line 6: 1.1 is not marked by a person",
        "  line 7: 5 is not between 0 and 4",
        "  line 8: ada, lab1, 1.3 stands in line 2 already",
        "  line 9: has 3 values, not 5",
        "  line 10: no result of a student ../../etc",
    ]
    assert result(out) == before


@pytest.mark.parametrize("points", ["nan", "inf", "1e999", "four", "2,5x", "0x2", "1\x00"])
def test_what_is_no_number_is_no_mark(out: Path, points: str) -> None:
    """Only a finite number between 0 and the maximum will do."""
    with pytest.raises(BadMarks, match=r"line 2: .* is not a number"):
        merge(out, HEADER + f'ada,lab1,1.3,"{points}",\n')


def test_an_answer_that_is_not_there_cannot_be_marked(out: Path) -> None:
    """An untouched or missing answer is 0 already."""
    reading = sample_result("cy").exercises[1]
    gone = replace(reading, outcome="failed", answer="")
    first = sample_result("cy").exercises[0]
    write(out, "cy", replace(sample_result("cy"), exercises=(first, gone)))
    with pytest.raises(BadMarks, match=r"line 2: cy has not answered 1\.3"):
        merge(out, HEADER + "cy,lab1,1.3,4,\n")


@pytest.mark.parametrize("rows", ["", "name,mark\n", "student;lab;exercise;points\n"])
def test_a_file_with_other_columns_says_which_ones_it_needs(out: Path, rows: str) -> None:
    """The first line must name them."""
    with pytest.raises(BadMarks, match="the columns must be student,lab,exercise,points"):
        merge(out, rows)


def test_a_file_in_another_encoding_says_how_to_save_it(out: Path) -> None:
    """Chinese Excel saves plain CSV in GBK."""
    (out / "mine.csv").write_bytes((HEADER + "王,lab1,1.3,4,好\n").encode("gbk"))
    with pytest.raises(BadMarks, match="CSV UTF-8"):
        merge_marks(out, out / "mine.csv", lang="zh")
    with pytest.raises(BadMarks, match="there is no file"):
        merge_marks(out, out / "none.csv", lang="en")


def test_a_mark_stays_with_an_answer_that_did_not_change(out: Path) -> None:
    """Graded again with another seed the mark is carried over; a new answer is read anew."""
    merge(out, HEADER + "ada,lab1,1.3,3,ok\n")
    assert carry_marks(result(out), sample_result()).exercises[1].points == 3
    assert carry_marks(result(out), sample_result(answer="Other.")).needs_reading == 1
    assert carry_marks(None, sample_result()) == sample_result()
    waiting = replace(sample_result().exercises[1], outcome="needs_regrade", answer="")
    trouble = replace(sample_result(outcome="needs_regrade"), exercises=(waiting,))
    assert carry_marks(result(out), trouble).exercises[0].is_read

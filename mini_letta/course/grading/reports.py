"""Write everything that is made of the results: it can be made again at any time."""

from pathlib import Path

from mini_letta.course.grading.feedback import write_feedback
from mini_letta.course.grading.gradebook import write_grades
from mini_letta.course.grading.overview import DETAILS, FEEDBACK, overview_pieces
from mini_letta.course.grading.reading import Rubrics, write_reading
from mini_letta.course.grading.results import read_results, write_whole


def write_reports(out: Path, *, lang: str, rubrics: Rubrics) -> None:
    """Write grades, report, feedback and what is to be read, from the results below ``out``.

    Args:
        lang: of the instructor; each feedback page has the language of its notebook.
        rubrics: how answers in words are marked.
    """
    for folder, result in read_results(out):
        name = f"{result.lab}.html"
        write_whole(out / FEEDBACK / folder / name, [write_feedback(result)])
        write_whole(out / DETAILS / folder / name, [write_feedback(result, shows_hidden=True)])
    write_grades(out)
    write_whole(out / "report.html", overview_pieces(out, lang))
    write_reading(out, lang=lang, rubrics=rubrics)

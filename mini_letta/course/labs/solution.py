"""The reference of an exercise, from the master; students do not have it."""

from pathlib import Path

from mini_letta.course.labs.master import read_lab


def read_solution(root: Path, lab: str, exercise: str, lang: str) -> str:
    """Return the reference of an exercise: Python, or Markdown where a person reads it.

    Args:
        root: top folder of the checkout.
    Raises:
        BadSource: the master is malformed.
    """
    cells = read_lab(root, lab, lang).cells
    return next(cell.solution for cell in cells if cell.exercise == exercise and cell.solution)

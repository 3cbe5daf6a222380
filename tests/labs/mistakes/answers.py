"""The reference answers of a lab, to be spoiled in one place at a time."""

from pathlib import Path

from mini_letta.course.labs.master import read_lab

ROOT = Path(__file__).parents[3]


class Answers:
    """The answer cells of one lab, by exercise."""

    def __init__(self, lab: str) -> None:
        cells = read_lab(ROOT, lab, "en").cells
        self.cells = {cell.exercise: cell.solution for cell in cells if cell.kind == "answer"}

    def but(self, exercise: str, *changes: tuple[str, str]) -> str:
        """Return the answer to an exercise with each first text replaced by the second.

        Raises:
            ValueError: the reference does not contain the first text any more.
        """
        source = self.cells[exercise]
        for right, wrong in changes:
            if right not in source:
                raise ValueError(f"the answer to {exercise} has no {right!r}")
            source = source.replace(right, wrong)
        return source

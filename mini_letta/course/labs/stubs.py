"""What stands in an answer before anybody has written it: our stubs, and nbgrader's.

An instructor who makes the assignment with nbgrader hands out nbgrader's own placeholders; an
untouched answer is an untouched answer all the same.
"""

import re

from mini_letta.course.labs.lab import Cell

NBGRADER = ("# YOUR CODE HERE", "raise NotImplementedError()", "YOUR ANSWER HERE")


def code_stub(exercise: str) -> str:
    """Return the line that stands for the solution in Python."""
    return f'raise NotImplementedError("Exercise {exercise}")'


def script_stub(exercise: str) -> str:
    """Return the line that stands for the solution in a bash script, where Python cannot raise."""
    return f"# Exercise {exercise}"


def is_untouched(cell: Cell, source: str) -> bool:
    """Return whether what a student has in a cell is still what was handed out."""
    return _words(source, cell.exercise) == _words(cell.source, cell.exercise)


def is_script_stub(script: str) -> bool:
    """Return whether a script has nothing in it but comments."""
    lines = (line.strip() for line in script.splitlines())
    return all(not line or line.startswith("#") or line in NBGRADER for line in lines)


def is_stub(error: BaseException, exercise: str) -> bool:
    """Return whether the error is the one that an untouched answer raises."""
    return isinstance(error, NotImplementedError) and str(error) in ("", f"Exercise {exercise}")


def mentions_stub(printed: str, exercise: str) -> bool:
    """Return whether a line that was printed tells of such an error."""
    return bool(
        re.search(rf"NotImplementedError(: (Exercise {re.escape(exercise)})?)?$", printed, re.M)
    )


def _words(source: str, exercise: str) -> list[str]:
    placeholders = (*NBGRADER, code_stub(exercise), script_stub(exercise))
    lines = (line.strip() for line in source.splitlines())
    return [word for line in lines if line not in placeholders for word in line.split()]

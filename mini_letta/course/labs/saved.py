"""What the notebook on disk says about itself before it is handed in.

Cells are told apart by the same rules as when it is graded, so a line that the grader will not use
is named at home already.
"""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from mini_letta.course.grading.handed_in import HandedIn, parse_notebook
from mini_letta.course.grading.matching import Match, match_cells
from mini_letta.course.grading.submissions import Unreadable
from mini_letta.course.labs.kit import notebook_path
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.phrases import say
from mini_letta.course.labs.stubs import is_untouched

TOLD = ("locked_changed", "locked_missing", "answer_copies", "answer_missing", "answer_not_code")


def read_saved(folder: Path, lab: str) -> HandedIn:
    """Return the notebook of a lab as it is on disk.

    Raises:
        Unreadable: it is no notebook.
        OSError: it is not there or cannot be read.
    """
    return parse_notebook(notebook_path(folder, lab).read_bytes())


def remark_on_saved(kit: Lab, folder: Path, *, exercise: str) -> list[str]:
    """Return what a student should know about the saved notebook; nothing if it has another name.

    Args:
        exercise: whose answer is asked about; what concerns only other answers is left out.
    """
    try:
        match = match_cells(kit, read_saved(folder, kit.id))
    except (Unreadable, OSError):
        return []
    lines = remark_on_edition(kit, folder)
    remarks = remark_on_cells(kit.lang, match, [exercise])
    if remarks:
        lines += [*remarks, say(kit.lang, "saved_as")]
    return lines


def remark_on_cells(lang: str, match: Match, exercises: Collection[str]) -> list[str]:
    """Return what the grader will say about locked cells and the answers of some exercises."""
    lines = []
    for notice in match.notices:
        if notice.kind in TOLD and notice.exercise in ("", *exercises):
            lines.append(say(lang, "locked", text=notice.text))
            if notice.kind == "answer_missing":
                lines.append(say(lang, "put_back", id=notice.exercise))
            if notice.diff:
                lines += [say(lang, "diff"), *(f"  {line}" for line in notice.diff.splitlines())]
    return lines


def remark_on_edition(kit: Lab, folder: Path) -> list[str]:
    """Return a warning if the notebook was made of another kit."""
    name = _kit_name(json.loads(notebook_path(folder, kit.id).read_bytes().decode("utf-8-sig")))
    if name in ("", kit.fingerprint()):
        return []
    return [say(kit.lang, "stale_kit", lab=kit.id, number=kit.number)]


def _kit_name(notebook: Any) -> str:
    mark = notebook.get("metadata")
    for key in ("mini_letta", "kit"):
        mark = mark.get(key) if isinstance(mark, dict) else None
    return mark if isinstance(mark, str) else ""


def is_written(kit: Lab, folder: Path, exercise: str) -> bool:
    """Return whether the saved answer to a reading task says anything of its own."""
    try:
        cell, handed = match_cells(kit, read_saved(folder, kit.id)).of(exercise)
    except (Unreadable, OSError):
        return False
    return not all(is_untouched(cell, each.source) for each in handed)

"""A submitted notebook as data: the sources of its cells, and nothing else that is in it.

Outputs, execution counts, tags, kernelspec and attachments of a submission are never looked at.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from mini_letta.course.grading.submissions import Unreadable
from mini_letta.course.sources import LANGUAGES

MAX_CELLS = 1000
LANGUAGE = re.compile(rb'"lang"\s*:\s*"(en|zh)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedCell:
    """One cell of a submission."""

    position: int
    """From 1, counted over all cells."""
    kind: str
    """``code``, ``markdown``, ``raw``, or whatever else the file says."""
    id: str
    """Which cell of the master it is or was copied from; "" or unknown for the student's own."""
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """One notebook of a student."""

    lang: str
    """``en`` or ``zh``."""
    cells: tuple[HandedCell, ...]
    """In order."""
    broken: tuple[int, ...]
    """Positions of what should be a cell and is not."""


def parse_notebook(data: bytes) -> HandedIn:
    """Return what a submission holds.

    Raises:
        Unreadable: not text, not JSON, or not a notebook of format 4.
    """
    notebook = _load(_decode(data))
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise Unreadable("not_a_notebook")
    if type(notebook.get("nbformat")) is not int or notebook["nbformat"] != 4:
        raise Unreadable("other_format")
    if len(notebook["cells"]) > MAX_CELLS:
        raise Unreadable("too_many_cells", count=len(notebook["cells"]), limit=MAX_CELLS)
    numbered = list(enumerate(notebook["cells"], start=1))
    cells = [(position, _cell(position, cell)) for position, cell in numbered]
    return HandedIn(
        lang=_language(notebook),
        cells=tuple(cell for _, cell in cells if cell is not None),
        broken=tuple(position for position, cell in cells if cell is None),
    )


def guess_language(data: bytes) -> str:
    """Return the language of a notebook that cannot be read, as far as it can be told."""
    found = LANGUAGE.search(data)
    return found[1].decode("ascii") if found else "en"


def _decode(data: bytes) -> str:
    if not data.strip():
        raise Unreadable("empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("utf16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not_utf8", offset=error.start) from error


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise Unreadable("too_deep") from error
    except json.JSONDecodeError as error:
        raise Unreadable("not_json", line=error.lineno, column=error.colno) from error
    except ValueError as error:  # a number of many thousand digits
        raise Unreadable("not_a_notebook") from error


def _language(notebook: dict[str, Any]) -> str:
    lang = _dict(_dict(notebook.get("metadata")).get("mini_letta")).get("lang")
    return lang if isinstance(lang, str) and lang in LANGUAGES else "en"


def _cell(position: int, cell: Any) -> HandedCell | None:
    if not isinstance(cell, dict):
        return None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    kind = cell.get("cell_type")
    return HandedCell(
        position=position,
        kind=kind if isinstance(kind, str) else "",
        id=read_id(cell),
        source=_text(source),
    )


def read_id(cell: dict[str, Any]) -> str:
    """Return the id in the metadata, which a copy keeps, before the one that is made anew."""
    metadata = _dict(cell.get("metadata"))
    named = (
        _dict(metadata.get("mini_letta")).get("id"),
        _dict(metadata.get("nbgrader")).get("grade_id"),
        cell.get("id"),
    )
    return next((id for id in named if isinstance(id, str) and id), "")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(source: str) -> str:
    """Return a source that can be encoded: half a character, as JSON allows, becomes an escape."""
    return source.encode("utf-8", "backslashreplace").decode("utf-8").replace("\r\n", "\n")

"""Notebook sources: one py:percent file for both languages.

A cell begins with a line such as::

    # %% [markdown] id="budget-intro" lang="en"
    # %% id="budget-fails" mini_letta={"pitfall": "budget-tightening", "role": "fails"}

``id`` is required and becomes the id of the notebook cell. A cell with ``lang`` belongs to that
edition only; a cell without it is shared, as code cells are, except for the one that holds a
language's user text. The two editions may use the same id for counterparts. ``tags`` is Jupyter's
own list; ``mini_letta`` says which pitfall a cell shows failing or fixed.
"""

import re
from collections.abc import Collection, Set
from pathlib import Path
from typing import Any

from mini_letta.errors import MiniLettaError

LANGUAGES = ("en", "zh")
ROLES = ("fails", "fixed")
KNOWN = frozenset({"id", "lang", "tags", "mini_letta"})
NOTED = frozenset({"lines_to_next_cell"})  # by jupytext, where a cell ends in a function
# The version of the interpreter does not belong here: the bytes are the same on all of them.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


class BadSource(MiniLettaError):
    """A notebook source is not written as this module says."""


def read_source(path: Path, lang: str) -> Any:
    """Return the notebook of one language, its outputs still empty.

    Raises:
        BadSource: with all that is wrong, one problem per line.
    """
    import nbformat

    cells = read_cells(path, lang)
    notebook = nbformat.v4.new_notebook(cells=[_new_cell(cell) for cell in cells])
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


def read_cells(path: Path, lang: str, *, keys: Collection[str] = ()) -> list[Any]:
    """Return the cells of one language as jupytext reads them, their ids unique.

    Args:
        keys: what a cell may say besides the keys of this module.
    Raises:
        BadSource: with all that is wrong, one problem per line.
    """
    import jupytext  # here, because what runs in a student's kernel needs only names of this module

    cells = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent").cells
    problems = [
        f"{path.name}, cell {number}: {problem}"
        for number, cell in enumerate(cells, start=1)
        for problem in _check_cell(cell, KNOWN.union(keys))
    ]
    chosen = [cell for cell in cells if cell.metadata.get("lang", lang) == lang]
    ids = [cell.metadata.get("id") for cell in chosen]
    problems += [
        f"{path.name}: the id {id!r} stands twice in the edition {lang}"
        for id in sorted({id for id in ids if id and ids.count(id) > 1})
    ]
    if problems:
        raise BadSource("\n".join(problems))
    return chosen


def _check_cell(cell: Any, known: Set[str]) -> list[str]:
    metadata = cell.metadata
    problems = [f"unknown key {key!r}" for key in sorted(metadata.keys() - known - NOTED)]
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", str(metadata.get("id", ""))):
        problems.append("needs an id of letters, digits, - and _ (at most 64)")
    if metadata.get("lang", "en") not in LANGUAGES:
        problems.append(f"lang is {metadata['lang']!r}, not en or zh")
    if cell.cell_type == "markdown" and "lang" not in metadata:
        problems.append("markdown needs a lang")
    mark = metadata.get("mini_letta", {})
    if mark and (mark.get("role") not in ROLES or not mark.get("pitfall")):
        problems.append("mini_letta needs a pitfall, and a role: fails or fixed")
    return problems


def _new_cell(cell: Any) -> Any:
    import nbformat

    metadata = {key: cell.metadata[key] for key in ("tags", "mini_letta") if key in cell.metadata}
    new = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
    return new(cell.source, id=cell.metadata["id"], metadata=metadata)

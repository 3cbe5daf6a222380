"""Build the labs: master to kit and student's notebook, in both languages.

``labs/src/lab3_name.py`` becomes ``labs/en/lab3.ipynb`` and ``labs/en/lab3.json`` and the same in
``labs/zh``. Building twice gives the same bytes. The notebook is made of the kit alone, so nothing
that is kept back can get into it, and a student can have a fresh one without the master.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat

from mini_letta.course.labs.artefact import expected_artefacts
from mini_letta.course.labs.lab import HOME_SEED, Cell, Lab
from mini_letta.course.labs.library import build_library
from mini_letta.course.labs.master import lab_ids, read_lab
from mini_letta.course.labs.reference import expected_texts
from mini_letta.course.sources import LANGUAGES, METADATA

MARKDOWN = ("text", "written")
OWN = ("answer", "written")
NBGRADER_SCHEMA = 3


def build_labs(root: Path, *, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Yield each built file of a checkout with its text; writes nothing.

    Args:
        root: top folder of the checkout.
        env: the surrounding environment.
    Raises:
        BadSource: a master is malformed.
        ReferenceFailed: a reference does not run.
    """
    for lang in LANGUAGES:
        folder = root / "labs" / lang
        for id in lab_ids(root):
            kit = make_kit(read_lab(root, id, lang), env=env)
            yield folder / f"{id}.json", kit.to_json()
            yield folder / f"{id}.ipynb", notebook_text(kit)


def make_kit(lab: Lab, *, env: Mapping[str, str]) -> Lab:
    """Return the kit of a lab: its public half, with what the checks of a student should print.

    Raises:
        ReferenceFailed: the reference does not run.
    """
    return expect(replace(lab, checks=lab.public().checks), env=env).public()


def expect(lab: Lab, *, env: Mapping[str, str]) -> Lab:
    """Return the lab with what each of its checks should print at home.

    Raises:
        ReferenceFailed: the reference does not run.
    """
    with tempfile.TemporaryDirectory(prefix="mini-letta-library-") as folder:
        library = build_library(lab, Path(folder))
        texts = expected_texts(lab, HOME_SEED, env=env, library=library)
        texts |= expected_artefacts(lab, HOME_SEED, env=env, library=library)
    return lab.expecting(texts)


def notebook_text(kit: Lab) -> str:
    """Return a fresh notebook of a lab as JSON text."""
    return notebook_json(kit, [compose_cell(kit, cell) for cell in kit.cells])


def notebook_json(kit: Lab, cells: list[Any]) -> str:
    """Return a notebook of these cells, named as one of this lab."""
    node = nbformat.v4.new_notebook(cells=cells)
    mark = {"lab": kit.id, "lang": kit.lang, "kit": kit.fingerprint()}
    node.metadata = nbformat.from_dict({**METADATA, "mini_letta": mark})
    nbformat.validate(node)
    text: str = nbformat.writes(node)
    return text.rstrip("\n") + "\n"


def compose_cell(lab: Lab, cell: Cell) -> Any:
    """Return one cell of a student's notebook, empty of outputs."""
    mark = {"id": cell.id, "kind": cell.kind}
    metadata: dict[str, Any] = {
        "mini_letta": {**mark, "exercise": cell.exercise} if cell.exercise else mark
    }
    if cell.kind != "text":
        metadata["nbgrader"] = nbgrader_mark(lab, cell)
        if cell.kind not in OWN:
            metadata |= {"deletable": False, "editable": False}
    is_markdown = cell.kind in MARKDOWN
    new = nbformat.v4.new_markdown_cell if is_markdown else nbformat.v4.new_code_cell
    return new(cell.source, id=cell.id, metadata=metadata)


def nbgrader_mark(lab: Lab, cell: Cell) -> dict[str, Any]:
    """Return what nbgrader wants to know about a cell.

    Marked is the locked cell that asks for the checks of an exercise, and the written answer.
    """
    mark: dict[str, Any] = {
        "grade": cell.kind in ("ask", "written"),
        "grade_id": cell.id,
        "locked": cell.kind not in OWN,
        "schema_version": NBGRADER_SCHEMA,
        "solution": cell.kind in OWN,
        "task": False,
    }
    if mark["grade"]:
        mark["points"] = lab.exercise(cell.exercise).points
    return mark

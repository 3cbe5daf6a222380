"""Lab masters: one py:percent file for both languages, and ``labs/labs.toml`` beside it.

Cells are written as in a notebook source (:mod:`mini_letta.course.sources`) with one more key::

    # %% [markdown] id="task-1-1" lang="en" lab={"task": "1.1"}
    # %% id="answer-1-1" lab={"answer": "1.1"}
    # %% id="check-1-1-a" lab={"check": "1.1a", "points": 2}
    # %% id="check-1-1-d" lab={"check": "1.1d", "points": 1, "hidden": true}
    # %% id="check-1-6-a" lab={"check": "1.6a", "points": 2, "script": "tighten", "start": "full"}
    # %% [markdown] id="hints-1-1" lang="en" lab={"hints": "1.1"}
    # %% [markdown] id="written-1-7" lang="en" lab={"written": "1.7", "points": 4}
    # %% [markdown] id="rubric-1-7" lang="en" lab={"rubric": "1.7"}
    # %% id="prelude" lab={"prelude": true}

A task begins with ``## 1.1 Title``; what is checked are its list items ``- **a** Sentence.``, and
a check is named by exercise and letter (``"sentence": "b"`` points to another one). Hints are a
list of three. The reference stands between ``### BEGIN SOLUTION`` and ``### END SOLUTION``.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from mini_letta.course.labs.lab import Cell, CellKind, Check, Exercise, Lab
from mini_letta.course.labs.stubs import code_stub, script_stub
from mini_letta.course.sources import BadSource, read_cells

ROLES = ("task", "answer", "check", "hints", "written", "rubric", "prelude")
SENTENCE = re.compile(r"^- \*\*([a-z])\*\* (.+(?:\n {2,}.+)*)", re.MULTILINE)
HINT = re.compile(r"^([123])\. (.+(?:\n(?: {2,}.*|\s*$))*)", re.MULTILINE)
SOLUTION = re.compile(
    r"^(?P<indent>[ \t]*)### BEGIN SOLUTION\n(?P<body>.*?)^[ \t]*### END SOLUTION(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
TOOLS = "from mini_letta.course.labs.check import check, hint"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """One cell of the master and what it is for."""

    cell: Any
    role: str
    """One of ROLES, or "" for text and given code."""
    name: str
    """Exercise or check id."""
    mark: Mapping[str, Any]


def lab_ids(root: Path) -> list[str]:
    """Return the ids of the labs of a checkout, in the order of ``labs.toml``."""
    return list(_read_table(root))


def read_lab(root: Path, id: str, lang: str) -> Lab:
    """Return one lab of a checkout, its checks not yet run.

    Args:
        root: top folder of the checkout.
        id: ``lab1``.
        lang: ``en`` or ``zh``.
    Raises:
        BadSource: with all that is wrong in the master.
    """
    table = _read_table(root)[id]
    path = root / "labs" / "src" / table["source"]
    pieces = [_piece(cell) for cell in read_cells(path, lang, keys=("lab",))]
    reader = _Reader(pieces, lang)
    prelude = "\n".join(piece.cell.source for piece in reader.of("prelude"))
    lab = Lab(
        id=id,
        number=int(id.removeprefix("lab")),
        lang=lang,
        title=reader.title(),
        stage=table["stage"],
        hides=tuple(table["hides"]),
        cell_timeout_s=table["cell_timeout_s"],
        handouts=tuple(table.get("handouts", ())),
        prelude=prelude,
        cells=tuple(reader.cells()),
        exercises=tuple(reader.exercises()),
        checks=tuple(reader.checks()),
    )
    if reader.problems:
        problems = [f"{path.name} ({lang}): {problem}" for problem in reader.problems]
        raise BadSource("\n".join(problems))
    return lab


def read_sources(root: Path, id: str, lang: str) -> dict[str, str]:
    """Return the cells of a master as they are written, solutions between their marks.

    Raises:
        BadSource: the master is malformed.
    """
    path = root / "labs" / "src" / _read_table(root)[id]["source"]
    return {cell.metadata["id"]: cell.source for cell in read_cells(path, lang, keys=("lab",))}


def stub(source: str, exercise: str, *, script: bool) -> str:
    """Return an answer cell as the student gets it: what to write replaced by one line.

    Args:
        script: the solution stands in the text of a bash script, where Python cannot raise.
    """
    line = script_stub(exercise) if script else code_stub(exercise)
    return SOLUTION.sub(lambda match: f"{match['indent']}{line}\n", source).rstrip("\n")


def solved(source: str) -> str:
    """Return an answer cell without the lines that mark the solution."""
    return SOLUTION.sub(lambda match: match["body"], source).rstrip("\n")


def _read_table(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "labs" / "labs.toml").read_text(encoding="utf-8"))


def _piece(cell: Any) -> _Piece:
    mark = cell.metadata.get("lab", {})
    role = next((role for role in ROLES if role in mark), "")
    return _Piece(cell=cell, role=role, name=str(mark.get(role, "")), mark=mark)


class _Reader:
    """Turns the pieces of one master into records, collecting what is wrong."""

    def __init__(self, pieces: list[_Piece], lang: str) -> None:
        self.pieces = pieces
        self.glue = "" if lang == "zh" else " "  # between the lines of a wrapped sentence
        self.problems: list[str] = []

    def of(self, role: str, name: str | None = None) -> list[_Piece]:
        return [p for p in self.pieces if p.role == role and name in (None, p.name)]

    def text(self, role: str, name: str) -> str:
        """Return the source of the one cell of this role, "" and a problem if there is none."""
        found = self.of(role, name)
        if len(found) != 1:
            self.problems.append(f"{name} has {len(found)} {role} cells, not 1")
        return str(found[0].cell.source) if found else ""

    def title(self) -> str:
        lines = [line for p in self.pieces for line in p.cell.source.splitlines()]
        return next((line[2:].strip() for line in lines if line.startswith("# ")), "")

    def cells(self) -> list[Cell]:
        cells = [Cell(id="tools", kind="tools", source=TOOLS)]
        for piece in self.pieces:
            cells += self.cells_of(piece)
        first_code = next(i for i, cell in enumerate(cells) if i and cell.kind != "text")
        return [*cells[1:first_code], cells[0], *cells[first_code:]]

    def cells_of(self, piece: _Piece) -> list[Cell]:
        id, source = piece.cell.metadata["id"], piece.cell.source
        if piece.role in ("", "task"):
            is_text = piece.cell.cell_type == "markdown"
            return [Cell(id=id, kind="text" if is_text else "given", source=source)]
        if piece.role not in ("answer", "written"):
            return []
        if not SOLUTION.search(source):
            self.problems.append(f"cell {id} has no ### BEGIN SOLUTION ... ### END SOLUTION")
        is_code = piece.role == "answer"
        cell = Cell(
            id=id,
            kind=cast(CellKind, piece.role),
            exercise=piece.name,
            source=self.stub(source, piece.name) if is_code else SOLUTION.sub("", source).strip(),
            solution=solved(source),
        )
        ask = Cell(
            id=f"ask-{piece.name.replace('.', '-')}",
            kind="ask",
            exercise=piece.name,
            source=f'check("{piece.name}")',
        )
        return [cell, ask] if is_code else [cell]

    def stub(self, source: str, exercise: str) -> str:
        return stub(source, exercise, script=self.is_script(exercise))

    def is_script(self, exercise: str) -> bool:
        return any("script" in p.mark for p in self.of("check") if p.name[:-1] == exercise)

    def exercises(self) -> list[Exercise]:
        return [self.exercise(piece) for piece in self.of("task")]

    def exercise(self, task: _Piece) -> Exercise:
        name = task.name
        heading = re.match(rf"## {re.escape(name)} (.+)", task.cell.source)
        if not heading:
            self.problems.append(f"the task {name} does not begin with `## {name} TITLE`")
        title = heading[1].strip() if heading else ""
        written = self.of("written", name)
        checks = self.of("check")
        own = [p for p in checks if p.name[:-1] == name]
        if written:
            rubric, points = self.text("rubric", name), int(written[0].mark.get("points", 0))
            return Exercise(
                id=name, title=title, kind="reading", points=points, hints=(), rubric=rubric
            )
        self.text("answer", name)
        return Exercise(
            id=name,
            title=title,
            kind="script" if self.is_script(name) else "code",
            points=sum(int(p.mark.get("points", 0)) for p in own),
            hints=self.hints(name),
            hidden_checks=sum(bool(p.mark.get("hidden")) for p in own),
        )

    def hints(self, name: str) -> tuple[str, ...]:
        hints = tuple(hint.strip() for _, hint in HINT.findall(self.text("hints", name)))
        if len(hints) != 3:
            self.problems.append(f"{name} has {len(hints)} hints, not 3")
        return hints

    def checks(self) -> list[Check]:
        names = [p.name for p in self.of("check")]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.problems.append(f"there are two checks {name}")
        return [self.check(piece) for piece in self.of("check")]

    def check(self, piece: _Piece) -> Check:
        exercise, letter = piece.name[:-1], piece.mark.get("sentence", piece.name[-1])
        sentences = dict(SENTENCE.findall(self.text("task", exercise)))
        if letter not in sentences:
            self.problems.append(f"the task {exercise} has no sentence `- **{letter}** ...`")
        if int(piece.mark.get("points", 0)) < 1:
            self.problems.append(f"the check {piece.name} needs at least 1 point")
        return Check(
            id=piece.name,
            exercise=exercise,
            hidden=bool(piece.mark.get("hidden", False)),
            points=int(piece.mark.get("points", 0)),
            sentence=re.sub(r"\s*\n\s*", self.glue, sentences.get(letter, "")).strip(),
            source=piece.cell.source,
            script=piece.mark.get("script", ""),
            start=piece.mark.get("start", ""),
        )

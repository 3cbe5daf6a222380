"""A built sample lab, and a student who works on it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from mini_letta.course.labs.build import build_labs
from mini_letta.course.labs.master import read_lab
from tests.labs.sample import write_sample

LAB = "lab9"
# A notebook in miniature: each source runs in __main__, and tracebacks know its lines.
CELLS = """
import json, linecache, sys

for number, source in enumerate(json.load(sys.stdin)):
    file = f"<cell {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), vars(sys.modules["__main__"]))
"""
RIGHT = {
    "9.1": "def double(n):\n    return 2 * n",
    "9.2": "def longest(words):\n    return max(words, key=len)",
    "9.3": "script = \"printf -- '- more\\\\n' >> n.md; git commit -qam more\"",
}
TRACEBACK = "Traceback"


def build_sample(root: Path) -> Path:
    """Write and build a checkout that has only the sample lab."""
    write_sample(root)
    for path, text in build_labs(root, env=os.environ):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return root


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """Somebody with a folder in which there are a notebook and a kit."""

    folder: Path

    @property
    def notebook(self) -> Path:
        """The student's notebook."""
        return self.folder / f"{LAB}.ipynb"

    @property
    def kit(self) -> Path:
        """The kit beside it."""
        return self.folder / f"{LAB}.json"

    def runs(self, *cells: str) -> str:
        """Run the tools cell, the given cells and these; return what these printed."""
        tools = "from mini_letta.course.labs.check import check, hint"
        given = [tools, *(cell.source for cell in self.cells("given"))]
        done = subprocess.run(
            [sys.executable, "-c", CELLS],
            cwd=self.folder,
            input=json.dumps([*given, *cells]),
            encoding="utf-8",
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert TRACEBACK not in done.stdout
        return done.stdout

    def cells(self, kind: str) -> list[Any]:
        """Return the cells of one kind of the saved notebook."""
        node = nbformat.read(self.notebook, as_version=4)
        return [c for c in node.cells if c.metadata.get("mini_letta", {}).get("kind") == kind]

    def edits(self, change: Callable[[Any], None]) -> None:
        """Change every cell of the notebook as ``change`` does, and save it."""
        node = nbformat.read(self.notebook, as_version=4)
        for cell in node.cells:
            change(cell)
        nbformat.write(node, self.notebook)

    def deletes(self, id: str) -> None:
        """Take one cell out of the notebook."""
        node = nbformat.read(self.notebook, as_version=4)
        node.cells = [cell for cell in node.cells if cell.id != id]
        nbformat.write(node, self.notebook)

    def writes(self, **sources: str) -> None:
        """Save sources in cells: ``answer_9_1="..."``."""
        named = {name.replace("_", "-"): source for name, source in sources.items()}

        def change(cell: Any) -> None:
            cell.source = named.get(cell.id, cell.source)

        self.edits(change)

    def progress(self) -> Any:
        """Return what is remembered, by exercise."""
        text = (self.folder / "progress.json").read_text(encoding="utf-8")
        return json.loads(text)["exercises"]


def enrol(root: Path, folder: Path, lang: str = "en") -> Student:
    """Give a new student the built sample lab."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (f"{LAB}.ipynb", f"{LAB}.json"):
        shutil.copyfile(root / "labs" / lang / name, folder / name)
    return Student(folder=folder)


def references(root: Path) -> dict[str, str]:
    """Return the reference cells of the sample as keywords for :meth:`Student.writes`."""
    cells = read_lab(root, LAB, "en").cells
    return {cell.id.replace("-", "_"): cell.solution for cell in cells if cell.solution}

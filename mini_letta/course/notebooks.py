"""Build the notebooks: source, executed in a fixed environment, without what differs by machine.

``notebooks/src/NAME.py`` becomes ``notebooks/en/NAME.ipynb`` and ``notebooks/zh/NAME.ipynb``,
outputs included. Building twice, or on another machine or Python, gives the same bytes; the test
suite compares them.
"""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from mini_letta.course.environment import notebook_environment
from mini_letta.course.sources import read_source
from mini_letta.errors import MiniLettaError


class BuildError(MiniLettaError):
    """A notebook could not be built; the text says which cell and why."""

    exit_code = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Notebook:
    """One edition of one notebook: where it comes from and where it goes."""

    source: Path
    """``notebooks/src/NAME.py``."""
    lang: str
    """``en`` or ``zh``."""

    @property
    def path(self) -> Path:
        """The built notebook."""
        return self.source.parent.parent / self.lang / f"{self.source.stem}.ipynb"

    @property
    def label(self) -> str:
        """The built notebook as it is written in a message: ``notebooks/en/NAME.ipynb``."""
        return f"notebooks/{self.lang}/{self.path.name}"


def list_notebooks(folder: Path, langs: tuple[str, ...]) -> list[Notebook]:
    """Return the notebooks of a ``notebooks`` folder, by language, then by name."""
    sources = sorted((folder / "src").glob("[0-9]*.py"))
    return [Notebook(source=source, lang=lang) for lang in langs for source in sources]


def compile_notebook(notebook: Notebook, *, env: Mapping[str, str]) -> str:
    """Return the text of the built notebook, freshly executed; writes only in a temporary folder.

    Args:
        env: the surrounding environment.
    Raises:
        BadSource: the source is malformed.
        BuildError: a cell failed, or printed what cannot be the same elsewhere.
    """
    node = read_source(notebook.source, notebook.lang)
    with tempfile.TemporaryDirectory(prefix="mini-letta-build-") as temporary:
        scratch = Path(temporary)
        cwd = scratch / "cwd"
        cwd.mkdir()
        nbformat.write(node, scratch / "in.ipynb")
        argv = [sys.executable, "-m", "mini_letta.course.execute"]
        done = subprocess.run(
            [*argv, str(scratch / "in.ipynb"), str(scratch / "out.ipynb")],
            cwd=cwd,
            env=notebook_environment(env, scratch=scratch),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode:
            raise BuildError(f"{notebook.label} could not be built:\n{done.stderr.strip()}")
        built = nbformat.read(scratch / "out.ipynb", as_version=4)
        text = normal_text(built)
        problems = check_outputs(built)
        if temporary in text:
            problems.append(f"an output names the temporary folder {temporary}")
    if problems:
        raise BuildError("\n".join(f"{notebook.label}: {problem}" for problem in problems))
    return text


def check_outputs(node: Any) -> list[str]:
    """Return what in the outputs is not fit to be compared on other machines."""
    return [
        f"cell {cell.id} writes to stderr, which mixes with stdout differently each time: "
        f"{output.text.strip()[:200]}"
        for cell in node.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]


def normal_text(node: Any) -> str:
    """Return the notebook as JSON text without anything that depends on machine or moment."""
    count = 0
    for cell in node.cells:
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            cell.outputs = _joined_streams(cell.outputs)
            for output in cell.outputs:
                _normalise_output(output, count)
            cell.metadata.pop("execution", None)
    # nbclient fills in the interpreter's version.
    node.metadata.language_info = {
        key: node.metadata.language_info[key] for key in ("file_extension", "mimetype", "name")
    }
    nbformat.validate(node)
    text: str = nbformat.writes(node)
    return text.rstrip("\n") + "\n"


def _joined_streams(outputs: list[Any]) -> list[Any]:
    """Join neighbouring pieces of one stream: where they were cut is a matter of timing."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == "stream" == last.output_type and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _normalise_output(output: Any, count: int) -> None:
    if output.output_type == "execute_result":
        output.execution_count = count
    if output.output_type == "error":
        # Frames, colours and paths differ; name and text are what a check compares.
        output.traceback = [f"{output.ename}: {output.evalue}"]

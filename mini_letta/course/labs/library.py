"""The package as one lab may see it: no later stage, and the lab's own answers taken out.

A copy of the sources in a folder for ``PYTHONPATH``. Nothing else of the package is within reach
of a graded kernel, so what is not copied cannot be imported and cannot be read. A hidden function
keeps its name and loses its body: whoever needs the name can still be imported, and whatever is
made of the sources, such as the hook of a new memory, lacks the answer as well.
"""

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path

from mini_letta import stages
from mini_letta.course.labs.lab import Lab
from mini_letta.errors import MiniLettaError

PACKAGE = Path(__file__).parents[2]
# What the given cells of a lab stand on; everything else of the course stays outside.
FOR_LABS = ("", "transcript", "course", "course.workbench", "course.labs", "course.labs.values")


class NothingToHide(MiniLettaError):
    """A lab hides a module or function that is not there."""


def build_library(lab: Lab, folder: Path) -> Path:
    """Write the package for one lab into ``folder`` and return ``folder``.

    Raises:
        NothingToHide: ``hides`` names what does not exist up to the lab's stage.
    """
    modules = {module: _read(module) for module in allowed_modules(lab.stage)}
    for name in lab.hides:
        module, _, function = name.partition(":")
        if module not in modules:
            raise NothingToHide(f"{lab.id} hides {name}, but {lab.stage} has no module {module}.")
        if function:
            modules[module] = empty_function(modules[module], function, lab=lab.id)
        else:
            del modules[module]
    for module, source in modules.items():
        path = folder / "mini_letta" / _relative(module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return folder


def allowed_modules(tag: str) -> list[str]:
    """Return the modules a lab of this stage may import, dotted, inside the package."""
    tags = stages.TAGS[: stages.TAGS.index(tag) + 1]
    introduced = [name for earlier in tags for name in stages.load(earlier).INTRODUCES]
    packages = {name.rpartition(".")[0] for name in introduced}
    named = [earlier.replace(".", "_") for earlier in tags]
    return sorted({*introduced, *packages, *named, *FOR_LABS})


def empty_function(source: str, name: str, *, lab: str) -> str:
    """Return a module's source with the body of one function replaced by an error.

    Raises:
        NothingToHide: the module defines no such function.
    """
    found = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    if not found:
        raise NothingToHide(f"{lab} hides a function {name} that its module does not define.")
    lines = source.splitlines(keepends=True)
    body: Sequence[ast.stmt] = found[0].body
    error = f'    raise NotImplementedError("{name} is what {lab} asks for")\n'
    return "".join([*lines[: body[0].lineno - 1], error, *_after(lines, body)])


def _after(lines: list[str], body: Sequence[ast.stmt]) -> Iterable[str]:
    return lines[(body[-1].end_lineno or 0) :]


def _read(module: str) -> str:
    return (PACKAGE / _relative(module)).read_text(encoding="utf-8")


def _relative(module: str) -> Path:
    """Return where a module's file is: a package's is its ``__init__.py``."""
    path = Path(*module.split(".")) if module else Path()
    return path / "__init__.py" if (PACKAGE / path).is_dir() else path.with_suffix(".py")

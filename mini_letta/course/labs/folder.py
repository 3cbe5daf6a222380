"""The folder a student works in: where it is, how it is begun, and how it is begun again."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from mini_letta.course.grading.handed_in import parse_notebook, read_id
from mini_letta.course.labs.build import compose_cell, notebook_text
from mini_letta.course.labs.kit import has_kit, kit_path, notebook_path, read_kit
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.progress import free_name
from mini_letta.errors import MiniLettaError

STUDENTS = "my-labs"


class NotBuilt(MiniLettaError):
    """The checkout has no built lab to hand out."""


class AlreadyThere(MiniLettaError):
    """Somebody's work is where a new folder was to be."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """What is handed out of one lab in one language."""

    lab: Lab
    """The kit."""
    files: tuple[tuple[Path, str], ...]
    """Each file with its name in the student's folder."""


def read_package(root: Path, id: str, lang: str) -> Package:
    """Return what a checkout hands out of a lab.

    Raises:
        NotBuilt: the notebook or the kit is not there.
        BadKit: the kit is of another version.
    """
    built = root / "labs" / lang
    files = [notebook_path(built, id), kit_path(built, id)]
    for path in files:
        if not path.is_file():
            raise NotBuilt(str(path.relative_to(root)))
    kit = read_kit(built, id)
    handouts = root / "labs" / "handouts" / id / lang
    pairs = [*((path, path.name) for path in files), *((handouts / n, n) for n in kit.handouts)]
    return Package(lab=kit, files=tuple(pairs))


def copy_package(package: Package, folder: Path) -> list[Path]:
    """Write a student's folder and return its files; nothing that is there is overwritten.

    Raises:
        AlreadyThere: one of the files exists; nothing was written.
    """
    targets = [folder / name for _, name in package.files]
    taken = [path for path in targets if path.exists() or path.is_symlink()]
    if taken:
        raise AlreadyThere(taken[0].name)
    for (source, _), target in zip(package.files, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as old, target.open("xb") as new:
            shutil.copyfileobj(old, new)
    return targets


def candidates(cwd: Path, lab: str) -> list[Path]:
    """Return where a lab may be worked on, seen from the current folder, nearest first."""
    return [cwd, cwd / lab, cwd / STUDENTS / lab]


def find_folder(folders: Iterable[Path], lab: str) -> Path | None:
    """Return the first folder in which the lab is worked on."""
    return next((folder for folder in folders if has_kit(folder, lab)), None)


def reset_lab(folder: Path, kit: Lab) -> Path | None:
    """Write a fresh notebook; return where the old one is kept, None if there was none."""
    path = notebook_path(folder, kit.id)
    kept = _keep(path)
    _replace(path, notebook_text(kit))
    return kept


def reset_exercise(folder: Path, kit: Lab, exercise: str) -> Path | None:
    """Put back the answer of one exercise and leave the rest; return where the old one is kept.

    Raises:
        Unreadable: the notebook is damaged.
        OSError: it is not there.
    """
    path = notebook_path(folder, kit.id)
    data = path.read_bytes()
    parse_notebook(data)
    node = nbformat.reads(data.decode("utf-8-sig"), as_version=4)
    node.cells = _with_fresh_answer(kit, node.cells, exercise)
    kept = _keep(path)
    _replace(path, nbformat.writes(node).rstrip("\n") + "\n")
    return kept


def _with_fresh_answer(kit: Lab, cells: Sequence[Any], exercise: str) -> list[Any]:
    """Return the cells with the answer as it was handed out, its copies taken away."""
    answer = next(c for c in kit.cells if c.exercise == exercise and c.kind != "ask")
    found = [number for number, cell in enumerate(cells) if read_id(cell) == answer.id]
    place = found[0] if found else _place(kit, cells, answer.id)
    kept = [cell for number, cell in enumerate(cells) if number not in found]
    return [*kept[:place], compose_cell(kit, answer), *kept[place:]]


def _place(kit: Lab, cells: Sequence[Any], id: str) -> int:
    """Return where a missing cell belongs: behind the last one that comes before it."""
    order = [cell.id for cell in kit.cells]
    before = set(order[: order.index(id)])
    return max((n for n, cell in enumerate(cells, start=1) if read_id(cell) in before), default=0)


def _keep(path: Path) -> Path | None:
    if not path.is_file():
        return None
    kept = free_name(path)
    shutil.copyfile(path, kept)
    return kept


def _replace(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)

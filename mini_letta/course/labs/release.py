"""Labs in the folders nbgrader uses, to be put where students fetch them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from mini_letta.course.labs.folder import AlreadyThere, Package, copy_package
from mini_letta.course.labs.kit import notebook_path
from mini_letta.course.labs.nbgrader import source_notebook
from mini_letta.errors import MiniLettaError

MARK = "mini-letta-release.json"


class Foreign(MiniLettaError):
    """The folder holds something that a release did not write."""

    exit_code = 2


def release_labs(
    root: Path,
    packages: Iterable[Package],
    folder: Path,
    *,
    solutions: bool,
    env: Mapping[str, str],
) -> list[Path]:
    """Write labs below ``folder`` and return the files.

    ``release/lab1/`` is what students get. A release written before is replaced, and nothing else.

    Args:
        root: top folder of the checkout.
        solutions: also write ``source/lab1/``, from which nbgrader makes assignments of its own.
        env: the surrounding environment.
    Raises:
        Foreign: the folder is not empty, and no release is in it.
    """
    old = _claim(folder)
    written: list[Path] = []
    for package in packages:
        id = package.lab.id
        written += _copy(package, folder / "release" / id, old, folder)
        if solutions:
            source = folder / "source" / id
            written += _copy(package, source, old, folder)
            text = source_notebook(root, id, package.lab, env=env)
            notebook_path(source, id).write_text(text, encoding="utf-8", newline="\n")
    _remember(folder, {str(path.relative_to(folder)) for path in written}.union(old))
    return written


def _remember(folder: Path, names: Iterable[str]) -> None:
    text = json.dumps({"written": sorted(names)}, indent=1, ensure_ascii=False) + "\n"
    (folder / MARK).write_text(text, encoding="utf-8")


def _copy(package: Package, target: Path, old: set[str], folder: Path) -> list[Path]:
    for _, name in package.files:
        path = target / name
        if str(path.relative_to(folder)) in old:
            path.unlink(missing_ok=True)
    try:
        return copy_package(package, target)
    except AlreadyThere as error:
        raise Foreign(str(target / str(error))) from error


def _claim(folder: Path) -> set[str]:
    """Return the files of an earlier release in a folder, which may be written to."""
    if not folder.exists() or not any(folder.iterdir()):
        folder.mkdir(parents=True, exist_ok=True)
        return set()
    try:
        return set(json.loads((folder / MARK).read_text(encoding="utf-8"))["written"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Foreign(str(folder)) from error

"""All labs at a glance, with how far a student is in each."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mini_letta.course.labs.folder import STUDENTS, candidates, find_folder
from mini_letta.course.labs.kit import has_kit, parse_name, read_kit
from mini_letta.course.labs.lab import BadKit, Lab
from mini_letta.course.labs.master import lab_ids
from mini_letta.course.labs.phrases import say
from mini_letta.course.labs.progress import Progress, read_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One lab that can be worked on."""

    kit: Lab
    folder: Path | None
    """Where it was begun; None if it was not."""
    progress: Progress | None
    """Of that folder."""


def list_labs(root: Path | None, cwd: Path, lang: str) -> list[Listed]:
    """Return the labs of the checkout and those begun near the current folder, in order.

    Args:
        root: top folder of the checkout, None if there is none.
        lang: of the labs that were not begun yet.
    """
    begun = dict(_begun(cwd))
    built = {} if root is None else dict(_built(root, lang))
    ids = sorted({*begun, *built}, key=lambda id: int(id.removeprefix("lab")))
    labs = []
    for id in ids:
        folder = begun.get(id)
        try:
            kit = read_kit(folder if folder is not None else built[id], id)
        except BadKit:
            continue  # what is wrong with it is said when somebody works on it
        progress = None if folder is None else read_progress(folder)
        labs.append(Listed(kit=kit, folder=folder, progress=progress))
    return labs


def describe_labs(labs: list[Listed], cwd: Path, lang: str) -> tuple[Any, list[str]]:
    """Return the labs as plain data and as lines."""
    data, lines = [], []
    for lab in labs:
        data.append(_summarise(lab))
        lines += [f"{lab.kit.id}  {lab.kit.title}", f"      {_describe(lab, cwd, lang)}"]
    return data, lines


def _begun(cwd: Path) -> Iterator[tuple[str, Path]]:
    near = [cwd, *sorted(cwd.glob("lab*")), *sorted((cwd / STUDENTS).glob("lab*"))]
    for path in {path for folder in near if folder.is_dir() for path in folder.glob("lab*.json")}:
        name = parse_name(path.stem)
        if name is not None and path.stem == name[0]:
            folder = find_folder([*candidates(cwd, name[0]), path.parent], name[0])
            if folder is not None:
                yield name[0], folder


def _built(root: Path, lang: str) -> Iterator[tuple[str, Path]]:
    folder = root / "labs" / lang
    return ((id, folder) for id in lab_ids(root) if has_kit(folder, id))


def _describe(lab: Listed, cwd: Path, lang: str) -> str:
    if lab.folder is None or lab.progress is None:
        return say(lang, "list_not_begun", number=lab.kit.number)
    done = sum(lab.progress.of(exercise.id).is_done for exercise in lab.kit.exercises)
    status = say(lang, "list_exercises", done=done, total=len(lab.kit.exercises))
    inside = lab.folder.is_relative_to(cwd)
    return f"{status}  {lab.folder.relative_to(cwd) if inside else lab.folder}"


def _summarise(lab: Listed) -> dict[str, Any]:
    progress = lab.progress or Progress(path=Path())
    standings = [(exercise, progress.of(exercise.id)) for exercise in lab.kit.exercises]
    return {
        "id": lab.kit.id,
        "title": lab.kit.title,
        "points": lab.kit.points,
        "folder": None if lab.folder is None else str(lab.folder),
        "exercises": [
            {
                "id": exercise.id,
                "title": exercise.title,
                "kind": exercise.kind,
                "points": exercise.points,
                "done": standing.is_done,
                "passed": standing.passed,
                "total": standing.total,
                "hints": standing.hints,
            }
            for exercise, standing in standings
        ],
    }

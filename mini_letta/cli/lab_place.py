"""What the commands about labs have in common: what was typed, and where it is worked on."""

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mini_letta.cli.course import NoCheckout, find_checkout
from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.course.grading.handed_in import HandedIn
    from mini_letta.course.labs.desk import Desk
    from mini_letta.course.labs.folder import Package
    from mini_letta.course.labs.lab import Exercise, Lab


class BadLab(MiniLettaError):
    """The lab or exercise that was named is not there; the text says what is."""

    exit_code = 2


def checkout() -> Path | None:
    """Return the checkout this package runs from, None if it is only installed."""
    try:
        return find_checkout()
    except NoCheckout:
        return None


def require(context: "Context", *packages: str) -> None:
    """Raise an error that says what to install, unless all packages are there."""
    from importlib.util import find_spec

    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise MiniLettaError(say_in(context, "needs_packages", names=", ".join(missing)))


def say_in(context: "Context", key: str, **values: object) -> str:
    """Return a sentence in the language of the call."""
    from mini_letta.course.labs.phrases import say

    return say(context.lang, key, **values)


def read_name(context: "Context", typed: str) -> tuple[str, str]:
    """Return lab and exercise of what was typed; the exercise may be ""."""
    from mini_letta.course.labs.kit import parse_name

    name = parse_name(typed)
    if name is None:
        raise BadLab(say_in(context, "bad_name", typed=typed))
    return name


def shorten(context: "Context", path: Path) -> str:
    """Return a path as one would type it in the current folder."""
    if path.is_relative_to(context.cwd):
        return str(path.relative_to(context.cwd))
    return os.fspath(path)


def find_program(context: "Context", name: str) -> str:
    """Return how to start a program of this Python from any folder; "" if it has none.

    By its name where the shell finds exactly this one, else by its path.
    """
    own = Path(sys.executable).with_name(name)
    if not own.is_file():
        return ""
    found = shutil.which(name, path=context.env.get("PATH", os.defpath))
    return name if found and os.path.samefile(found, own) else shlex.quote(os.fspath(own))


def package_of(context: "Context", lab: str) -> "Package":
    """Return what the checkout hands out of a lab."""
    from mini_letta.course.labs.folder import NotBuilt, read_package
    from mini_letta.course.labs.master import lab_ids

    root = checkout()
    if root is None:
        raise MiniLettaError(say_in(context, "start_checkout"))
    if lab not in lab_ids(root):
        raise BadLab(say_in(context, "no_lab", lab=lab, ids=", ".join(lab_ids(root))))
    try:
        return read_package(root, lab, context.lang)
    except NotBuilt as error:
        raise MiniLettaError(say_in(context, "not_built", name=error)) from error


def open_named_desk(
    context: "Context", typed: str, *, within: str = ""
) -> "tuple[Desk, Exercise | None]":
    """Return the folder in which a lab is worked on, and the exercise if one was named.

    Args:
        within: a lab that was named besides, which the exercise must be of.
    """
    from mini_letta.course.labs.desk import open_desk
    from mini_letta.course.labs.folder import candidates, find_folder
    from mini_letta.course.labs.lab import BadKit

    lab, id = read_name(context, typed)
    if within and read_name(context, within)[0] != lab:
        raise BadLab(say_in(context, "other_lab", typed=typed, lab=within))
    number = lab.removeprefix("lab")
    places = candidates(context.cwd, lab)
    folder = find_folder(places, lab)
    if folder is None:
        folders = ", ".join(shorten(context, place) for place in places)
        raise BadLab(say_in(context, "not_found", lab=lab, folders=folders, number=number))
    try:
        desk = open_desk(folder, lab)
    except BadKit as error:
        reason = str(error).rstrip(".")
        raise BadLab(say_in(context, "bad_kit", lab=lab, reason=reason)) from error
    exercise = desk.find(id)
    if id and exercise is None:
        raise no_exercise(context, desk.kit, id)
    return desk, exercise


def no_exercise(context: "Context", kit: "Lab", typed: str) -> BadLab:
    """Return the error that says which exercises there are."""
    ids = ", ".join(exercise.id for exercise in kit.exercises)
    if not typed:
        return BadLab(say_in(context, "needs_exercise", number=kit.number))
    return BadLab(say_in(context, "which_exercise", typed=typed, lab=kit.id, ids=ids))


def read_handed_in(context: "Context", desk: "Desk") -> "HandedIn":
    """Return the student's notebook as it is on disk."""
    from mini_letta.course.grading.phrases import say as say_unreadable
    from mini_letta.course.grading.submissions import Unreadable
    from mini_letta.course.labs.kit import notebook_path
    from mini_letta.course.labs.saved import read_saved

    path = notebook_path(desk.folder, desk.kit.id)
    number = desk.kit.number
    try:
        return read_saved(desk.folder, desk.kit.id)
    except FileNotFoundError as error:
        values = {"name": path.name, "folder": shorten(context, desk.folder), "number": number}
        raise BadLab(say_in(context, "no_notebook", **values)) from error
    except Unreadable as error:
        reason = say_unreadable(context.lang, error.reason, **error.details)
        values = {"name": path.name, "reason": reason, "number": number}
        raise BadLab(say_in(context, "unreadable", **values)) from error

"""``labs``: begin a lab, check it, take a hint, begin again; and what instructors hand out."""

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mini_letta.cli.lab_place import (
    BadLab,
    checkout,
    find_program,
    open_named_desk,
    package_of,
    read_handed_in,
    read_name,
    require,
    say_in,
    shorten,
)
from mini_letta.cli.options import Subparsers, add_command, add_group
from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.course.labs.lab import Lab

LAB = "3 or lab3"
EITHER = "3 for the lab, 3.2 for one exercise"
HAND_OUT = "labs_hand_out"


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about labs."""
    group = add_group(subparsers, "labs", help="work on a lab: start, check, hint, reset")
    add_command(group, "labs list", group=__name__, help="the labs, and how far you are")
    start = _declare(group, "start", LAB, "write a folder to work in, and say what to do next")
    start.add_argument("--to", metavar="DIR", help="folder (default: my-labs/lab3 here)")
    _declare(group, "check", EITHER, "run your saved notebook and its public checks")
    _declare(group, "hint", "3.2", "the next of three hints")
    reset = _declare(group, "reset", EITHER, "a fresh notebook or answer; yours is kept")
    reset.add_argument("exercise", nargs="?", help="3.2: put back only this answer")
    _declare(group, "solution", "3.2", "the reference (from a checkout)", module=HAND_OUT)
    release = add_command(
        group, "labs release", group=HAND_OUT, help="write what students get, as nbgrader lays it"
    )
    release.add_argument("--to", metavar="DIR", required=True, help="new or empty folder")
    release.add_argument(
        "--solutions", action="store_true", help="also nbgrader's source, with hidden tests"
    )
    build = add_command(
        group, "labs build", group=HAND_OUT, help="build labs/en and labs/zh from labs/src"
    )
    build.add_argument("--check", action="store_true", help="only compare, write nothing")


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about labs."""
    require(context, "nbformat", "jupytext")
    return COMMANDS[args.command](context, args)


def _declare(
    group: Subparsers, name: str, what: str, help: str, *, module: str = __name__
) -> argparse.ArgumentParser:
    parser = add_command(group, f"labs {name}", group=module, help=help)
    parser.add_argument("lab", metavar="LAB", help=what)
    return parser


def _list(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.course.labs.overview import describe_labs, list_labs

    labs = list_labs(checkout(), context.cwd, context.lang)
    if not labs:
        raise BadLab(say_in(context, "no_labs"))
    context.report(*describe_labs(labs, context.cwd, context.lang))
    return 0


def _start(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.course.labs.folder import STUDENTS, AlreadyThere, copy_package

    lab, _ = read_name(context, args.lab)
    package = package_of(context, lab)
    folder = context.cwd / (Path(STUDENTS, lab) if args.to is None else args.to)
    number = package.lab.number
    try:
        files = copy_package(package, folder)
    except AlreadyThere as error:
        values = {"folder": shorten(context, folder), "name": error, "number": number}
        raise BadLab(say_in(context, "exists", **values)) from error
    data = {"lab": lab, "folder": str(folder), "files": [path.name for path in files]}
    context.report(data, list(_describe_next(context, package.lab, folder)))
    return 0


def _describe_next(context: "Context", kit: "Lab", folder: Path) -> Iterator[str]:
    """Yield what to do in a new folder, in commands that work as they are."""
    short = str(folder) if folder == context.cwd else shorten(context, folder)
    yield say_in(context, "started", lab=kit.id, folder=short)
    yield say_in(context, "started_cd", folder=shlex.quote(short))
    yield _describe_opening(context, kit.id, folder)
    yield say_in(context, "started_check", first=kit.exercises[0].id)
    program = find_program(context, "mini-letta") or f"{shlex.quote(sys.executable)} -m mini_letta"
    yield say_in(context, "started_cli", program=program, number=kit.number)


def _describe_opening(context: "Context", lab: str, folder: Path) -> str:
    jupyter, root = find_program(context, "jupyter-lab"), checkout()
    if jupyter:
        return say_in(context, "started_open", jupyter=jupyter, lab=lab)
    if root is not None and folder.is_relative_to(root):
        path = (folder / lab).relative_to(root).with_suffix(".ipynb")
        make = f"make -C {shlex.quote(str(root))} lab"
        return say_in(context, "started_make", make=make, path=path)
    return say_in(context, "started_any", lab=lab, python=sys.executable)


def _check(context: "Context", args: argparse.Namespace) -> int:
    require(context, "nbval", "pytest", "ipykernel", "nbformat", "jupytext")
    from mini_letta.course.labs.phrases import say
    from mini_letta.course.labs.saved import remark_on_edition
    from mini_letta.course.labs.saved_check import check_saved
    from mini_letta.course.labs.wording import summarise_attempt

    desk, exercise = open_named_desk(context, args.lab)
    handed = read_handed_in(context, desk)
    wanted = (exercise,) if exercise else desk.kit.exercises
    found = check_saved(desk.kit, handed, wanted, env=context.env)
    if found.trouble:
        raise MiniLettaError(found.trouble)
    lines = [line for each in found.attempts for line in (*desk.report(each), "")]
    remarks = [*remark_on_edition(desk.kit, desk.folder), *found.remarks, *desk.keep()]
    done, total = sum(each.is_passed for each in found.attempts), len(wanted)
    end = [] if exercise else [say(desk.lang, "list_exercises", done=done, total=total)]
    exercises = [summarise_attempt(attempt) for attempt in found.attempts]
    data = {"lab": desk.kit.id, "exercises": exercises, "remarks": remarks}
    context.report(data, "\n".join([*lines, *remarks, *end]).rstrip().splitlines())
    return 0 if done == total else 1


def _hint(context: "Context", args: argparse.Namespace) -> int:
    desk, exercise = open_named_desk(context, args.lab)
    if exercise is None:
        raise BadLab(say_in(context, "needs_exercise", number=desk.kit.number))
    lines = desk.next_hint(exercise)
    taken = desk.progress.of(exercise.id).hints
    text = exercise.hints[taken - 1] if exercise.hints else ""
    data = {"exercise": exercise.id, "number": taken, "of": len(exercise.hints), "hint": text}
    context.report(data, [*lines, *desk.keep()])
    return 0


def _reset(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.course.labs.folder import reset_exercise, reset_lab
    from mini_letta.course.labs.kit import notebook_path

    desk, exercise = open_named_desk(context, args.exercise or args.lab, within=args.lab)
    name = notebook_path(desk.folder, desk.kit.id).name
    if exercise is None:
        id, kept = "", reset_lab(desk.folder, desk.kit)
    else:
        read_handed_in(context, desk)
        id, kept = exercise.id, reset_exercise(desk.folder, desk.kit, exercise.id)
    key = "reset_new" if kept is None else "reset_one" if exercise else "reset_all"
    where = "" if kept is None else shorten(context, kept)
    data = {"lab": desk.kit.id, "exercise": id, "kept": None if kept is None else str(kept)}
    context.report(data, [say_in(context, key, name=name, id=id, kept=where)])
    return 0


COMMANDS = {
    "labs list": _list,
    "labs start": _start,
    "labs check": _check,
    "labs hint": _hint,
    "labs reset": _reset,
}

"""``labs solution``, ``release`` and ``build``: what takes the masters, so a checkout."""

import argparse
from typing import TYPE_CHECKING

from mini_letta.cli.lab_place import (
    BadLab,
    checkout,
    no_exercise,
    package_of,
    read_name,
    require,
    say_in,
    shorten,
)
from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.cli.context import Context


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command."""
    require(context, "nbformat", "jupytext")
    return COMMANDS[args.command](context, args)


def _solution(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.course.labs.folder import candidates, find_folder
    from mini_letta.course.labs.progress import Standing, read_progress
    from mini_letta.course.labs.solution import read_solution

    root = checkout()
    if root is None:
        raise MiniLettaError(say_in(context, "solution_checkout"))
    lab, id = read_name(context, args.lab)
    folder = find_folder(candidates(context.cwd, lab), lab)
    kit = package_of(context, lab).lab
    exercise = next((each for each in kit.exercises if each.id == id), None)
    if exercise is None:
        raise no_exercise(context, kit, id)
    standing = read_progress(folder).of(id) if folder else Standing()
    text = read_solution(root, lab, id, context.lang)
    lines = [text]
    if exercise.hints and standing.hints < len(exercise.hints):
        lines = [say_in(context, "hints_left", taken=standing.hints, id=id), "", text]
    context.report({"exercise": id, "hints_taken": standing.hints, "solution": text}, lines)
    return 0


def _release(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.course.labs.master import lab_ids
    from mini_letta.course.labs.release import Foreign, release_labs

    root = checkout()
    if root is None:
        raise MiniLettaError(say_in(context, "release_checkout"))
    folder = context.cwd / args.to
    packages = [package_of(context, id) for id in lab_ids(root)]
    try:
        written = release_labs(root, packages, folder, solutions=args.solutions, env=context.env)
    except Foreign as error:
        raise BadLab(say_in(context, "foreign", folder=error)) from error
    names = [str(path.relative_to(folder)) for path in written]
    lines = [say_in(context, "released", count=len(packages), folder=shorten(context, folder))]
    lines += [say_in(context, "keep_source")] if args.solutions else []
    context.report({"folder": str(folder), "files": names}, lines)
    return 0


def _build(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.cli.course import find_checkout
    from mini_letta.course.labs.build import build_labs

    root = find_checkout()
    changed, lines = [], []
    for path, text in build_labs(root, env=context.env):
        name = str(path.relative_to(root))
        old = path.read_text(encoding="utf-8") if path.is_file() else None
        if text == old:
            lines.append(say_in(context, "labs_fresh", name=name))
            continue
        changed.append(name)
        lines.append(say_in(context, "labs_stale" if args.check else "labs_written", name=name))
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    context.report({"changed": changed, "written": not args.check}, lines)
    return 1 if args.check and changed else 0


COMMANDS = {"labs solution": _solution, "labs release": _release, "labs build": _build}

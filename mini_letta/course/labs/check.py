"""``check("3.1")`` and ``hint("3.1")``: what a student calls in the notebook of a lab."""

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from mini_letta.course.labs.attempt import Attempt
from mini_letta.course.labs.desk import Desk, open_desk
from mini_letta.course.labs.kit import NoKit, parse_name
from mini_letta.course.labs.lab import BadKit, Exercise
from mini_letta.course.labs.phrases import say
from mini_letta.course.labs.saved import is_written, remark_on_saved
from mini_letta.course.labs.trial import try_exercise
from mini_letta.errors import MiniLettaError


def check(*exercises: str) -> None:
    """Run the public checks of exercises and print what is met and what is not.

    It uses what the notebook has defined so far, so run the answer cell first.
    """
    if not exercises:
        _print(say(lang, "which_one") for lang in ("en", "zh"))
    for exercise in exercises:
        _print(_carry_out(str(exercise), check_lines))


def hint(exercise: str) -> None:
    """Print the next hint for an exercise."""
    _print(_carry_out(str(exercise), lambda desk, found: desk.next_hint(found)))


def check_lines(desk: Desk, exercise: Exercise) -> list[str]:
    """Return what the checks of an exercise find in the running notebook."""
    try:
        attempt = _attempt(desk, exercise)
    except MiniLettaError as error:
        reason = str(error).splitlines()[-1]
        return [say(desk.lang, "trouble", reason=reason)]
    except KeyboardInterrupt:  # the button of the notebook
        return [say(desk.lang, "interrupted", id=exercise.id)]
    lines = desk.report(attempt)
    return lines + remark_on_saved(desk.kit, desk.folder, exercise=exercise.id)


def _attempt(desk: Desk, exercise: Exercise) -> Attempt:
    # What a notebook defines lies in __main__, whatever starts its cells.
    namespace = vars(sys.modules["__main__"])
    attempt = try_exercise(desk.kit, exercise, namespace, env=os.environ)
    if exercise.kind == "reading":
        return replace(attempt, is_written=is_written(desk.kit, desk.folder, exercise.id))
    return attempt


def _carry_out(typed: str, act: Callable[[Desk, Exercise], Iterable[str]]) -> list[str]:
    folder = Path.cwd()
    name = parse_name(typed)
    if name is None:
        return [say(lang, "what_is_it", typed=typed, example="1.1") for lang in ("en", "zh")]
    lab, id = name
    try:
        desk = open_desk(folder, lab)
    except NoKit:
        values = {"name": f"{lab}.json", "folder": folder, "number": lab.removeprefix("lab")}
        return [say(lang, "no_kit", **values) for lang in ("en", "zh")]
    except BadKit as error:
        return [
            say(lang, "bad_kit", lab=lab, reason=str(error).rstrip(".")) for lang in ("en", "zh")
        ]
    exercise = desk.find(id)
    if exercise is None:
        ids = ", ".join(each.id for each in desk.kit.exercises)
        return [say(desk.lang, "which_exercise", typed=typed, lab=lab, ids=ids)]
    lines = list(act(desk, exercise))
    return lines + desk.keep()


def _print(lines: Iterable[str]) -> None:
    print("\n".join(lines))

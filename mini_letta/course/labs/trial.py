"""Run the public checks of an exercise in the student's own namespace, at home.

No sandbox and no trust needed: whoever runs this runs their own code, and nothing here counts for
a mark.
"""

import contextlib
import io
import linecache
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mini_letta.course.labs.artefact import inspect_repository, prepare, run_script
from mini_letta.course.labs.attempt import Attempt, Outcome
from mini_letta.course.labs.lab import HOME_SEED, Check, Exercise, Lab
from mini_letta.course.labs.library import PACKAGE
from mini_letta.course.labs.phrases import say
from mini_letta.course.labs.reference import ReferenceFailed, given_cells, read_texts
from mini_letta.course.labs.stubs import is_script_stub, is_stub, mentions_stub
from mini_letta.course.labs.values import RAISED

MAX_SHOWN = 600


def try_exercise(
    kit: Lab, exercise: Exercise, namespace: Mapping[str, Any], *, env: Mapping[str, str]
) -> Attempt:
    """Return what came of an exercise; what the student's code raises is part of it.

    Args:
        namespace: of the student's notebook; it is not changed.
        env: the surrounding environment.
    """
    if exercise.kind == "reading":
        return Attempt(exercise=exercise)
    if exercise.kind == "script":
        return _try_script(kit, exercise, namespace, env)
    return _try_code(kit, exercise, namespace)


def _try_code(kit: Lab, exercise: Exercise, namespace: Mapping[str, Any]) -> Attempt:
    outcomes, errors = [], []
    for check in kit.checks_of(exercise.id):
        outcome, error = _run_check(kit, check, namespace)
        outcomes.append(outcome)
        if error is not None:
            errors.append(error)
    stubs = [error for error in errors if is_stub(error, exercise.id)]
    in_output = any(mentions_stub(outcome.seen, exercise.id) for outcome in outcomes)
    return Attempt(
        exercise=exercise,
        outcomes=tuple(outcomes),
        is_untouched=bool(stubs) or in_output,
        message=describe_error(kit.lang, (stubs or errors)[0]) if errors else "",
    )


def _run_check(
    kit: Lab, check: Check, namespace: Mapping[str, Any]
) -> tuple[Outcome, BaseException | None]:
    """Return the outcome of a check and the error that made it differ, if one did."""
    RAISED.clear()
    output = io.StringIO()
    stopped: BaseException | None = None
    try:
        with contextlib.redirect_stdout(output):
            # A copy: a check must not overwrite the student's names.
            exec(_compile(kit, check), dict(namespace))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the student's, and what is shown
        stopped = error
    seen = output.getvalue()
    fault = "" if stopped is None else short_error(stopped)
    outcome = Outcome(check=check, seen=seen, fault=fault)
    swallowed = (RAISED.get(line) for _, line in outcome.differences())
    return outcome, stopped or next((error for error in swallowed if error is not None), None)


def _compile(kit: Lab, check: Check) -> Any:
    name, program = f"<check {check.id}>", kit.program(check, HOME_SEED)
    return compile(program, name, "exec")


def _try_script(
    kit: Lab, exercise: Exercise, namespace: Mapping[str, Any], env: Mapping[str, str]
) -> Attempt:
    checks = kit.checks_of(exercise.id)
    name = checks[0].script
    script = namespace.get(name)
    if not isinstance(script, str):
        key = "no_text" if name in namespace else "not_defined"
        return _nothing_ran(exercise, checks, say(kit.lang, key, name=name))
    if is_script_stub(script):
        return _nothing_ran(exercise, checks, "", is_untouched=True)
    texts, message = run_at_home(kit, exercise, script, env=env)
    outcomes = tuple(
        Outcome(
            check=check,
            seen=texts.get(check.id, ""),
            fault="" if check.id in texts else say(kit.lang, "not_inspected"),
        )
        for check in checks
    )
    if all(outcome.is_met for outcome in outcomes):
        message = ""
    return Attempt(exercise=exercise, outcomes=outcomes, message=message)


def _nothing_ran(
    exercise: Exercise, checks: tuple[Check, ...], message: str, *, is_untouched: bool = False
) -> Attempt:
    outcomes = tuple(Outcome(check=check, seen="", fault=message or "-") for check in checks)
    return Attempt(exercise=exercise, outcomes=outcomes, message=message, is_untouched=is_untouched)


def run_at_home(
    kit: Lab, exercise: Exercise, script: str, *, env: Mapping[str, str]
) -> tuple[dict[str, str], str]:
    """Run a script in a new memory; return what its checks print, and a sentence if it failed."""
    start = next((check.start for check in kit.checks_of(exercise.id) if check.start), "")
    with tempfile.TemporaryDirectory(prefix="mini-letta-script-") as folder:
        names = [start] if start else []
        texts = read_texts(given_cells(kit), names, env=env, library=PACKAGE.parent)
        with prepare(kit, texts.get(start, ""), Path(folder), seed=HOME_SEED) as bench:
            output = run_script(bench, script)
            message = ""
            if output.code:
                shown = output.text.strip()[-MAX_SHOWN:]
                message = say(kit.lang, "script_failed", code=output.code, text=shown)
            try:
                found = inspect_repository(kit, exercise.id, bench.dir, seed=HOME_SEED, env=env)
            except ReferenceFailed as error:
                reason = str(error).splitlines()[-1]
                return {}, message or say(kit.lang, "no_repository", reason=reason)
    return found, message


def short_error(error: BaseException) -> str:
    """Return ``TypeError: text`` on one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def describe_error(lang: str, error: BaseException) -> str:
    """Return type, text and the line of the student's cell in which it came up."""
    what = short_error(error)[:MAX_SHOWN]
    place = _own_line(error)
    if place is None:
        if isinstance(error, NameError) and error.name:
            return say(lang, "not_defined", name=error.name)
        return what
    number, line = place
    return say(lang, "error_at", error=what, number=number, line=line)


def _own_line(error: BaseException) -> tuple[int, str] | None:
    """Return the innermost line of the error that stands in a cell of the notebook."""
    own = [
        (number, frame.f_code.co_filename)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == "__main__"
        and not frame.f_code.co_filename.startswith("<check ")
    ]
    if not own:
        return None
    number, file = own[-1]
    return number, linecache.getline(file, number).strip()

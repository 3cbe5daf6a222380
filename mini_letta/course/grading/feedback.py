"""The page a student gets: what is met, what is not, and nothing of what is hidden.

Of hidden checks it says how many passed and which sentences of the task are not met; their
source, inputs, expected and seen values stay with the instructor, who has a page that shows them.
"""

from collections.abc import Sequence
from itertools import zip_longest

from mini_letta.course.grading.page import listed, page_foot, page_head, with_code
from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.results import CheckResult, ExerciseResult, Notice, Result, plain
from mini_letta.course.grading.spelling import escape

PASSED, OPEN, UNKNOWN = "✓", "✗", "–"


def write_feedback(result: Result, *, shows_hidden: bool = False) -> str:
    """Return the feedback page of one submission.

    Args:
        shows_hidden: for the instructor; a student's page never holds what is hidden.
    """
    lang = result.lang
    title = say(lang, "title", lab=result.title)
    parts = [page_head(title, lang), f"<header>\n<h1>{escape(title)}</h1>\n"]
    parts.append(f"<p>{escape(result.student)} · {_total(result)}</p>\n</header>\n")
    if result.outcome == "graded":
        parts += [_paragraph(result.message)] if result.message else []
        parts += [_exercise(each, lang, shows_hidden=shows_hidden) for each in result.exercises]
    elif result.outcome == "unreadable":
        parts.append(_section(say(lang, "is_unreadable"), _paragraph(result.message)))
    else:
        reason = [_paragraph(result.message)] if shows_hidden else []
        text = "".join([_paragraph(say(lang, "regrade")), *reason])
        parts.append(_section(say(lang, "is_regrade"), text))
    parts.append(_notices(result.notices, lang))
    return "".join([*parts, page_foot()])


def _total(result: Result) -> str:
    if result.outcome == "needs_regrade":
        return escape(say(result.lang, "is_regrade"))
    values = {"points": result.points, "max_points": result.max_points}
    total = say(result.lang, "points", **values)
    count = result.needs_reading
    if count:
        total += " · " + say(result.lang, "to_read_one" if count == 1 else "to_read", count=count)
    return escape(total)


def _exercise(exercise: ExerciseResult, lang: str, *, shows_hidden: bool) -> str:
    heading = f"{say(lang, 'exercise', id=exercise.id)} · {exercise.title}"
    values = {"points": plain(exercise.points), "max_points": exercise.max_points}
    outcome = "" if exercise.is_read else say(lang, f"outcome_{exercise.outcome}") + " · "
    style = "passed" if exercise.outcome == "passed" else "open"
    head = (
        f'<div class="head"><h2>{escape(heading)}</h2><span class="{style}">'
        f"{escape(outcome)}{escape(say(lang, 'points', **values))}</span></div>\n"
    )
    message = _paragraph(exercise.message) if exercise.message else ""
    if exercise.kind == "reading":
        body = _reading(exercise, lang)
    else:
        body = _public_checks(exercise, lang) + _hidden_checks(exercise, lang, shown=shows_hidden)
    return f"<section>\n{head}{message}{body}</section>\n"


def _reading(exercise: ExerciseResult, lang: str) -> str:
    if not exercise.is_read:
        return _paragraph(say(lang, "reading"))
    values = {"points": plain(exercise.points), "max_points": exercise.max_points}
    said = _paragraph(say(lang, "reading_done", **values))
    return said + (f"<pre>{escape(exercise.comment)}</pre>\n" if exercise.comment else "")


def _public_checks(exercise: ExerciseResult, lang: str) -> str:
    checks = [check for check in exercise.checks if not check.hidden]
    if not checks:
        return ""
    return _counted("public", checks, lang) + listed([_shown(check, lang) for check in checks])


def _hidden_checks(exercise: ExerciseResult, lang: str, *, shown: bool) -> str:
    checks = [check for check in exercise.checks if check.hidden]
    if not checks:
        return ""
    counted = _counted("hidden", checks, lang)
    if shown:
        return counted + listed([_shown(check, lang) for check in checks])
    if exercise.message:  # which says why; the sentences were not judged one by one
        return counted
    # Each sentence once: how many hidden checks stand behind it says nothing useful.
    unmet = dict.fromkeys(check.sentence for check in checks if check.outcome != "passed")
    heading = f'<p class="quiet">{escape(say(lang, "hidden_failed"))}</p>\n' if unmet else ""
    return counted + heading + listed([(OPEN, with_code(sentence)) for sentence in unmet])


def _counted(key: str, checks: Sequence[CheckResult], lang: str) -> str:
    passed = sum(check.outcome == "passed" for check in checks)
    return _paragraph(say(lang, key, passed=passed, total=len(checks)))


def _shown(check: CheckResult, lang: str) -> tuple[str, str]:
    if check.outcome == "passed":
        return PASSED, with_code(check.sentence)
    if check.outcome not in ("failed", "error"):
        return UNKNOWN, with_code(check.sentence)
    if not check.seen:
        return OPEN, with_code(check.sentence)
    expected, seen = _marked(check.expected, check.seen)
    rows = ((say(lang, "expected"), expected), (say(lang, "seen"), seen))
    nothing = escape(say(lang, "nothing"))
    values = "".join(
        f"<dt>{escape(name)}</dt><dd><pre>{text or nothing}</pre></dd>\n" for name, text in rows
    )
    return OPEN, f"{with_code(check.sentence)}\n<dl>\n{values}</dl>\n"


def _marked(expected: str, seen: str) -> tuple[str, str]:
    """Return both texts as HTML, the lines that differ marked."""
    left, right = [], []
    for old, new in zip_longest(expected.splitlines(), seen.splitlines()):
        left += [_mark(old, old != new)] if old is not None else []
        right += [_mark(new, old != new)] if new is not None else []
    return "\n".join(left), "\n".join(right)


def _mark(line: str, differs: bool) -> str:
    return f"<mark>{escape(line)}</mark>" if differs else escape(line)


def _notices(notices: Sequence[Notice], lang: str) -> str:
    if not notices:
        return ""
    legend = f'<p class="quiet">{escape(say(lang, "diff"))}</p>'
    items = []
    for notice in notices:
        diff = f"{legend}<pre>{escape(notice.diff)}</pre>\n" if notice.diff else ""
        items.append(("·", escape(notice.text) + diff))
    return _section(say(lang, "notices"), listed(items))


def _section(heading: str, body: str) -> str:
    return f"<section>\n<h2>{escape(heading)}</h2>\n{body}</section>\n"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n"

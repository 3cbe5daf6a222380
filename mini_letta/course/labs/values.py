"""What a check prints: values in one spelling, never a verdict.

A check runs in the student's interpreter, so nothing it concludes there can be believed. It prints
what the student's function returned; whoever has the reference's output, outside, compares. Only
plain data by exact type has a spelling: an object with a ``__repr__`` of its own has none.
"""

import contextlib
import io
from collections.abc import Callable

MAX_LINE = 5000
RAISED: dict[str, Exception] = {}
"""Line printed by :func:`tell` -> the error in it, for a student who asks in which line it was."""


def spell(value: object) -> str:
    """Return plain data as Python would write it, sets and dictionaries in sorted order."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str, bytes):
        return repr(value)
    if isinstance(value, list) and kind is list:
        return f"[{', '.join(map(spell, value))}]"
    if isinstance(value, tuple) and kind is tuple:
        return f"({', '.join(map(spell, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, set | frozenset) and kind in (set, frozenset):
        inside = ", ".join(sorted(map(spell, value)))
        plain = f"{{{inside}}}" if inside else ""
        return plain if kind is set and inside else f"{kind.__name__}({plain})"
    if isinstance(value, dict) and kind is dict:
        pairs = sorted((spell(key), spell(item)) for key, item in value.items())
        return f"{{{', '.join(f'{key}: {item}' for key, item in pairs)}}}"
    return f"<{kind.__name__} is not plain data>"


def show(value: object) -> None:
    """Print one value on one line."""
    print(_one_line(spell(value)))


def tell(function: Callable[..., object], *arguments: object, **named: object) -> None:
    """Call a function and print the call with the value it returned or the error it raised.

    What the function itself prints is dropped: a student may print while looking for a fault.
    """
    given = [*map(spell, arguments), *(f"{name}={spell(item)}" for name, item in named.items())]
    call = f"{function.__name__}({', '.join(given)})"
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            value = function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - the student's, and part of the answer
        line = _one_line(f"{call} raised {type(error).__name__}: {error}")
        RAISED[line] = error
        print(line)
    else:
        print(_one_line(f"{call} -> {spell(value)}"))


def _one_line(text: str) -> str:
    flat = text.replace("\n", "\\n").replace("\r", "\\r")
    printable = flat.encode("utf-8", "backslashreplace").decode("utf-8")
    if len(printable) <= MAX_LINE:
        return printable
    return f"{printable[:MAX_LINE]}... ({len(printable)} characters)"

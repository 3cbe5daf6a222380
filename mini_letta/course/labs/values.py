"""What a check prints: values in one spelling, never a verdict.

A check runs in the student's interpreter, so nothing it concludes there can be believed. It prints
what the student's function returned; whoever has the reference's output, outside, compares. Only
plain data by exact type has a spelling: an object with a ``__repr__`` of its own has none.
"""

import contextlib
import io
import linecache
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TextIO

MAX_LINE = 5000
OUTPUT: list[TextIO | None] = [None]
"""Where values are printed while a check runs; else standard output."""
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


def run_check(id: str, source: str, namespace: dict[str, object]) -> None:
    """Run a check in a copy of a namespace; of what is printed only values get out.

    A student may leave ``print`` in wherever the check, or the harness, calls the function.
    """
    file = f"<check {id}>"
    # so that inspect.getsource finds what the check defines
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    with _values_to(sys.stdout), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, file, "exec"), dict(namespace))


@contextlib.contextmanager
def _values_to(stream: TextIO) -> Iterator[None]:
    """Let values be printed to ``stream``, wherever standard output goes meanwhile."""
    before = OUTPUT[0]
    OUTPUT[0] = stream
    try:
        yield
    finally:
        OUTPUT[0] = before


def _put(text: str) -> None:
    print(_one_line(text), file=OUTPUT[0])


def show(value: object) -> None:
    """Print one value on one line."""
    _put(spell(value))


def tell(function: Callable[..., object], *arguments: object, **named: object) -> None:
    """Call a function and print the call with the value it returned or the error it raised.

    What the function itself prints is dropped: a student may print while looking for a fault.
    """
    given = [*map(spell, arguments), *(f"{name}={spell(item)}" for name, item in named.items())]
    call = f"{_name(function, sys._getframe(1))}({', '.join(given)})"
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            value = function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - the student's, and part of the answer
        line = f"{call} raised {type(error).__name__}: {error}"
        RAISED[_one_line(line)] = error
        _put(line)
    else:
        _put(f"{call} -> {spell(value)}")


def _name(function: object, check: FrameType) -> str:
    """Return the name by which a check calls a function.

    A function's own name is the student's: a lambda has none, a partial not even the attribute.
    """
    own = str(getattr(function, "__name__", type(function).__name__))
    names = [n for n in check.f_code.co_names if check.f_globals.get(n) is function]
    return own if own in names or not names else names[0]


def _one_line(text: str) -> str:
    flat = text.replace("\n", "\\n").replace("\r", "\\r")
    printable = flat.encode("utf-8", "backslashreplace").decode("utf-8")
    if len(printable) <= MAX_LINE:
        return printable
    return f"{printable[:MAX_LINE]}... ({len(printable)} characters)"

"""The command line: ``mini-letta [--home DIR] [--at vX.Y] [--agent ID] [--lang en|zh] COMMAND``.

One small module per command group. Each has two functions and imports nothing heavy at its top,
so that ``mini-letta --help`` starts as fast as plain Python:

* ``add_parser(subparsers)`` declares its commands with :func:`mini_letta.cli.options.add_command`;
* ``run(context, args) -> int`` carries one out and returns the exit code; ``args.command`` is the
  full name, for example ``"memory check"``. What it needs it imports inside.

A new group is one line in :data:`GROUPS`. Exit codes: 0 fine, 1 the answer is "no" (invalid
memory, a failed check), 2 usage, 3 environment. An error that a person can act on is a
:class:`~mini_letta.errors.MiniLettaError` carrying its own exit code; the one place that turns it
into a message on standard error is :func:`main`.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from mini_letta.cli.options import add_global_options
from mini_letta.errors import MiniLettaError

# Order of the help page. Modules of this package; each declares one or more commands.
GROUPS = (
    *("agent", "memory", "prompt", "talk", "sessions"),
    *("stages", "pitfalls", "course", "labs", "grade", "tour", "doctor"),
)

INTERRUPTED = 130
READER_GONE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises for anything a user can cause."""
    if argv is None:
        _require_utf8()
    _prepare_streams()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except MiniLettaError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # whoever read it (`| head`) has left
        return READER_GONE
    except OSError as error:
        _drop_output()
        return _complain(_describe(error), 3)
    return code


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; imports every group, but nothing they use."""
    parser = argparse.ArgumentParser(
        prog="mini-letta",
        description="A small agent memory in a git repository, stage by stage.",
        epilog="Exit codes: 0 fine, 1 the answer is no, 2 usage, 3 environment.",
        allow_abbrev=False,
    )
    add_global_options(parser)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in GROUPS:
        import_module(f"{__name__}.{name}").add_parser(subparsers)
    return parser


def _run(argv: list[str]) -> int:
    try:
        args = build_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed its help or its complaint
        return stop.code if isinstance(stop.code, int) else 2
    from mini_letta.cli.context import build_context

    context = build_context(args, env=os.environ, cwd=_working_directory())
    context.require_command(args.command)
    group = import_module(f"{__name__}.{args.group}")
    return int(group.run(context, args))


def _require_utf8() -> None:
    """Start again in UTF-8 mode where a locale would read names on disk in another encoding."""
    if sys.getfilesystemencoding() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _prepare_streams() -> None:
    """Make printing possible whatever the streams are: closed, or of a small character set."""
    if sys.stdout is None:  # `>&-`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the end)
    for stream in (sys.stdout, sys.stderr):
        # A name in a repository need not be text, and a terminal need not be UTF-8: print anyway.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Let the rest of the output go nowhere: Python would try it again at exit and complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise MiniLettaError("The current folder no longer exists. Change to another one.") from (
            error
        )


def _describe(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return (
        f"{where}{error.strerror or error}. "
        "Check that the folder exists, that you may write there and that the disk is not full, "
        "or choose another home with --home DIR."
    )


def _complain(text: str, code: int) -> int:
    print(f"mini-letta: {text}", file=sys.stderr)
    return code

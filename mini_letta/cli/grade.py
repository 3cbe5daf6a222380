"""``grade``: a folder of submissions becomes grades, a report and a feedback page for each."""

import argparse
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command
from mini_letta.errors import MiniLettaError

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.course.grading.order import Order

NEEDED = ("nbval", "pytest", "nbformat", "ipykernel", "jupyter_client", "jupytext")


def add_parser(subparsers: Subparsers) -> None:
    """Declare ``grade``."""
    parser = add_command(
        subparsers,
        "grade",
        group=__name__,
        help="grade a folder of submitted labs, each in a sandbox",
    )
    parser.add_argument(
        "submissions",
        nargs="?",
        metavar="SUBMISSIONS",
        help="folder with STUDENT/lab1.ipynb or nbgrader's submitted/STUDENT/lab1/lab1.ipynb",
    )
    parser.add_argument(
        "--out", required=True, metavar="OUT", help="folder for results, grades and feedback"
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="how many at a time (default: one per core)"
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="grade only what is missing in OUT, has changed or could not be graded",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="draw the inputs of the checks from it (default: as in OUT, else a fresh one)",
    )
    parser.add_argument(
        "--unsafe", action="store_true", help="grade even where there is no real sandbox"
    )
    parser.add_argument(
        "--merge",
        metavar="MARKS.csv",
        help="enter marks a person gave (student,lab,exercise,points[,comment]) into OUT; "
        "grades only if --resume is given as well",
    )


def run(context: "Context", args: argparse.Namespace) -> int:
    """Grade, enter marks, or both; return the exit code."""
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MiniLettaError(
            f"grading needs {', '.join(missing)}. Install them: pip install 'mini-letta[grade]'"
        )
    from mini_letta.course.grading.carry_out import carry_out

    for number in (signal.SIGTERM, signal.SIGHUP):  # as Ctrl-C: no kernel is left running
        signal.signal(number, signal.default_int_handler)
    done = carry_out(read_order(context, args), root=Path(__file__).resolve().parents[2])
    if not done.is_interrupted:
        context.report(done.summary, [])
    return done.exit_code


def read_order(context: "Context", args: argparse.Namespace) -> "Order":
    """Return what one call asks for."""
    from mini_letta.course.grading.order import Order

    return Order(
        submissions=None if args.submissions is None else context.cwd / args.submissions,
        out=context.cwd / args.out,
        jobs=args.jobs,
        resumes=args.resume,
        seed=args.seed,
        is_unsafe=args.unsafe,
        marks=None if args.merge is None else context.cwd / args.merge,
        lang=context.lang,
        is_quiet=context.json,
        env=context.env,
    )

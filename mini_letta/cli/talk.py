"""``say TEXT``, ``chat`` and ``compact``: turns with the agent, and what they leave."""

import argparse
import sys
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command, add_conversation_option

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.session import Session


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands that talk."""
    say = add_command(subparsers, "say", group=__name__, help="run one turn and print it")
    say.add_argument("text", metavar="TEXT", nargs="+", help="what you say; `--` before a dash")
    chat = add_command(
        subparsers, "chat", group=__name__, help="talk until end of input", reports=False
    )
    compact = add_command(
        subparsers, "compact", group=__name__, help="replace older turns by a summary"
    )
    for parser in (say, chat, compact):
        add_conversation_option(parser)


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command that talks."""
    from mini_letta.cli.context import UsageError

    if args.command == "chat":
        if sys.stdin is None or sys.stdin.closed:
            raise UsageError("chat reads from standard input, which is closed. Use `say TEXT`.")
        return _chat(context, context.open_session(args.conversation))
    if args.command == "compact":
        return _compact(context, context.open_session(args.conversation))
    text = " ".join(args.text)
    if not text.strip():
        raise UsageError("there is nothing to say. Give some words after `say`.")
    return _say(context, context.open_session(args.conversation), text)


def _say(context: "Context", session: "Session", text: str) -> int:
    from mini_letta.transcript import describe_turn
    from mini_letta.turn import run_turn

    turn = run_turn(context.harness(), session, text)
    notices = [notice.text for notice in turn.notices]
    context.report({"reply": turn.reply, "notices": notices}, describe_turn(turn))
    return 0


def _compact(context: "Context", session: "Session") -> int:
    from mini_letta.logged_turn import compact_conversation
    from mini_letta.sessions.view import to_message

    done = compact_conversation(session)
    if done is None:
        context.report({"replaced": []}, ["nothing to compact: there are fewer than two turns"])
        return 0
    text = to_message(done.checkpoint).text
    context.report({"replaced": list(done.replaced), "checkpoint": text}, text.splitlines())
    return 0


def _chat(context: "Context", session: "Session") -> int:
    asking = sys.stdin.isatty()
    while True:
        if asking:
            print("you: ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return 0
        if line.strip():
            _say(context, session, line.strip())
            sys.stdout.flush()

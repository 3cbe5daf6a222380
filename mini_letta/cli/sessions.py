"""``sessions list|show``: the logs of what was said."""

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mini_letta.cli.options import (
    DEFAULT_CONVERSATION,
    Subparsers,
    add_command,
    add_group,
)

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.sessions.describe import Summary


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about sessions."""
    group = add_group(subparsers, "sessions", help="list and show what was said")
    add_command(group, "sessions list", group=__name__, help="list the sessions of this home")
    show = add_command(
        group, "sessions show", group=__name__, help="print the events of a session, labelled"
    )
    show.add_argument(
        "id", metavar="SESSION", nargs="?", help="default: the main conversation of --agent"
    )


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about sessions."""
    return _show(context, args.id) if args.command == "sessions show" else _list(context)


def _list(context: "Context") -> int:
    from mini_letta.sessions.describe import list_sessions

    found = list_sessions(context.home / "sessions")
    lines = [_line(summary) for summary in found]
    context.report([asdict(summary) for summary in found], lines or ["no sessions yet"])
    return 0


def _line(summary: "Summary") -> str:
    if summary.damage:
        return f"{summary.id}  damaged: {summary.damage}"
    last = datetime.fromtimestamp((summary.last or 0) / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{summary.id}  {summary.turns} turns, {summary.events} events, last {last}"


def _show(context: "Context", id: str | None) -> int:
    from mini_letta.cli.context import UsageError
    from mini_letta.sessions.describe import describe_event
    from mini_letta.sessions.log import Log

    id = id or f"{context.agent_id}.{DEFAULT_CONVERSATION}"
    path = context.home / "sessions" / f"{id}.jsonl"
    if "/" in id or not path.is_file():
        raise UsageError(
            f"there is no session {id!r} in {context.home}. See `mini-letta sessions list`."
        )
    log = Log(path)
    log.read()
    rows = list(zip(log.fold.events, log.fold.labels(), strict=True))
    context.report(
        [
            {
                "seq": event.seq,
                "type": event.type,
                "label": label,
                "time": event.time,
                "data": event.data,
            }
            for event, label in rows
        ],
        [
            f"{event.seq:4}  {label:8}  {event.type:18}  {describe_event(event)}".rstrip()
            for event, label in rows
        ],
    )
    return 0

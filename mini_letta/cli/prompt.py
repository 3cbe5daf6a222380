"""``prompt``: what the model is told before the conversation begins."""

import argparse
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command, add_conversation_option

if TYPE_CHECKING:
    from mini_letta.cli.context import Context


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    prompt = add_command(subparsers, "prompt", group=__name__, help="print the system prompt")
    add_conversation_option(prompt)
    prompt.add_argument(
        "--fresh", action="store_true", help="compile it now instead of showing the stored one"
    )


def run(context: "Context", args: argparse.Namespace) -> int:
    """Print the system prompt of the agent's conversation."""
    from mini_letta.session import describe_prompt

    if args.fresh:
        context.require_command("prompt --fresh")
    session = context.open_session(args.conversation)
    text = describe_prompt(context.harness(), session, fresh=args.fresh)
    context.report({"prompt": text}, [text])
    return 0

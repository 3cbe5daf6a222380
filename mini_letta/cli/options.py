"""How the command groups declare their commands: the same options, the same help, everywhere."""

import argparse
from typing import Any

DEFAULT_TAG = "v1.0"
DEFAULT_AGENT = "default"
DEFAULT_CONVERSATION = "main"
LANGUAGES = ("en", "zh")

# argparse's own name for what `add_subparsers` returns; generic only for the type checker.
Subparsers = Any


def add_global_options(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """Declare ``--home``, ``--at``, ``--agent`` and ``--lang``.

    Args:
        again: declared a second time after the command, where an option that is not given must
            not overwrite what stood before the command.
    """

    def default(value: str | None) -> str | None:
        return argparse.SUPPRESS if again else value

    options = parser.add_argument_group("options of every command") if again else parser
    options.add_argument(
        "--home",
        metavar="DIR",
        default=default(None),
        help="where agents live (default: $MINI_LETTA_HOME, else ~/.mini-letta)",
    )
    options.add_argument(
        "--at",
        metavar="vX.Y",
        default=default(DEFAULT_TAG),
        help=f"run the command as of that stage (default {DEFAULT_TAG}; see `stages list`)",
    )
    options.add_argument(
        "--agent",
        metavar="ID",
        default=default(DEFAULT_AGENT),
        help=f'whose memory (default "{DEFAULT_AGENT}")',
    )
    options.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=default(None),
        help="language of new memory and of hints (default: from the locale)",
    )


def add_command(
    subparsers: Subparsers, command: str, *, group: str, help: str, reports: bool = True
) -> argparse.ArgumentParser:
    """Declare one command and return its parser, ready for its own arguments.

    Args:
        subparsers: of the top parser, or of a group's (see :func:`add_group`).
        command: full name; ``"memory check"`` is the command ``check`` of the group ``memory``.
        group: module of this package whose ``run`` carries it out (its ``__name__`` will do).
        help: one line.
        reports: also offer ``--json``.
    """
    parser: argparse.ArgumentParser = subparsers.add_parser(
        command.rpartition(" ")[2], help=help, description=help, allow_abbrev=False
    )
    parser.set_defaults(command=command, group=group.rpartition(".")[2], json=False)
    if reports:
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    add_global_options(parser, again=True)
    return parser


def add_conversation_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--conversation`` for a command that talks or shows what was said."""
    parser.add_argument(
        "--conversation",
        metavar="ID",
        default=DEFAULT_CONVERSATION,
        help=f'which conversation with the agent (default "{DEFAULT_CONVERSATION}")',
    )


def add_group(subparsers: Subparsers, name: str, *, help: str) -> Subparsers:
    """Declare a command that only has commands below it, and return their subparsers."""
    parser = subparsers.add_parser(name, help=help, description=help, allow_abbrev=False)
    return parser.add_subparsers(metavar="COMMAND", required=True)

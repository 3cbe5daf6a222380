"""``stages list|show|diff``: what each stage adds, closes and leaves open."""

import argparse
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command, add_group

if TYPE_CHECKING:
    from mini_letta.cli.context import Context


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about stages."""
    group = add_group(subparsers, "stages", help="the stages and what each one adds")
    add_command(group, "stages list", group=__name__, help="one line per stage")
    show = add_command(group, "stages show", group=__name__, help="one stage in full")
    show.add_argument("tag", metavar="TAG")
    diff = add_command(group, "stages diff", group=__name__, help="what lies between two stages")
    diff.add_argument("old", metavar="OLD")
    diff.add_argument("new", metavar="NEW")


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about stages."""
    return 0

"""``stages list|show|diff``: what each stage adds, closes and leaves open."""

import argparse
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command, add_group

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.stages import Difference

LISTED = ("modules", "tools", "commands", "before_turn", "after_turn")


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
    from dataclasses import asdict

    from mini_letta import stages

    if args.command == "stages show":
        return _show(context, args.tag)
    if args.command == "stages diff":
        difference = stages.diff(args.old, args.new)
        context.report(asdict(difference), describe_difference(difference))
        return 0
    titles = {tag: (stages.load(tag).__doc__ or tag).splitlines()[0] for tag in stages.TAGS}
    context.report([{"tag": tag, "title": title} for tag, title in titles.items()], titles.values())
    return 0


def _show(context: "Context", tag: str) -> int:
    from dataclasses import asdict

    from mini_letta import stages

    sections = stages.sections(tag)
    added = stages.added(tag)
    lines = [sections[""]]
    for title in stages.SECTIONS:
        lines += ["", f"{title}: {sections[title]}"]
    context.report(
        {"tag": tag, "sections": sections, "added": asdict(added)},
        [*lines, "", *describe_difference(added)],
    )
    return 0


def describe_difference(difference: "Difference") -> list[str]:
    """Return the lines of a difference; each ``+`` is new, each ``~`` is a replaced seam."""
    lines = [f"{difference.old or 'nothing'} -> {difference.new}"]
    for field in LISTED:
        lines += [f"  + {field}: {name}" for name in getattr(difference, field)]
    for seam, (old, new) in difference.seams.items():
        lines.append(f"  ~ {seam}: {old} -> {new}" if old else f"  + {seam}: {new}")
    return lines

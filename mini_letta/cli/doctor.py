"""``doctor``: is everything here that mini-letta needs, and if not, how to get it."""

import argparse
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command

if TYPE_CHECKING:
    from mini_letta.cli.context import Context

ENVIRONMENT = 3


def add_parser(subparsers: Subparsers) -> None:
    """Declare ``doctor``."""
    add_command(
        subparsers,
        "doctor",
        group=__name__,
        help="check what this machine has and say how to get what is missing",
    )


def run(context: "Context", args: argparse.Namespace) -> int:
    """Print every check; exit 3 if something required is missing."""
    from dataclasses import asdict

    from mini_letta.cli.machine import check_machine

    checks = check_machine(context.env)
    lines: list[str] = []
    for check in checks:
        mark = "ok      " if check.ok else "MISSING " if check.required else "optional"
        lines.append(f"{mark}  {check.name}: {check.found}")
        if not check.ok:
            lines.append(f"          -> {check.advice[context.lang]}")
    context.report([asdict(check) for check in checks], lines)
    return ENVIRONMENT if any(check.required and not check.ok for check in checks) else 0

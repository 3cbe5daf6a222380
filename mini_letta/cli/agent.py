"""``agent create|list``: the agents of one home."""

import argparse
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command, add_group

if TYPE_CHECKING:
    from mini_letta.cli.context import Context


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about agents."""
    group = add_group(subparsers, "agent", help="create and list agents")
    create = add_command(
        group, "agent create", group=__name__, help="create an agent and its memory repository"
    )
    create.add_argument("id", metavar="ID", nargs="?", help="default: the id given with --agent")
    add_command(group, "agent list", group=__name__, help="list the agents of this home")


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about agents."""
    return _create(context, args.id) if args.command == "agent create" else _list(context)


def _create(context: "Context", agent_id: str | None) -> int:
    agent = context.create_agent(context.agent_id if agent_id is None else agent_id)
    context.report(
        {"id": agent.id, "memory": str(agent.memory_dir)},
        [f"created agent {agent.id}: {agent.memory_dir}"],
    )
    return 0


def _list(context: "Context") -> int:
    from mini_letta.agents import HomeUnusable, list_agents

    if context.home.exists() and not context.home.is_dir():
        raise HomeUnusable(f"{context.home} is not a folder. Choose another one with --home.")
    agents = list_agents(context.home)
    hint = "no agents yet; create one with `mini-letta agent create`"
    context.report(
        [{"id": agent.id, "memory": str(agent.memory_dir)} for agent in agents],
        [f"{agent.id}  {agent.memory_dir}" for agent in agents] or [hint],
    )
    return 0

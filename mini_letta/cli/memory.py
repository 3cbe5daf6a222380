"""``memory path|tree|log|check|audit|install-hook``: look at a memory repository and judge it."""

import argparse
import os
import shlex
import sys
from typing import TYPE_CHECKING

from mini_letta.cli.options import Subparsers, add_command, add_group
from mini_letta.memory.layout import POLICIES

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.git import Repo

# Commands about one repository: the agent's own, or any other named by its folder.
ABOUT_ONE = {
    "tree": "list the committed files and their size in characters",
    "log": "list the commits, newest first",
    "check": "judge what is staged, by the rules of the hook",
    "audit": "judge what is committed, by the same rules",
}


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about memory."""
    group = add_group(subparsers, "memory", help="look at a memory repository and judge it")
    add_command(group, "memory path", group=__name__, help="print the folder of the memory")
    for name, text in ABOUT_ONE.items():
        parser = add_command(group, f"memory {name}", group=__name__, help=text)
        parser.add_argument("dir", metavar="DIR", nargs="?", help="default: the agent's memory")
    hook = add_command(
        group, "memory install-hook", group=__name__, help="put the gatekeeper into a repository"
    )
    hook.add_argument("dir", metavar="DIR", help="an existing git repository")
    hook.add_argument(
        "--policy",
        choices=tuple(POLICIES),
        help="which rules are in force (default: as before, else root-marker)",
    )
    hook.add_argument("--force", action="store_true", help="replace a pre-commit hook of others")


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about memory."""
    name = args.command.split()[1]
    if name == "path":
        return _path(context)
    if name == "install-hook":
        return _install_hook(context, args)
    repo = context.memory(args.dir)
    return {"tree": _tree, "log": _log, "check": _check, "audit": _audit}[name](context, repo)


def _path(context: "Context") -> int:
    agent = context.ensure_agent()
    if context.json:
        context.report({"id": agent.id, "path": str(agent.memory_dir)}, [])
        return 0
    # A folder's name is bytes; `cd "$(mini-letta memory path)"` must get exactly these.
    sys.stdout.flush()
    sys.stdout.buffer.write(os.fsencode(agent.memory_dir) + b"\n")
    return 0


def _tree(context: "Context", repo: "Repo") -> int:
    from mini_letta.memory.gate import one_line

    sizes = _committed_sizes(repo)
    width = max((len(str(size)) for size in sizes.values()), default=0)
    context.report(
        [{"path": path, "characters": size} for path, size in sizes.items()],
        [f"{size:>{width}}  {one_line(path)}" for path, size in sizes.items()]
        or ["nothing is committed"],
    )
    return 0


def _committed_sizes(repo: "Repo") -> dict[str, int]:
    """Return the size in code points of each file at HEAD, by path; submodules have none."""
    from mini_letta.memory.checkout import place_of
    from mini_letta.memory.staged import read_objects, read_tree

    if repo.head() is None:
        return {}
    place = place_of(repo)
    tree = read_tree(place, "HEAD")
    blobs = {path: id for path, (mode, id) in tree.items() if mode != "160000"}
    contents = read_objects(place, [], blobs.values())
    return {
        path: len((contents[id] or b"").decode("utf-8", "replace"))
        for path, id in sorted(blobs.items())
    }


def _log(context: "Context", repo: "Repo") -> int:
    commits = []
    if repo.head() is not None:
        form = "--format=%H%x00%h%x00%aI%x00%an%x00%s"
        lines = repo.run("log", "--no-show-signature", form).text.split("\n")
        commits = [dict(zip(LOG_FIELDS, line.split("\0"), strict=True)) for line in lines]
    context.report(
        commits,
        [f"{c['short']}  {c['date']}  {c['author']}  {c['subject']}" for c in commits]
        or ["nothing is committed"],
    )
    return 0


LOG_FIELDS = ("revision", "short", "date", "author", "subject")


def _check(context: "Context", repo: "Repo") -> int:
    from mini_letta.memory.policy import APPROVAL_VARIABLE
    from mini_letta.memory.repo import check_staged

    context.warn_unfinished(repo)
    approved = context.env.get(APPROVAL_VARIABLE) == "1"
    problems = check_staged(repo, approved=approved)
    return _verdict(context, problems, what="what is staged")


def _audit(context: "Context", repo: "Repo") -> int:
    from mini_letta.memory.audit import audit_committed

    if repo.head() is None:
        return _verdict(context, ["nothing is committed yet; make a first commit"], what="HEAD")
    return _verdict(context, audit_committed(repo), what="HEAD")


def _verdict(context: "Context", problems: list[str], *, what: str) -> int:
    heading = f"Memory is invalid ({what}):" if problems else f"Memory is valid ({what})."
    context.report(
        {"valid": not problems, "problems": problems},
        [heading, *(f"  {problem}" for problem in problems)],
    )
    return 1 if problems else 0


def _install_hook(context: "Context", args: argparse.Namespace) -> int:
    from mini_letta.memory.hooks import install_hook
    from mini_letta.memory.repo import NotAMemory

    try:
        repo = context.named_repo(args.dir)
    except NotAMemory as error:
        raise NotAMemory(
            f"{args.dir} is not the top of a git repository. Run `git init` there "
            "first, or name another folder."
        ) from error
    done = install_hook(repo, force=args.force, policy=args.policy)
    lines = [f"installed the pre-commit hook in {repo.dir}, policy {done.policy}"]
    if done.kept:
        lines.append(f"the hook that was there is kept as {done.kept.name}")
    if done.before and done.before != done.policy:
        lines += [
            f"the policy was {done.before}: {POLICIES[done.before]}",
            f"now {done.policy}: {POLICIES[done.policy]}",
            "what is committed already is judged anew by "
            f"`mini-letta memory audit {shlex.quote(str(repo.dir))}`",
        ]
    kept = str(done.kept) if done.kept else None
    context.report(
        {"installed": str(repo.dir), "policy": done.policy, "before": done.before, "kept": kept},
        lines,
    )
    return 0

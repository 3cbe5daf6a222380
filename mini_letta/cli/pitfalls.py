"""``pitfalls list|run``: what goes wrong, on which stage, and whether it really does here."""

import argparse
from typing import TYPE_CHECKING, Any

from mini_letta.cli.options import Subparsers, add_command, add_group

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.pitfalls import Pitfall

WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "row": "{mark} {id} ({kind}, chapter {chapter}; {where})",
        "kinds": {"rule": "rule", "stage": "stage", "draft": "draft"},
        "nowhere": "no stage",
        "headline": "* one of the three to remember",
        "agrees": "all as the table says",
        "differs": "a cell with ! is not what the table says",
        "legend": "yes: it happens   no: it does not   draft: v1.0 with the wrong draft in it",
    },
    "zh": {
        "row": "{mark} {id}（{kind}，第 {chapter} 章；{where}）",
        "kinds": {"rule": "规则", "stage": "阶段", "draft": "草稿"},
        "nowhere": "不在任何阶段",
        "headline": "* 最该记住的三个之一",
        "agrees": "与表中所说全部一致",
        "differs": "带 ! 的格子与表中所说不一致",
        "legend": "yes：会发生   no：不会   draft：把错误的草稿装进 v1.0",
    },
}


def add_parser(subparsers: Subparsers) -> None:
    """Declare the commands about pitfalls."""
    group = add_group(subparsers, "pitfalls", help="what goes wrong, and on which stage")
    add_command(group, "pitfalls list", group=__name__, help="every pitfall and what closes it")
    run = add_command(
        group, "pitfalls run", group=__name__, help="try pitfalls on every stage, here and now"
    )
    run.add_argument("id", metavar="ID", nargs="*", help="default: all of them")


def run(context: "Context", args: argparse.Namespace) -> int:
    """Carry out one command about pitfalls."""
    from mini_letta.pitfalls import TABLE

    if args.command == "pitfalls run":
        return _run(context, _choose(args.id))
    context.report(
        [_as_data(pitfall) for pitfall in TABLE],
        [line for pitfall in TABLE for line in _describe(pitfall, context.lang)]
        + ["", WORDS[context.lang]["headline"]],
    )
    return 0


def _choose(ids: list[str]) -> list["Pitfall"]:
    from mini_letta.cli.context import UsageError
    from mini_letta.pitfalls import TABLE

    known = {pitfall.id: pitfall for pitfall in TABLE}
    for id in ids:
        if id not in known:
            raise UsageError(f"there is no pitfall {id!r}. Pitfalls: {', '.join(known)}.")
    return [known[id] for id in ids or known]


def _run(context: "Context", chosen: list["Pitfall"]) -> int:
    from mini_letta.pitfalls import DRAFT, expected
    from mini_letta.stages import TAGS

    context.agent_env()  # says at once when there is no git to try anything with
    width = max(len(pitfall.id) for pitfall in chosen)
    columns = (*TAGS, DRAFT)
    if not context.json:
        print(" " * width, *(f"{column:5}" for column in columns), sep="  ")
    rows = []
    for pitfall in chosen:
        said, happened = expected(pitfall), _try(pitfall)
        rows.append({"id": pitfall.id, "happened": happened, "table": said})
        if not context.json:
            cells = [_cell(happened.get(column), said.get(column)) for column in columns]
            print(f"{pitfall.id:{width}}", *(f"{c:5}" for c in cells), sep="  ", flush=True)
    agrees = all(row["happened"] == row["table"] for row in rows)
    words = WORDS[context.lang]
    lines = ["", words["legend"], words["agrees" if agrees else "differs"]]
    context.report({"agrees": agrees, "pitfalls": rows}, lines)
    return 0 if agrees else 1


def _try(pitfall: "Pitfall") -> dict[str, bool]:
    import tempfile
    from pathlib import Path

    from mini_letta.pitfalls import expected, try_pitfall

    with tempfile.TemporaryDirectory(prefix="mini-letta-") as folder:
        return {column: try_pitfall(pitfall, column, Path(folder)) for column in expected(pitfall)}


def _cell(happened: bool | None, said: bool | None) -> str:
    """Return ``yes`` or ``no`` for what happened, marked where the table says otherwise."""
    if happened is None:
        return "-"
    return ("yes" if happened else "no") + ("" if happened == said else "!")


def _describe(pitfall: "Pitfall", lang: str) -> list[str]:
    words = WORDS[lang]
    row = words["row"].format(
        mark="*" if pitfall.headline else " ",
        id=pitfall.id,
        kind=words["kinds"][pitfall.kind],
        chapter=pitfall.chapter,
        where=", ".join(pitfall.bites) or words["nowhere"],
    )
    return [
        row,
        f"    {pitfall.sentence[lang]}",
        f"    -> {pitfall.closed_by[lang]}",
    ]


def _as_data(pitfall: "Pitfall") -> dict[str, object]:
    return {
        "id": pitfall.id,
        "kind": pitfall.kind,
        "chapter": pitfall.chapter,
        "headline": pitfall.headline,
        "sentence": dict(pitfall.sentence),
        "bites": list(pitfall.bites),
        "closed_by": dict(pitfall.closed_by),
    }

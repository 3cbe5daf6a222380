"""``tour``: the three pitfalls to remember, run in the terminal in under a minute."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from mini_letta.cli.options import Subparsers, add_command

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.course.tour import Scene

INDENT = "    "
WIDTH = 80
WORDS = {
    "en": {
        "start": "Three pitfalls. Every command is really run, in a temporary home written as ~.",
        "closes": "What closes it: ",
        "read": "Read on: chapter {chapter}, `make course`, notebooks/en/",
        "differs": "This did not go as the tour says (exit code {code}). Try `mini-letta doctor`.",
        "refusal": "[... advice to the model: {count} more lines]",
    },
    "zh": {
        "start": "三个坑。每条命令都真的在跑，在一个临时家目录里，写作 ~。",
        "closes": "怎么补上：",
        "read": "接着看：第 {chapter} 章，`make course`，notebooks/zh/",
        "differs": "这一步和导览说的不一样（退出码 {code}）。请运行 `mini-letta doctor`。",
        "refusal": "[……后面是给模型的建议，还有 {count} 行]",
    },
}


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    add_command(
        subparsers, "tour", group=__name__, help="see the three pitfalls happen, in a minute"
    )


def run(context: "Context", args: argparse.Namespace) -> int:
    """Play every scene; 1 if one of them did not go as told."""
    from mini_letta.course.tour import SCENES

    context.agent_env()  # git has to be there, and new enough
    words = WORDS[context.lang]
    if not context.json:
        print(words["start"])
    played = [_play(context, scene) for scene in SCENES]
    if context.json:
        context.report(played, [])
    return 0 if all(scene["reproduced"] for scene in played) else 1


def _play(context: "Context", scene: "Scene") -> dict[str, Any]:
    from mini_letta.course.tour import play
    from mini_letta.pitfalls import TABLE

    words = WORDS[context.lang]
    pitfall = next(row for row in TABLE if row.id == scene.pitfall)
    _say(context, f"\n== {pitfall.sentence[context.lang]}\n")
    steps = []
    for step, output in play(scene):
        _say(context, step.before[context.lang])
        went = step.went_as_told(output)
        for line in step.command.splitlines():
            _say(context, f"  $ {line}")
        for line in _shorten(output.text, words["refusal"]):
            _say(context, f"{INDENT}{line}".rstrip())
        steps.append({"command": step.command, "output": output.text, "code": output.code})
        if not went:
            _say(context, words["differs"].format(code=output.code))
            break
    _say(context, words["closes"] + pitfall.closed_by[context.lang])
    _say(context, words["read"].format(chapter=pitfall.chapter))
    return {"pitfall": pitfall.id, "steps": steps, "reproduced": went}


def _shorten(text: str, more: str) -> list[str]:
    """Return the lines of an output; of a refusal only its problems, not the advice behind them."""
    lines = text.rstrip("\n").splitlines()
    if not lines or lines[0] != "Memory validation failed:" or "" not in lines:
        return lines
    end = lines.index("")
    return [*lines[:end], more.format(count=len(lines) - end - 1)]


def _say(context: "Context", text: str) -> None:
    """Print at once: the reader watches the commands run."""
    if context.json:
        return
    from mini_letta.course.wrapping import wrap

    shown = text if text.startswith(" ") else "\n".join(wrap(t, WIDTH) for t in text.split("\n"))
    print(shown)
    sys.stdout.flush()

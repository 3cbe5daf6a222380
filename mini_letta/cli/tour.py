"""``tour``: the three pitfalls to remember, run in the terminal in under a minute."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from mini_letta.cli.options import Subparsers, add_command

if TYPE_CHECKING:
    from mini_letta.cli.context import Context
    from mini_letta.course.tour import Scene, Step
    from mini_letta.course.workbench import Output

INDENT = "    "
WIDTH = 80
WORDS = {
    "en": {
        "start": "Three pitfalls. Every command is really run, in a temporary home written as ~.",
        "closes": "What closes it: ",
        "read": "Read on: {chapter} and {notebook}",
        "differs": "This did not go as the tour says (exit code {code}). Try `mini-letta doctor`.",
        "refusal": "[... advice to the model: {count} more lines]",
        "next": "Next: `make course` runs these three and the others as notebooks.",
        "elsewhere": "Chapters and notebooks come with the repository: clone it and run "
        "`make course` there.",
    },
    "zh": {
        "start": "三个坑。每条命令都真的在跑，在一个临时家目录里，写作 ~。",
        "closes": "怎么补上：",
        "read": "接着看：{chapter} 和 {notebook}",
        "differs": "这一步和导览说的不一样（退出码 {code}）。请运行 `mini-letta doctor`。",
        "refusal": "[……后面是给模型的建议，还有 {count} 行]",
        "next": "下一步：运行 `make course`，这三个坑和其余的都在 notebook 里再跑一遍。",
        "elsewhere": "正文和 notebook 在代码仓库里：克隆下来，在那里运行 `make course`。",
    },
}


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    add_command(
        subparsers, "tour", group=__name__, help="see the three pitfalls happen, in a minute"
    )


def run(context: "Context", args: argparse.Namespace) -> int:
    """Play every scene; 1 if one of them did not go as told."""
    from mini_letta.cli.lab_place import checkout
    from mini_letta.course.tour import SCENES

    context.agent_env()  # git has to be there, and new enough
    words = WORDS[context.lang]
    _tell(context, words["start"])
    played = [_play(context, scene) for scene in SCENES]
    _tell(context, "\n" + words["next" if checkout() else "elsewhere"])
    if context.json:
        context.report(played, [])
    return 0 if all(scene["reproduced"] for scene in played) else 1


def _play(context: "Context", scene: "Scene") -> dict[str, Any]:
    from mini_letta.course.tour import set_the_scene
    from mini_letta.pitfalls import TABLE

    words = WORDS[context.lang]
    pitfall = next(row for row in TABLE if row.id == scene.pitfall)
    closed_by, (chapter, notebook) = pitfall.closed_by[context.lang], scene.read_on(context.lang)
    _tell(context, f"\n== {pitfall.sentence[context.lang]}\n")
    steps = []
    with set_the_scene() as bench:
        for step in scene.steps:
            _announce(context, step)
            output = bench.run(step.command)
            _show(context, output)
            steps.append({"command": step.command, "output": output.text, "code": output.code})
            went = step.went_as_told(output)
            if not went:
                _tell(context, words["differs"].format(code=output.code))
                break
    _tell(context, words["closes"] + closed_by)
    _tell(context, words["read"].format(chapter=chapter, notebook=notebook))
    return {
        "pitfall": pitfall.id,
        "reproduced": went,
        "steps": steps,
        "closed_by": closed_by,
        "read_on": [chapter, notebook],
    }


def _announce(context: "Context", step: "Step") -> None:
    """Print what is about to happen, and the command, before it is run."""
    _tell(context, step.before[context.lang])
    _print(context, [f"  $ {line}" for line in step.command.splitlines()])


def _show(context: "Context", output: "Output") -> None:
    lines = _shorten(output.text, WORDS[context.lang]["refusal"])
    _print(context, [part for line in lines for part in _fit(line)])


def _shorten(text: str, more: str) -> list[str]:
    """Return the lines of an output; of a refusal only its problems, not the advice behind them."""
    lines = text.rstrip("\n").splitlines()
    if not lines or lines[0] != "Memory validation failed:" or "" not in lines:
        return lines
    end = lines.index("")
    return [*lines[:end], more.format(count=len(lines) - end - 1)]


def _fit(line: str) -> list[str]:
    """Return a line of output indented; one that is too long goes on further to the right."""
    from mini_letta.course.wrapping import wrap

    text = line.strip()
    lead = INDENT + " " * (len(line.rstrip()) - len(text))
    first, *others = wrap(text, WIDTH - len(lead) - 2).split("\n")
    return [lead + first, *(f"{lead}  {part}" for part in others)]


def _tell(context: "Context", text: str) -> None:
    """Print a sentence of ours."""
    from mini_letta.course.wrapping import wrap

    _print(context, [wrap(line, WIDTH) for line in text.split("\n")])


def _print(context: "Context", lines: list[str]) -> None:
    """Print at once, for the reader watches the commands run; with ``--json``, nothing."""
    if context.json:
        return
    for line in lines:
        print(line)
    sys.stdout.flush()

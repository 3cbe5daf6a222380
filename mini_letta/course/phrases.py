"""What `course` and `notebooks run` say, in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """One language; the words in braces are filled in."""

    starting: str
    cells_match: str
    cells_differ: str
    ok: str
    failed: str
    not_run: str
    first_failure: str
    removed: str
    added: str
    more_failures: str
    repair: str
    reproduced: str
    none_reproduced: str
    headline: str
    others: str
    pitfall: str
    bites: str
    closed_by: str
    in_draft: str
    everywhere: str
    not_reproduced: str
    read: str
    open: str
    compare: str
    next: str


PHRASES: Mapping[str, Phrases] = {
    "en": Phrases(
        starting="Running the notebooks on this machine, every output compared with the page ...",
        cells_match="{passed} cells, every output as on the page",
        cells_differ="{failed} of {total} cells not as on the page",
        ok="ok",
        failed="FAILED",
        not_run="not run",
        first_failure="{notebook}, cell {id}:",
        removed="on the page",
        added="here",
        more_failures="... and {count} more in this notebook; they may only be consequences.",
        repair=(
            "If you changed this notebook:\n"
            "  git diff {notebook}        # shows what\n"
            "  git checkout {notebook}    # brings it back; your changes are lost\n"
            "If you did not:\n"
            "  .venv/bin/mini-letta doctor"
        ),
        reproduced="{count} of {total} pitfalls reproduced on this machine: "
        "each one failed, then was fixed",
        none_reproduced="No notebook that ran shows a pitfall.",
        headline="The three to remember",
        others="And the others",
        pitfall="Pitfall",
        bites="Bites in",
        closed_by="What closes it",
        in_draft="only a draft",
        everywhere="every stage",
        not_reproduced="NOT REPRODUCED: {sentence}",
        next="Next",
        read="read   {path}",
        open="open   {path}   (`make lab` starts JupyterLab)",
        compare="try    {command}   (each of them on every stage)",
    ),
    "zh": Phrases(
        starting="正在本机运行 notebook，每个输出都与页面上的逐一比对……",
        cells_match="{passed} 个单元格，输出与页面完全一致",
        cells_differ="{total} 个单元格中有 {failed} 个与页面不一致",
        ok="通过",
        failed="失败",
        not_run="未运行",
        first_failure="{notebook}，单元格 {id}：",
        removed="页面上",
        added="本机",
        more_failures="……本 notebook 里另有 {count} 个失败，可能只是连带的。",
        repair=(
            "如果你改过这个 notebook：\n"
            "  git diff {notebook}        # 看改了什么\n"
            "  git checkout {notebook}    # 恢复原样，你的改动会丢失\n"
            "如果没改过：\n"
            "  .venv/bin/mini-letta doctor"
        ),
        reproduced="共 {total} 个坑，在本机复现了 {count} 个：每个都先出错，再修好",
        none_reproduced="这次运行的 notebook 里没有演示坑的单元格。",
        headline="最该记住的三个",
        others="其余的",
        pitfall="坑",
        bites="出现在",
        closed_by="怎么补上",
        in_draft="只在草稿里",
        everywhere="所有阶段",
        not_reproduced="未复现：{sentence}",
        next="接下来",
        read="阅读  {path}",
        open="打开  {path}   （`make lab` 启动 JupyterLab）",
        compare="试试  {command}   （让每个坑在每个阶段各跑一遍）",
    ),
}

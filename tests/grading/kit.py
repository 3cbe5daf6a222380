"""A tiny lab, students who hand it in, and a stand-in for the sandbox."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from mini_letta.course.grading.evidence import ScriptRun
from mini_letta.course.grading.kernel_run import CellRun, NotebookRun
from mini_letta.course.grading.results import (
    CheckResult,
    ExerciseResult,
    Outcome,
    Result,
    Verdict,
)
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.master import read_lab

SEED = 7
TOML = """\
[{lab}]
source = "lab1_tiny.py"
stage = "v0.2"
hides = []
cell_timeout_s = {timeout_s}
handouts = ["words.txt"]
"""
MASTER = """\
# %% [markdown] id="title" lang="en"
# # Tiny lab

# %% [markdown] id="title" lang="zh"
# # 小实验

# %% id="setup"
import math
LIMIT = 3

# %% id="prelude" lab={"prelude": true}
import random
draw = random.Random(SEED)

# %% [markdown] id="task-1-1" lang="en" lab={"task": "1.1"}
# ## 1.1 Double
# - **a** `double` returns twice the number.
# - **b** It keeps
#   negative numbers negative.

# %% [markdown] id="task-1-1" lang="zh" lab={"task": "1.1"}
# ## 1.1 加倍
# - **a** `double` 返回两倍的数。
# - **b** 负数仍为负数。

# %% id="answer-1-1" lab={"answer": "1.1"}
def double(n):
    ### BEGIN SOLUTION
    return 2 * n
    ### END SOLUTION

# %% id="check-1-1-a" lab={"check": "1.1a", "points": 2}
tell(double, 21)

# %% id="check-1-1-b" lab={"check": "1.1b", "points": 3, "hidden": true}
tell(double, -draw.randint(1000, 2000))

# %% [markdown] id="hints-1-1" lang="en" lab={"hints": "1.1"}
# 1. Look at the name.
# 2. Think of two.
# 3. `return 2 * n`

# %% [markdown] id="hints-1-1" lang="zh" lab={"hints": "1.1"}
# 1. 看名字。
# 2. 想想二。
# 3. `return 2 * n`

# %% [markdown] id="task-1-2" lang="en" lab={"task": "1.2"}
# ## 1.2 Shout
# - **a** `shout` returns the text in capitals.
# - **b** At most `LIMIT` marks follow.

# %% [markdown] id="task-1-2" lang="zh" lab={"task": "1.2"}
# ## 1.2 喊
# - **a** `shout` 返回大写文本。
# - **b** 后面至多有 `LIMIT` 个叹号。

# %% id="answer-1-2" lab={"answer": "1.2"}
def shout(text, marks):
    ### BEGIN SOLUTION
    return text.upper() + "!" * min(marks, LIMIT)
    ### END SOLUTION

# %% id="check-1-2-a" lab={"check": "1.2a", "points": 1}
tell(shout, "hi", 1)

# %% id="check-1-2-b" lab={"check": "1.2b", "points": 2, "hidden": true}
tell(shout, "secret" + str(draw.randint(10, 99)), 9)

# %% [markdown] id="hints-1-2" lang="en" lab={"hints": "1.2"}
# 1. `str` has it.
# 2. Think of the limit.
# 3. `min(marks, LIMIT)`

# %% [markdown] id="hints-1-2" lang="zh" lab={"hints": "1.2"}
# 1. `str` 里就有。
# 2. 想想上限。
# 3. `min(marks, LIMIT)`

# %% [markdown] id="task-1-3" lang="en" lab={"task": "1.3"}
# ## 1.3 Why

# %% [markdown] id="task-1-3" lang="zh" lab={"task": "1.3"}
# ## 1.3 为什么

# %% [markdown] id="written-1-3" lang="en" lab={"written": "1.3", "points": 4}
# Your answer:
# ### BEGIN SOLUTION
# Because.
# ### END SOLUTION

# %% [markdown] id="written-1-3" lang="zh" lab={"written": "1.3", "points": 4}
# 你的回答：
# ### BEGIN SOLUTION
# 因为。
# ### END SOLUTION

# %% [markdown] id="rubric-1-3" lang="en" lab={"rubric": "1.3"}
# 4 points for a reason.

# %% [markdown] id="rubric-1-3" lang="zh" lab={"rubric": "1.3"}
# 说出理由得 4 分。
"""
SCRIPTED = '''
# %% [markdown] id="task-1-4" lang="en" lab={"task": "1.4"}
# ## 1.4 Commit
# - **a** The memory has a file `notes.md` at HEAD.

# %% [markdown] id="task-1-4" lang="zh" lab={"task": "1.4"}
# ## 1.4 提交
# - **a** HEAD 处有文件 `notes.md`。

# %% id="start-1-4"
start = "git log --oneline"

# %% id="answer-1-4" lab={"answer": "1.4"}
script = """
### BEGIN SOLUTION
printf -- '---\\\\nname: notes\\\\ndescription: notes\\\\n---\\\\n\\\\nhello\\\\n' > notes.md
sed -i '$a - [notes](notes.md)' MEMORY.md
git add notes.md MEMORY.md
git commit -qm 'Add notes'
### END SOLUTION
"""

# %% id="check-1-4-a" lab={"check": "1.4a", "points": 3, "script": "script", "start": "start"}
show(repo.run("ls-tree", "--name-only", "HEAD", "--", "notes.md").text)

# %% [markdown] id="hints-1-4" lang="en" lab={"hints": "1.4"}
# 1. `git add`
# 2. The index chain.
# 3. `git commit -qm 'Add notes'`

# %% [markdown] id="hints-1-4" lang="zh" lab={"hints": "1.4"}
# 1. `git add`
# 2. 索引链。
# 3. `git commit -qm 'Add notes'`
'''
POINTS = 12  # of the lab without its script


def write_labs(
    root: Path, *, labs: Sequence[str] = ("lab1",), scripted: bool = False, timeout_s: int = 10
) -> Path:
    """Write the tiny lab as the labs of a checkout, and return the checkout."""
    (root / "labs" / "src").mkdir(parents=True)
    table = "\n".join(TOML.format(lab=lab, timeout_s=timeout_s) for lab in labs)
    (root / "labs" / "labs.toml").write_text(table, encoding="utf-8")
    master = MASTER + (SCRIPTED if scripted else "")
    (root / "labs" / "src" / "lab1_tiny.py").write_text(master, encoding="utf-8")
    return root


def tiny_lab(root: Path, lang: str = "en", *, scripted: bool = False) -> Lab:
    """Return the tiny lab, written below ``root``."""
    return read_lab(write_labs(root, scripted=scripted), "lab1", lang)


def solve(lab: Lab, **answers: str) -> dict[str, Any]:
    """Return a notebook in which everything is solved.

    Args:
        answers: cell id with ``_`` for ``-`` -> what stands in the cell instead.
    """
    sources = {cell.id: cell.solution or cell.source for cell in lab.cells}
    sources |= {name.replace("_", "-"): source for name, source in answers.items()}
    return hand_out(lab, sources)


def hand_out(lab: Lab, sources: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the notebook as a student gets it, some cells with other sources."""
    changed = sources or {}
    cells = [
        make_cell(cell.id, changed.get(cell.id, cell.source), is_text=cell.kind in TEXT)
        for cell in lab.cells
    ]
    metadata = {"mini_letta": {"lab": lab.id, "lang": lab.lang}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


TEXT = ("text", "written")


def make_cell(id: str, source: str, *, is_text: bool = False) -> dict[str, Any]:
    """Return one cell as Jupyter saves it."""
    cell: dict[str, Any] = {"id": id, "source": source, "metadata": {"mini_letta": {"id": id}}}
    if is_text:
        return {**cell, "cell_type": "markdown"}
    return {**cell, "cell_type": "code", "execution_count": None, "outputs": []}


def own_cell(source: str) -> dict[str, Any]:
    """Return a code cell that a student has added."""
    return {**make_cell("0a1b2c3d", source), "metadata": {}}


def place_of(notebook: Mapping[str, Any], id: str) -> int:
    """Return the index of a cell."""
    return [cell["id"] for cell in notebook["cells"]].index(id)


def submit(
    root: Path, student: str, notebook: Mapping[str, Any] | bytes, lab: str = "lab1"
) -> Path:
    """Hand a notebook in, and return where it lies."""
    path = root / student / f"{lab}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode("utf-8")
    path.write_bytes(data)
    return path


@dataclass(slots=True)
class PlainEngine:
    """Runs cells in a plain process, without any sandbox: for honest submissions only.

    The words HANG, CRASH and TROUBLE in a cell's source are the outcomes of that name.
    """

    level: str = "bubblewrap"
    troubles: int = 0
    """How many runs to come fail altogether."""
    runs: list[list[str]] = field(default_factory=list)
    """The ids of the cells that ran, run by run."""
    script_runs: list[ScriptRun] = field(default_factory=list)
    """What the scripts to come leave behind."""

    def run_notebook(
        self, node: Any, *, library: Path, cell_timeout_s: float, wall_s: float
    ) -> NotebookRun:
        """Run the cells one after another."""
        self.runs.append([])
        if self.troubles:
            self.troubles -= 1
            return NotebookRun(cells=(), trouble="the kernel did not start")
        for cell in node.cells:
            self.runs[-1].append(cell.id)
            if any(word in cell.source for word in WORDS):
                break
        cells = json.dumps([run_input(cell) for cell in node.cells])
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], input=cells, capture_output=True, text=True, check=True
        )
        return NotebookRun(cells=tuple(CellRun(**each) for each in json.loads(done.stdout)))

    def run_script(self, lab: Lab, exercise: str, script: str, *, seed: int) -> ScriptRun:
        """Return the next of the prepared outcomes."""
        return self.script_runs.pop(0)


WORDS = {"HANG": "timeout", "CRASH": "crashed", "TROUBLE": "trouble"}
# In a process of its own: what a cell prints must not mix with what the grader prints.
PROGRAM = """
import contextlib, io, json, sys

cells, namespace, ended = json.load(sys.stdin), {"__name__": "__main__"}, []
for cell in cells:
    end = {"id": cell["id"], "outcome": cell["told"], "seen": "", "said": "as told"}
    ended.append(end)
    if cell["told"]:
        break
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(cell["source"], namespace)
    except Exception as error:
        end["outcome"], end["said"] = "raised", f"{type(error).__name__}: {error}"
    else:
        same = cell["expected"] in (None, output.getvalue())
        end["outcome"], end["said"] = "passed" if same else "differs", ""
    end["seen"] = output.getvalue()
json.dump(ended, sys.stdout)
"""


def run_input(cell: Any) -> dict[str, Any]:
    """Return a cell as the program takes it."""
    told = next((outcome for word, outcome in WORDS.items() if word in cell.source), "")
    is_free = "nbval-ignore-output" in cell.metadata.get("tags", ())
    expected = None if is_free else "".join(each.text for each in cell.outputs)
    return {"id": cell.id, "source": cell.source, "told": told, "expected": expected}


def outcomes_of(exercises: Sequence[Any]) -> dict[str, str]:
    """Return exercise -> outcome."""
    return {exercise.id: exercise.outcome for exercise in exercises}


def sample_result(
    student: str = "ada", *, lang: str = "en", answer: str = "Because.", outcome: str = "graded"
) -> Result:
    """Return a result with one exercise half solved and one to be read."""
    checks = (
        sample_check("1.1a", outcome="passed", points=2),
        sample_check("1.1b", hidden=True, expected="HIDDEN-EXPECTED", seen="HIDDEN-SEEN"),
        sample_check("1.1c", expected="one\ntwo", seen="one\n<b>2</b>"),
    )
    code = ExerciseResult(
        id="1.1", title="Double", kind="code", outcome="failed", points=2, max_points=4,
        message="", checks=checks,
    )  # fmt: skip
    reading = ExerciseResult(
        id="1.3", title="Why", kind="reading", outcome="needs_reading", points=0, max_points=4,
        message="", answer=answer,
    )  # fmt: skip
    return Result(
        student=student, lab="lab1", title="Tiny lab", lang=lang, sha256="0" * 64, master="m",
        seed=SEED, level="bubblewrap", outcome=cast(Outcome, outcome), message="",
        exercises=(code, reading),
    )  # fmt: skip


def sample_check(
    id: str,
    *,
    hidden: bool = False,
    outcome: Verdict = "failed",
    points: int = 0,
    expected: str = "",
    seen: str = "",
) -> CheckResult:
    """Return a check whose sentence names it."""
    return CheckResult(
        id=id, hidden=hidden, outcome=outcome, points=points, max_points=max(points, 1),
        sentence=f"Sentence {id}.", expected=expected, seen=seen,
    )  # fmt: skip

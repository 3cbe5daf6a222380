"""What a run of notebooks proves, and how it is laid out on a terminal."""

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from mini_letta.course.notebooks import Notebook
from mini_letta.course.phrases import PHRASES
from mini_letta.course.progress import Run
from mini_letta.course.report import check_reproduced, print_failures, print_pitfalls
from mini_letta.course.running import Cell, Ended
from mini_letta.course.wrapping import wrap
from mini_letta.pitfalls import TABLE

NOTEBOOK = Notebook(source=Path("notebooks/src/07_small.py"), lang="en")


def ended(role: str | None, outcome: str = "passed", *, pitfall: str | None = "p") -> Ended:
    """Return a cell about a pitfall, as it ended."""
    cell = Cell(notebook=NOTEBOOK, id=f"cell-{role}", pitfall=pitfall, role=role)
    return Ended(cell=cell, outcome=outcome, detail=f"why {outcome}", time_s=0.1)


@pytest.mark.parametrize(
    ("cells", "reproduced"),
    [
        ([ended("fails"), ended("fixed")], True),
        ([ended("fails"), ended("fixed"), ended("fixed", "failed")], False),
        ([ended("fails"), ended("fixed", "not_run")], False),
        ([ended("fails"), ended("fails")], False),
        ([ended("fixed")], False),
    ],
)
def test_a_pitfall_is_reproduced_when_it_failed_and_was_fixed(
    cells: list[Ended], reproduced: bool
) -> None:
    """Each cell about it has to run and match, and both halves have to be there."""
    assert check_reproduced([ended(None, pitfall=None), *cells]) == {"p": reproduced}


def test_a_run_without_cells_proves_nothing() -> None:
    """Nothing failed, and still the answer is no."""
    assert not Run(ended=()).ok


def test_a_failure_is_shown_with_the_way_back() -> None:
    """The first failing cell with its reason, how many more, and the commands that help."""
    out = io.StringIO()
    run = Run(ended=(ended("fails", "failed"), ended("fixed", "failed")))
    print_failures(run, console=Console(file=out, width=40), phrases=PHRASES["en"])
    lines = out.getvalue().splitlines()
    assert lines[1:4] == [
        "notebooks/en/07_small.ipynb, cell ",
        "cell-fails:",
        "  why failed",
    ]
    assert "... and 1 more in this notebook; they may only be consequences." in lines
    assert "  git diff notebooks/en/07_small.ipynb        # shows what" in lines


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_word_of_the_table_is_cut_off(lang: str, width: int) -> None:
    """Every sentence is there in full on a terminal of any width, in both languages."""
    out = io.StringIO()
    cells = [ended(role, pitfall=row.id) for row in TABLE for role in ("fails", "fixed")]
    print_pitfalls(
        Run(ended=tuple(cells)),
        TABLE,
        lang=lang,
        console=Console(file=out, width=width),
        phrases=PHRASES[lang],
    )
    assert "…" not in out.getvalue()
    columns = [
        "".join(line.split("│")[2].split()) for line in out.getvalue().splitlines() if "│" in line
    ]
    squeezed = "".join(columns)
    assert [row.id for row in TABLE if "".join(row.sentence[lang].split()) not in squeezed] == []


def test_chinese_is_broken_between_characters_but_not_before_punctuation() -> None:
    """A full stop stays with its word, an opening bracket with what it opens."""
    text = "用 --no-verify 做的提交（坏记忆）进了系统提示，没有人报告。"
    lines = wrap(text, 16).splitlines()
    assert lines == ["用 --no-verify", "做的提交（坏记", "忆）进了系统提", "示，没有人报告。"]
    assert all(cell_len(line) <= 16 for line in lines)

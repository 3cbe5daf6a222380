"""Notebook sources: two editions from one file."""

from pathlib import Path

import pytest

from mini_letta.course.sources import BadSource, read_source
from tests.course.kit import TITLE, write_source

SOURCE = TITLE + (
    """
# %% id="words" lang="en"
WORD = "hello"

# %% id="words" lang="zh"
WORD = "你好"

# %% id="show" tags=["raises-exception"] mini_letta={"pitfall": "p", "role": "fails"}
# %%bash
exit 1
"""
)


@pytest.mark.parametrize(("lang", "word"), [("en", "hello"), ("zh", "你好")])
def test_an_edition_has_its_own_cells_and_the_shared_ones(
    tmp_path: Path, lang: str, word: str
) -> None:
    """A cell with `lang` belongs to that edition; a cell without it to both."""
    node = read_source(write_source(tmp_path, SOURCE).source, lang)
    assert [cell.id for cell in node.cells] == ["title", "words", "show"]
    assert node.cells[1].source == f'WORD = "{word}"'


def test_a_cell_keeps_its_mark_and_tags_and_loses_the_rest(tmp_path: Path) -> None:
    """Only what Jupyter and the report read reaches the notebook; magics are magics again."""
    cell = read_source(write_source(tmp_path, SOURCE).source, "en").cells[2]
    mark = {"pitfall": "p", "role": "fails"}
    assert cell.metadata == {"tags": ["raises-exception"], "mini_letta": mark}
    assert cell.source == "%%bash\nexit 1"


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("# %%", "cell 3: needs an id of letters, digits, - and _ (at most 64)"),
        ('# %% id="a b"', "cell 3: needs an id of letters, digits, - and _ (at most 64)"),
        ('# %% id="x" lang="fr"', "cell 3: lang is 'fr', not en or zh"),
        ('# %% [markdown] id="x"', "cell 3: markdown needs a lang"),
        ('# %% id="x" colour="red"', "cell 3: unknown key 'colour'"),
        (
            '# %% id="x" mini_letta={"pitfall": "p"}',
            "cell 3: mini_letta needs a pitfall, and a role: fails or fixed",
        ),
        ('# %% id="title"', "the id 'title' stands twice in the edition en"),
    ],
)
def test_a_malformed_cell_is_named(tmp_path: Path, header: str, problem: str) -> None:
    """What is wrong with a source is said with the place."""
    notebook = write_source(tmp_path, f"{TITLE}\n{header}\n# 1\n")
    with pytest.raises(BadSource) as caught:
        read_source(notebook.source, "en")
    assert problem in str(caught.value)

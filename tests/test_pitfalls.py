"""Each pitfall happens where the table says and nowhere else."""

from pathlib import Path

import pytest

from mini_letta.pitfalls import DRAFT, TABLE, Pitfall, expected, try_pitfall
from mini_letta.stages import TAGS, sections

ROWS = {pitfall.id: pitfall for pitfall in TABLE}


CELLS = [(pitfall.id, column) for pitfall in TABLE for column in expected(pitfall)]


@pytest.mark.parametrize(("id", "column"), CELLS)
def test_a_pitfall_happens_where_the_table_says(id: str, column: str, tmp_path: Path) -> None:
    """Real git and the mock agree with the table; nothing is left behind."""
    assert try_pitfall(ROWS[id], column, tmp_path) is expected(ROWS[id])[column]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pitfall", TABLE, ids=lambda pitfall: pitfall.id)
def test_a_row_is_complete(pitfall: Pitfall) -> None:
    """Both languages, known stages, and a draft has no stage but a wrong version to put in."""
    assert set(pitfall.sentence) == set(pitfall.closed_by) == {"en", "zh"}
    assert pitfall.bites == tuple(tag for tag in TAGS if tag in pitfall.bites)
    assert (pitfall.kind == "draft") == (pitfall.draft is not None) == (not pitfall.bites)
    assert pitfall.kind != "rule" or pitfall.bites == TAGS


def test_ids_are_unique() -> None:
    """An id names one row."""
    assert len(ROWS) == len(TABLE)


def test_the_three_headline_pitfalls_come_first() -> None:
    """The budget, the bypass and the worktree are what every reader sees."""
    headline = [pitfall.id for pitfall in TABLE if pitfall.headline]
    assert headline == ["budget-tightening", "no-verify-into-prompt", "worktree-git-file"]
    assert [pitfall.id for pitfall in TABLE[:3]] == headline


@pytest.mark.parametrize("tag", TAGS)
def test_a_stage_names_what_it_closes_and_leaves(tag: str) -> None:
    """What its docstring says it leaves open happens there, what it closes happened before."""
    before = TAGS[TAGS.index(tag) - 1]
    open_here = {p.id for p in TABLE if p.kind == "stage" and tag in p.bites}
    closed_here = {p.id for p in TABLE if p.kind == "stage" and tag not in p.bites}
    closed_here &= {p.id for p in TABLE if before in p.bites}
    said = sections(tag)
    assert {id for id in ROWS if f"`{id}`" in said["Leaves"]} == open_here
    assert tag == TAGS[0] or {id for id in ROWS if f"`{id}`" in said["Closes"]} == closed_here


def test_only_drafts_have_a_column_of_their_own() -> None:
    """`pitfalls run` shows the wrong version beside the stages."""
    assert {p.id for p in TABLE if DRAFT in expected(p)} == {
        "worktree-git-file",
        "audit-this-turn-only",
    }

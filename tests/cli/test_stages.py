"""`stages` and `pitfalls`: what the command line says about the stages."""

import pytest

from mini_letta.pitfalls import TABLE
from mini_letta.stages import TAGS
from tests.cli.kit import Cli


def test_stages_list_has_one_line_per_stage(cli: Cli) -> None:
    """Oldest first, each line begins with the tag."""
    lines = cli.call("stages", "list").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(TAGS)
    assert [row["tag"] for row in cli.json("stages", "list")] == list(TAGS)


def test_stages_show_has_every_section(cli: Cli) -> None:
    """What a stage adds, closes, leaves and mirrors."""
    out = cli.call("stages", "show", "v0.3").out
    assert all(f"\n{title}: " in out for title in ("Adds", "Closes", "Leaves", "Mirrors"))
    assert cli.json("stages", "show", "v0.3")["tag"] == "v0.3"


def test_stages_diff_says_what_is_new_and_what_is_replaced(cli: Cli) -> None:
    """A plus for each addition, a tilde for each replaced seam."""
    lines = cli.call("stages", "diff", "v0.2", "v0.3").out.splitlines()
    assert lines[0] == "v0.2 -> v0.3"
    assert "  + modules: prompt.compile" in lines
    assert "  ~ render_memory: render_working_tree -> render_committed" in lines
    assert cli.json("stages", "diff", "v0.4", "v1.0")["commands"] == ["memory audit"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pitfalls_list_tells_each_in_the_chosen_language(cli: Cli, lang: str) -> None:
    """Every sentence, and what closes it."""
    out = cli.call("--lang", lang, "pitfalls", "list").out
    assert all(p.sentence[lang] in out and p.closed_by[lang] in out for p in TABLE)


def test_pitfalls_run_compares_with_the_table(cli: Cli) -> None:
    """A row of what happened, stage by stage, and the verdict."""
    answer = cli.call("pitfalls", "run", "worktree-git-file")
    head, row, _, legend, verdict = answer.out.splitlines()
    assert head.split() == [*TAGS, "draft"]
    assert row.split() == ["worktree-git-file", *["no"] * len(TAGS), "yes"]
    assert legend.startswith("yes: it happens")
    assert (answer.code, verdict) == (0, "all as the table says")
    assert cli.json("pitfalls", "run", "uncommitted-in-prompt")["agrees"] is True

"""The verbs of a stage: add, append, replace a named seam, and nothing else."""

import pytest

from mini_letta import v0_2
from mini_letta.harness import SEAMS, Harness, Notice, SeamError
from mini_letta.session import Session
from mini_letta.tools import TOOLS

BASE: Harness = v0_2.HARNESS


def do_nothing(_session: Session) -> list[Notice]:
    return []


def test_a_seam_is_replaced_in_a_copy() -> None:
    """The stage it came from is as it was."""
    assert BASE.with_(max_steps=3).max_steps == 3
    assert BASE.max_steps == 20


@pytest.mark.parametrize("name", ["tools", "commands", "before_turn", "after_turn"])
def test_what_only_grows_cannot_be_replaced(name: str) -> None:
    """A stage cannot take a tool or a step away."""
    with pytest.raises(SeamError, match="only grows"):
        BASE.with_(**{name: ()})


def test_an_unknown_seam_is_refused_with_the_known_ones() -> None:
    """A misspelt seam does not pass silently."""
    with pytest.raises(SeamError, match="Seams: render_memory, refresh_prompt"):
        BASE.with_(compile=None)


def test_a_tool_name_is_taken_once() -> None:
    """The model calls tools by name."""
    with pytest.raises(SeamError, match="there is a tool `shell` already"):
        BASE.add_tools(TOOLS[-1])


def test_steps_are_appended_after_those_there_are() -> None:
    """Order is the order of the stages."""
    once = BASE.append_before_turn(do_nothing)
    assert once.append_before_turn(do_nothing).before_turn == (do_nothing, do_nothing)
    assert BASE.append_after_turn(do_nothing).after_turn == (do_nothing,)


def test_there_are_about_ten_seams() -> None:
    """Few enough to be read in a minute."""
    assert len(SEAMS) + 4 <= 13

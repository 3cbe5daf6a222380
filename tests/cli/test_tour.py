"""`tour`: three pitfalls in the terminal, really run."""

import pytest

from mini_letta.course.tour import SCENES, Step
from mini_letta.course.workbench import Output
from mini_letta.pitfalls import TABLE
from tests.cli.kit import Cli


def test_the_tour_shows_the_headline_pitfalls_and_nothing_else() -> None:
    """In the order of the table."""
    assert [scene.pitfall for scene in SCENES] == [row.id for row in TABLE if row.headline]


def test_every_command_is_shown_and_comes_to_what_is_told(cli: Cli) -> None:
    """Commands behind a dollar sign, their real output below, and nothing of the user's is used."""
    answer = cli.call("tour")
    assert answer.code == 0
    shown = answer.out.splitlines()
    commands = [line for scene in SCENES for s in scene.steps for line in s.command.splitlines()]
    assert [line[4:] for line in shown if line.startswith("  $ ")] == commands
    assert "      human.md: 162 characters exceeds 120 from maxFileCharacters" in shown
    assert "    notice: MEMORY INVALID: the commit at HEAD " in answer.out
    assert not (cli.folder / ".mini-letta").exists()


def test_the_tour_speaks_chinese(cli: Cli) -> None:
    """The narration is; commands and their output are the same."""
    out = cli.call("--lang", "zh", "tour").out
    assert out.startswith("三个坑。每条命令都真的在跑")
    assert "  $ git commit -q -a -m 'sneaky' --no-verify\n" in out


def test_as_data_the_tour_has_each_command_with_its_output(cli: Cli) -> None:
    """For a program: what was run, what it printed, how it ended."""
    scenes = cli.json("tour")
    assert [scene["reproduced"] for scene in scenes] == [True] * 3
    assert [step["code"] for step in scenes[0]["steps"]] == [0, 1, 0]


@pytest.mark.parametrize(("text", "code"), [("fine", 1), ("something else", 0)])
def test_a_command_that_comes_to_something_else_is_noticed(text: str, code: int) -> None:
    """By its exit code or by what it does not show."""
    step = Step(before={}, command="x", code=0, shows="fine")
    assert step.went_as_told(Output(text="it is fine", code=0))
    assert not step.went_as_told(Output(text=text, code=code))

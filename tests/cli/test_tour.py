"""`tour`: three pitfalls in the terminal, really run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from mini_letta.course.reproduce import ADD_WORKTREE, BYPASS, TIGHTEN
from mini_letta.course.tour import SCENES, Step
from mini_letta.course.workbench import Output
from mini_letta.pitfalls import TABLE
from tests.cli.kit import Answer, Cli

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [line for scene in SCENES for s in scene.steps for line in s.command.splitlines()]


@pytest.fixture(scope="module")
def tours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """The tour in each language, by a user with an empty home and a folder for temporary files."""
    cli = Cli(folder=tmp_path_factory.mktemp("home"))
    (cli.folder / "tmp").mkdir()
    temporary = str(cli.folder / "tmp")
    taken = {
        lang: cli.call("--lang", lang, "tour", TMPDIR=temporary, COLUMNS="200")
        for lang in ("en", "zh")
    }
    assert [path.name for path in cli.folder.iterdir()] == ["tmp"], "something was left behind"
    assert list((cli.folder / "tmp").iterdir()) == [], "a temporary home was left behind"
    return taken


def test_the_tour_shows_the_headline_pitfalls_and_nothing_else() -> None:
    """In the order of the table."""
    assert [scene.pitfall for scene in SCENES] == [row.id for row in TABLE if row.headline]


def test_the_tour_runs_what_the_experiments_run() -> None:
    """The heart of each scene is a command of `pitfalls run`, word for word."""
    for scene, command in zip(SCENES, (TIGHTEN % 120, BYPASS, ADD_WORKTREE), strict=True):
        assert any(command in step.command for step in scene.steps)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_command_is_shown_and_comes_to_what_is_told(
    tours: dict[str, Answer], lang: str
) -> None:
    """Commands behind a dollar sign; the narration alone depends on the language."""
    shown = tours[lang].out.splitlines()
    assert tours[lang].code == 0
    assert [line[4:] for line in shown if line.startswith("  $ ")] == COMMANDS


def test_the_output_of_a_command_is_below_it(tours: dict[str, Answer]) -> None:
    """Of a refusal the problems, and how many lines of advice follow."""
    out = tours["en"].out
    refusal = """\
  $ MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m "tighten the budget"
    Memory validation failed:
      human.md: 186 characters exceeds 120 from maxFileCharacters
    [... advice to the model: 5 more lines]
"""
    assert refusal in out
    assert "    notice: MEMORY INVALID: the commit at HEAD " in out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_tour_fits_into_80_columns_without_colour(tours: dict[str, Answer], lang: str) -> None:
    """However long a line of output was, and though the terminal is said to be wider."""
    assert "\x1b" not in tours[lang].out
    assert [line for line in tours[lang].out.splitlines() if cell_len(line) > 80] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_scene_ends_with_what_closes_it_and_where_to_read_on(
    tours: dict[str, Answer], lang: str
) -> None:
    """Both in the language of the call; lines are joined again before they are compared."""
    shown = tours[lang].out.replace("\n", "").replace(" ", "")
    for scene in SCENES:
        closed_by = next(row.closed_by[lang] for row in TABLE if row.id == scene.pitfall)
        assert closed_by.replace(" ", "") in shown
        assert all(path in shown for path in scene.read_on(lang))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_to_read_on_exists(lang: str) -> None:
    """The section in the chapter, and in the notebook a cell about the pitfall."""
    for scene in SCENES:
        chapter, notebook = scene.read_on(lang)
        path, _, anchor = chapter.partition("#")
        assert f'<a id="{anchor}"></a>' in (ROOT / path).read_text(encoding="utf-8")
        assert f'"pitfall": "{scene.pitfall}"' in (ROOT / notebook).read_text(encoding="utf-8")


def test_as_data_the_tour_has_each_command_with_its_output(cli: Cli) -> None:
    """For a program: what was run, what it printed, how it ended."""
    scenes = cli.json("tour")
    assert [scene["reproduced"] for scene in scenes] == [True] * 3
    assert [step["code"] for step in scenes[0]["steps"]] == [0, 1, 0]


def test_ctrl_c_ends_the_tour_and_leaves_nothing(cli: Cli) -> None:
    """In the middle of a scene: no traceback, exit code 130, no temporary home."""
    temporary = cli.folder / "tmp"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "mini_letta", "tour"],
        cwd=cli.folder,
        env={**cli.bare_env(), "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C reaches the whole group, its git included
        # a shell starts background jobs with SIGINT ignored, and a child inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 no threads
    ) as tour:
        assert tour.stdout and tour.stderr
        while not tour.stdout.readline().startswith("  $ "):
            pass
        os.killpg(tour.pid, signal.SIGINT)
        assert (tour.wait(60), tour.stderr.read()) == (130, "")
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "code"), [("fine", 1), ("something else", 0), ("fine, but a notice", 0)]
)
def test_a_command_that_comes_to_something_else_is_noticed(text: str, code: int) -> None:
    """By its exit code, by what it does not show, or by what it should not have shown."""
    step = Step(before={}, command="x", code=0, shows="fine", lacks="notice")
    assert step.went_as_told(Output(text="it is fine", code=0))
    assert not step.went_as_told(Output(text=text, code=code))

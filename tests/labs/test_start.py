"""`labs start`: a folder to work in."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.kit import Cli
from tests.labs.cli import files

HANDOUTS = [
    "lab4.ipynb",
    "lab4.json",
    "meeting-minutes/SKILL.md",
    "meeting-minutes/references/format.md",
    "meeting-minutes/scripts/minutes.py",
    "skills.md",
]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Somebody in an empty folder."""
    return Cli(folder=tmp_path)


def test_start_writes_a_folder_and_says_what_to_do_next(cli: Cli) -> None:
    """Step by step, as far as the notebook can be checked."""
    answer = cli.call("labs", "start", "1")
    assert (answer.code, answer.err) == (0, "")
    start, folder, opening, check, command = answer.out.splitlines()
    assert (start, folder) == ("lab1 is in my-labs/lab1. Next:", "  cd my-labs/lab1")
    assert opening.startswith("  ") and "lab1.ipynb" in opening
    assert check == '  run the cells from the top; check("1.1") says what is still missing'
    assert command.endswith(" labs check 1    checks the saved notebook as it would be graded")
    assert files(cli.folder / "my-labs" / "lab1") == ["lab1.ipynb", "lab1.json"]


def test_start_prints_a_command_that_works_as_it_is(cli: Cli) -> None:
    """Also where the shell does not find `mini-letta`: it is in .venv/bin then."""
    last = cli.call("labs", "start", "1", PATH="/usr/bin:/bin").out.splitlines()[-1]
    command = shlex.split(last)[: last.split().index("labs")]
    done = subprocess.run([*command, "labs", "list"], cwd=cli.folder, capture_output=True)
    assert done.returncode == 0


def test_start_prints_the_name_where_the_shell_finds_it(cli: Cli) -> None:
    """No more to read than there has to be."""
    programs = str(Path(sys.executable).parent)
    last = cli.call("labs", "start", "1", PATH=f"{programs}:/usr/bin:/bin").out.splitlines()[-1]
    assert last.startswith("  mini-letta labs check 1 ")


def test_start_hands_out_the_files_of_the_lab(cli: Cli) -> None:
    """What the task asks to be read lies beside the notebook."""
    assert cli.call("labs", "start", "lab4", "--to", "here").code == 0
    assert files(cli.folder / "here") == HANDOUTS


def test_start_overwrites_nothing(cli: Cli) -> None:
    """A second start leaves the student's notebook as it is and says how to go on."""
    cli.call("labs", "start", "1")
    notebook = cli.folder / "my-labs" / "lab1" / "lab1.ipynb"
    notebook.write_text("mine", encoding="utf-8")
    answer = cli.call("labs", "start", "1")
    assert answer.code == 2
    assert "my-labs/lab1 already has lab1.ipynb; nothing was written." in answer.err
    assert notebook.read_text(encoding="utf-8") == "mine"


def test_start_writes_nothing_when_one_file_is_in_the_way(cli: Cli) -> None:
    """Not even the files that would have had room."""
    (cli.folder / "here").mkdir()
    (cli.folder / "here" / "lab1.json").symlink_to("nowhere")
    assert cli.call("labs", "start", "1", "--to", "here").code == 2
    assert [path.name for path in (cli.folder / "here").iterdir()] == ["lab1.json"]


def test_start_in_a_file_is_no_traceback(cli: Cli) -> None:
    """A path that cannot be a folder is a matter of the environment."""
    (cli.folder / "file").write_text("", encoding="utf-8")
    answer = cli.call("labs", "start", "1", "--to", "file")
    assert answer.code == 3
    assert answer.err.startswith("mini-letta: ")


def test_start_in_chinese_hands_out_the_chinese_edition(cli: Cli) -> None:
    """--lang decides the notebook and what is said."""
    answer = cli.call("--lang", "zh", "labs", "start", "1")
    assert answer.out.startswith("lab1 放在 my-labs/lab1 了。接下来：\n")
    text = (cli.folder / "my-labs" / "lab1" / "lab1.ipynb").read_text(encoding="utf-8")
    assert '"lang": "zh"' in text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("77", "There is no lab77. There are: lab1, lab2, "),
        ("one", "'one' names no lab. Write 3 or lab3, and 3.2 for an exercise."),
        ("", "'' names no lab."),
    ],
)
def test_start_of_an_unknown_lab_says_which_there_are(cli: Cli, typed: str, said: str) -> None:
    """A slip of the finger is answered with what could be meant."""
    answer = cli.call("labs", "start", typed)
    assert answer.code == 2
    assert said in answer.err


def test_start_as_json_names_the_files(cli: Cli) -> None:
    """For a program: where, and what."""
    data = cli.json("labs", "start", "1")
    folder = str(cli.folder / "my-labs" / "lab1")
    assert data == {"lab": "lab1", "folder": folder, "files": ["lab1.ipynb", "lab1.json"]}

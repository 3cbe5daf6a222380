"""Global options, exit codes and what a plain call costs."""

import os
import re
import subprocess
import sys

import pytest

from mini_letta.cli import main
from tests.cli.kit import TRACEBACK, Cli


def test_help_names_every_command(cli: Cli) -> None:
    """The help page lists every command and the exit codes, and exits 0."""
    answer = cli.call("--help")
    commands = set(re.findall(r"^    ([a-z]+) ", answer.out, re.M))
    assert answer.code == 0
    assert commands >= {"agent", "memory", "prompt", "say", "chat", "stages", "pitfalls"}
    assert "Exit codes: 0 fine, 1 the answer is no, 2 usage, 3 environment." in answer.out


def test_help_does_not_load_what_only_commands_need() -> None:
    """Asking for help loads no stage, no git, no rich and no psutil."""
    program = (
        "import sys; from mini_letta.cli import main; main(['--help']);"
        "print([m for m in sys.modules if m.partition('.')[0] in ('rich', 'psutil')"
        " or m in ('mini_letta.git', 'mini_letta.stages', 'subprocess', 'json')])"
    )
    assert _python("-c", program).splitlines()[-1] == "[]"


def test_a_plain_command_needs_neither_rich_nor_psutil(cli: Cli) -> None:
    """`say` works where only the standard library is installed."""
    blocked = (
        "import sys; sys.modules['rich'] = sys.modules['psutil'] = None;"
        "from mini_letta.cli import main; sys.exit(main(['say', 'ping']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked], env=cli.bare_env(), capture_output=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("nonsense",),
        ("say",),
        ("say", " "),
        ("--at", "v9.9", "say", "ping"),
        ("--at", "v9.9", "stages", "list"),
        ("--lang", "fr", "say", "ping"),
        ("--home", "", "agent", "list"),
        ("--ag", "default", "agent", "list"),
        ("--agent", "../x", "say", "ping"),
        ("--agent", "", "memory", "path"),
        ("--agent", "nobody", "say", "ping"),
        ("agent", "create", "../x"),
        ("agent", "create", ""),
        ("agent", "create", "a/b"),
        ("agent", "create", "x" * 65),
        ("memory", "audit", "missing"),
        ("memory", "check", ""),
        ("memory", "install-hook", "missing"),
        ("memory", "install-hook", ".", "--policy", "nonsense"),
        ("pitfalls", "run", "nonsense"),
        ("stages", "show", "v9.9"),
        ("stages", "diff", "v1.0", "v0.2"),
    ],
    ids=" ".join,
)
def test_a_call_that_must_be_worded_differently_exits_2(cli: Cli, args: tuple[str, ...]) -> None:
    """It says why on standard error, prints nothing else and creates nothing."""
    answer = cli.call(*args)
    assert (answer.code, answer.out, list(cli.folder.iterdir())) == (2, "", [])
    assert answer.err.strip()


@pytest.mark.parametrize("before", [True, False])
def test_options_stand_before_or_after_the_command(cli: Cli, before: bool) -> None:
    """`--at v0.2` and `--home` mean the same at both places."""
    options, command = ("--home", "h", "--at", "v0.2"), ("agent", "create", "a")
    answer = cli.call(*(options + command if before else command + options))
    assert (answer.code, (cli.folder / "h/agents/a/memory").is_dir()) == (0, True)


def test_home_comes_from_the_option_then_the_variable_then_the_user(cli: Cli) -> None:
    """`--home` beats `MINI_LETTA_HOME`, which beats `~/.mini-letta`."""
    by_user = cli.call("memory", "path").out
    by_variable = cli.call("memory", "path", MINI_LETTA_HOME=str(cli.folder / "v")).out
    by_option = cli.call("--home", "o", "memory", "path", MINI_LETTA_HOME="v").out
    homes = [cli.folder / name for name in (".mini-letta", "v", "o")]
    assert [by_user, by_variable, by_option] == [f"{h}/agents/default/memory\n" for h in homes]


@pytest.mark.parametrize(("locale", "name"), [("zh_CN.UTF-8", "用户"), ("de_DE.UTF-8", "Human")])
def test_the_locale_chooses_the_language(cli: Cli, locale: str, name: str) -> None:
    """New memory is Chinese under a Chinese locale, else English; `--lang` overrides."""
    cli.call("memory", "path", LC_ALL=locale)
    assert f"name: {name}" in (cli.memory() / "human.md").read_text("utf-8")


def test_output_that_the_terminal_cannot_show_is_escaped(cli: Cli) -> None:
    """Chinese under a Latin-1 terminal prints as escapes and ends with exit code 0."""
    answer = cli.call("--lang", "zh", "prompt", PYTHONIOENCODING="latin-1")
    assert (answer.code, "\\u8bb0\\u5fc6" in answer.out) == (0, True)


@pytest.mark.parametrize(
    ("tag", "command", "arrives"),
    [("v0.2", ("memory", "audit"), "v1.0"), ("v0.2", ("prompt", "--fresh"), "v0.3"),
     ("v0.3", ("memory", "audit"), "v1.0")],
)  # fmt: skip
def test_a_command_of_a_later_stage_says_when_it_arrives(
    cli: Cli, tag: str, command: tuple[str, ...], arrives: str
) -> None:
    """It exits 2 and names the stage and the call that works."""
    answer = cli.call("--at", tag, *command)
    name = " ".join(command)
    assert answer.code == 2
    assert f"{tag} has no command `{name}`: it arrives in {arrives}." in answer.err
    assert f"mini-letta --at {arrives} {name}" in answer.err


@pytest.mark.parametrize("command", ["stages list", "pitfalls list"])
@pytest.mark.parametrize("tag", ["v0.2", "v1.0"])
def test_commands_about_the_course_exist_at_every_stage(cli: Cli, tag: str, command: str) -> None:
    """What is about the stages themselves does not depend on `--at`."""
    assert cli.call("--at", tag, *command.split()).code == 0


def test_a_reader_who_leaves_early_causes_no_noise(cli: Cli) -> None:
    """Writing into a pipe that nobody reads ends quietly, as it does for git."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "mini_letta", "pitfalls", "list"],
        env=cli.bare_env(),
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_is_said_once(cli: Cli) -> None:
    """Output that cannot be written is an environment error with one line about it."""
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mini_letta", "pitfalls", "list"],
            env=cli.bare_env(),
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams_change_no_exit_code(cli: Cli, streams: str) -> None:
    """A command whose output nobody wants still does its work."""
    script = f'"$0" -m mini_letta memory path {streams} && "$0" -m mini_letta say ping {streams}'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable],
        env=cli.bare_env(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, TRACEBACK in done.stderr) == (0, False)


def test_main_returns_instead_of_exiting(capsys: pytest.CaptureFixture[str]) -> None:
    """A program that calls `main` gets the exit code back, for help and for mistakes."""
    assert (main(["--help"]), main(["nonsense"])) == (0, 2)
    assert TRACEBACK not in capsys.readouterr().err


def _python(*args: str) -> str:
    return subprocess.run(
        [sys.executable, *args], capture_output=True, check=True, encoding="utf-8"
    ).stdout

"""The workbench of the notebooks prints the same on every machine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mini_letta import v0_2, v0_3, v1_0
from mini_letta.course.workbench import EPOCH, Workbench

Print = Callable[[], str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Print:
    """Return what was printed since the last call."""
    return lambda: capsys.readouterr().out


def play(lang: str) -> None:
    """Do a little of everything that a notebook does."""
    with Workbench(v0_2.HARNESS, lang=lang) as bench:
        bench.sh("git log --format='%H %ad %an'; pwd; echo $HOME; mini-letta memory path")
        bench.say("记住我喜欢绿茶")
        bench.sh("echo oops > bad.md; git add bad.md; git commit -m bad; git rm -q --cached bad.md")
        bench.upgrade(v1_0.HARNESS)
        bench.say("ping")
        bench.sh("git commit -q --allow-empty -m x --no-verify; git log --oneline")
        bench.prompt()
        bench.prompt(fresh=True)


def hostile_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the user a git configuration and variables that change everything they can."""
    config = folder / ".gitconfig"
    config.write_text(
        "[user]\nname = Somebody\nemail = s@example.invalid\n[commit]\ngpgsign = true\n"
        "[core]\nhooksPath = /nowhere\nautocrlf = true\nquotePath = true\nabbrev = 12\n"
        "[init]\ndefaultBranch = trunk\n[log]\ndate = relative\n[color]\nui = always\n"
    )
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(folder / "decoy.git"))
    monkeypatch.setenv("MINI_LETTA_CONSTRAINTS_UPDATE", "1")
    monkeypatch.setenv("MINI_LETTA_HOME", str(folder / "other"))
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    monkeypatch.setenv("BASH_ENV", str(folder / "loud.sh"))
    (folder / "loud.sh").write_text("echo loud\n")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_users_configuration_changes_no_byte(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Print
) -> None:
    """Commit ids, dates, names, messages and paths are the same for everybody."""
    play(lang)
    plain = printed()
    hostile_environment(tmp_path, monkeypatch)
    play(lang)
    assert printed() == plain
    assert not (tmp_path / "other").exists()


def test_the_home_is_printed_as_a_tilde(printed: Print) -> None:
    """Paths look as they do for a reader, whatever the temporary folder is called."""
    with Workbench(v0_2.HARNESS) as bench:
        bench.sh("pwd; mini-letta memory path")
    assert printed() == "~/.mini-letta/agents/default/memory\n" * 2


def test_a_script_shows_both_streams_in_order_and_its_exit_code(printed: Print) -> None:
    """Standard error is not torn away from standard output; 0 is not worth a line."""
    with Workbench(v0_2.HARNESS) as bench:
        bench.sh("echo one; echo two >&2; echo three; exit 4")
        bench.sh("true")
    assert printed() == "one\ntwo\nthree\nexit=4\n"


def test_the_clock_moves_one_minute_before_each_command() -> None:
    """The first commit is dated one minute after the start, and so on."""
    with Workbench(v0_2.HARNESS) as bench:
        before = int(bench.run("git log -1 --format=%at").text)
        bench.run("git commit -q --allow-empty -m x")
        after = int(bench.run("git log -1 --format=%at").text)
    assert (before - EPOCH, after - before) == (0, 180)


def test_the_home_is_gone_after_closing() -> None:
    """Closing twice is fine."""
    bench = Workbench(v0_2.HARNESS)
    bench.close()
    bench.close()
    assert not bench.user_home.exists()


def test_say_shows_calls_results_notices_and_the_reply(printed: Print) -> None:
    """What the audit finds is printed where it happens."""
    with Workbench(v1_0.HARNESS) as bench:
        bench.run("echo garbage > human.md; git commit -q --no-verify -am x")
        bench.say("ping")
    lines = printed().splitlines()
    assert lines[0] == "you: ping"
    assert lines[1].startswith("notice: MEMORY INVALID")
    assert "     human.md: missing frontmatter (must start with ---)" in lines
    assert any(line.startswith("mini-letta: ") for line in lines)


def test_an_upgrade_keeps_home_and_memory(printed: Print) -> None:
    """Another stage, the same commits."""
    with Workbench(v0_2.HARNESS) as bench:
        bench.say("remember I like tea")
        bench.upgrade(v0_3.HARNESS)
        assert "I like tea" in bench.prompt_text()
    printed()

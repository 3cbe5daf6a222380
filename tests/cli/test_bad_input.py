"""What can be wrong around the program: each ends with a sentence that says what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.kit import Cli

GOOD = "---\nname: Note\ndescription: A note\n---\nBody.\n"
STATE_FILES = ("mini-letta-accepted.json", "mini-letta-last-audit.json")


def put_git_on_path(folder: Path, script: str) -> str:
    """Make a program named git and return a PATH with nothing else on it."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(folder)


def test_without_git_every_command_about_memory_says_so(cli: Cli) -> None:
    """Exit code 3, and the next step is to install git."""
    empty = cli.folder / "empty"
    empty.mkdir()
    for command in ("memory path", "say ping", "pitfalls run", "agent create a"):
        answer = cli.call(*command.split(), PATH=str(empty))
        assert answer.code == 3
        assert "git was not found on PATH. Install git 2.39 or newer" in answer.err


@pytest.mark.parametrize(
    ("script", "found"),
    [("echo git version 2.38.4", "git 2.38"), ("echo git version 1.8.3.1", "git 1.8"),
     ("echo hello", "an unreadable version"), ("exit 7", "an unreadable version")],
)  # fmt: skip
def test_a_git_that_is_too_old_is_refused_before_anything_is_made(
    cli: Cli, script: str, found: str
) -> None:
    """Exit code 3 names the version; no agent is left half made."""
    answer = cli.call("agent", "create", PATH=put_git_on_path(cli.folder / "bin", script))
    assert answer.code == 3
    assert f"found {found}, but git 2.39 or newer is needed" in answer.err
    assert not (cli.folder / ".mini-letta").exists()


def test_commands_that_need_no_git_work_without_it(cli: Cli) -> None:
    """The stages and the pitfalls can be read on a machine without git."""
    assert cli.call("stages", "list", PATH="/nowhere").code == 0
    assert cli.call("pitfalls", "list", PATH="/nowhere").code == 0


@pytest.mark.parametrize("command", ["memory path", "say ping", "agent create a", "agent list"])
def test_a_home_that_is_a_file_is_named(cli: Cli, command: str) -> None:
    """Exit code 3, the file is untouched and `--home` is the way out."""
    (cli.folder / "file").write_text("mine")
    answer = cli.call("--home", "file", *command.split())
    assert (answer.code, (cli.folder / "file").read_text()) == (3, "mine")
    assert str(cli.folder / "file") in answer.err
    assert "--home" in answer.err


def test_a_home_that_cannot_be_written_is_named(cli: Cli) -> None:
    """Exit code 3 with the way out, also for a user who may write nearly everywhere."""
    (cli.folder / "file").write_text("")
    answer = cli.call("--home", "file/below", "agent", "create")
    assert answer.code == 3
    assert "Choose another folder with --home" in answer.err


def test_without_a_home_variable_the_option_is_asked_for(cli: Cli) -> None:
    """An empty HOME is no folder."""
    answer = cli.call("agent", "list", HOME="")
    assert (answer.code, "--home DIR" in answer.err) == (2, True)


def test_a_folder_that_is_gone_is_said(cli: Cli) -> None:
    """Starting in a deleted folder is an environment error, not a traceback."""
    gone = cli.folder / "gone"
    script = (
        f'mkdir "{gone}" && cd "{gone}" && rmdir "{gone}" && exec "$0" -m mini_letta stages list'
    )
    done = subprocess.run(
        ["bash", "-c", script, sys.executable],
        env=cli.bare_env(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, "no longer exists" in done.stderr) == (3, True)


@pytest.mark.parametrize("command", ["say ping", "memory check", "memory audit", "prompt"])
def test_a_memory_that_is_no_repository_is_left_alone(cli: Cli, command: str) -> None:
    """Exit code 3 says how to get it back; the files stay as they are."""
    dir = cli.memory()
    (dir / ".git").rename(cli.folder / "kept")
    before = {path: path.read_bytes() for path in dir.iterdir()}
    answer = cli.call(*command.split())
    assert (answer.code, {p: p.read_bytes() for p in dir.iterdir()}) == (3, before)
    assert "is not the top of a git repository. If it was a memory, restore its .git" in answer.err


def test_a_repository_around_a_lost_memory_is_not_taken_for_it(cli: Cli) -> None:
    """A home inside somebody's repository does not make that repository the memory."""
    cli.git(cli.folder, "init", "-q")
    (cli.memory() / ".git").rename(cli.folder / "kept")
    assert cli.call("say", "remember tea").code == 3
    assert cli.git(cli.folder, "status", "--porcelain=v1", "-uno") == ""


def test_an_unfinished_merge_is_said_and_nothing_is_lost(cli: Cli) -> None:
    """`say` and `memory check` name it and how to end it; the merge stays as it was."""
    dir = cli.memory()
    cli.git(dir, "checkout", "-q", "-b", "other")
    cli.commit(dir, "note.md", GOOD + "theirs\n")
    cli.git(dir, "checkout", "-q", "main")
    cli.commit(dir, "note.md", GOOD + "ours\n")
    cli.git(dir, "merge", "other", codes=[1])
    before = cli.git(dir, "status", "--porcelain")
    check, said = cli.call("memory", "check"), cli.call("say", "ping")
    for answer in (check, said):
        assert "has an unfinished merge. Finish it with `git commit`" in answer.err
    assert (check.code, said.code) == (1, 0)
    assert "note.md: has an unresolved merge conflict" in check.out
    assert cli.git(dir, "status", "--porcelain") == before


@pytest.mark.parametrize("policy", ["{", "[]", '{"version": 1, "x": 1}', "\0"])
def test_a_corrupt_policy_is_a_problem_of_memory(cli: Cli, policy: str) -> None:
    """Check and audit answer no and name the file; a turn still runs."""
    dir = cli.memory()
    cli.commit(dir, ".memfs.config.json", policy, "--no-verify")
    for command in ("check", "audit"):
        answer = cli.call("memory", command)
        assert (answer.code, ".memfs.config.json" in answer.out) == (1, True)
    assert cli.call("say", "ping").code == 0


@pytest.mark.parametrize("name", STATE_FILES)
@pytest.mark.parametrize("content", [b"", b"{\xff\xfe", b"null", b"[" * 200_000])
def test_corrupt_state_files_end_no_turn(cli: Cli, name: str, content: bytes) -> None:
    """A turn still runs and the answers are answers, whatever is in the state files."""
    dir = cli.memory()
    cli.call("say", "ping")
    (dir / ".git" / name).write_bytes(content)
    cli.commit(dir, "note.md", GOOD)
    assert cli.call("say", "ping").code == 0
    assert cli.call("memory", "audit").code in (0, 1, 3)
    assert cli.call("memory", "check").code == 0


def test_a_damaged_accepted_record_says_how_to_repair_it(cli: Cli) -> None:
    """There is no verdict, and the file is named; moved away, the audit is clean again."""
    record = cli.memory() / ".git/mini-letta-accepted.json"
    record.write_text("{{{")
    answer = cli.call("memory", "audit")
    assert (answer.code, f"{record} is damaged: move it away" in answer.err) == (3, True)
    record.rename(cli.folder / "away")
    assert cli.call("memory", "audit").code == 0


def test_a_corrupt_conversation_is_kept_and_named(cli: Cli) -> None:
    """Exit code 3 and the way out; the file keeps its bytes."""
    cli.call("--at", "v0.3", "say", "ping")
    file = cli.memory().parent / "conversations/main.json"
    file.write_bytes(b"\xff{")
    answer = cli.call("--at", "v0.3", "say", "ping")
    assert (answer.code, file.read_bytes()) == (3, b"\xff{")
    assert "Move it away to start this conversation anew" in answer.err


def test_bytes_that_are_no_text_and_huge_files_are_problems_not_crashes(cli: Cli) -> None:
    """A file of 50 MB and one that is not UTF-8 are named; the other commands go on."""
    dir = cli.memory()
    (dir / "latin.md").write_bytes(b"---\nname: N\ndescription: D\n---\n\xff\n")
    (dir / "big.md").write_bytes(b"x" * 50_000_000)
    cli.git(dir, "add", ".")
    cli.git(dir, "commit", "-q", "-m", "x", codes=[1])
    cli.git(dir, "commit", "-q", "--no-verify", "-m", "x")
    audit = cli.call("memory", "audit")
    assert (audit.code, "latin.md" in audit.out) == (1, False)
    assert "  big.md: 50000000 characters exceeds 20000 from maxFileCharacters\n" in audit.out
    assert {row["path"] for row in cli.json("memory", "tree")} >= {"big.md", "latin.md"}
    assert cli.call("prompt").code == cli.call("say", "ping").code == 0


def test_two_that_create_one_agent_leave_exactly_one(cli: Cli) -> None:
    """One exits 0, the others say that it is there; the memory is whole."""
    argv = [sys.executable, "-m", "mini_letta", "agent", "create", "a"]
    running = [
        subprocess.Popen(argv, env=cli.bare_env(), stderr=subprocess.PIPE, encoding="utf-8")
        for _ in range(3)
    ]
    ended = [(process.communicate()[1], process.returncode) for process in running]
    assert sorted(code for _, code in ended) == [0, 2, 2]
    assert all("there is an agent a already" in err for err, code in ended if code)
    agents = cli.folder / ".mini-letta/agents"
    assert [path.name for path in agents.iterdir()] == ["a"]
    assert cli.call("--agent", "a", "memory", "audit").code == 0


def test_an_agent_that_exists_is_not_made_again(cli: Cli) -> None:
    """The second time exits 2 and leaves the first one's memory alone."""
    cli.call("agent", "create", "a")
    head = cli.json("--agent", "a", "memory", "log")
    assert cli.call("agent", "create", "a").code == 2
    assert cli.json("--agent", "a", "memory", "log") == head

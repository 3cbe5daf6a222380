"""The agent's tools: what they do, and what they answer instead of failing."""

import os
from pathlib import Path

import pytest

from mini_letta import v1_0
from mini_letta.providers.protocol import ToolCall
from mini_letta.session import Session
from mini_letta.tools import MAX_OUTPUT_CHARS, MAX_READ_CHARS, TOOLS, ToolResult, run_tool
from tests.kit import call, open_agent


@pytest.fixture
def session(home: Path, env: dict[str, str]) -> Session:
    return open_agent(home, env | {"MINI_LETTA_CONSTRAINTS_UPDATE": "1", "GIT_DIR": "/nowhere"})


def use(session: Session, name: str, **arguments: str) -> ToolResult:
    return run_tool(TOOLS, session, call(name, **arguments))


def raw(session: Session, arguments: str, name: str = "read_file") -> ToolResult:
    return run_tool(TOOLS, session, ToolCall(id="1", name=name, arguments=arguments))


def test_a_file_is_written_edited_and_read(session: Session) -> None:
    """The three file tools see the same text."""
    assert use(session, "write_file", path="a/b.md", content="old 记\r\n").ok
    assert use(session, "edit_file", path="a/b.md", old="old", new="new").ok
    assert use(session, "read_file", path="a/b.md") == ToolResult(ok=True, text="new 记\r\n")


@pytest.mark.parametrize("name", ["line\nbreak.md", 'quo"te.md', "-f.md", "记忆 😀.md", "0:x.md"])
def test_odd_names_are_names(session: Session, name: str) -> None:
    """A newline, a quote or a leading dash in a name is nothing special."""
    use(session, "write_file", path=name, content="x")
    assert use(session, "read_file", path=name).text == "x"


@pytest.mark.parametrize(
    ("old", "text"),
    [
        ("absent", "`old` does not occur in n.md. Read the file and give a text that occurs once."),
        ("a", "`old` occurs 2 times in n.md. Read the file and give a text that occurs once."),
        ("", "`old` does not occur in n.md. Read the file and give a text that occurs once."),
    ],
)
def test_an_edit_must_be_unambiguous(session: Session, old: str, text: str) -> None:
    """A passage that is absent, empty or there twice changes nothing."""
    use(session, "write_file", path="n.md", content="a a")
    assert use(session, "edit_file", path="n.md", old=old, new="b") == ToolResult(
        ok=False, text=text
    )
    assert use(session, "read_file", path="n.md").text == "a a"


@pytest.mark.parametrize(
    "path",
    [
        *("../x.md", "a/../../x.md", "/etc/passwd", "", "nul\0.md", "out/x.md", "loop"),
        *(".git/config", ".GIT/hooks/x", "inside/config", ".git./config", "git~1/config"),
        ".g\u200cit/config",
    ],
)
def test_file_tools_stay_in_the_memory_and_out_of_git(
    session: Session, path: str, tmp_path: Path
) -> None:
    """No path, by dots, links or another spelling, reaches outside or into the git dir."""
    (session.repo.dir / "out").symlink_to(tmp_path)
    (session.repo.dir / "inside").symlink_to(".git")
    (session.repo.dir / "loop").symlink_to("loop")
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()}
    assert not use(session, "write_file", path=path, content="x").ok
    assert not use(session, "read_file", path=path).ok
    assert not use(session, "edit_file", path=path, old="a", new="b").ok
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize("kind", ["folder", "pipe", "missing"])
def test_only_files_are_read(session: Session, kind: str) -> None:
    """A folder, a named pipe or nothing at all is answered at once."""
    path = session.repo.dir / "thing"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    result = use(session, "read_file", path="thing")
    assert not result.ok
    assert result.text.endswith("List the memory with `shell`: git ls-files")


def test_a_huge_file_is_read_in_part(session: Session) -> None:
    """50 MB give the first characters and say so."""
    (session.repo.dir / "big.txt").write_bytes("记".encode() * 17_000_000)
    result = use(session, "read_file", path="big.txt")
    shown, _, note = result.text.rpartition("\n")
    assert shown == "记" * MAX_READ_CHARS
    assert note == f"[cut after {MAX_READ_CHARS} characters; read the rest with `shell`]"


def test_a_file_that_is_not_text_is_named(session: Session) -> None:
    """Bytes that are not UTF-8 are neither shown nor changed."""
    (session.repo.dir / "x.bin").write_bytes(b"\xff\xfe\x00")
    text = "x.bin is not UTF-8 text. Look at it with `shell`."
    assert use(session, "read_file", path="x.bin") == ToolResult(ok=False, text=text)
    assert not use(session, "edit_file", path="x.bin", old="a", new="b").ok


def test_text_that_cannot_be_stored_leaves_the_file_alone(session: Session) -> None:
    """Half a surrogate pair is answered, and the old content stays."""
    use(session, "write_file", path="n.md", content="old")
    assert not raw(session, '{"path": "n.md", "content": "\\ud800"}', "write_file").ok
    assert use(session, "read_file", path="n.md").text == "old"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("[]", "the arguments of read_file are not a JSON object. It takes: path. Call it again."),
        ("{}", "read_file was called with no 'path'. It takes: path. Call it again."),
        ('{"path": 3}', "read_file: 'path' is not a string. Call it again."),
        (
            '{"file": "x"}',
            "read_file was called with no 'path' and an unknown 'file'. It takes: path. "
            "Call it again.",
        ),
    ],
)
def test_wrong_arguments_are_explained(session: Session, arguments: str, text: str) -> None:
    """The model reads what was wrong and how the tool is called."""
    assert raw(session, arguments) == ToolResult(ok=False, text=text)


@pytest.mark.parametrize("arguments", ['{"path": "human.md', "", "[" * 100_000, "\0"])
def test_malformed_arguments_are_text_for_the_model(session: Session, arguments: str) -> None:
    """No JSON, broken JSON and absurdly deep JSON are answered, not raised."""
    assert raw(session, arguments).text.startswith("the arguments of read_file are not JSON")


def test_an_unknown_tool_is_answered_with_the_known_ones(session: Session) -> None:
    """The model learns which tools there are."""
    text = "there is no tool 'fly'. Tools: read_file, write_file, edit_file, shell."
    assert use(session, "fly") == ToolResult(ok=False, text=text)


def test_an_unwritable_folder_is_text_for_the_model(session: Session) -> None:
    """An error of the system is told without naming places on this machine."""
    (session.repo.dir / "file").write_text("")
    result = use(session, "write_file", path="file/x.md", content="x")
    assert not result.ok
    assert str(session.repo.dir) not in result.text


def test_shell_says_how_a_command_ended(session: Session) -> None:
    """Output and error output in order, then the exit code if it is not 0."""
    assert use(session, "shell", command="echo a; echo b >&2; exit 3") == ToolResult(
        ok=False, text="a\nb\nexit=3"
    )


def test_shell_carries_neither_approval_nor_foreign_git(session: Session) -> None:
    """The agent's commands do not inherit the human's approval or another repository."""
    command = "echo ${MINI_LETTA_CONSTRAINTS_UPDATE-none} ${GIT_DIR-none}; git rev-parse --git-dir"
    assert use(session, "shell", command=command).text == "none none\n.git"


def test_a_commit_in_the_shell_is_dated_by_the_clock(session: Session) -> None:
    """Commit ids repeat because the date is given."""
    command = "git commit -q --allow-empty -m x && git log -1 --format='%at %an'"
    assert use(session, "shell", command=command).text == "1767225600 mini-letta agent"


def test_a_memory_without_git_is_not_taken_for_the_repository_around_it(
    session: Session, home: Path
) -> None:
    """The shell's git does not look above the memory folder."""
    session.repo.run("init", "--quiet", str(home))
    (session.repo.dir / ".git").rename(home / "elsewhere")
    assert "not a git repository" in use(session, "shell", command="git status").text


def test_long_output_is_cut_and_says_so(session: Session) -> None:
    """The model gets the beginning, in characters."""
    result = use(session, "shell", command="for i in {1..20000}; do printf 记; done")
    shown = f"{'记' * MAX_OUTPUT_CHARS}\n[output cut after {MAX_OUTPUT_CHARS} characters]"
    assert result == ToolResult(ok=True, text=shown)


def test_a_command_with_a_nul_is_refused(session: Session) -> None:
    """No system can run it."""
    assert not use(session, "shell", command="echo \0").ok


def test_every_tool_has_words_for_the_model() -> None:
    """Each tool and each parameter is described."""
    specs = [tool.spec for tool in v1_0.HARNESS.tools]
    assert all(spec.description and all(spec.parameters.values()) for spec in specs)

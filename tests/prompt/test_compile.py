"""The system prompt: what of a commit is in it, and how it looks."""

from pathlib import Path

import pytest

from mini_letta.git import Repo
from mini_letta.prompt.compile import MemoryUnreadable, compile_committed, render_committed
from mini_letta.prompt.render import fill_prompt, list_deferred, render_tree
from mini_letta.prompt.working_tree import compile_working_tree
from tests.kit import bypass, commit, open_agent

Env = dict[str, str]
NOTE = "---\nname: N\ndescription: {}\n---\n{}\n"


@pytest.fixture
def empty(tmp_path: Path, env: Env) -> Repo:
    repo = Repo(dir=tmp_path, env=env)
    repo.run("init", "--quiet", "-b", "main")
    return repo


def commit_all(repo: Repo, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        file = repo.dir / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    repo.run("add", "--all")
    repo.run("commit", "--quiet", "-m", "x")


def test_core_blocks_are_sorted_and_the_index_comes_last() -> None:
    """One element per core file, then the body of MEMORY.md."""
    core = {
        "MEMORY.md": "# Memory\n\n",
        "z.md": NOTE.format("last", "Z\n\n"),
        "a.md": NOTE.format("first: of all", "  A"),
    }
    assert render_tree(core, core) == (
        "<a>\n<description>first: of all</description>\n  A\n</a>\n\n"
        "<z>\n<description>last</description>\nZ\n</z>\n\n"
        "<memory>\n# Memory\n</memory>"
    )


def test_deferred_directories_are_listed_by_their_index() -> None:
    """First level only, sorted, names escaped as attributes; never skills."""
    paths = {"MEMORY.md", "b/MEMORY.md", "a&\"'<>/MEMORY.md", "a&\"'<>/c/MEMORY.md", "d/x.md"}
    paths |= {"skills/MEMORY.md", "skills/s/SKILL.md"}
    assert render_tree({"MEMORY.md": "Hi\n"}, paths).splitlines() == [
        "<memory>",
        "Hi",
        "<deferred-memory>",
        '<directory path="a&amp;&quot;&apos;&lt;&gt;/" '
        'index="a&amp;&quot;&apos;&lt;&gt;/MEMORY.md" />',
        '<directory path="b/" index="b/MEMORY.md" />',
        "</deferred-memory>",
        "</memory>",
    ]


def test_a_directory_without_an_index_is_not_memory() -> None:
    """No index, no mention."""
    assert list_deferred({"a/x.md", "b/c/MEMORY.md"}) == []


def test_bodies_are_not_escaped_and_names_are() -> None:
    """Memory text is shown as it is; a name cannot close its own tag."""
    assert render_tree({"x<y.md": NOTE.format("<b>", "a < b && c")}, ()) == (
        "<x&lt;y>\n<description><b></description>\na < b && c\n</x&lt;y>"
    )


@pytest.mark.parametrize(
    "text",
    ["no frontmatter\n", "---\nname: N\n", "---\nname: N\nlimit: 5\n---\nBody\n"],
    ids=["none", "never closed", "invalid"],
)
def test_a_file_without_valid_frontmatter_is_shown_whole(text: str) -> None:
    """That is how a bypass becomes visible."""
    assert render_tree({"a.md": text}, ()) == f"<a>\n{text.rstrip()}\n</a>"


@pytest.mark.parametrize(
    ("raw", "filled"),
    [
        ("a {CORE_MEMORY} b {CORE_MEMORY}", "a $1 {CORE_MEMORY} b $1 {CORE_MEMORY}"),
        ("a", "a\n\n$1 {CORE_MEMORY}"),
    ],
)
def test_the_placeholder_is_replaced_literally(raw: str, filled: str) -> None:
    """Every occurrence; without one the memory goes to the end."""
    assert fill_prompt(raw, "$1 {CORE_MEMORY}") == filled


def test_without_a_commit_the_memory_is_empty(empty: Repo) -> None:
    """A repository without HEAD is no error."""
    assert compile_committed(empty, "[{CORE_MEMORY}]") == "[]"


def test_only_the_commit_counts(home: Path, env: Env) -> None:
    """An edit in the folder, staged or not, changes nothing."""
    repo = open_agent(home, env).repo
    before = compile_committed(repo, "{CORE_MEMORY}")
    (repo.dir / "human.md").write_text("SPOILED")
    repo.run("add", "human.md")
    assert compile_committed(repo, "{CORE_MEMORY}") == before
    assert "SPOILED" in compile_working_tree(repo, "{CORE_MEMORY}")


def test_a_bypassed_commit_reaches_the_prompt(home: Path, env: Env) -> None:
    """Known defect of every stage so far: HEAD is compiled, valid or not."""
    session = open_agent(home, env)
    bypass(session)
    assert "<human>\nBYPASSED\n</human>" in compile_committed(session.repo, "{CORE_MEMORY}")


def test_a_chinese_file_name_does_not_vanish(home: Path, env: Env) -> None:
    """Names are read NUL-separated, so git does not quote them."""
    session = open_agent(home, env)
    commit(session, {"偏好.md": NOTE.format("喜欢什么", "茶")})
    assert "<偏好>\n<description>喜欢什么</description>\n茶\n</偏好>" in compile_committed(
        session.repo, ""
    )


def test_a_missing_object_is_named(home: Path, env: Env) -> None:
    """A damaged repository is an error that says which file and what to do."""
    session = open_agent(home, env)
    blob = session.repo.run("rev-parse", "HEAD:human.md").text
    (session.repo.git_dir() / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(MemoryUnreadable, match=r"human\.md is missing .* See `git fsck`"):
        compile_committed(session.repo, "")


def test_links_and_odd_bytes_do_no_harm(empty: Repo) -> None:
    """A symbolic link is not followed, bytes that are not UTF-8 are replaced."""
    (empty.dir / "link.md").symlink_to("/etc/passwd")
    commit_all(empty, {"a.md": b"\xff\n", "b.md": b"", "new\nline.md": b"x"})
    assert render_committed(empty, empty.head()) == (
        "<a>\n\ufffd\n</a>\n\n<b>\n</b>\n\n<new&#10;line>\nx\n</new&#10;line>"
    )


def test_folder_and_commit_give_the_same_prompt_when_they_agree(home: Path, env: Env) -> None:
    """v0.2 and v0.3 differ in where they read, not in what they show."""
    session = open_agent(home, env, lang="zh")
    commit(session, {"work/MEMORY.md": "# Work\n", "work/x.md": NOTE.format("d", "b")})
    assert compile_working_tree(session.repo, "") == compile_committed(session.repo, "")

"""The memory tree: sizes and limits as the rules have them, whatever a file is called."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta.course.show import memory_tree
from mini_letta.course.show.bars import BAR_CELLS, bar_as_text, divide_bar
from mini_letta.course.show.budgets import describe_memory, limit_of
from mini_letta.course.show.tree import draw_memory
from mini_letta.git import GitError, Repo
from mini_letta.memory.constraints import check_core_budget, check_size
from mini_letta.memory.policy import POLICY_FILE, Policy, default_policy
from tests.course.show_kit import check_picture, texts

LANGS = ("en", "zh")
LIMITS = st.integers(1, 300) | st.just(2**53 - 1)
GLOBS = st.sampled_from(["*.md", "notes/**", "**", "?.md", "human.md"])
names = texts.map(lambda text: text.replace("/", "").replace("\0", "")).filter(
    lambda name: name not in ("", ".", "..")
)
paths = st.lists(names, min_size=1, max_size=4).map("/".join) | st.sampled_from(
    ["MEMORY.md", "human.md", "notes/MEMORY.md", "notes/a.md", POLICY_FILE, "skills/x/SKILL.md"]
)
policies = st.builds(
    lambda limit, core, own: (
        default_policy()
        | {"maxFileCharacters": limit, "maxCoreMemoryCharacters": core, "fileCharacterLimits": own}
    ),
    LIMITS,
    LIMITS,
    st.lists(st.tuples(GLOBS, st.none() | LIMITS), max_size=3),
)


def policy(**fields: object) -> bytes:
    """Return the bytes of a policy file."""
    return json.dumps({"version": 1, **fields}).encode()


def draw(contents: Mapping[str, bytes | None], *, limit: int = 60, lang: str = "en") -> list[str]:
    """Return the text of a memory in the folder, without its first two lines."""
    memory = describe_memory(contents, commit=None)
    return draw_memory(memory, limit=limit, lang=lang).text.split("\n")[2:]


@pytest.fixture
def repo(tmp_path: Path, env: dict[str, str]) -> Repo:
    """A repository with one committed file, ``human.md`` of 5 characters."""
    made = Repo(dir=tmp_path / "repo", env=env)
    made.dir.mkdir()
    made.run("init", "-q", "-b", "main")
    (made.dir / "human.md").write_bytes("世界 é\n".encode())
    made.run("add", ".")
    made.run("commit", "-q", "-m", "first")
    return made


def sizes(repo: Repo, revision: str | None) -> dict[str, str]:
    """Return what the picture says of each file at the root: name -> the rest of its line."""
    lines = memory_tree(repo, revision).text.split("\n")[2:]
    return {name: fact.strip(" █▓░") for name, _, fact in (line.partition(" ") for line in lines)}


@given(
    st.dictionaries(paths, st.none() | st.binary(max_size=400), max_size=12),
    st.none() | st.builds(policy, maxFileCharacters=LIMITS, maxCoreMemoryCharacters=LIMITS),
    st.integers(1, 12),
    st.sampled_from(LANGS),
)
def test_any_memory_makes_a_sound_picture(
    contents: dict[str, bytes | None], rules: bytes | None, limit: int, lang: str
) -> None:
    """Well-formed, without anything that acts, and text and SVG carry the same labels."""
    given = {**contents, POLICY_FILE: rules} if rules else contents
    check_picture(draw_memory(describe_memory(given, commit=None), limit=limit, lang=lang))


@given(names, policies)
def test_the_limit_is_the_largest_size_that_the_rules_accept(name: str, rules: Policy) -> None:
    """Default, glob or no limit at all: the rules decide, here as in the hook."""
    limit = limit_of(f"{name}.md", rules)
    if limit is None:
        assert check_size(f"{name}.md", 2**60, rules) == []
    else:
        assert check_size(f"{name}.md", limit, rules) == []
        assert check_size(f"{name}.md", limit + 1, rules) != []


@given(st.integers(0, 600), st.integers(1, 300))
def test_the_root_is_over_budget_when_the_rules_say_so(size: int, limit: int) -> None:
    """All Markdown files at the root count together, what is deeper does not."""
    rules = policy(maxCoreMemoryCharacters=limit)
    contents = {"a.md": b"x" * size, "b.md": b"xx", "d/c.md": b"x" * 900, POLICY_FILE: rules}
    memory = describe_memory(contents, commit=None)
    problems = check_core_budget(
        {"a.md": size, "b.md": 2}, default_policy() | {"maxCoreMemoryCharacters": limit}
    )
    assert bool(memory.core.excess) == bool(problems)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(2, 200))
def test_a_bar_shows_whatever_is_there(size: int, limit: int, units: int) -> None:
    """Something used, something free and something beyond the limit are never rounded away."""
    within, beyond = divide_bar(size, limit, units)
    assert (within > 0, beyond > 0) == (size > 0, size > limit)
    assert within + beyond == units if size >= limit else within + beyond < units


@pytest.mark.parametrize(
    ("size", "bar"),
    [
        (0, "░" * BAR_CELLS),
        (1, "█" + "░" * 19),
        (60, "█" * 10 + "░" * 10),
        (120, "█" * 20),
        (121, "█" * 19 + "▓"),
        (240, "█" * 10 + "▓" * 10),
    ],
)
def test_a_bar_looks_like_this(size: int, bar: str) -> None:
    """Full means at the limit; beyond it the bar shows how much of the text is too much."""
    assert bar_as_text(size, 120) == bar


def test_folders_come_after_the_files_beside_them() -> None:
    """As deep as they lie, with sizes in code points; no bar for what is no memory."""
    contents = {
        "MEMORY.md": b"# M\n",
        "a/MEMORY.md": b"",
        "a/b/run.sh": b"ls\n",
        "a/note.md": "世界 🌏".encode(),
        "z.txt": b"",
        POLICY_FILE: policy(maxFileCharacters=4),
    }
    assert draw(contents) == [
        ".memfs.config.json                           38",
        "MEMORY.md              ████████████████████  4 / 4",
        "z.txt                                        0",
        "a/",
        "│ MEMORY.md            ░░░░░░░░░░░░░░░░░░░░  0 / 4",
        "│ note.md              ████████████████████  4 / 4",
        "│ b/",
        "│ │ run.sh                                   3",
    ]


def test_a_file_over_budget_is_marked_by_how_much() -> None:
    """In words as well as in colour, in both languages."""
    contents = {"MEMORY.md": b"x" * 11, POLICY_FILE: policy(maxFileCharacters=10)}
    ends = [draw(contents, lang=lang)[1].rpartition("▓  ")[2] for lang in LANGS]
    assert ends == ["11 / 10  ✗ 1 over", "11 / 10  ✗ 超出 1"]


def test_a_folder_without_its_index_is_marked() -> None:
    """The topmost one that lacks it, as the rules name it; skills need none."""
    contents = {"a/b/x.md": b"", "skills/y/SKILL.md": b""}
    lines = draw(contents)
    assert [line.split()[-2:] for line in lines if "MEMORY.md" in line] == [["no", "MEMORY.md"]]
    assert lines[0].startswith("a/ ")


def test_a_link_has_no_size() -> None:
    """Neither has a submodule."""
    assert draw({"link.md": None})[0].endswith("  not a regular file")


def test_what_does_not_fit_is_counted() -> None:
    """And how much of it is over budget."""
    contents = {f"{n:03}.md": b"x" * n for n in range(300)}
    lines = draw({**contents, POLICY_FILE: policy(maxFileCharacters=289)}, limit=5)
    assert len(lines) == 6
    assert lines[-1] == "… more files: 296, over budget: 10"


def test_the_header_says_where_the_limits_come_from(repo: Repo) -> None:
    """The policy file of the same tree, accepted or not; what is wrong in it is counted."""
    (repo.dir / POLICY_FILE).write_text('{"version": 2, "maxDepth": -1}')
    here = repo.head() or ""
    assert [memory_tree(repo, revision).text.split("\n")[0] for revision in ("HEAD", None)] == [
        f"memory at {here[:7]}  default limits, in characters  ✗ no MEMORY.md",
        "memory in the folder, committed or not  limits from .memfs.config.json, in characters"
        "  ✗ problems in that file: 2  ✗ no MEMORY.md",
    ]


def test_a_commit_is_shown_as_it_is_in_git(repo: Repo) -> None:
    """What lies in the folder does not matter."""
    (repo.dir / "human.md").write_text("changed")
    (repo.dir / "new.md").write_text("")
    assert sizes(repo, "HEAD") == {"human.md": "5 / 20000"}


def test_the_folder_is_shown_as_it_lies_there(repo: Repo) -> None:
    """Tracked or not; removed and ignored files and git's own are not there, links are links."""
    (repo.dir / ".gitignore").write_text("ignored.md\n")
    (repo.dir / "ignored.md").write_text("")
    (repo.dir / "new.md").write_text("abc")
    (repo.dir / "link.md").symlink_to("new.md")
    (repo.dir / "human.md").unlink()
    assert sizes(repo, None) == {
        ".gitignore": "11",
        "link.md": "not a regular file",
        "new.md": "3 / 20000",
    }


def test_hostile_names_come_through_git_unharmed(repo: Repo) -> None:
    """Committed or not, what is on disk is what is shown."""
    name = b'<img src=x>\xff\x1b[31m\n".md'
    Path(os.fsdecode(os.path.join(os.fsencode(repo.dir), name))).write_text("")
    repo.run("add", ".")
    repo.run("commit", "-q", "-m", "second")
    for revision in ("HEAD", None):
        picture = memory_tree(repo, revision)
        check_picture(picture)
        assert '<img src=x>\\xff\\x1b[31m\\n".md' in picture.text


def test_a_memory_without_commits_says_so(tmp_path: Path, env: dict[str, str]) -> None:
    """Before the first commit HEAD has no files."""
    empty = Repo(dir=tmp_path, env=env)
    empty.run("init", "-q", "-b", "main")
    assert memory_tree(empty, lang="zh").text.startswith("还没有提交")


def test_a_commit_that_is_not_there_is_refused(repo: Repo) -> None:
    """git says what is wrong with the name."""
    with pytest.raises(GitError):
        memory_tree(repo, "nope")

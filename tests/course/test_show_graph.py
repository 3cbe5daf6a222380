"""The commit graph: drawn from plain data, read through git, safe whatever a commit is called."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta.course.show import commit_graph
from mini_letta.course.show.graph import draw_history
from mini_letta.course.show.history import MARKS, BadMark, Commit, History, read_history
from mini_letta.course.show.lanes import assign_lanes
from mini_letta.git import GitError, Repo
from tests.course.show_kit import check_picture, labels_of, texts

LANGS = ("en", "zh")


@st.composite
def shapes(draw: st.DrawFn) -> History:
    """Any shape of history: commits have parents further down, or such that are not there."""
    count = draw(st.integers(1, 14))
    parents = [draw(st.lists(st.integers(row + 1, count + 1), max_size=3)) for row in range(count)]
    commits = tuple(
        Commit(id=f"{row:040x}", parents=tuple(f"{parent:040x}" for parent in above))
        for row, above in enumerate(parents)
    )
    return History(commits=commits, head=commits[draw(st.integers(0, count - 1))].id)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """A history of any shape whose texts are anything at all."""
    shape = draw(shapes())
    said = st.lists(texts, min_size=1, max_size=6)
    marks = st.sets(st.sampled_from(MARKS))
    commits = [
        replace(
            commit,
            subject=subject,
            refs=tuple(refs),
            marks=tuple(mark for mark in MARKS if mark in marked),
        )
        for commit in shape.commits
        for (subject, *refs), marked in [(draw(said), draw(marks))]
    ]
    return History(commits=tuple(commits), head=draw(st.sampled_from([None, shape.head])))


def draw_plain(*commits: tuple[str, str], limit: int = 30) -> list[str]:
    """Return the text of a graph given as (letter, letters of its parents), newest first."""
    made = tuple(Commit(id=name * 40, parents=tuple(p * 40 for p in up)) for name, up in commits)
    head = made[0].id if made else None
    return draw_history(History(commits=made, head=head), limit=limit, lang="en").text.split("\n")


@pytest.fixture
def repo(tmp_path: Path, env: dict[str, str]) -> Repo:
    """A repository with one commit on ``main``, each later commit a second younger."""
    made = Repo(dir=tmp_path / "repo", env=env)
    made.dir.mkdir()
    made.run("init", "-q", "-b", "main")
    commit(made, "first")
    return made


def commit(repo: Repo, subject: str, *options: str) -> str:
    """Make an empty commit, younger than all others, and return its id."""
    count = repo.run("rev-list", "--all", "--count").text
    date = {"GIT_COMMITTER_DATE": f"{1767225600 + int(count)} +0000"}
    repo.run("commit", "-q", "--allow-empty", "-m", subject, *options, extra_env=date)
    return repo.head() or ""


def subjects(history: History) -> list[str]:
    return [commit.subject for commit in history.commits]


@given(histories(), st.integers(1, 20), st.sampled_from(LANGS))
def test_any_history_makes_a_sound_picture(history: History, limit: int, lang: str) -> None:
    """Well-formed, without anything that acts, and text and SVG carry the same labels."""
    check_picture(draw_history(history, limit=limit, lang=lang))


@given(shapes())
def test_each_parent_has_a_line_and_no_line_runs_through_a_commit(history: History) -> None:
    """Whoever follows the lines reads the history as it is."""
    commits = history.commits
    lanes = assign_lanes(commits, first=history.head)
    names: list[str | None] = [commit.id for commit in commits]
    drawn = [(line.child, line.parent) for line in lanes.lines]
    assert drawn == [
        (row, names.index(parent) if parent in names else None)
        for row, commit in enumerate(commits)
        for parent in dict.fromkeys(commit.parents)
    ]
    for row, lane in enumerate(lanes.of):
        assert not [line for line in lanes.lines if line.passes(row) and line.lane == lane]


@given(shapes())
def test_lines_share_a_lane_only_on_the_way_to_the_same_parent(history: History) -> None:
    """Two lines that lie on each other lead to the same place."""
    lanes = assign_lanes(history.commits, first=history.head)
    wanted = [p for c in history.commits for p in dict.fromkeys(c.parents)]
    for row in range(len(history.commits)):
        passing = [
            (line.lane, parent)
            for line, parent in zip(lanes.lines, wanted, strict=True)
            if line.passes(row)
        ]
        assert len(set(passing)) == len({lane for lane, _ in passing})


@given(shapes())
def test_head_stands_in_the_first_lane(history: History) -> None:
    """However many branches are newer."""
    rows = [row for row, commit in enumerate(history.commits) if commit.id == history.head]
    lanes = assign_lanes(history.commits, first=history.head)
    assert [lanes.of[row] for row in rows] == [0] * len(rows)


@pytest.mark.parametrize(
    ("commits", "text"),
    [
        ([("b", "a"), ("a", "")], ["●  bbbbbbb", "●  aaaaaaa"]),
        (
            [("d", "bc"), ("c", "a"), ("b", "a"), ("a", "")],
            ["●    ddddddd", "├─╮", "│ ●  ccccccc", "● │  bbbbbbb", "├─╯", "●    aaaaaaa"],
        ),
        (
            [("c", "a"), ("b", "a"), ("a", "")],
            ["●    ccccccc", "│ ●  bbbbbbb", "├─╯", "●    aaaaaaa"],
        ),
        ([("b", ""), ("a", "")], ["●  bbbbbbb", "●  aaaaaaa"]),
        (
            [("e", "d"), ("c", "a"), ("d", "ba"), ("b", "a"), ("a", "")],
            [
                "●    eeeeeee",
                "│ ●  ccccccc",
                "● │  ddddddd",
                "├─┤",
                "● │  bbbbbbb",
                "├─╯",
                "●    aaaaaaa",
            ],
        ),
        ([], ["nothing is committed yet"]),
    ],
    ids=["straight", "merge", "fork", "two beginnings", "merge of a line that is there", "empty"],
)
def test_a_small_graph_looks_like_this(commits: Sequence[tuple[str, str]], text: list[str]) -> None:
    """Lines leave below a commit and arrive above it."""
    assert draw_plain(*commits) == text


def test_what_is_older_is_one_line_that_keeps_branches_and_marks() -> None:
    """How many there are, and nothing worth knowing of them is lost."""
    last = Commit(id="0" * 40, refs=("side",), marks=("invalid",))
    chain = [Commit(id=f"{n:040x}", parents=(f"{n - 1:040x}",)) for n in range(500, 0, -1)]
    picture = draw_history(History(commits=(*chain, last), head=None), limit=3, lang="en")
    assert picture.text.split("\n")[3:] == ["┊  … older commits: 498  [side]  ✗ invalid"]


def test_marks_are_words_and_signs() -> None:
    """A reader without colours sees them as well."""
    marked = Commit(id="a" * 40, subject="sneaky", marks=("bypassed", "invalid"))
    history = History(commits=(marked,), head=None)
    assert [draw_history(history, limit=9, lang=lang).text for lang in LANGS] == [
        "✗  aaaaaaa  sneaky  ○ bypassed the hook  ✗ invalid",
        "✗  aaaaaaa  sneaky  ○ 绕过了 hook  ✗ 不合法",
    ]


def test_only_the_first_refs_of_a_commit_are_named() -> None:
    """A hundred tags are not a hundred boxes."""
    crowded = Commit(id="a" * 40, refs=tuple(f"r{n}" for n in range(100)))
    picture = draw_history(History(commits=(crowded,), head=None), limit=9, lang="en")
    assert picture.text == "●  aaaaaaa  [r0]  [r1]  [r2]  [r3]  [+96]"


def test_the_svg_of_one_commit_is_these_bytes() -> None:
    """Whoever builds a notebook gets exactly this."""
    history = History(commits=(Commit(id="a" * 40, subject="世 <b>", refs=("x",)),), head=None)
    lines = draw_history(history, limit=9, lang="en").svg.splitlines()
    assert lines[1:3] + lines[5:] == [
        "<title>Commit graph</title>",
        "<desc>Commits: 1 of 1, newest first.</desc>",
        '<circle cx="22" cy="26" fill="#57606a" r="5"/>',
        '<text fill="#59636e" textLength="56" x="38" y="30">aaaaaaa</text>',
        '<rect fill="none" height="18" rx="4" stroke="#0969da" width="16" x="114" y="17"/>',
        '<text fill="#0969da" textLength="8" x="118" y="30">x</text>',
        '<text fill="#1f2328" textLength="48" x="150" y="30">世 &lt;b&gt;</text>',
        "</svg>",
    ]


def test_branches_tags_and_worktrees_are_named(repo: Repo, tmp_path: Path) -> None:
    """Without revisions every branch and the HEAD of every worktree is a beginning."""
    repo.run("tag", "-a", "-m", "x", "v1")
    repo.run("branch", "idle")
    repo.run("worktree", "add", "-q", "-b", "side", str(tmp_path / "there"))
    commit(Repo(dir=tmp_path / "there", env=repo.env), "aside")
    commit(repo, "second")
    history = read_history(repo, marks={})
    assert [(found.subject, found.refs) for found in history.commits] == [
        ("second", ("HEAD → main",)),
        ("aside", ("HEAD (there) → side",)),
        ("first", ("idle", "tag: v1")),
    ]


def test_a_worktree_sees_itself_as_head(repo: Repo, tmp_path: Path) -> None:
    """And the main checkout as another one; detached, it stands on no branch."""
    repo.run("worktree", "add", "-q", "--detach", str(tmp_path / "there"))
    (found,) = read_history(Repo(dir=tmp_path / "there", env=repo.env), marks={}).commits
    assert found.refs == ("HEAD (repo) → main", "HEAD")


def test_revisions_narrow_the_graph(repo: Repo) -> None:
    """Only what they reach is shown."""
    repo.run("branch", "side")
    commit(repo, "second")
    assert subjects(read_history(repo, ["side"], marks={})) == ["first"]
    assert subjects(read_history(repo, marks={})) == ["second", "first"]


def test_a_mark_may_name_its_commit_in_any_way(repo: Repo) -> None:
    """Several names for one commit add up, in the fixed order of the marks."""
    commit(repo, "second")
    history = read_history(
        repo, marks={"HEAD": "invalid", "main": "bypassed", "HEAD~1": ("valid",)}
    )
    assert [found.marks for found in history.commits] == [("bypassed", "invalid"), ("valid",)]


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({"HEAD": "audited"}, "there is no mark 'audited'. Marks: bypassed, valid, invalid."),
        ({"nope": "valid"}, "there is no commit 'nope' to mark. Name one such as HEAD~1."),
        ({"--all": "valid"}, "there is no commit '--all' to mark. Name one such as HEAD~1."),
    ],
)
def test_a_wrong_mark_is_refused(repo: Repo, marks: dict[str, str], message: str) -> None:
    """The message says what there is."""
    with pytest.raises(BadMark) as caught:
        read_history(repo, marks=marks)
    assert str(caught.value) == message


@pytest.mark.parametrize("revision", ["nope", "--output=x", "-p"])
def test_a_revision_that_is_not_there_is_refused(repo: Repo, revision: str) -> None:
    """An option is no revision."""
    with pytest.raises(GitError):
        commit_graph(repo, revision)
    assert os.listdir(repo.dir) == [".git"]


def test_a_repository_without_commits_says_so(tmp_path: Path, env: dict[str, str]) -> None:
    """Before the first commit there is nothing to draw."""
    empty = Repo(dir=tmp_path, env=env)
    empty.run("init", "-q", "-b", "main")
    assert commit_graph(empty, lang="zh").text == "还没有提交"


def test_hostile_subjects_and_branches_come_through_git_unharmed(repo: Repo) -> None:
    """What git stores is what is shown, escapes included."""
    commit(repo, "<script>alert(1)</script> \x1b[31m \u202egpj")
    repo.run("branch", '<b>"\udcff')
    picture = commit_graph(repo)
    check_picture(picture)
    assert {'<b>"\\xff', "<script>alert(1)</script> \\x1b[31m \\u202egpj"} <= set(
        labels_of(picture)
    )


def test_a_configured_log_changes_nothing(repo: Repo) -> None:
    """Settings of the repository for `git log` do not reach the picture."""
    plain = commit_graph(repo)
    for name, value in {
        "log.showSignature": "true",
        "log.decorate": "full",
        "color.ui": "always",
        "i18n.logOutputEncoding": "ISO-8859-1",
        "log.date": "relative",
        "core.abbrev": "12",
    }.items():
        repo.run("config", name, value)
    assert commit_graph(repo) == plain

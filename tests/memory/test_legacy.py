"""The rules of a legacy memory: what is judged when it changes, and what a lock is worth."""

import itertools
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mini_letta.memory.audit import audit_committed, audit_new_head
from mini_letta.memory.hooks import install_hook
from mini_letta.memory.legacy import (
    check_legacy_frontmatter,
    check_lock,
    read_legacy_fields,
    read_lock,
)
from mini_letta.memory.repo import CheckError, check_staged
from tests.memory.kit import MISSING, POLICY, Memory, copy_of, policy

LOCKED = "---\ndescription: D\nread_only: true\n---\nBody.\n"
OPEN = "---\ndescription: D\n---\nBody.\n"
MODIFIED = "system/p.md: file is read_only and cannot be modified"
REMOVED = "system/p.md: file is read_only and cannot be removed"
SET = "'read_only' is a protected field and cannot be set by the agent"
CHANGED = "'read_only' is a protected field and cannot be changed by the agent"
NOT_REGULAR = "memory Markdown must be a regular file"


@pytest.fixture
def legacy(templates: Mapping[str, Memory], tmp_path: Path) -> Memory:
    """A legacy memory whose file ``system/p.md`` is locked, and accepted as it is."""
    memory = copy_of(templates["legacy-only"], tmp_path / "memory")
    memory.bypass({"system/p.md": LOCKED, "system/q.md": OPEN})
    assert audit_new_head(memory.repo) == []  # the first HEAD ever seen is accepted
    return memory


def test_a_file_is_judged_when_it_changes(templates: Mapping[str, Memory], tmp_path: Path) -> None:
    """An old bad file is left alone, by hook and audit, until somebody touches it."""
    memory = copy_of(templates["legacy-only"], tmp_path / "memory")
    memory.bypass({"system/old.md": "oops\n"})
    install_hook(memory.repo)  # the state found there is accepted
    assert memory.commit({"system/new.md": OPEN}).accepted
    assert audit_committed(memory.repo) == []
    assert memory.commit({"system/old.md": "worse\n"}).problems == [f"system/old.md: {MISSING}"]


def test_a_first_audit_judges_every_file(templates: Mapping[str, Memory], tmp_path: Path) -> None:
    """Where nothing was accepted yet, no file is old, and none is excused for being locked."""
    memory = copy_of(templates["legacy-only"], tmp_path / "memory")
    memory.bypass({"system/a.md": "oops\n", "system/b.md": "---\nread_only: true\n"})
    assert audit_committed(memory.repo) == [
        f"system/a.md: {MISSING}",
        "system/b.md: frontmatter opened but never closed (missing closing ---)",
    ]


def test_an_invisible_cause_is_named(legacy: Memory) -> None:
    """Below the problem lines stands what the eye cannot see."""
    attempt = legacy.commit({"system/q.md": OPEN.replace("\n", "\r\n")})
    assert attempt.problems == [f"system/q.md: {MISSING}"]
    assert "CR LF" in attempt.output


@pytest.mark.parametrize("change", [LOCKED + "more\n", OPEN, LOCKED.replace("true", "false")])
def test_a_lock_cannot_be_laundered_by_a_bypass(legacy: Memory, change: str) -> None:
    """A bypassed change is at HEAD; the lock is still judged by what was accepted."""
    legacy.bypass({"system/p.md": change})
    assert MODIFIED in audit_new_head(legacy.repo)
    assert MODIFIED in legacy.commit({"n.txt": "x"}).problems
    assert MODIFIED in legacy.commit({"system/p.md": change + "again\n"}).problems


def test_a_lock_cannot_be_laundered_in_a_worktree(legacy: Memory, tmp_path: Path) -> None:
    """What was accepted before the worktree was made is accepted there too."""
    legacy.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", legacy.env)
    side.bypass({"system/p.md": OPEN})
    assert MODIFIED in side.commit({"n.txt": "x"}).problems
    assert audit_new_head(side.repo) == [MODIFIED]


def test_an_orphan_branch_does_not_shed_a_lock(legacy: Memory) -> None:
    """A branch without history is judged against what was accepted here."""
    legacy.git("checkout", "-q", "--orphan", "free")
    assert legacy.commit({"system/p.md": OPEN}).problems == [MODIFIED]


def test_no_approval_opens_a_lock(legacy: Memory) -> None:
    """The variable speaks about the policy file; a lock stays a lock."""
    assert legacy.commit({"system/p.md": OPEN}, approved=True).problems == [MODIFIED]
    assert check_staged(legacy.repo, approved=True) == [MODIFIED]


def test_a_lock_that_a_bypass_set_is_no_lock(legacy: Memory) -> None:
    """It is reported, and taking it off again is allowed: that is the accepted text."""
    legacy.bypass({"system/q.md": LOCKED})
    assert audit_new_head(legacy.repo) == [f"system/q.md: {CHANGED}"]
    assert legacy.commit({"n.txt": "x"}).problems == [f"system/q.md: {CHANGED}"]
    assert legacy.commit({"system/q.md": OPEN}).accepted
    assert audit_new_head(legacy.repo) == []


def test_a_locked_file_that_a_bypass_removed_is_missed(legacy: Memory) -> None:
    """By the audit and by the next commit, until it is back."""
    legacy.bypass(remove=["system/p.md"])
    assert audit_new_head(legacy.repo) == [REMOVED]
    assert legacy.commit({"n.txt": "x"}).problems == [REMOVED]
    assert legacy.commit({"system/p.md": LOCKED}).accepted


def test_deleting_everything_names_the_locked_file_alone(legacy: Memory) -> None:
    """The rest may go."""
    legacy.git("rm", "-q", "-r", ".")
    assert legacy.attempt().problems == [REMOVED]


def test_a_policy_file_does_not_take_the_place_of_a_lock(legacy: Memory) -> None:
    """Locks and `readOnlyFiles` hold side by side, each judged by what was accepted."""
    rules = policy(readOnlyFiles=["system/q.md"])
    assert legacy.commit({POLICY: rules}, approved=True).accepted
    legacy.bypass({"system/p.md": OPEN, "system/q.md": OPEN + "more\n"})
    assert audit_new_head(legacy.repo) == [
        MODIFIED,
        "system/q.md: read-only file cannot be created, changed or removed",
    ]
    assert legacy.commit({"system/p.md": LOCKED, "system/q.md": OPEN}).accepted


@pytest.mark.parametrize(("mode", "content"), [("160000", ""), ("120000", "q.md")])
def test_nothing_else_takes_the_place_of_a_locked_file(
    legacy: Memory, mode: str, content: str
) -> None:
    """Neither a submodule nor a symbolic link."""
    legacy.put({"system/p.md": content}, {"system/p.md": mode})
    problems = legacy.attempt().problems
    assert f"system/p.md: {NOT_REGULAR}" in problems
    assert {MODIFIED, REMOVED} & set(problems)


def test_a_folder_does_not_take_the_place_of_a_locked_file(legacy: Memory) -> None:
    """The file is gone, whatever stands there now."""
    legacy.put({"system/p.md": None}, {})
    legacy.put({"system/p.md/x.txt": "x"}, {})
    assert check_staged(legacy.repo) == [REMOVED]


@pytest.mark.parametrize("name", ["a\nb.md", "笔记.md", 'q"q.md', "a b.md", "0:x.md", "-x.md"])
def test_odd_names_are_judged_and_locked_like_any_other(legacy: Memory, name: str) -> None:
    """By the real name, printed on one line."""
    shown = "system/" + name.replace("\n", "\\n")
    legacy.put({f"system/{name}": "oops\n"}, {})
    assert check_staged(legacy.repo) == [f"{shown}: {MISSING}"]
    legacy.put({f"system/{name}": LOCKED}, {})
    assert check_staged(legacy.repo) == [f"{shown}: {SET}"]


def test_a_locked_name_that_is_not_text_stays_locked(legacy: Memory) -> None:
    """Bytes that are not UTF-8 are shown as escapes; the file is found by its bytes."""
    (legacy.dir / ".git/mini-letta-accepted.json").unlink()
    legacy.put({b"system/\xff.md": LOCKED}, {})
    legacy.bypass()
    legacy.put({b"system/\xff.md": OPEN}, {})
    assert check_staged(legacy.repo) == [
        "system/\\xff.md: file is read_only and cannot be modified"
    ]


def test_missing_content_is_no_way_through(legacy: Memory) -> None:
    """A staged file whose bytes are not there cannot be called valid."""
    blob = legacy.git("rev-parse", "HEAD:system/q.md")
    legacy.git("update-index", "--cacheinfo", f"100644,{'2' * 40},system/q.md")
    missing = f"its content is missing from the repository (object {'2' * 40})"
    assert check_staged(legacy.repo) == [f"system/q.md: {missing}"]
    legacy.git("update-index", "--cacheinfo", f"100644,{blob},system/q.md")
    assert check_staged(legacy.repo) == []


def test_a_lost_accepted_text_closes(legacy: Memory) -> None:
    """Whether the file was locked cannot be known any more, so nothing is called valid."""
    blob = legacy.git("rev-parse", "HEAD:system/p.md")
    legacy.bypass({"system/p.md": OPEN})
    (legacy.dir / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert "the accepted text of system/p.md is missing" in legacy.commit({"n.txt": "x"}).output
    with pytest.raises(CheckError, match=r"accepted text of system/p\.md is missing"):
        audit_committed(legacy.repo)


LINES = st.lists(
    st.sampled_from(
        ["---", "read_only: true", "read_only: false", "read_only:", " read_only: true", "x", "",
         "description: D", "description:", "limit: 5", "read _only: true", "read_only:true\r"]
    ),
    max_size=6,
)  # fmt: skip


@settings(max_examples=300)
@given(before=LINES, after=LINES)
def test_no_change_takes_a_lock_off_or_puts_one_on(before: list[str], after: list[str]) -> None:
    """Whatever is written instead: what was locked is refused, and nothing gets a new lock."""
    old, new = "\n".join(["---", *before]), "\n".join(["---", *after])
    problems = check_lock(new, old)
    if read_lock(old) == "true":
        assert problems == ["file is read_only and cannot be modified"]
    if not problems:
        values = [value for key, value in read_legacy_fields(new)[0] if key == "read_only"]
        assert set(values) <= {read_lock(old)}


@settings(max_examples=200)
@given(st.one_of(st.text(max_size=60), LINES.map("\n".join)))
def test_no_text_breaks_the_rules(content: str) -> None:
    """Any text gets an answer, and what is accepted has a description."""
    problems = check_legacy_frontmatter(content)
    check_lock(content, content)
    if not problems:
        assert "description" in [key for key, _ in read_legacy_fields(content)[0]]


RUN = itertools.count()
INSTEAD = st.sampled_from([None, OPEN, LOCKED, "oops\n", "", LOCKED + "x\n", b"\xff"])


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.sampled_from([LOCKED, "---\nread_only: true\n", "x\nread_only: true\n---\n"]),
    st.lists(
        st.tuples(st.sampled_from(["system/p.md", "system/r.md", "p.md"]), INSTEAD), max_size=3
    ),
    st.sampled_from(["100644", "100755", "120000", "160000"]),
)
def test_the_accepted_text_may_always_come_back(
    templates: Mapping[str, Memory],
    tmp_path: Path,
    locked: str,
    bypassed: list[tuple[str, str | bytes | None]],
    mode: str,
) -> None:
    """However often and badly the hook was bypassed, and whatever shape the locked file has."""
    memory = copy_of(templates["legacy-only"], tmp_path / f"run-{next(RUN)}")
    memory.put({"system/p.md": locked, "x.txt": "x"}, {})
    memory.bypass()
    install_hook(memory.repo)
    for path, content in bypassed:
        memory.put({path: content}, {path: mode})
        memory.bypass()
    memory.put({"system/p.md": locked, "system/r.md": None, "p.md": None}, {})
    attempt = memory.attempt("--allow-empty")
    assert (attempt.accepted, attempt.problems) == (True, [])
    assert audit_committed(memory.repo) == []
    shutil.rmtree(memory.dir)

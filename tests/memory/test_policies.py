"""The policies of a hook: which one is in force, and what locks of legacy files are worth."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mini_letta.memory.audit import audit_committed, audit_new_head
from mini_letta.memory.hooks import install_hook
from mini_letta.memory.legacy import check_lock, read_legacy_fields, read_lock
from tests.memory.kit import (
    Memory,
    copy_of,
    disagreement,
    load_cases,
    new_bare_template,
)

LOCKED = "---\ndescription: D\nread_only: true\n---\nBody.\n"
OPEN = "---\ndescription: D\n---\nBody.\n"
MODIFIED = "system/p.md: file is read_only and cannot be modified"
REMOVED = "system/p.md: file is read_only and cannot be removed"


@pytest.fixture
def legacy(templates: dict[str, Memory], tmp_path: Path) -> Memory:
    """A legacy memory whose file ``system/p.md`` is locked, and accepted as it is."""
    memory = copy_of(templates["legacy-only"], tmp_path / "memory")
    memory.bypass({"system/p.md": LOCKED, "system/q.md": OPEN})
    assert audit_committed(memory.repo) == []  # the first HEAD ever seen is accepted
    return memory


def test_a_policy_stays_when_the_hook_is_repaired(legacy: Memory) -> None:
    """`install-hook` without a policy keeps the one there is."""
    assert install_hook(legacy.repo) == ("legacy-only", "legacy-only")
    assert legacy.commit({"n.md": "no frontmatter needed here\n"}).accepted


def test_a_policy_can_be_changed_and_says_what_it_was(legacy: Memory) -> None:
    """From then on the other rules are in force, for hook and audit alike."""
    assert install_hook(legacy.repo, policy="shared-memory") == ("legacy-only", "shared-memory")
    attempt = legacy.commit({"n.md": "no frontmatter\n"})
    assert "n.md: missing frontmatter (must start with ---)" in attempt.problems


def test_a_policy_that_cannot_be_read_refuses_every_commit(legacy: Memory) -> None:
    """What it once said cannot be guessed, and installing the hook again repairs it."""
    (legacy.dir / ".git/mini-letta-policy").write_text("whatever\n")
    assert "names no policy" in legacy.commit({"n.txt": "x"}).output
    install_hook(legacy.repo, policy="legacy-only")
    assert legacy.attempt().accepted


def test_a_worktree_is_guarded_by_the_same_policy(legacy: Memory, tmp_path: Path) -> None:
    """The name lies in the git dir that all worktrees share."""
    legacy.git("worktree", "add", "-q", str(tmp_path / "tree"))
    worktree = Memory(tmp_path / "tree", legacy.env)
    assert worktree.commit({"system/p.md": OPEN}).problems == [MODIFIED]


def test_deleting_the_marker_switches_nothing_off(memory: Memory) -> None:
    """A tree that once was MemFS v2 is judged as one, also after a bypass took its marker."""
    memory.bypass(remove=["MEMORY.md"])
    attempt = memory.commit({"system/a.md": OPEN})
    assert "MEMORY.md: root memory index is required for MemFS v2" in attempt.problems


@pytest.mark.parametrize("change", [LOCKED + "more\n", OPEN, LOCKED.replace("true", "false")])
def test_a_lock_cannot_be_laundered_by_a_bypass(legacy: Memory, change: str) -> None:
    """A bypassed change is at HEAD; the lock is still judged by what was accepted."""
    legacy.bypass({"system/p.md": change})
    assert MODIFIED in audit_new_head(legacy.repo)
    assert MODIFIED in legacy.commit({"n.txt": "x"}).problems


def test_the_accepted_bytes_may_always_come_back(legacy: Memory) -> None:
    """Restoring the locked file is how a bypass is undone."""
    legacy.bypass({"system/p.md": OPEN})
    assert legacy.commit({"system/p.md": LOCKED}).accepted
    assert audit_committed(legacy.repo) == []


def test_a_locked_file_that_a_bypass_removed_is_missed(legacy: Memory) -> None:
    """By the audit and by the next commit, until it is back."""
    legacy.bypass(remove=["system/p.md"])
    assert audit_new_head(legacy.repo) == [REMOVED]
    assert legacy.commit({"n.txt": "x"}).problems == [REMOVED]
    assert legacy.commit({"system/p.md": LOCKED}).accepted


def test_a_submodule_does_not_take_the_place_of_a_locked_file(legacy: Memory) -> None:
    """Neither does a symbolic link."""
    for mode, content in (("160000", ""), ("120000", "q.md")):
        legacy.put({"system/p.md": content}, {"system/p.md": mode})
        problems = legacy.attempt().problems
        assert "system/p.md: memory Markdown must be a regular file" in problems
        legacy.git("reset", "-q", "--hard")


def test_without_a_policy_file_a_legacy_memory_has_no_limits(
    templates: dict[str, Memory], tmp_path: Path
) -> None:
    """Under no policy: the defaults belong to MemFS v2, or complete a file that sets some."""
    for name in ("root-marker", "legacy-only"):
        memory = copy_of(templates[name], tmp_path / name)
        assert memory.commit({"system/a/b/c/d.md": OPEN + "x" * 30_000}).accepted


def test_a_first_commit_of_everything_can_be_deleted_again(
    templates: dict[str, Memory], tmp_path: Path
) -> None:
    """An empty tree is a legacy tree without a problem."""
    memory = copy_of(templates["legacy-only"], tmp_path / "memory")
    assert memory.commit({"system/a.md": OPEN}).accepted
    memory.git("rm", "-q", "--", "system/a.md")
    assert memory.attempt().accepted


def test_names_that_are_not_text_are_judged_and_printed(legacy: Memory) -> None:
    """Bytes that are not UTF-8 are shown as escapes, one line a problem."""
    legacy.put({b"system/\xff.md": b"oops\n"}, {})
    assert legacy.attempt().problems == [
        "system/\\xff.md: missing frontmatter (must start with ---)"
    ]


lines = st.lists(
    st.sampled_from(
        ["---", "read_only: true", "read_only: false", "read_only:", " read_only: true", "x", ""]
    ),
    max_size=6,
)


@settings(max_examples=300)
@given(before=lines, after=lines)
def test_no_change_takes_a_lock_off(before: list[str], after: list[str]) -> None:
    """Whatever is written instead: what was locked is refused, and nothing gets a new lock."""
    old, new = "\n".join(["---", *before]), "\n".join(["---", *after])
    problems = check_lock(new, old)
    if read_lock(old) == "true":
        assert problems == ["file is read_only and cannot be modified"]
    if not problems:
        values = [value for key, value in read_legacy_fields(new)[0] if key == "read_only"]
        assert set(values) <= {read_lock(old)}


@pytest.mark.long
def test_every_case_of_the_other_layouts_through_a_real_commit(tmp_path: Path) -> None:
    """Those that ``make test`` judges in process, once more by git and the installed hook."""
    templates = {
        name: new_bare_template(tmp_path / name, policy=name)
        for name in ("root-marker", "legacy-only", "shared-memory")
    }
    found = []
    for case in load_cases():
        if case.is_quirk or case.is_audit or case.record["tier"] == "core":
            continue
        memory = copy_of(templates[case.policy], tmp_path / "cases" / case.id)
        case.commit_head(memory)
        case.stage(memory)
        attempt = memory.attempt(approved=case.is_approved)
        problem = disagreement(case, attempt.accepted, attempt.output.split("\n"))
        found += [f"{case.id}: {problem}"] if problem else []
    assert found == []

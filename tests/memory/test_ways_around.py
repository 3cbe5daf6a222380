"""Ways around the gatekeeper that once worked; none is `--no-verify` or editing the git dir."""

import shutil
from pathlib import Path

import pytest

from mini_letta.git import Repo
from mini_letta.memory.audit import audit_committed, audit_new_head, audit_unseen_head
from mini_letta.memory.hooks import install_hook
from mini_letta.memory.repo import CheckError, open_memory
from tests.memory.kit import (
    APPROVED,
    BASE,
    MISSING,
    NOTE,
    POLICY,
    PROTECTED,
    READ_ONLY,
    Memory,
    new_memory,
    policy,
)

GUARDED = policy(readOnlyFiles=["persona.md"])
OTHER_PERSONA = BASE["persona.md"].replace("Calm", "Wild")
BAD = [f"bad.md: {MISSING}"]


@pytest.fixture
def guarded(memory: Memory) -> Memory:
    """A memory whose persona is read-only by an approved policy; not audited yet."""
    assert memory.commit({POLICY: GUARDED}, approved=True).accepted
    return memory


def elsewhere(memory: Memory, tmp_path: Path) -> Path:
    """Return a work tree that does not contain the git dir, with a bad file in it."""
    folder = tmp_path / "elsewhere"
    shutil.copytree(memory.dir, folder, ignore=shutil.ignore_patterns(".git"))
    (folder / "bad.md").write_text("oops\n")
    return folder


def test_a_work_tree_named_by_the_environment_is_judged(memory: Memory, tmp_path: Path) -> None:
    """`GIT_DIR` exported, the commit typed in another folder."""
    folder = elsewhere(memory, tmp_path)
    where = {"GIT_DIR": str(memory.dir / ".git"), "GIT_WORK_TREE": str(folder)}
    memory.repo.run("add", "--", ":(top)bad.md", extra_env=where)
    assert memory.attempt(cwd=folder, env=where).problems == BAD


def test_a_work_tree_without_its_variable_is_judged(memory: Memory, tmp_path: Path) -> None:
    """With `GIT_DIR` alone the current folder is the work tree."""
    folder = elsewhere(memory, tmp_path)
    memory.stage({"bad.md": "oops\n"})
    assert memory.attempt(cwd=folder, env={"GIT_DIR": str(memory.dir / ".git")}).problems == BAD


def test_a_configured_work_tree_is_judged(memory: Memory, tmp_path: Path) -> None:
    """`core.worktree` points away from the folder that holds `.git`."""
    folder = elsewhere(memory, tmp_path)
    memory.git("config", "core.worktree", str(folder))
    memory.git("add", "--", ":(top)bad.md")
    assert memory.attempt().problems == BAD


def test_a_linked_worktree_of_a_moved_memory_is_judged(tmp_path: Path) -> None:
    """The absolute hooks path is stale; the next opening pins the new one."""
    memory = new_memory(tmp_path / "old")
    memory.git("worktree", "add", "-q", str(tmp_path / "side"))
    moved = Memory((tmp_path / "old").rename(tmp_path / "new") / "memory", memory.env)
    moved.git("worktree", "repair", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", memory.env)
    assert side.commit({"bad.md": "oops\n"}).problems == BAD
    (tmp_path / "empty").mkdir()
    (tmp_path / "user.config").write_text(f"[core]\n\thooksPath = {tmp_path / 'empty'}\n")
    open_memory(moved.dir, moved.env)
    user = {"GIT_CONFIG_GLOBAL": str(tmp_path / "user.config")}
    assert side.attempt(env=user).problems == BAD


@pytest.mark.parametrize("is_linked", [False, True])
def test_an_orphan_branch_does_not_shed_the_policy(
    guarded: Memory, tmp_path: Path, is_linked: bool
) -> None:
    """Neither in the main checkout right after the approval nor in a new worktree."""
    if is_linked:
        guarded.git("worktree", "add", "-q", str(tmp_path / "side"))
        guarded = Memory(tmp_path / "side", guarded.env)
    guarded.git("checkout", "-q", "--orphan", "fresh")
    guarded.git("rm", "-q", "--cached", "--", POLICY)
    assert guarded.attempt().problems == [PROTECTED]
    guarded.bypass()
    assert audit_committed(guarded.repo) == [PROTECTED]


def test_an_approval_that_led_to_no_commit_covers_no_other_change(memory: Memory) -> None:
    """The same policy committed past the hook, together with a change of the protected file."""
    memory.stage({POLICY: GUARDED})
    memory.repo.run("hook", "run", "pre-commit", extra_env=APPROVED)  # and the editor was closed
    memory.bypass({"persona.md": OTHER_PERSONA})
    assert audit_new_head(memory.repo) == [PROTECTED]


def test_amending_an_approved_commit_does_not_widen_the_approval(guarded: Memory) -> None:
    """`commit --amend --no-verify` adds a change that nobody approved."""
    guarded.stage({"persona.md": OTHER_PERSONA})
    guarded.git("commit", "-q", "--amend", "--no-verify", "--no-edit")
    assert audit_new_head(guarded.repo) == [f"persona.md: {READ_ONLY}"]


def test_an_audit_that_could_not_run_is_no_verdict(guarded: Memory) -> None:
    """It is tried again, and the bad HEAD is still reported once it can run."""
    assert audit_new_head(guarded.repo) == []
    guarded.bypass({"human.md": "BYPASSED\n"})
    record = guarded.repo.git_dir() / "mini-letta-accepted.json"
    kept = record.read_text()
    record.write_text("{")
    with pytest.raises(CheckError, match="is damaged: move it away"):
        audit_new_head(guarded.repo)
    record.write_text(kept)
    assert audit_new_head(guarded.repo) == [f"human.md: {MISSING}"]


def test_a_verdict_is_remembered_only_when_told(memory: Memory) -> None:
    """Whoever could not store the notice gets the verdict again."""
    memory.bypass({"human.md": "BYPASSED\n"})
    first = audit_unseen_head(memory.repo)
    again = audit_unseen_head(memory.repo)
    assert first == again
    assert again is not None
    again.remember()
    assert audit_unseen_head(memory.repo) is None


def test_a_nested_record_is_no_traceback(memory: Memory) -> None:
    """The record of the last audit may hold anything; it then counts as none."""
    (memory.repo.git_dir() / "mini-letta-last-audit.json").write_text("[" * 200_000)
    assert audit_new_head(memory.repo) == []


def test_a_flat_skill_older_than_the_gatekeeper_is_left_alone(
    memory: Memory, tmp_path: Path
) -> None:
    """Hook, check and audit agree about a repository that had one before."""
    repo = Repo(dir=tmp_path / "older", env=memory.env)
    repo.dir.mkdir()
    repo.run("init", "-q", "-b", "main", "--template=")
    older = Memory(repo.dir, memory.env)
    older.bypass({**BASE, "skills/old.md": "Use me.\n"})
    install_hook(repo)
    assert older.commit({"notes.md": NOTE}).accepted
    assert audit_new_head(repo) == []


@pytest.mark.parametrize("kind", ["orphan branch", "ruined ref", "orphan in a worktree"])
def test_a_head_without_a_commit_is_reported_once(
    memory: Memory, tmp_path: Path, kind: str
) -> None:
    """Where a commit was accepted, an empty HEAD is no empty memory."""
    if kind == "orphan in a worktree":
        memory.git("worktree", "add", "-q", str(tmp_path / "side"))
        memory = Memory(tmp_path / "side", memory.env)
    if kind != "ruined ref":
        memory.git("symbolic-ref", "HEAD", "refs/heads/fresh")
    else:
        (memory.dir / ".git" / "refs" / "heads" / "main").write_text("")
    (problem,) = audit_new_head(memory.repo)
    assert problem.startswith("HEAD: no commit is here, but ")
    assert audit_new_head(memory.repo) == []


def test_half_a_character_in_the_policy_is_an_unknown_field(memory: Memory) -> None:
    """JSON can write a lone surrogate; the answer is a problem line, not a crash."""
    attempt = memory.commit({POLICY: '{"version": 1, "\\ud800": 1}'}, approved=True)
    assert attempt.problems == [f"{POLICY}: unknown field '\\ud800'"]


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1", "zh_CN.GBK"])
def test_the_locale_does_not_change_a_verdict(tmp_path: Path, locale: str) -> None:
    """Names outside ASCII, in the memory and around it, under any locale, known here or not."""
    memory = new_memory(tmp_path / "中文家")
    memory.git("worktree", "add", "-q", str(tmp_path / "旁"))
    for place in (memory, Memory(tmp_path / "旁", memory.env)):
        place.stage({"笔记.md": NOTE})
        user = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        assert place.attempt(env=user).problems == []
        assert place.git("status", "--porcelain") == ""

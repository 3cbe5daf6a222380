"""The second line: commits that no hook saw are reported once for each HEAD."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from mini_letta.git import Repo
from mini_letta.memory.audit import audit_committed, audit_new_head
from tests.memory.kit import MISSING, NOTE, POLICY, PROTECTED, Memory, note, note_of, policy

BROKEN = f"human.md: {MISSING}"


def last_audit(repo: Repo) -> object:
    """Return the audit record of a checkout."""
    return json.loads((repo.git_dir() / "mini-letta-last-audit.json").read_text())


def test_a_clean_head_is_recorded(memory: Memory) -> None:
    """The record names the revision and the verdict."""
    assert audit_new_head(memory.repo) == []
    assert last_audit(memory.repo) == {"revision": memory.repo.head(), "ok": True}


def test_a_bypass_is_reported_once(memory: Memory) -> None:
    """The second look at the same HEAD is silent; the record says that it was bad."""
    revision = memory.bypass({"human.md": "BYPASSED\n"})
    assert audit_new_head(memory.repo) == [BROKEN]
    assert audit_new_head(memory.repo) == []
    assert last_audit(memory.repo) == {"revision": revision, "ok": False}
    assert audit_committed(memory.repo) == [BROKEN]


def test_the_commit_that_repairs_is_possible_and_silent(memory: Memory) -> None:
    """The hook lets the fix through, and the audit is content with it."""
    memory.bypass({"human.md": "BYPASSED\n"})
    audit_new_head(memory.repo)
    assert memory.commit({"human.md": note("Likes tea.")}).accepted
    assert audit_new_head(memory.repo) == []
    assert last_audit(memory.repo) == {"revision": memory.repo.head(), "ok": True}


def test_a_head_that_has_not_moved_costs_one_git_process(memory: Memory, tmp_path: Path) -> None:
    """At every turn's start and end there is one question: is it still the same?"""
    audit_new_head(memory.repo)
    log, real = tmp_path / "log", shutil.which("git")
    (tmp_path / "bin").mkdir()
    wrapper = tmp_path / "bin" / "git"
    wrapper.write_text(f'#!/bin/sh\necho "$1" >> {log}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    env = {**memory.env, "PATH": f"{wrapper.parent}:{memory.env['PATH']}"}
    assert audit_new_head(Repo(dir=memory.dir, env=env)) == []
    assert log.read_text().splitlines() == ["rev-parse"]


def test_nothing_is_committed_yet(tmp_path: Path, template: Memory) -> None:
    """An empty repository has nothing wrong in it, and gets no record."""
    shutil.copytree(template.dir, tmp_path / "memory")
    memory = Memory(tmp_path / "memory", template.env)
    assert audit_new_head(memory.repo) == []
    assert audit_committed(memory.repo) == []
    assert not (memory.repo.git_dir() / "mini-letta-last-audit.json").exists()


def test_index_and_status_are_untouched(memory: Memory) -> None:
    """The audit reads into a throwaway index; staged and unstaged work stays as it is."""
    memory.bypass({"human.md": "BYPASSED\n"})
    memory.stage({"staged.md": NOTE})
    memory.write({"persona.md": "half done", "untracked.md": "x"})
    before = memory.snapshot()
    assert audit_new_head(memory.repo) == [BROKEN]
    assert memory.snapshot() == before


def test_what_is_staged_does_not_count(memory: Memory) -> None:
    """Only HEAD is audited."""
    memory.stage({"n.md": "oops\n"})
    assert audit_committed(memory.repo) == []


def test_an_unreadable_record_means_audit_again(memory: Memory) -> None:
    """A record that is damaged is not a verdict."""
    memory.bypass({"human.md": "BYPASSED\n"})
    audit_new_head(memory.repo)
    (memory.repo.git_dir() / "mini-letta-last-audit.json").write_text('{"revision": ')
    assert audit_new_head(memory.repo) == [BROKEN]


def by_merge(memory: Memory) -> None:
    """Two valid histories make an invalid tree: here the index goes, there a file comes."""
    memory.commit({"a/MEMORY.md": "# a\n"})
    memory.git("checkout", "-q", "-b", "side")
    assert memory.commit({"a/x.md": NOTE}).accepted
    memory.git("checkout", "-q", "main")
    memory.git("rm", "-q", "a/MEMORY.md")
    assert memory.attempt().accepted
    audit_new_head(memory.repo)
    memory.git("merge", "-q", "--no-edit", "side")


def by_rebase(memory: Memory) -> None:
    """The same two histories in one line; clean picks skip pre-commit."""
    memory.commit({"a/MEMORY.md": "# a\n"})
    memory.git("checkout", "-q", "-b", "side")
    assert memory.commit({"a/x.md": NOTE}).accepted
    memory.git("checkout", "-q", "main")
    memory.git("rm", "-q", "a/MEMORY.md")
    assert memory.attempt().accepted
    memory.git("checkout", "-q", "side")
    audit_new_head(memory.repo)
    memory.git("rebase", "-q", "main")


def by_cherry_pick(memory: Memory) -> None:
    """A valid commit of another branch is picked onto a tree that lacks its index."""
    memory.git("checkout", "-q", "-b", "side")
    memory.commit({"a/MEMORY.md": "# a\n"})
    assert memory.commit({"a/x.md": NOTE}).accepted
    memory.git("checkout", "-q", "main")
    audit_new_head(memory.repo)
    memory.git("cherry-pick", "side")


def by_revert(memory: Memory) -> None:
    """Reverting the commit that brought the index leaves the file without it."""
    memory.commit({"a/MEMORY.md": "# a\n"})
    assert memory.commit({"a/x.md": NOTE}).accepted
    audit_new_head(memory.repo)
    memory.git("revert", "--no-edit", "HEAD~1")


def by_reset(memory: Memory) -> None:
    """HEAD moves to a commit that was made elsewhere, past the hook."""
    memory.git("checkout", "-q", "-b", "side")
    memory.bypass({"a/x.md": NOTE})
    memory.git("checkout", "-q", "main")
    audit_new_head(memory.repo)
    memory.git("reset", "-q", "--hard", "side")


def by_a_clone_without_hooks(memory: Memory) -> None:
    """A clone has no hook; what it commits comes in by a fast-forward."""
    audit_new_head(memory.repo)
    clone = memory.dir.parent / "clone"
    subprocess.run(["git", "clone", "-q", str(memory.dir), str(clone)], check=True, env=memory.env)
    other = Memory(clone, memory.env)
    assert other.commit({"a/x.md": NOTE}).accepted
    memory.git("pull", "-q", "--ff-only", str(clone), "main")


def by_plumbing(memory: Memory) -> None:
    """Another program writes commits without `git commit`."""
    audit_new_head(memory.repo)
    memory.stage({"a/x.md": NOTE})
    tree = memory.git("write-tree")
    memory.git("update-ref", "HEAD", memory.git("commit-tree", tree, "-p", "HEAD", "-m", "x"))


UNHOOKED = [
    by_merge,
    by_rebase,
    by_cherry_pick,
    by_revert,
    by_reset,
    by_a_clone_without_hooks,
    by_plumbing,
]


@pytest.mark.parametrize("arrive", UNHOOKED, ids=lambda arrive: arrive.__name__)
def test_a_commit_that_skipped_the_hook_is_reported(memory: Memory, arrive: object) -> None:
    """Whoever moved HEAD: one report, no trace in the index, and a fix is possible."""
    assert callable(arrive)
    arrive(memory)
    before = memory.snapshot()
    problem = "a/x.md: missing required index a/MEMORY.md"
    assert audit_new_head(memory.repo) == [problem]
    assert audit_new_head(memory.repo) == []
    assert memory.snapshot() == before
    assert memory.commit({"a/MEMORY.md": "# a\n"}).accepted
    assert audit_new_head(memory.repo) == []


def test_going_on_with_a_rebase_is_reported(memory: Memory) -> None:
    """git itself passes `-n` to the commit of `rebase --continue`, so only the audit sees it."""
    memory.git("checkout", "-q", "-b", "side")
    assert memory.commit({"human.md": note("Likes coffee.")}).accepted
    memory.git("checkout", "-q", "main")
    assert memory.commit({"human.md": note("Likes water.")}).accepted
    audit_new_head(memory.repo)
    memory.git("rebase", "side", check=False)
    memory.stage({"human.md": "<<<<<<< both\n"})
    done = memory.repo.run("rebase", "--continue")
    assert "warning" not in done.stderr
    assert audit_new_head(memory.repo) == [BROKEN]


def test_each_new_bad_head_is_reported(memory: Memory) -> None:
    """A second bad commit is a new HEAD; going back to the first one is a new HEAD, too."""
    memory.bypass({"human.md": "one\n"})
    assert audit_new_head(memory.repo) == [BROKEN]
    memory.bypass({"human.md": "two\n"})
    assert audit_new_head(memory.repo) == [BROKEN]
    memory.git("reset", "-q", "--hard", "HEAD~1")
    assert audit_new_head(memory.repo) == [BROKEN]


def test_a_worktree_keeps_its_own_record(memory: Memory, tmp_path: Path) -> None:
    """Records lie in the git dir of each checkout, so neither silences the other."""
    memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", memory.env)
    revision = side.bypass({"human.md": "BYPASSED\n"})
    assert audit_new_head(side.repo) == [BROKEN]
    assert side.repo.git_dir() == memory.dir.resolve() / ".git" / "worktrees" / "side"
    assert last_audit(side.repo) == {"revision": revision, "ok": False}
    memory.git("merge", "-q", "--ff-only", "side")
    assert audit_new_head(memory.repo) == [BROKEN]


def test_every_rule_runs(memory: Memory) -> None:
    """Shape, tree, budget, flat skills and policy are all in one report."""
    memory.bypass(
        {
            "human.md": "BYPASSED\n",
            "big.md": note_of(70_000),
            "deep/x.md": NOTE,
            "skills/foo.md": "x\n",
            POLICY: policy(maxFileCharacters=90_000),
        }
    )
    problems = set(audit_committed(memory.repo))
    assert problems >= {
        BROKEN,
        PROTECTED,
        "big.md: 70000 characters exceeds 20000 from maxFileCharacters",
        "deep/x.md: missing required index deep/MEMORY.md",
        "skills/foo.md: invalid skill path (skills must be folders). Use skills/<name>/SKILL.md",
    }
    assert any(line.startswith("core memory: ") for line in problems)


def test_a_flat_skill_that_was_bypassed_stays_reported(memory: Memory) -> None:
    """The next commit does not make it an old acquaintance."""
    audit_new_head(memory.repo)
    memory.bypass({"skills/foo.md": "x\n"})
    line = "skills/foo.md: invalid skill path (skills must be folders). Use skills/<name>/SKILL.md"
    assert audit_new_head(memory.repo) == [line]
    memory.commit({"n.md": NOTE})
    assert audit_new_head(memory.repo) == [line]


def test_an_audit_that_cannot_run_is_not_clean(memory: Memory) -> None:
    """A blob of HEAD is gone: the answer is a problem, not an empty list."""
    memory.bypass({"n.md": NOTE})
    blob = memory.git("rev-parse", "HEAD:n.md")
    (memory.dir / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert audit_committed(memory.repo) != []


def test_a_shallow_clone_is_audited(memory: Memory, tmp_path: Path) -> None:
    """History that is not there is not needed."""
    memory.commit({"n.md": NOTE})
    command = ["git", "clone", "-q", "--depth=1", f"file://{memory.dir}", str(tmp_path / "clone")]
    subprocess.run(command, check=True, env=memory.env)
    clone = Memory(tmp_path / "clone", memory.env)
    assert audit_new_head(clone.repo) == []
    clone.bypass({"human.md": "BYPASSED\n"})
    assert audit_new_head(clone.repo) == [BROKEN]


def test_a_rewritten_history_is_audited(memory: Memory) -> None:
    """The accepted revision was rewritten and pruned away; the audit still has an answer."""
    assert memory.commit({"n.md": NOTE}).accepted
    assert audit_new_head(memory.repo) == []
    memory.git("reset", "-q", "--hard", "HEAD~1")
    memory.git("reflog", "expire", "--expire=now", "--all")
    memory.git("gc", "-q", "--prune=now")
    assert audit_new_head(memory.repo) == []
    memory.bypass({"human.md": "BYPASSED\n"})
    assert audit_new_head(memory.repo) == [BROKEN]

"""The policy of a repository: chosen with the hook, the same for hook, check and audit."""

import itertools
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mini_letta.memory.audit import audit_committed, audit_new_head, audit_unseen_head
from mini_letta.memory.hooks import HookError, Installation, install_hook
from mini_letta.memory.layout import POLICIES, POLICY_NAME_FILE, read_policy_name
from mini_letta.memory.repo import CheckError, check_staged
from tests.memory.kit import (
    MISSING,
    NOTE,
    READ_ONLY,
    Memory,
    copy_of,
    new_bare_template,
)
from tests.memory.kit import policy as policy_text

ROOT_REQUIRED = "MEMORY.md: root memory index is required for MemFS v2"
LEGACY = "---\ndescription: D\n---\nBody.\n"


@pytest.fixture
def legacy(templates: Mapping[str, Memory], tmp_path: Path) -> Memory:
    """A legacy memory with one file, audited."""
    memory = copy_of(templates["legacy-only"], tmp_path / "memory")
    assert memory.commit({"system/q.md": LEGACY}).accepted
    assert audit_new_head(memory.repo) == []
    return memory


def damage(memory: Memory) -> None:
    """Make the name of the policy unreadable."""
    (memory.dir / ".git" / POLICY_NAME_FILE).write_text("whatever\n")


@pytest.mark.parametrize("name", POLICIES)
def test_the_policy_chosen_is_the_one_that_is_read(
    templates: Mapping[str, Memory], name: str
) -> None:
    """Each of the three names is written and understood."""
    assert read_policy_name(str(templates[name].dir / ".git")) == name


def test_a_first_installation_follows_the_marker(tmp_path: Path) -> None:
    """Without a choice the policy is root-marker, and there was none before."""
    memory = new_bare_template(tmp_path)
    shutil.rmtree(memory.dir / ".git/hooks")
    (memory.dir / ".git" / POLICY_NAME_FILE).unlink()
    done = install_hook(memory.repo, force=True)
    assert done == Installation(before=None, policy="root-marker", kept=None)


def test_a_policy_stays_when_the_hook_is_repaired(legacy: Memory) -> None:
    """`install-hook` without a policy keeps the one there is."""
    done = install_hook(legacy.repo)
    assert (done.before, done.policy) == ("legacy-only", "legacy-only")
    assert legacy.commit({"n.md": "no frontmatter needed here\n"}).accepted


def test_a_hook_without_a_name_followed_the_marker(memory: Memory) -> None:
    """An installation from before there were policies is root-marker."""
    (memory.dir / ".git" / POLICY_NAME_FILE).unlink()
    assert memory.commit({"n.md": "oops\n"}).problems == [f"n.md: {MISSING}"]
    assert install_hook(memory.repo, policy="shared-memory").before == "root-marker"


def test_a_policy_can_be_changed_and_says_what_it_was(legacy: Memory) -> None:
    """From then on the other rules are in force, for hook, check and audit alike."""
    done = install_hook(legacy.repo, policy="shared-memory")
    assert (done.before, done.policy) == ("legacy-only", "shared-memory")
    problem = "system/q.md: missing required field 'name'"
    assert legacy.commit({"n.txt": "x"}).problems == [problem]
    assert check_staged(legacy.repo) == [problem]
    assert audit_committed(legacy.repo) == [problem]


def test_after_a_change_every_head_counts_as_never_audited(legacy: Memory, tmp_path: Path) -> None:
    """A verdict by the old rules says nothing; linked worktrees are judged anew as well."""
    legacy.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", legacy.env)
    assert audit_new_head(side.repo) == []
    assert audit_unseen_head(side.repo) is None
    install_hook(legacy.repo)
    assert audit_unseen_head(side.repo) is None  # a repair changes no rule
    install_hook(legacy.repo, policy="shared-memory")
    assert audit_new_head(side.repo) != []
    assert audit_new_head(legacy.repo) != []


def test_an_installation_that_is_refused_changes_no_policy(legacy: Memory) -> None:
    """A hook of others stops it before anything is written."""
    (legacy.dir / ".git/hooks/pre-commit").write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(HookError, match="not ours"):
        install_hook(legacy.repo, policy="shared-memory")
    assert read_policy_name(str(legacy.dir / ".git")) == "legacy-only"


def test_a_policy_that_cannot_be_read_refuses_every_commit(legacy: Memory) -> None:
    """What it once said cannot be guessed: neither by the hook nor by check and audit."""
    damage(legacy)
    assert "names no policy" in legacy.commit({"n.txt": "x"}).output
    with pytest.raises(CheckError, match="names no policy"):
        check_staged(legacy.repo)
    with pytest.raises(CheckError, match="names no policy"):
        audit_committed(legacy.repo)


def test_an_unreadable_policy_has_to_be_chosen_again(legacy: Memory) -> None:
    """A repair that would have to guess is refused, one that names the policy works."""
    damage(legacy)
    with pytest.raises(HookError, match="--policy NAME"):
        install_hook(legacy.repo)
    assert install_hook(legacy.repo, policy="legacy-only").before is None
    assert legacy.commit({"n.txt": "x"}).accepted


def test_a_worktree_is_guarded_by_the_same_policy(legacy: Memory, tmp_path: Path) -> None:
    """The name lies in the git dir that all worktrees share."""
    legacy.git("worktree", "add", "-q", str(tmp_path / "tree"))
    worktree = Memory(tmp_path / "tree", legacy.env)
    assert worktree.commit({"n.md": "oops\n"}).accepted
    assert worktree.commit({"system/a.md": "oops\n"}).problems == [f"system/a.md: {MISSING}"]


def test_the_marker_brings_the_rules_of_memfs_v2(template: Memory, tmp_path: Path) -> None:
    """Under root-marker a legacy tree becomes MemFS v2 with its root index, as a whole."""
    memory = copy_of(template, tmp_path / "memory")
    assert memory.commit({"system/a.md": LEGACY}).accepted
    attempt = memory.commit({"MEMORY.md": "# Memory\n"})
    assert attempt.problems == ["system/a.md: missing required index system/MEMORY.md"]


def test_deleting_the_marker_switches_nothing_off(memory: Memory) -> None:
    """A tree that once was MemFS v2 is judged as one, also after a bypass took its marker."""
    memory.bypass(remove=["MEMORY.md"])
    assert ROOT_REQUIRED in memory.commit({"system/a.md": LEGACY}).problems
    assert ROOT_REQUIRED in audit_committed(memory.repo)


def test_a_marker_that_no_audit_saw_counts_as_well(template: Memory, tmp_path: Path) -> None:
    """The history of HEAD is asked, not only the accepted tree."""
    memory = copy_of(template, tmp_path / "memory")
    memory.bypass({"MEMORY.md": "# Memory\n", "x.txt": "x"})
    memory.bypass(remove=["MEMORY.md"])
    assert memory.commit({"y.txt": "y"}).problems == [ROOT_REQUIRED]


@pytest.mark.parametrize("born", [False, True])
def test_an_orphan_branch_does_not_shed_the_marker(memory: Memory, born: bool) -> None:
    """What was accepted here was MemFS v2, whatever history a new branch has."""
    memory.git("checkout", "-q", "--orphan", "free")
    memory.git("rm", "-q", "-r", "--cached", ".")
    if born:
        memory.bypass({"x.txt": "x"})
        assert audit_committed(memory.repo) == [ROOT_REQUIRED]
    assert memory.commit({"y.txt": "y"}).problems == [ROOT_REQUIRED]


def test_without_a_policy_file_a_legacy_memory_has_no_limits(
    templates: Mapping[str, Memory], tmp_path: Path
) -> None:
    """Under no policy: the defaults belong to MemFS v2, or complete a file that sets some."""
    for name in ("root-marker", "legacy-only"):
        memory = copy_of(templates[name], tmp_path / name)
        assert memory.commit({"system/a/b/c/d.md": LEGACY + "x" * 30_000}).accepted


@pytest.mark.parametrize("name", POLICIES)
def test_everything_can_be_deleted_from_an_unlocked_memory(
    templates: Mapping[str, Memory], tmp_path: Path, name: str
) -> None:
    """An empty tree is valid wherever no index is required."""
    memory = copy_of(templates[name], tmp_path / "memory")
    both = NOTE.replace("name: Note\n", "") if name != "shared-memory" else NOTE
    assert memory.commit({"system/a.md": both}).accepted
    memory.git("rm", "-q", "--", "system/a.md")
    assert memory.attempt().accepted
    assert audit_committed(memory.repo) == []


NAMES = st.sampled_from(
    ["MEMORY.md", "n.md", "system/a.md", "system/记 忆.md", "reference/b/c.md",
     "memory/system/d.md", "system/a\nb.md", "systemx/e.md", "skills/flat.md",
     "memory/skills/flat.md", "x.txt"]
)  # fmt: skip
CONTENTS = st.sampled_from(
    ["oops\n", "", NOTE, LEGACY, "---\ndescription: D\nread_only: true\n---\n",
     "---\ndescription: D\nread_only: false\n---\n", "---\nread_only: true\n", b"\xff\n",
     "---\r\ndescription: D\r\n---\r\n", LEGACY + "x" * 60]
)  # fmt: skip
MODES = st.sampled_from(["100644"] * 8 + ["100755", "120000", "160000"])
TREES = st.dictionaries(NAMES, st.tuples(CONTENTS, MODES), max_size=5)
RULES = st.sampled_from(
    [None, policy_text(maxFileCharacters=70, maxDepth=9), policy_text(readOnlyFiles=["system/**"])]
)
RUN = itertools.count()


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from(["legacy-only", "shared-memory"]), TREES, TREES, RULES)
def test_hook_check_and_audit_give_one_verdict(
    templates: Mapping[str, Memory],
    tmp_path: Path,
    name: str,
    before: Any,
    after: Any,
    rules: str | None,
) -> None:
    """A change is judged alike at the commit, in process and after a bypass."""
    memory = copy_of(templates[name], tmp_path / f"run-{next(RUN)}")
    head: dict[str | bytes, Any] = {} if rules is None else {".memfs.config.json": rules}
    put(memory, head, before)
    base = memory.bypass()
    was_valid = audit_committed(memory.repo) == []
    put(memory, {}, after)
    in_process = check_staged(memory.repo)
    hook = memory.attempt("--allow-empty")
    assert (hook.accepted, hook.problems) == (not in_process, in_process)
    if hook.accepted:
        memory.git("reset", "-q", "--soft", base)
    memory.bypass()
    audited = audit_committed(memory.repo)
    if was_valid:
        assert audited == in_process
    else:  # nothing was ever accepted: there is nothing to compare protected files and locks with
        told = {line for line in in_process if READ_ONLY not in line and "read_only" not in line}
        assert told <= set(audited)
    shutil.rmtree(memory.dir)


def put(memory: Memory, files: dict[str | bytes, Any], tree: Any) -> None:
    """Stage plain files, then a generated tree of (content, mode)."""
    contents = {**files, **{path: content for path, (content, _) in tree.items()}}
    memory.put(contents, {path: mode for path, (_, mode) in tree.items()})

"""Who guards the rule: the protected policy, protected files, and what was accepted before."""

import json
import subprocess
from pathlib import Path

import pytest

from mini_letta.memory.audit import audit_committed, audit_new_head
from mini_letta.memory.hooks import install_hook
from mini_letta.memory.repo import CheckError, check_staged
from tests.memory.kit import (
    APPROVED,
    BASE,
    NOTE,
    POLICY,
    PROTECTED,
    READ_ONLY,
    Memory,
    note,
    note_of,
    policy,
)

GUARDED = policy(readOnlyFiles=["persona.md"])
PERSONA_READ_ONLY = f"persona.md: {READ_ONLY}"


@pytest.fixture
def guarded(memory: Memory) -> Memory:
    """A memory whose persona.md is protected, with a human's approval, and audited once."""
    assert memory.commit({POLICY: GUARDED}, approved=True).accepted
    assert audit_new_head(memory.repo) == []
    return memory


def accepted_record(memory: Memory) -> dict[str, str | None]:
    """Return the accepted record of this checkout."""
    record = memory.repo.git_dir() / "mini-letta-accepted.json"
    return dict(json.loads(record.read_text()))


@pytest.mark.parametrize("change", ["add", "edit", "delete", "chmod", "symlink", "folder"])
def test_no_change_of_the_policy_passes_without_approval(guarded: Memory, change: str) -> None:
    """However it is changed, the policy needs a human."""
    if change == "add":
        assert guarded.commit({POLICY: ""}, approved=False).problems[0] == PROTECTED
        return
    staged: dict[str | bytes, str | bytes | None] = {POLICY: None}
    if change in ("edit", "chmod", "symlink"):
        staged = {POLICY: policy() if change == "edit" else GUARDED}
    elif change == "folder":
        staged = {POLICY: None, f"{POLICY}/x": "{}"}
    guarded.put(staged, {POLICY: {"chmod": "100755", "symlink": "120000"}.get(change, "100644")})
    assert PROTECTED in check_staged(guarded.repo)
    assert PROTECTED in guarded.attempt().problems


def test_an_approved_policy_is_in_force(memory: Memory) -> None:
    """After approval the limit counts for the next commit, which needs none."""
    assert memory.commit({POLICY: policy(maxFileCharacters=120)}, approved=True).accepted
    attempt = memory.commit({"big.md": note_of(140)})
    assert attempt.problems == ["big.md: 140 characters exceeds 120 from maxFileCharacters"]
    assert memory.commit({"big.md": note_of(120)}).accepted


def test_tightening_below_what_is_there_is_refused(memory: Memory) -> None:
    """Even with approval: the whole tree must satisfy the new policy. Slim first, then tighten."""
    size = len(BASE["persona.md"])
    human = len(BASE["human.md"])
    attempt = memory.commit({POLICY: policy(maxFileCharacters=10)}, approved=True)
    assert attempt.problems == [
        f"human.md: {human} characters exceeds 10 from maxFileCharacters",
        f"persona.md: {size} characters exceeds 10 from maxFileCharacters",
    ]
    memory.git("rm", "-q", "-f", "--cached", POLICY)
    slim = note("", name="P", description="D")
    assert memory.commit({"persona.md": slim, "human.md": slim}).accepted
    assert memory.commit({POLICY: policy(maxFileCharacters=len(slim))}, approved=True).accepted
    assert audit_committed(memory.repo) == []


def test_an_approved_policy_must_parse(memory: Memory) -> None:
    """Approval is no way around the rules for the policy itself."""
    attempt = memory.commit({POLICY: '{"version": 2, "colour": 1}'}, approved=True)
    assert attempt.problems == [
        f"{POLICY}: unknown field 'colour'",
        f"{POLICY}: version must be 1",
    ]


def test_approval_does_not_open_protected_files(guarded: Memory) -> None:
    """The variable speaks about the policy; a protected file stays protected."""
    attempt = guarded.commit({"persona.md": note("Wild.")}, approved=True)
    assert attempt.problems == [PERSONA_READ_ONLY]


def test_a_policy_cannot_unprotect_and_change_at_once(guarded: Memory) -> None:
    """The old protection holds for the commit that drops it."""
    staged = {POLICY: policy(), "persona.md": note("Wild.")}
    assert guarded.commit(staged).problems == [PROTECTED, PERSONA_READ_ONLY]


def test_unprotect_change_and_protect_again(guarded: Memory) -> None:
    """With approval, in three commits, the change is clean for hook and audit."""
    assert guarded.commit({POLICY: policy()}, approved=True).accepted
    assert guarded.commit({"persona.md": note("Bold.")}).accepted
    assert guarded.commit({POLICY: GUARDED}, approved=True).accepted
    assert audit_new_head(guarded.repo) == []
    assert guarded.commit({"notes.md": NOTE}).accepted
    assert audit_committed(guarded.repo) == []
    assert guarded.commit({"persona.md": note("Wild.")}).problems == [PERSONA_READ_ONLY]


def test_unprotect_change_and_protect_again_with_audits_between(guarded: Memory) -> None:
    """The same when every commit is followed by a turn."""
    for files, approved in (
        ({POLICY: policy()}, True),
        ({"persona.md": note("Bold.")}, False),
        ({POLICY: GUARDED}, True),
        ({"notes.md": NOTE}, False),
    ):
        assert guarded.commit(files, approved=approved).accepted
        assert audit_new_head(guarded.repo) == []


def test_a_bypassed_policy_is_reported(guarded: Memory) -> None:
    """What no human approved is not accepted, however it got into HEAD."""
    guarded.bypass({POLICY: policy(maxFileCharacters=90_000)})
    assert audit_new_head(guarded.repo) == [PROTECTED]
    guarded.commit({"notes.md": NOTE})
    assert audit_committed(guarded.repo) == [PROTECTED]


def test_a_bypassed_policy_cannot_be_used(guarded: Memory) -> None:
    """The audit goes on judging by the accepted limits."""
    guarded.bypass({POLICY: policy(maxFileCharacters=90_000), "n.md": note_of(30_000)})
    assert audit_committed(guarded.repo) == [
        PROTECTED,
        "n.md: 30000 characters exceeds 20000 from maxFileCharacters",
    ]


def test_the_accepted_policy_can_be_restored_without_approval(guarded: Memory) -> None:
    """Undoing a bypass is always possible: exactly the accepted bytes are let through."""
    guarded.bypass({POLICY: policy()})
    assert audit_new_head(guarded.repo) == [PROTECTED]
    assert guarded.commit({POLICY: policy(maxDepth=3)}).problems == [PROTECTED]
    assert guarded.commit({POLICY: GUARDED}).accepted
    assert audit_new_head(guarded.repo) == []


@pytest.mark.parametrize("mode", ["100755", "120000"])
def test_a_policy_with_another_mode_is_reported_and_can_be_restored(
    guarded: Memory, mode: str
) -> None:
    """The same bytes as a program or a symlink are not what was accepted."""
    guarded.put({POLICY: GUARDED}, {POLICY: mode})
    guarded.bypass()
    assert audit_new_head(guarded.repo) != []
    guarded.put({POLICY: GUARDED}, {})
    assert guarded.attempt().problems == []
    assert audit_committed(guarded.repo) == []


@pytest.mark.parametrize("kind", ["symlink", "gitlink", "folder", "garbage"])
def test_a_ruined_policy_can_be_restored(guarded: Memory, kind: str) -> None:
    """Whatever was put in its place, the accepted bytes are always let through."""
    modes = {"symlink": "120000", "gitlink": "160000"}
    inside = f"{POLICY}/x" if kind == "folder" else POLICY
    guarded.put({POLICY: None}, {})
    guarded.put({inside: "{"}, {POLICY: modes.get(kind, "100644")})
    guarded.bypass()
    assert audit_new_head(guarded.repo)[0] == PROTECTED
    guarded.put({inside: None}, {})
    guarded.put({POLICY: GUARDED}, {})
    assert guarded.attempt().accepted
    assert audit_new_head(guarded.repo) == []


def test_a_vanished_accepted_revision_is_explained(guarded: Memory) -> None:
    """History was rewritten and pruned: closed, in words that say what to do."""
    assert guarded.commit({"notes.md": NOTE}).accepted
    assert audit_new_head(guarded.repo) == []
    gone = guarded.git("rev-parse", "HEAD")
    guarded.git("reset", "-q", "--hard", "HEAD~1")
    guarded.git("reflog", "expire", "--expire=now", "--all")
    guarded.git("gc", "-q", "--prune=now")
    attempt = guarded.commit({"other.md": NOTE})
    assert "mini-letta-accepted.json" in attempt.output
    assert gone[:7] in attempt.output
    with pytest.raises(CheckError, match=r"no longer in this repository: move .*accepted\.json"):
        audit_committed(guarded.repo)


def test_a_deleted_policy_can_be_restored_without_approval(guarded: Memory) -> None:
    """So is one that was removed."""
    guarded.bypass(remove=[POLICY])
    assert audit_new_head(guarded.repo) == [PROTECTED]
    assert guarded.commit({POLICY: GUARDED}).accepted
    assert audit_new_head(guarded.repo) == []


def test_a_policy_that_never_was_can_be_removed_without_approval(memory: Memory) -> None:
    """When the accepted state has no policy, removing a smuggled one restores it."""
    audit_new_head(memory.repo)
    memory.bypass({POLICY: policy(maxFileCharacters=90_000)})
    assert audit_new_head(memory.repo) == [PROTECTED]
    memory.git("rm", "-q", POLICY)
    assert memory.attempt().accepted
    assert audit_new_head(memory.repo) == []


def test_a_bypass_that_nobody_audited_before_is_reported(memory: Memory) -> None:
    """The first state the gatekeeper saw is accepted from the day it was installed."""
    memory.bypass({POLICY: policy(maxFileCharacters=90_000)})
    assert audit_new_head(memory.repo) == [PROTECTED]


def test_a_human_can_approve_a_bypassed_policy_afterwards(guarded: Memory) -> None:
    """An approved commit accepts the policy that is there, even if it changes nothing."""
    guarded.bypass({POLICY: policy(maxDepth=3)})
    assert audit_new_head(guarded.repo) == [PROTECTED]
    assert guarded.attempt("--allow-empty", approved=True).accepted
    assert audit_new_head(guarded.repo) == []


def test_a_bypass_right_after_the_approval_is_reported(memory: Memory) -> None:
    """Protection counts from the approved commit on, audited or not."""
    assert memory.commit({POLICY: GUARDED}, approved=True).accepted
    memory.bypass({"persona.md": note("Wild.")})
    assert audit_new_head(memory.repo) == [PERSONA_READ_ONLY]


def test_an_approved_amendment_is_accepted(memory: Memory) -> None:
    """The approved policy may replace the commit it was staged on."""
    memory.commit({"notes.md": NOTE})
    memory.stage({POLICY: GUARDED})
    assert memory.attempt("--amend", approved=True).accepted
    assert audit_new_head(memory.repo) == []


def test_an_orphan_branch_is_reported(guarded: Memory) -> None:
    """A branch without history does not shake off policy and protection."""
    guarded.git("checkout", "-q", "--orphan", "free")
    guarded.git("rm", "-q", "--cached", POLICY)
    guarded.stage({"persona.md": note("Wild.")})
    guarded.bypass()
    assert audit_new_head(guarded.repo) == [PROTECTED, PERSONA_READ_ONLY]


def test_an_older_looser_policy_does_not_come_back(memory: Memory) -> None:
    """`git revert` of a tightening is a policy change like any other."""
    loose, tight = policy(maxFileCharacters=30_000), policy(maxFileCharacters=500)
    assert memory.commit({POLICY: loose}, approved=True).accepted
    assert audit_new_head(memory.repo) == []
    assert memory.commit({POLICY: tight}, approved=True).accepted
    assert audit_new_head(memory.repo) == []
    memory.git("revert", "--no-edit", "HEAD")  # a clean revert does not run pre-commit
    assert memory.git("show", f"HEAD:{POLICY}") == loose.rstrip("\n")
    assert audit_new_head(memory.repo) == [PROTECTED]
    assert memory.commit({"n.md": NOTE}).accepted  # the hook cannot see it, the audit goes on
    assert audit_new_head(memory.repo) == [PROTECTED]
    assert memory.commit({POLICY: tight}).accepted
    assert audit_new_head(memory.repo) == []


def test_an_approved_policy_stays_accepted_when_the_audit_comes_late(memory: Memory) -> None:
    """Two approved changes before any audit: the later one is the accepted one."""
    first, second = policy(maxFileCharacters=30_000), policy(maxFileCharacters=500)
    assert memory.commit({POLICY: first}, approved=True).accepted
    assert memory.commit({POLICY: second}, approved=True).accepted
    memory.git("revert", "--no-edit", "HEAD")
    assert audit_new_head(memory.repo) == [PROTECTED]
    assert memory.commit({POLICY: second}).accepted
    assert audit_new_head(memory.repo) == []


def test_an_approval_that_made_no_commit_accepts_nothing(guarded: Memory) -> None:
    """An approved attempt that was refused leaves the old policy in force."""
    assert not guarded.commit({POLICY: policy(maxFileCharacters=1)}, approved=True).accepted
    guarded.git("commit", "-q", "--no-verify", "-m", "bypass")
    assert PROTECTED in audit_new_head(guarded.repo)


def test_an_approved_attempt_that_git_gave_up_accepts_nothing(guarded: Memory) -> None:
    """The hook passed, the message was empty: nothing was committed, all stays protected."""
    guarded.stage({POLICY: policy()})
    env = {**guarded.env, **APPROVED}
    command = ["git", "commit", "-q", "-F", "/dev/null"]
    assert subprocess.run(command, cwd=guarded.dir, env=env, capture_output=True).returncode == 1
    guarded.git("reset", "-q", "--hard")
    assert guarded.commit({"persona.md": note("Wild.")}).problems == [PERSONA_READ_ONLY]
    guarded.git("commit", "-q", "--no-verify", "-m", "bypass")
    assert audit_new_head(guarded.repo) == [PERSONA_READ_ONLY]
    guarded.bypass({POLICY: policy()})
    assert PROTECTED in audit_new_head(guarded.repo)


def test_an_approved_policy_is_accepted_under_a_merge(memory: Memory) -> None:
    """Commits of another branch that came in later do not hide the approved one."""
    memory.git("checkout", "-q", "-b", "side")
    assert memory.commit({"side.md": NOTE}).accepted
    memory.git("checkout", "-q", "main")
    assert memory.commit({POLICY: GUARDED}, approved=True).accepted
    memory.git("merge", "-q", "--no-edit", "side")
    assert audit_new_head(memory.repo) == []


def test_a_check_in_process_approves_nothing(guarded: Memory) -> None:
    """`memory check` asks what would happen; it does not open the door for a bypass."""
    guarded.stage({POLICY: policy()})
    assert check_staged(guarded.repo, approved=True) == []
    guarded.git("commit", "-q", "--no-verify", "-m", "bypass")
    assert audit_new_head(guarded.repo) == [PROTECTED]


@pytest.mark.parametrize("how", ["edit", "delete", "rename", "chmod"])
def test_a_protected_file_changed_past_the_hook_is_reported(guarded: Memory, how: str) -> None:
    """The audit compares with the accepted state, not with HEAD itself."""
    if how == "edit":
        guarded.bypass({"persona.md": note("Wild.")})
    elif how == "delete":
        guarded.bypass(remove=["persona.md"])
    elif how == "rename":
        guarded.git("mv", "persona.md", "other.md")
        guarded.bypass()
    else:
        guarded.git("update-index", "--chmod=+x", "persona.md")
        guarded.bypass()
    assert audit_new_head(guarded.repo) == [PERSONA_READ_ONLY]


def test_a_protected_file_can_be_restored(guarded: Memory) -> None:
    """After a bypass exactly the accepted bytes are let through, and the audit is content."""
    guarded.bypass({"persona.md": note("Wild.")})
    assert audit_new_head(guarded.repo) == [PERSONA_READ_ONLY]
    assert guarded.commit({"persona.md": note("Wilder.")}).problems == [PERSONA_READ_ONLY]
    assert guarded.commit({"persona.md": BASE["persona.md"]}).accepted
    assert audit_new_head(guarded.repo) == []


def test_a_protected_file_that_was_smuggled_in_can_be_removed(guarded: Memory) -> None:
    """A file that the accepted state does not have is restored by deleting it."""
    rules = policy(readOnlyFiles=["persona.md", "law/**"])
    assert guarded.commit({POLICY: rules}, approved=True).accepted
    assert audit_new_head(guarded.repo) == []
    guarded.bypass({"law/MEMORY.md": "# law\n"})
    assert audit_new_head(guarded.repo) == [f"law/MEMORY.md: {READ_ONLY}"]
    guarded.git("rm", "-q", "law/MEMORY.md")
    assert guarded.attempt().accepted
    assert audit_new_head(guarded.repo) == []


def test_a_protected_change_stays_reported_under_other_commits(guarded: Memory) -> None:
    """Good work on top does not wash a protected change clean; the hook waits for the repair."""
    guarded.bypass({"persona.md": note("Wild.")})
    assert audit_new_head(guarded.repo) == [PERSONA_READ_ONLY]
    assert guarded.commit({"notes.md": NOTE}).problems == [PERSONA_READ_ONLY]
    guarded.bypass()
    assert audit_new_head(guarded.repo) == [PERSONA_READ_ONLY]


def test_unprotecting_past_the_hook_does_not_open_the_file(guarded: Memory) -> None:
    """A bypassed policy without the protection, then an ordinary commit: both are reported."""
    guarded.bypass({POLICY: policy()})
    guarded.commit({"persona.md": note("Wild.")})
    assert audit_new_head(guarded.repo) == [PROTECTED, PERSONA_READ_ONLY]


def test_worktrees_share_what_was_accepted_before_they_were_made(
    guarded: Memory, tmp_path: Path
) -> None:
    """In a new worktree protected is what is protected at its HEAD."""
    guarded.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", guarded.env)
    assert side.commit({"persona.md": note("Wild.")}).problems == [PERSONA_READ_ONLY]
    side.git("reset", "-q", "--hard")
    assert side.commit({POLICY: policy()}).problems == [PROTECTED]
    assert audit_new_head(side.repo) == []


def test_installing_again_does_not_accept_a_bypass(guarded: Memory) -> None:
    """The repair of the hook must not forgive what happened while it was broken."""
    guarded.bypass({POLICY: policy()})
    install_hook(guarded.repo)
    assert audit_new_head(guarded.repo) == [PROTECTED]


def test_a_clone_follows_the_policy_of_its_upstream(guarded: Memory, tmp_path: Path) -> None:
    """A checkout that has no record yet trusts what the upstream has, not its own new commit."""
    command = ["git", "clone", "-q", str(guarded.dir), str(tmp_path / "clone")]
    subprocess.run(command, check=True, env=guarded.env)
    clone = Memory(tmp_path / "clone", guarded.env)
    clone.bypass({POLICY: policy(maxFileCharacters=90_000)})
    assert audit_new_head(clone.repo) == [PROTECTED]


def test_the_record_lies_in_the_git_dir_of_the_checkout(guarded: Memory) -> None:
    """It names the accepted revision and the blob of the accepted policy."""
    record = accepted_record(guarded)
    assert record["revision"] == guarded.repo.head()
    assert record["policy"] == guarded.git("rev-parse", f"HEAD:{POLICY}")

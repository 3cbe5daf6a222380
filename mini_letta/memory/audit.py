"""The second line of defence: judge what was committed, whoever committed it and however.

A hook can be skipped (``--no-verify``, a merge, a clone without hooks). The audit reads HEAD
into a throwaway index and runs all the rules there, once for each new HEAD.

Source: chapter 7, "The audit". Introduced in v1.0.
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mini_letta.git import GitError, Repo
from mini_letta.memory.accepted import (
    Record,
    State,
    accepted_state,
    current_record,
    revision_objects,
    state_at,
    write_record,
)
from mini_letta.memory.checkout import first_record, place_of
from mini_letta.memory.gate import judge, judged_blobs
from mini_letta.memory.layout import find_layout, read_policy_name
from mini_letta.memory.policy_name import LAST_AUDIT
from mini_letta.memory.repo import CheckError
from mini_letta.memory.settings import replace_file
from mini_letta.memory.staged import Place, read_index, read_objects, read_tree

NO_COMMIT = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnseenHead:
    """A HEAD that was never audited, and the verdict on it."""

    revision: str
    """Its commit id; empty when nothing is committed."""
    problems: list[str]
    """Problem lines as the hook prints them; empty when it is valid."""
    record: Path
    """Where audits are recorded: in the git dir of this checkout."""

    def remember(self) -> None:
        """Record that this HEAD was audited and its problems told; it is not audited again."""
        note = json.dumps({"revision": self.revision, "ok": not self.problems})
        replace_file(self.record, note + "\n", mode=0o644)


def audit_unseen_head(repo: Repo) -> UnseenHead | None:
    """Return the verdict on HEAD if it was never audited; None if it was.

    Before the first commit HEAD is valid. Where there were commits once, a HEAD without one
    (an orphan branch, a ruined ref) is not.

    One git process when HEAD has not moved. The record lies in the git dir of *this* checkout,
    never in a path built as ``.git/``, which is a file in a linked worktree.

    Raises:
        CheckError: there is no verdict.
    """
    found = repo.run("rev-parse", "--absolute-git-dir", "HEAD", check=False)
    git_dir, _, revision = found.text.rpartition("\n")
    record = Path(git_dir) / LAST_AUDIT
    if found.returncode:
        revision = NO_COMMIT
    if last_audited(record) == revision:
        return None
    problems = audit_revision(repo, revision) if revision else report_lost_head(repo)
    if not revision and not problems:
        return None
    return UnseenHead(revision=revision, problems=problems, record=record)


def audit_new_head(repo: Repo) -> list[str]:
    """Return what is wrong at HEAD, once for each HEAD: the same one again has no problems.

    Raises:
        CheckError: there is no verdict.
    """
    unseen = audit_unseen_head(repo)
    if unseen is None:
        return []
    unseen.remember()
    return unseen.problems


def audit_committed(repo: Repo) -> list[str]:
    """Return what is wrong with the tree at HEAD, by all rules, whether it was audited or not.

    A clean verdict makes HEAD the accepted revision. An invalid one leaves no trace, so that the
    next turn still reports it.

    Args:
        repo: main checkout or linked worktree of a memory repository.
    Returns:
        Problem lines as the hook prints them. Empty if valid, or if nothing is committed yet.
    Raises:
        CheckError: there is no verdict. An invalid tree is a result, not an error.
    """
    revision = repo.head()
    return audit_revision(repo, revision) if revision else []


def last_audited(record: Path) -> str | None:
    """Return the revision an audit record names; None when there is none or it is unreadable."""
    try:
        return str(json.loads(record.read_text("utf-8"))["revision"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def audit_revision(repo: Repo, revision: str) -> list[str]:
    """Return what is wrong with one commit, judged as a single change of the accepted state.

    Its policy and protected files must be the accepted ones, and a flat skill must have been
    there before. The commit is read into a throwaway index: the real index and the working tree
    are untouched.

    Raises:
        CheckError: there is no verdict; never the same as a clean one.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="mini-letta-audit-") as folder:
            place = place_of(repo, index=Path(folder) / "index")
            repo.run("read-tree", revision, extra_env={"GIT_INDEX_FILE": place.index})
            return judge_against_accepted(place, revision)
    except (OSError, ValueError, GitError) as error:
        raise CheckError(f"the audit of {repo.dir} could not run: {error}") from error


def report_lost_head(repo: Repo) -> list[str]:
    """Return one problem if HEAD holds no commit although one was accepted here before.

    Raises:
        CheckError: the accepted record is unreadable.
    """
    try:
        record = current_record(place_of(repo))
    except (OSError, ValueError) as error:
        raise CheckError(f"the audit of {repo.dir} could not run: {error}") from error
    accepted = record and record["revision"]
    if not accepted:
        return []
    return [f"HEAD: no commit is here, but {accepted[:12]} was; see `git log {accepted[:12]}`"]


def judge_against_accepted(place: Place, revision: str) -> list[str]:
    """Return the problems of the tree in ``place.index``; without any, accept ``revision``."""
    record = current_record(place)
    first = record or first_record(place, revision)
    problems = judge_against(place, first, revision)
    accepted = first if problems else {**first, "revision": revision}
    if accepted != record:
        write_record(place.git_dir, accepted)
    return problems


def judge_against(place: Place, record: Record, revision: str) -> list[str]:
    """Return the problems of the tree in ``place.index`` as a change of the accepted state."""
    tree, _ = read_index(place)
    objects = read_objects(place, revision_objects(revision), judged_blobs(tree))
    accepted = accepted_state(place, record, state_at(place, revision, objects))
    known = record["revision"]
    before = State(accepted.policy, (lambda: read_tree(place, known)) if known else dict)
    layout = find_layout(place, read_policy_name(place.common_dir), tree, accepted)
    return judge(
        place, tree, objects, previous=before, accepted=accepted, approved=False, layout=layout
    )[0]

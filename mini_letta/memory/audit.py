"""The second line of defence: judge what was committed, whoever committed it and however.

A hook can be skipped (``--no-verify``, a merge, a clone without hooks). The audit reads HEAD
into a throwaway index and runs all the rules there, once for each new HEAD.

Source: chapter 7, "The audit". Introduced in v1.0.
"""

import json
import tempfile
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
from mini_letta.memory.hooks import replace_file
from mini_letta.memory.staged import Place, read_index, read_objects, read_tree

LAST_AUDIT = "mini-letta-last-audit.json"


def audit_new_head(repo: Repo) -> list[str]:
    """Return what is wrong at HEAD if this HEAD was never audited; empty otherwise.

    One git process when HEAD has not moved. The record lies in the git dir of *this* checkout,
    never in a path built as ``.git/``, which is a file in a linked worktree.

    Raises:
        GitError: git failed in a way that is no verdict.
    """
    found = repo.run("rev-parse", "--absolute-git-dir", "HEAD", check=False)
    if found.returncode:  # nothing is committed yet
        return []
    git_dir, revision = found.text.rsplit("\n", 1)
    record = Path(git_dir) / LAST_AUDIT
    if last_audited(record) == revision:
        return []
    problems = audit_revision(repo, revision)
    note = json.dumps({"revision": revision, "ok": not problems})
    replace_file(record, note + "\n", mode=0o644)
    return problems


def audit_committed(repo: Repo) -> list[str]:
    """Return what is wrong with the tree at HEAD, by all rules, whether it was audited or not.

    A clean verdict makes HEAD the accepted revision. An invalid one leaves no trace, so that the
    next turn still reports it.

    Args:
        repo: main checkout or linked worktree of a memory repository.
    Returns:
        Problem lines as the hook prints them. Empty if valid, or if nothing is committed yet.
    Raises:
        GitError: git failed. An invalid tree is a result, not an error.
    """
    revision = repo.head()
    return audit_revision(repo, revision) if revision else []


def last_audited(record: Path) -> str | None:
    """Return the revision an audit record names; None when there is none or it is unreadable."""
    try:
        return str(json.loads(record.read_text("utf-8"))["revision"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def audit_revision(repo: Repo, revision: str) -> list[str]:
    """Return what is wrong with one commit, judged as a single change of the accepted state.

    Its policy and protected files must be the accepted ones, and a flat skill must have been
    there before. The commit is read into a throwaway index: the real index and the working tree
    are untouched. An audit that could not run is not a clean one.
    """
    with tempfile.TemporaryDirectory(prefix="mini-letta-audit-") as folder:
        try:
            place = place_of(repo, index=Path(folder) / "index")
            repo.run("read-tree", revision, extra_env={"GIT_INDEX_FILE": place.index})
            record = current_record(place)
            first = record or first_record(place, revision)
            problems = judge_against(place, first, revision)
            if not problems:
                first = {**first, "revision": revision}
            if first != record:
                write_record(place.git_dir, first)
        except (OSError, ValueError, GitError) as error:
            return [f"the audit could not run: {error}"]
    return problems


def judge_against(place: Place, record: Record, revision: str) -> list[str]:
    """Return the problems of the tree in ``place.index`` as a change of the accepted state."""
    tree, _ = read_index(place)
    objects = read_objects(place, revision_objects(revision), judged_blobs(tree))
    accepted = accepted_state(place, record, state_at(place, revision, objects))
    known = record["revision"]
    before = State(accepted.policy, (lambda: read_tree(place, known)) if known else dict)
    return judge(place, tree, objects, previous=before, accepted=accepted, approved=False)[0]

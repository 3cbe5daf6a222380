"""First versions of the audit that never reached a stage, kept so that we can watch them fail.

Each function takes a stage and returns it with the wrong draft in place of its audit.

* :func:`audit_what_this_turn_moved` audits only when HEAD moved *during* the turn. What a person
  or another process committed between two turns is never looked at.
* :func:`record_below_dot_git` audits every new HEAD, but builds the path of its record as
  ``<memory>/.git/...``. In a linked worktree ``.git`` is a file, so the write fails.

Chapter 7, "The audit and its two wrong drafts".
"""

import json
from dataclasses import replace

from mini_letta.audit_notice import describe_invalid_head
from mini_letta.harness import Harness, Notice
from mini_letta.memory.audit import audit_committed
from mini_letta.session import Session


def audit_what_this_turn_moved(harness: Harness) -> Harness:
    """Return the stage with an audit that compares HEAD before and after its own turn."""
    seen: list[str | None] = [None]

    def remember_head(session: Session) -> list[Notice]:
        seen[0] = session.repo.head()
        return []

    def report_if_moved(session: Session) -> list[Notice]:
        # Wrong: whatever happened before the turn began looks as if it had always been there.
        return [] if session.repo.head() == seen[0] else _report_invalid_head(session)

    return replace(harness, before_turn=(remember_head,), after_turn=(report_if_moved,))


def record_below_dot_git(harness: Harness) -> Harness:
    """Return the stage with an audit that takes ``.git`` for a folder."""
    return replace(
        harness,
        before_turn=(report_new_head_below_dot_git,),
        after_turn=(report_new_head_below_dot_git,),
    )


def report_new_head_below_dot_git(session: Session) -> list[Notice]:
    """Report an invalid HEAD once, remembering it in a file below ``.git``."""
    # Wrong: ask git for the git dir of this checkout instead of joining ".git".
    record = session.repo.dir / ".git" / "mini-letta-last-audit.json"
    revision = session.repo.head()
    if record.exists() and json.loads(record.read_text("utf-8"))["revision"] == revision:
        return []
    notices = _report_invalid_head(session)
    note = json.dumps({"revision": revision, "ok": not notices})
    record.write_text(note + "\n", encoding="utf-8")
    return notices


def _report_invalid_head(session: Session) -> list[Notice]:
    problems = audit_committed(session.repo)
    if not problems:
        return []
    return [Notice(text=describe_invalid_head(session.repo.head() or "", problems))]

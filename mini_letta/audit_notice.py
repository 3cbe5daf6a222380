"""The second line of defence, as the model hears of it.

Chapter 7, "The audit". ``--no-verify``, a merge, a rebase or a clone without hooks put a commit at
HEAD that the hook never saw; whoever moved HEAD, the model is told, once per HEAD. Introduced in
v1.0.
"""

from mini_letta.git import GitError
from mini_letta.harness import Notice
from mini_letta.memory.audit import audit_unseen_head
from mini_letta.memory.repo import CheckError
from mini_letta.session import Session

STATE = "MEMORY INVALID"


def report_unaudited_head(session: Session) -> list[Notice]:
    """Return one notice if HEAD is new since the last audit and invalid, else nothing.

    An audit that could not run is reported as well, each time until it can.
    """
    try:
        unseen = audit_unseen_head(session.repo)
    except (CheckError, GitError) as error:
        return [Notice(text=describe_missing_verdict(str(error)))]
    if unseen is None:
        return []
    if unseen.problems:
        text = describe_invalid_head(unseen.revision, unseen.problems)
        return [Notice(text=text, stored=unseen.remember)]
    unseen.remember()
    return []


def describe_missing_verdict(reason: str) -> str:
    """Return what the model is told when nobody knows whether HEAD is valid."""
    return (
        f"{STATE}: nobody knows whether the commit at HEAD keeps the rules of this memory.\n"
        f"  {reason}\n"
        "Until the audit can run, memory counts as invalid. Tell the user what it says, and do "
        "not edit files below .git yourself."
    )


def describe_invalid_head(revision: str, problems: list[str]) -> str:
    """Return what the model is told: the state, each problem on its line, what to do."""
    lines = "\n".join(f"  {problem}" for problem in problems)
    return (
        f"{STATE}: the commit at HEAD ({revision[:7] or 'none'}) breaks the rules of this memory.\n"
        f"It did not pass the commit hook.\n{lines}\n"
        "Correct these files, stage exactly them with `git add -- FILE`, and make a fixing commit."
        "\nNothing was undone for you. Do not use --no-verify, and do not raise limits without the "
        "user."
    )

"""What the model is told about an invalid HEAD."""

from pathlib import Path

from mini_letta.audit_notice import describe_invalid_head, report_unaudited_head
from mini_letta.harness import Notice
from tests.kit import MISSING, bypass, open_agent


def test_the_notice_names_commit_problem_and_cure() -> None:
    """The whole text."""
    assert describe_invalid_head("0123456789", ["a.md: bad", "b.md: worse"]) == (
        "MEMORY INVALID: the commit at HEAD (0123456) breaks the rules of this memory.\n"
        "It did not pass the commit hook.\n"
        "  a.md: bad\n"
        "  b.md: worse\n"
        "Correct these files, stage exactly them with `git add -- FILE`, and make a fixing commit."
        "\nNothing was undone for you. Do not use --no-verify, and do not raise limits without the "
        "user."
    )


def test_an_invalid_head_is_reported_once(home: Path, env: dict[str, str]) -> None:
    """Once per new HEAD, and never a valid one."""
    session = open_agent(home, env)
    assert report_unaudited_head(session) == []
    head = bypass(session)
    told = [Notice(text=describe_invalid_head(head, [MISSING]))]
    assert report_unaudited_head(session) == told
    assert report_unaudited_head(session) == []

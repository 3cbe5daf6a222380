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
    told = report_unaudited_head(session)
    assert told == [Notice(text=describe_invalid_head(head, [MISSING]))]
    told[0].stored()
    assert report_unaudited_head(session) == []


def test_a_notice_that_was_not_stored_is_reported_again(home: Path, env: dict[str, str]) -> None:
    """A crash between the audit and the stored notice repeats it; it never loses it."""
    session = open_agent(home, env)
    bypass(session)
    assert report_unaudited_head(session) == report_unaudited_head(session) != []


def test_an_audit_that_cannot_run_is_told_as_such(home: Path, env: dict[str, str]) -> None:
    """It does not accuse the commit, and it comes back until there is a verdict."""
    session = open_agent(home, env)
    (session.repo.git_dir() / "mini-letta-accepted.json").write_text("{")
    for _ in range(2):
        (notice,) = report_unaudited_head(session)
        notice.stored()
        assert notice.text.startswith("MEMORY INVALID: nobody knows whether the commit at HEAD ")
        assert "is damaged: move it away" in notice.text

"""`sessions`, `compact` and `--conversation`: what was said, from the command line."""

import json
from pathlib import Path

from tests.cli.kit import Cli


def log_of(cli: Cli, name: str = "default.main") -> Path:
    """Return the file of a session."""
    return cli.folder / ".mini-letta" / "sessions" / f"{name}.jsonl"


def test_what_was_said_is_there_in_the_next_process(cli: Cli) -> None:
    """`say` goes on with the conversation; `sessions show` prints it with labels."""
    cli.call("say", "my cat is called Ada")
    cli.call("say", "ping")
    lines = cli.call("sessions", "show").out.splitlines()
    said = [line.split(maxsplit=3)[1:] for line in lines if "user/message" in line]
    assert said == [
        ["current", "user/message", "my cat is called Ada"],
        ["current", "user/message", "ping"],
    ]


def test_a_conversation_of_another_name_has_a_log_of_its_own(cli: Cli) -> None:
    """Both are listed, with their turns."""
    cli.call("say", "--conversation", "trip", "ping")
    cli.call("say", "ping")
    cli.call("say", "ping")
    found = cli.json("sessions", "list")
    assert [(row["id"], row["turns"]) for row in found] == [
        ("default.main", 2),
        ("default.trip", 1),
    ]


def test_a_conversation_id_is_a_plain_name(cli: Cli) -> None:
    """It names a file, so it may not leave the folder."""
    answer = cli.call("say", "--conversation", "../x", "ping")
    assert (answer.code, "cannot be an id" in answer.err) == (2, True)


def test_compact_prints_the_summary_and_says_when_there_is_none(cli: Cli) -> None:
    """A single turn is kept; with a second one the first becomes a line of a summary."""
    cli.call("say", "my cat is called Ada")
    assert "nothing to compact" in cli.call("compact").out
    cli.call("say", "ping")
    answer = cli.call("compact")
    assert answer.out.splitlines()[-1] == "- my cat is called Ada"
    assert "2 messages were replaced by a summary" in answer.err


def test_compact_arrives_in_v0_4(cli: Cli) -> None:
    """An earlier stage keeps no history and says where it begins."""
    answer = cli.call("--at", "v0.3", "compact")
    assert (answer.code, "it arrives in v0.4" in answer.err) == (2, True)


def test_a_damaged_log_is_named_and_can_be_moved_away(cli: Cli) -> None:
    """`say` refuses with exit code 3, `sessions list` shows the others, nothing is lost."""
    cli.call("say", "ping")
    cli.call("say", "--conversation", "trip", "ping")
    log_of(cli).write_bytes(b"garbage\n")
    answer = cli.call("say", "ping")
    assert (answer.code, "line 1: it is not JSON" in answer.err) == (3, True)
    assert cli.call("sessions", "show").code == 3
    damaged, good = cli.json("sessions", "list")
    assert ("line 1" in damaged["damage"], good["damage"]) == (True, "")
    assert log_of(cli).read_bytes() == b"garbage\n"
    log_of(cli).rename(cli.folder / "away")
    assert cli.call("say", "ping").code == 0


def test_a_session_that_does_not_exist_is_a_usage_error(cli: Cli) -> None:
    """The answer says how to find one; a path is not a session."""
    cli.call("say", "ping")
    for name in ("nowhere", "../sessions/default.main"):
        answer = cli.call("sessions", "show", name)
        assert (answer.code, "sessions list" in answer.err) == (2, True)


def test_control_characters_do_not_reach_the_terminal(cli: Cli) -> None:
    """An escape sequence in what was said is shown, not obeyed."""
    cli.call("say", "red \x1b[31m \u202e text")
    shown = cli.call("sessions", "show").out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\ufffd[31m" in shown


def test_sessions_as_json_hold_whole_events(cli: Cli) -> None:
    """A program gets seq, type, label, time and data."""
    cli.call("say", "ping")
    events = cli.json("sessions", "show")
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert json.loads(log_of(cli).read_text().splitlines()[0])["data"] == events[0]["data"]

"""What a process leaves for the next one, and what happens when it is damaged."""

from pathlib import Path

import pytest

from mini_letta.prompt.conversation import Conversation
from mini_letta.prompt.store import (
    ConversationNotSaved,
    ConversationUnreadable,
    load_prompt,
    save_prompt,
)
from mini_letta.providers.protocol import Message


def test_prompt_updates_and_notices_come_back(tmp_path: Path) -> None:
    """Everything but what was said; text that is no valid Unicode too."""
    path = tmp_path / "new" / "c.json"
    update = Message(role="system", text="<memory_update>记忆</memory_update>")
    known = Conversation(
        system="prompt \ud800",
        raw_sha256="r",
        revision="abc",
        rendering_sha256="s",
        messages=[update],
        pending=["MEMORY INVALID"],
    )
    save_prompt(path, known)
    assert load_prompt(path) == known
    known.messages.append(Message(role="user", text="hello"))
    save_prompt(path, known)
    assert load_prompt(path).messages == [update]


def test_a_conversation_that_was_never_stored_is_new(tmp_path: Path) -> None:
    """No file is no error."""
    assert load_prompt(tmp_path / "c.json") == Conversation()


EMPTY = '"raw_sha256":"","revision":null,"rendering_sha256":"","pending":[]}'
NOT_STORED_BY_US = (
    *("", "{", "[]", "null", "{}", '{"version": 2}', '{"version": 1}'),
    '{"version":1,"system":1,"updates":[],' + EMPTY,
    '{"version":1,"system":null,"updates":"text",' + EMPTY,
)


@pytest.mark.parametrize("content", [b"\xff", *(text.encode() for text in NOT_STORED_BY_US)])
def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    """It may hold a notice nobody has seen; a person decides."""
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(ConversationUnreadable, match=r"Move it away .* c\.json\.damaged"):
        load_prompt(path)
    assert path.read_bytes() == content


def test_a_notice_of_another_process_is_kept(tmp_path: Path) -> None:
    """Two processes in one conversation: what one has told is gone, what it never saw is not."""
    path = tmp_path / "c.json"
    save_prompt(path, Conversation(pending=["ONE"]))
    mine = load_prompt(path)
    save_prompt(path, Conversation(pending=["ONE", "TWO"]))
    mine.messages += [Message(role="system", text=text) for text in mine.pending]
    mine.pending.clear()
    save_prompt(path, mine)
    assert load_prompt(path).pending == ["TWO"]


def test_a_file_that_was_damaged_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    """What is in it is for a person to look at."""
    path = tmp_path / "c.json"
    path.write_text("{")
    with pytest.raises(ConversationUnreadable):
        save_prompt(path, Conversation())
    assert path.read_text() == "{"


def test_a_failed_write_is_explained(tmp_path: Path) -> None:
    """Here the folder is a link to nowhere; nothing half-written stays behind."""
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    with pytest.raises(ConversationNotSaved, match="What was stored before is unchanged"):
        save_prompt(tmp_path / "nowhere" / "c.json", Conversation())
    assert [p.name for p in tmp_path.iterdir()] == ["nowhere"]

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


def test_a_failed_write_keeps_what_was_stored(tmp_path: Path) -> None:
    """The error says so, and no half-written file stays behind."""
    path = tmp_path / "c.json"
    (path / "in the way").mkdir(parents=True)
    with pytest.raises(ConversationNotSaved, match="What was stored before is unchanged"):
        save_prompt(path, Conversation())
    assert [p.name for p in tmp_path.iterdir()] == ["c.json"]

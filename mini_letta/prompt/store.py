"""What of a conversation outlives the process: its prompt, the updates to it, unseen notices.

One JSON file a conversation, replaced as a whole so that a crash leaves the old or the new one.
What was said is not in it: history is lost on exit until v0.4. Chapter 8, "Two processes, one
prompt". Introduced in v0.3.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from mini_letta.errors import MiniLettaError
from mini_letta.prompt.conversation import Conversation, is_update
from mini_letta.providers.protocol import Message

FORMAT_VERSION = 1


class ConversationNotSaved(MiniLettaError):
    """The conversation could not be written; what was stored before is still there."""


class ConversationUnreadable(MiniLettaError):
    """The stored conversation was damaged; it is left as it is for a person to look at."""


def load_prompt(path: Path) -> Conversation:
    """Return the conversation stored at ``path``, or a new one when there is none.

    Raises:
        ConversationUnreadable: the file is not what :func:`save_prompt` writes. It is not
            touched, because it may hold a notice that nobody has seen.
    """
    try:
        return _decode(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return Conversation()
    # ValueError: no UTF-8 or no JSON; RecursionError: JSON that nests too deeply to be read
    except (ValueError, KeyError, TypeError, RecursionError, OSError) as error:
        raise ConversationUnreadable(
            f"{path} cannot be read as a stored conversation ({_explain(error)}). Nothing "
            "was changed. Move it away to start this conversation anew, for example to "
            f"{path.name}.damaged"
        ) from error


def save_prompt(path: Path, conversation: Conversation) -> None:
    """Store the prompt, its updates and the unseen notices; replaces the file in one step.

    Of two processes in one conversation the later one decides the prompt; a notice that the other
    has left meanwhile stays.

    Raises:
        ConversationUnreadable: what is stored was damaged meanwhile; it is left alone.
        ConversationNotSaved: the folder cannot be written, or the disk is full.
    """
    updates = [message.text for message in conversation.messages if is_update(message)]
    record = {
        "version": FORMAT_VERSION,
        "system": conversation.system,
        "raw_sha256": conversation.raw_sha256,
        "revision": conversation.revision,
        "rendering_sha256": conversation.rendering_sha256,
        "updates": updates,
        "pending": conversation.pending + _left_by_others(path, conversation),
    }
    # ensure_ascii: text that is no valid Unicode still gives a file that can be read again.
    try:
        _replace(path, json.dumps(record, indent=1).encode("ascii") + b"\n")
    except OSError as error:
        raise ConversationNotSaved(
            f"cannot write {path}: {error.strerror or error}. What was stored before is unchanged. "
            "Make room or make the folder writable, then say it again."
        ) from error


def _left_by_others(path: Path, conversation: Conversation) -> list[str]:
    """Return the stored notices that this process has neither told the model nor holds itself."""
    told = {message.text for message in conversation.messages if message.role == "system"}
    return [
        text
        for text in load_prompt(path).pending
        if text not in told and text not in conversation.pending
    ]


def _decode(record: Any) -> Conversation:
    if record["version"] != FORMAT_VERSION:
        raise ValueError(f"format version {record['version']}, this program reads 1")
    lists = (record["updates"], record["pending"])
    if not all(isinstance(texts, list) for texts in lists):
        raise TypeError("a list is missing")
    texts = [*lists[0], *lists[1], record["raw_sha256"], record["rendering_sha256"]]
    texts += [record["system"] or "", record["revision"] or ""]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a value is not text")
    return Conversation(
        system=record["system"],
        raw_sha256=record["raw_sha256"],
        revision=record["revision"],
        rendering_sha256=record["rendering_sha256"],
        messages=[Message(role="system", text=text) for text in record["updates"]],
        pending=list(record["pending"]),
    )


def _explain(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # Simpler than the session log: no fsync. A killed process loses nothing; after a power
        # cut the file may be damaged, and says so.
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise

"""A prompt that keeps its bytes, and how the model learns of newer memory all the same.

Chapter 8, "When does a change reach the model?". Providers cache a prompt by its first bytes, so
the compiled prompt stays as it is and a new commit is announced in a message after everything
said before. Unlike letta-code, the announcement stays in the conversation until the next full
compile, and a commit that leaves the rendering as it was is not announced. Introduced in v0.3.
"""

import hashlib

from mini_letta.git import Repo
from mini_letta.prompt.conversation import (
    UPDATE_TAG,
    Conversation,
    RenderMemory,
    is_update,
)
from mini_letta.prompt.render import fill_prompt
from mini_letta.providers.protocol import Message


def announce_new_memory(
    repo: Repo, conversation: Conversation, raw_prompt: str, *, render: RenderMemory
) -> list[Message]:
    """Bring the conversation up to date with HEAD and return the messages added to it.

    The first time, and when the raw prompt has changed, this is a full compile and adds nothing.

    Args:
        repo: the memory repository.
        conversation: changed in place.
        raw_prompt: the agent's prompt with its placeholder.
        render: turns a revision into text, normally ``render_committed``.
    """
    if conversation.system is None or conversation.raw_sha256 != _sha256(raw_prompt):
        full_compile(repo, conversation, raw_prompt, render=render)
        return []
    revision = repo.head()
    if revision == conversation.revision:
        return []
    rendering = render(repo, revision)
    conversation.revision = revision
    if _sha256(rendering) == conversation.rendering_sha256:
        return []
    conversation.rendering_sha256 = _sha256(rendering)
    update = Message(role="system", text=_describe_update(revision, rendering))
    conversation.messages.append(update)
    return [update]


def full_compile(
    repo: Repo, conversation: Conversation, raw_prompt: str, *, render: RenderMemory
) -> None:
    """Compile the prompt anew from HEAD; the updates it now contains leave the conversation."""
    revision = repo.head()
    rendering = render(repo, revision)
    conversation.system = fill_prompt(raw_prompt, rendering)
    conversation.raw_sha256 = _sha256(raw_prompt)
    conversation.revision = revision
    conversation.rendering_sha256 = _sha256(rendering)
    conversation.messages[:] = [m for m in conversation.messages if not is_update(m)]


def _describe_update(revision: str | None, rendering: str) -> str:
    return (
        f'{UPDATE_TAG} revision="{revision or "none"}">\n'
        "Your memory has changed. This is all of it at this revision; it overrides every memory "
        "shown earlier in this conversation.\n\n"
        f"{rendering}\n"
        "</memory_update>"
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

"""A session as the model sees it: the fold of its log, turned into a conversation.

Chapter 8, "Current, shadowed, log-only". Everything a process needs to go on is derived from the
log here, and nowhere else is it kept. Introduced in v0.4.
"""

from mini_letta.prompt.conversation import Conversation
from mini_letta.providers.protocol import Message, ToolCall
from mini_letta.sessions.events import ASSISTANT, RESULT, USER, Data, Event
from mini_letta.sessions.fold import Fold

COMPACT = "compact"
UPDATE = "memory-update"
NOTICE = "notice"
"""Parts of the harness that word a message."""


def view(fold: Fold) -> Conversation:
    """Return the conversation a log amounts to.

    After a checkpoint the system prompt is None: the next turn compiles it anew.
    """
    conversation = Conversation()
    cited = {seq for event in fold.events for seq in event.cites or ()}
    for event in fold.events:
        match event.type:
            case "prompt/compiled":
                conversation.system = event.data["system"]
                conversation.raw_sha256 = event.data["rawSha256"]
                _show_memory(conversation, event.data)
            case "memory/shown":
                _show_memory(conversation, event.data)
            case "notice/raised" if event.seq not in cited:
                conversation.pending.append(event.data["text"])
        if event.plugin == COMPACT:
            conversation.system = None
    messages = [to_message(event) for event in fold.current]
    conversation.messages = [m for m in messages if m.text or m.tool_calls or m.role == "tool"]
    return conversation


def to_message(event: Event) -> Message:
    """Return what the model reads of one event.

    The harness speaks as ``system``. A checkpoint speaks as ``user``: a summary holds what users
    and tools said, which must not come with the system's authority.
    """
    content = event.data["content"]
    text = "\n".join(block["text"] for block in content if block["type"] == "text")
    if event.type == RESULT:
        failed, id = event.data["isError"], event.data["callId"]
        return Message(role="tool", text=text, tool_call_id=id, failed=failed)
    if event.type == USER:
        is_harness = event.plugin not in (None, COMPACT)
        return Message(role="system" if is_harness else "user", text=text)
    calls = [
        ToolCall(id=block["id"], name=block["name"], arguments=block["arguments"])
        for block in content
        if block["type"] == "tool-call"
    ]
    return Message(role="assistant", text=text, tool_calls=tuple(calls))


def to_data(message: Message, *, plugin: str | None = None) -> tuple[str, Data]:
    """Return type and data of the event that says what ``message`` says.

    Args:
        message: of any role.
        plugin: which part of the harness worded it; None for a person's, model's or tool's.
    """
    content = [{"type": "text", "text": message.text}] if message.text else []
    if message.role == "tool":
        call = {"callId": message.tool_call_id or "", "isError": message.failed}
        return RESULT, {**call, "content": content}
    if message.role == "assistant":
        calls = [
            {"type": "tool-call", "id": call.id, "name": call.name, "arguments": call.arguments}
            for call in message.tool_calls
        ]
        return ASSISTANT, {"content": [*content, *calls]}
    source = {"kind": "plugin", "plugin": plugin} if plugin else {"kind": "user"}
    return USER, {"source": source, "content": content}


def _show_memory(conversation: Conversation, data: Data) -> None:
    conversation.revision = data.get("revision")
    conversation.rendering_sha256 = data["renderingSha256"]

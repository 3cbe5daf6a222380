"""A model that needs no network: a few rules from the conversation to the next reply.

Chapter 6, "What the mock decides, and what not". Each rule is a *plan*, a generator that yields a
tool call and is sent its result; what it returns is the last word. The model keeps nothing between
calls: every call runs the plan again over the results that are already in the conversation. Same
input, same bytes, on every machine. It decides only what to say and which tool to call. Introduced
in v0.2.
"""

import json
import re
from collections.abc import Callable, Sequence

from mini_letta.errors import MiniLettaError
from mini_letta.providers import plans
from mini_letta.providers.mischief import MODES
from mini_letta.providers.plans import Call, Plan
from mini_letta.providers.protocol import SUMMARY_REQUEST, Message, Reply, ToolCall, ToolSpec
from mini_letta.providers.repair_plan import fix_memory

# What the user says -> what the model does. The first that matches decides; a group is the text.
RULES: tuple[tuple[str, Callable[..., Plan]], ...] = (
    (re.escape(SUMMARY_REQUEST), plans.summarise),
    (r"(?:设定|persona)\s*[:：]\s*(.+)", plans.set_persona),
    (r"(?:请)?记住\s*[:：，,]?\s*(.+)", plans.remember),
    (r"(?:please )?remember(?: that)?\b\s*[:,]?\s*(.+)", plans.remember),
    (r"(以后.+)", plans.remember),
    (r"(?:运行|run)\s*[:：]\s*(.+)", plans.run_command),
    (r"(?:请)?(?:修复|修一下).*|(?:please )?(?:fix|repair)\b.*", fix_memory),
    (r"(?:你)?(?:记得什么|知道我什么)\W*|我是谁\W*", plans.recall),
    (r"who am i\W*|what do you (?:know|remember)\b.*", plans.recall),
    (r"(?:在吗|你好|ping|hello|hi)\W*", plans.answer),
)


class UnknownMischief(MiniLettaError):
    """There is no such mode."""

    exit_code = 2


class ScriptExhausted(MiniLettaError):
    """A scripted model was asked for one reply more than it was given."""


class MockModel:
    """Follows :data:`RULES`, honestly or in one of the bad manners of ``mischief.py``."""

    def __init__(self, mischief: str | None = None) -> None:
        """Choose the manners: None is honest.

        Raises:
            UnknownMischief: no such mode.
        """
        if mischief is not None and mischief not in MODES:
            raise UnknownMischief(f"there is no mischief {mischief!r}. Modes: {', '.join(MODES)}.")
        self.mischief = mischief

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """Return the next step of the plan that the last user message calls for."""
        heard = max((at for at, m in enumerate(messages) if m.role == "user"), default=None)
        if heard is None:
            return Reply(text="")
        text = messages[heard].text.strip()
        context = plans.Context(
            is_chinese=bool(re.search(r"[\u4e00-\u9fff]", text)),
            seen=tuple(messages[:heard]),
        )
        plan = make_plan(text, context)
        if self.mischief is not None:
            plan = MODES[self.mischief](text, context, plan)
        results = [message for message in messages[heard + 1 :] if message.role == "tool"]
        return _next_reply(plan, results)


class Scripted:
    """Gives the replies it was given, in order, and remembers what it was shown."""

    def __init__(self, replies: Sequence[Reply | str]) -> None:
        """Take the replies; a string is a reply without tool calls."""
        self.replies = [Reply(text=r) if isinstance(r, str) else r for r in replies]
        self.seen: list[tuple[Message, ...]] = []
        """The messages of each call, oldest first."""

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """Return the next reply."""
        self.seen.append(tuple(messages))
        if len(self.seen) > len(self.replies):
            raise ScriptExhausted(
                f"the script has {len(self.replies)} replies and was asked for one more. Add the "
                "reply that ends the turn."
            )
        return self.replies[len(self.seen) - 1]


def make_plan(text: str, context: plans.Context) -> Plan:
    """Return what an honest model does about one user message."""
    for pattern, rule in RULES:
        found = re.fullmatch(pattern, text, re.IGNORECASE | re.DOTALL)
        if found:
            return rule(context, *found.groups())
    return plans.admit_ignorance(context, text)


def _next_reply(plan: Plan, results: Sequence[Message]) -> Reply:
    try:
        call = next(plan)
        for result in results:
            call = plan.send(result)
    except StopIteration as end:
        return Reply(text=end.value)
    return Reply(text=call.words, tool_calls=(_tool_call(call, number=len(results) + 1),))


def _tool_call(call: Call, *, number: int) -> ToolCall:
    arguments = call.raw_arguments
    if arguments is None:
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    return ToolCall(id=f"call-{number}", name=call.tool, arguments=arguments)

"""What the mock does about a user message: one generator for each thing it can do.

A plan yields a :class:`Call`, is sent the tool message that answers it, and returns its last word.
Chapter 6, "The mock". Introduced in v0.2.
"""

import re
import shlex
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from mini_letta.providers.protocol import Message

REFUSAL = "Memory validation failed:"
INVALID = "MEMORY INVALID"
CUT = "\n[cut after "
HEADER = {
    "human.md": ("Human", "What I know about you"),
    "persona.md": ("Persona", "Who I am"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call a plan asks for."""

    tool: str
    """Name of the tool."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Parameter name -> value."""
    raw_arguments: str | None = None
    """The text of the arguments, when it is to differ from proper JSON."""
    words: str = ""
    """Said along with the call."""


Plan = Generator[Call, Message, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a plan knows besides the user's words."""

    is_chinese: bool
    """The user writes Chinese, so does the model."""
    seen: tuple[Message, ...]
    """All messages before the user's, the system prompt first."""

    def say(self, english: str, chinese: str) -> str:
        """Return the words in the user's language."""
        return chinese if self.is_chinese else english


def remember(context: Context, note: str) -> Plan:
    """Append a line to human.md and commit it."""
    before = yield read_file("human.md")
    line = "- " + " ".join(note.split())
    if not before.failed and line in before.text.split("\n"):
        return context.say(f"I know: {line[2:]}.", f"我已经记得：{line[2:]}。")
    old = _open_text("human.md", before)
    text = old + ("" if old.endswith("\n") else "\n") + line + "\n"
    refused = yield from save("human.md", before, text, reason=f"Remember: {line[2:]}")
    if refused is not None:
        return explain_refusal(context, refused)
    return context.say(f"I will remember: {line[2:]}.", f"记住了：{line[2:]}。")


def set_persona(context: Context, persona: str) -> Plan:
    """Replace what persona.md says below its frontmatter and commit it."""
    before = yield read_file("persona.md")
    header = _frontmatter(_open_text("persona.md", before)) or _new_header("persona.md")
    text = f"{header}{persona.strip()}\n"
    if not before.failed and before.text == text:
        return context.say("That is who I am already.", "我已经是这样了。")
    refused = yield from save("persona.md", before, text, reason="Change persona")
    if refused is not None:
        return explain_refusal(context, refused)
    return context.say(f"From now on: {persona.strip()}", f"好的，从现在起：{persona.strip()}")


def run_command(context: Context, command: str) -> Plan:
    """Run one command of the user and say how it ended."""
    result = yield shell(command)
    if result.failed:
        return context.say("That failed; the output is above.", "命令失败了，输出见上。")
    return context.say("Done.", "完成。")


def recall(context: Context) -> Plan:
    """Repeat what the newest memory in the conversation says about the user."""
    yield from ()
    told = [m.text for m in context.seen if m.role == "system" and "<human>" in m.text]
    block = told[-1].split("<human>")[1].split("</human>")[0] if told else ""
    lines = [line for line in block.strip().splitlines() if not line.startswith("<description>")]
    known = "\n".join(lines) or context.say("nothing yet", "还什么都不知道")
    return context.say(f"This is what I know about you:\n{known}", f"我对你的了解：\n{known}")


def summarise(context: Context) -> Plan:
    """List what the user said; an earlier list is taken over, so that a summary keeps its own."""
    yield from ()
    said = [message.text for message in context.seen if message.role == "user"]
    is_chinese = any("\u4e00" <= letter <= "\u9fff" for text in said for letter in text)
    head = "用户说过：" if is_chinese else "The user said:"
    return "\n".join([head, *(line for text in said for line in _in_short(text))])


def answer(context: Context) -> Plan:
    """Say that somebody is there."""
    yield from ()
    return context.say("I am here.", "在。") + mention_notice(context)


def admit_ignorance(context: Context, text: str) -> Plan:
    """Say what can be said instead."""
    yield from ()
    words = context.say(
        f"I heard: {text}\nI am a mock with few rules. Try `remember ...`, `persona: ...`, "
        "`fix`, `run: ...` or `ping`.",
        f"我听到：{text}\n我是只有几条规则的 mock。可以试试：`记住…`、`设定：…`、`修复`、"
        "`运行：…`、`在吗`。",
    )
    return words + mention_notice(context)


def save(
    path: str, before: Message, text: str, *, reason: str
) -> Generator[Call, Message, str | None]:
    """Write and commit one file; returns None, or the output that says why it was refused.

    After a refusal the file is as it was before, so that it does not block later commits.
    """
    if CUT in before.text:
        return f"{path} is too long for me to rewrite"
    if before.failed and "does not exist" not in before.text:
        return before.text  # there is something that could not be read, not to be overwritten
    written = yield write_file(path, text)
    if written.failed:
        return written.text
    result = yield commit(path, reason)
    if not result.failed:
        return None
    name = shlex.quote(path)
    if before.failed:  # there was no such file
        yield shell(f"git rm --quiet --force -- {name}")
    else:
        yield write_file(path, before.text)
        yield shell(f"git restore --staged -- {name}")
    return result.text


def read_file(path: str) -> Call:
    """Return the call that reads a file."""
    return Call(tool="read_file", arguments={"path": path})


def write_file(path: str, content: str) -> Call:
    """Return the call that writes a file."""
    return Call(tool="write_file", arguments={"path": path, "content": content})


def shell(command: str) -> Call:
    """Return the call that runs a command."""
    return Call(tool="shell", arguments={"command": command})


def commit(path: str, reason: str, *options: str) -> Call:
    """Return the call that commits exactly one file."""
    words = " ".join(["git commit", *options, "-m", shlex.quote(reason)])
    return shell(f"git add -- {shlex.quote(path)} && {words}")


def first_problem(output: str) -> str:
    """Return the first problem line of a refusal, else the first line there is."""
    _, refused, problems = output.partition(REFUSAL)
    lines = [line.strip() for line in (problems if refused else output).splitlines()]
    return next((line for line in lines if line), "no output")


def explain_refusal(context: Context, output: str) -> str:
    """Return what the model tells the user after a commit was refused."""
    problem = first_problem(output)
    return context.say(
        f"The memory did not accept that: {problem}\n"
        "Nothing was committed, and I put the file back as it was. Next: ask for something that "
        "fits the rule, change the rule yourself, or say `fix` if the problem is an older one.",
        f"记忆没有接受这次改动：{problem}\n"
        "什么都没有提交，文件已恢复原样。下一步：换一个符合规则的要求，或由你自己修改规则；"
        "如果问题早就存在，请说“修复”。",
    )


def mention_notice(context: Context) -> str:
    """Return what to tell the user about a notice that came right before their words."""
    for message in reversed(context.seen):
        if message.role != "system":
            break
        if message.text.startswith(INVALID):
            lines = message.text.splitlines()[1:]
            problem = next((line.strip() for line in lines if line.startswith("  ")), "")
            return context.say(
                f"\n{INVALID}: {problem}\nSay `fix` and I restore the last good version.",
                f"\n{INVALID}：{problem}\n请说“修复”，我会恢复最近一个合格的版本。",
            )
    return ""


def _in_short(text: str) -> list[str]:
    """Return the text's list if it has one, else its first line as an entry."""
    lines = text.strip().splitlines()
    return [line for line in lines if line.startswith("- ")] or [f"- {line}" for line in lines[:1]]


def _open_text(path: str, before: Message) -> str:
    """Return the text to go on from: the file's, or a new frontmatter if there is no file."""
    return _new_header(path) if before.failed else before.text


def _new_header(path: str) -> str:
    name, description = HEADER[path]
    return f"---\nname: {name}\ndescription: {description}\n---\n"


def _frontmatter(text: str) -> str:
    """Return the frontmatter with its two lines ``---``, or an empty string."""
    found = re.match(r"---\n(?:.*\n)*?---\n", text)
    return found[0] if found else ""

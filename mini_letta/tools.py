"""What the agent can do: read, write and edit files of its memory, and run bash there.

Chapter 6, "Four tools". Whatever goes wrong in a tool is text for the model; nothing that a model
can write ends a turn with a traceback. Introduced in v0.2.
"""

import codecs
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mini_letta.bash import Outcome, run_bash
from mini_letta.errors import MiniLettaError
from mini_letta.git import hermetic_environment
from mini_letta.paths import OutOfBounds, locate
from mini_letta.providers.protocol import ToolCall, ToolSpec
from mini_letta.session import Session

MAX_READ_CHARS = 100_000
MAX_OUTPUT_CHARS = 16_000
SHELL_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool tells the model."""

    ok: bool
    """It did what was asked."""
    text: str
    """For the model to read; ends with the next step when it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One thing the agent can do."""

    name: str
    """What the model calls it by."""
    description: str
    """For the model."""
    parameters: Mapping[str, str]
    """Parameter name -> what it means; each is a string and required."""
    function: Callable[..., ToolResult]
    """Called as ``function(session, **arguments)``."""

    @property
    def spec(self) -> ToolSpec:
        """The tool as the model sees it."""
        return ToolSpec(name=self.name, description=self.description, parameters=self.parameters)


def run_tool(tools: tuple[Tool, ...], session: Session, call: ToolCall) -> ToolResult:
    """Carry out one call of the model; whatever is wrong with it becomes a result."""
    tool = next((tool for tool in tools if tool.name == call.name), None)
    if tool is None:
        names = ", ".join(tool.name for tool in tools)
        return _failure(f"there is no tool {call.name!r}. Tools: {names}.")
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError) as error:
        return _failure(f"the arguments of {tool.name} are not JSON: {error}. Call it again.")
    problem = _check_arguments(tool, arguments)
    if problem:
        return _failure(f"{problem} Call it again.")
    try:
        return tool.function(session, **arguments)
    except MiniLettaError as error:
        return _failure(str(error))
    except OSError as error:  # its own text names places on this machine
        return _failure(f"{tool.name} failed: {error.strerror or error}.")
    except UnicodeError as error:
        return _failure(f"{tool.name} was given characters that cannot be stored: {error}.")


def read_file(session: Session, *, path: str) -> ToolResult:
    """Return the text of a file, its beginning if it is long."""
    file = _regular_file(session, path)
    with file.open("rb") as stream:
        raw = stream.read(MAX_READ_CHARS * 4 + 1)
        is_whole = not stream.read(1)
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(raw, final=is_whole)
    except UnicodeDecodeError:
        return _failure(f"{path} is not UTF-8 text. Look at it with `shell`.")
    if is_whole and len(text) <= MAX_READ_CHARS:
        return ToolResult(ok=True, text=text)
    cut = f"[cut after {MAX_READ_CHARS} characters; read the rest with `shell`]"
    return ToolResult(ok=True, text=f"{text[:MAX_READ_CHARS]}\n{cut}")


def write_file(session: Session, *, path: str, content: str) -> ToolResult:
    """Create or replace a file; nothing is committed."""
    file = locate(session.repo.dir, path)
    if file.exists() and not file.is_file():
        return _failure(f"{path} is not a file. Choose another name.")
    raw = content.encode()  # before the file is opened: text that cannot be stored changes nothing
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(raw)
    return ToolResult(ok=True, text=f"wrote {path} ({len(content)} characters), not committed yet")


def edit_file(session: Session, *, path: str, old: str, new: str) -> ToolResult:
    """Replace the one place in a file where ``old`` stands; nothing is committed."""
    file = _regular_file(session, path)
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        return _failure(f"{path} is not UTF-8 text. Change it with `shell`.")
    count = text.count(old) if old else 0
    if count != 1:
        found = f"occurs {count} times" if count else "does not occur"
        return _failure(f"`old` {found} in {path}. Read the file and give a text that occurs once.")
    file.write_bytes(text.replace(old, new).encode())
    return ToolResult(ok=True, text=f"edited {path}, not committed yet")


def shell(session: Session, *, command: str) -> ToolResult:
    """Run bash in the memory folder, in an environment that never carries the approval."""
    if "\0" in command:
        return _failure("a command cannot contain a NUL character.")
    env = hermetic_environment(session.env, now=session.clock())
    # A memory folder that has lost its .git must not be taken for part of a repository around it.
    env["GIT_CEILING_DIRECTORIES"] = str(session.repo.dir.parent)
    outcome = run_bash(
        command,
        dir=session.repo.dir,
        env=env,
        timeout_s=SHELL_TIMEOUT_S,
        max_chars=MAX_OUTPUT_CHARS,
    )
    return ToolResult(ok=outcome.exit_code == 0, text=_describe_outcome(outcome))


def _describe_outcome(outcome: Outcome) -> str:
    """Return the output and, below it, what it does not show."""
    lines = [outcome.output.rstrip("\n")] if outcome.output.strip("\n") else []
    if outcome.is_cut:
        lines.append(f"[output cut after {MAX_OUTPUT_CHARS} characters]")
    if outcome.exit_code is None:
        lines.append(f"[stopped after {SHELL_TIMEOUT_S:.0f} seconds]")
    elif outcome.exit_code:
        lines.append(f"exit={outcome.exit_code}")
    return "\n".join(lines)


def _regular_file(session: Session, path: str) -> Path:
    file = locate(session.repo.dir, path)
    if not file.is_file():  # reading a named pipe would wait for ever
        what = "is not a file" if file.exists() else "does not exist"
        raise OutOfBounds(f"{path} {what}. List the memory with `shell`: git ls-files")
    return file


def _check_arguments(tool: Tool, arguments: object) -> str:
    """Return what is wrong with the arguments as one sentence, or an empty string."""
    wanted = ", ".join(tool.parameters)
    if not isinstance(arguments, dict):
        return f"the arguments of {tool.name} are not a JSON object. It takes: {wanted}."
    missing = [name for name in tool.parameters if name not in arguments]
    unknown = [name for name in arguments if name not in tool.parameters]
    if missing or unknown:
        wrong = [f"no {name!r}" for name in missing] + [f"an unknown {name!r}" for name in unknown]
        return f"{tool.name} was called with {' and '.join(wrong)}. It takes: {wanted}."
    not_text = [name for name, value in arguments.items() if not isinstance(value, str)]
    return f"{tool.name}: {not_text[0]!r} is not a string." if not_text else ""


def _failure(text: str) -> ToolResult:
    return ToolResult(ok=False, text=text)


TOOLS = (
    Tool(
        name="read_file",
        description="Read a text file of your memory.",
        parameters={"path": "path relative to your memory folder, such as human.md"},
        function=read_file,
    ),
    Tool(
        name="write_file",
        description="Create or replace a text file of your memory. Commit it afterwards.",
        parameters={"path": "path relative to your memory folder", "content": "the whole text"},
        function=write_file,
    ),
    Tool(
        name="edit_file",
        description="Replace a passage that occurs exactly once. Commit the file afterwards.",
        parameters={
            "path": "path relative to your memory folder",
            "old": "the passage as it is now",
            "new": "what it becomes",
        },
        function=edit_file,
    ),
    Tool(
        name="shell",
        description="Run a bash command in your memory folder, for example git.",
        parameters={"command": "the command line"},
        function=shell,
    ),
)
"""The tools every stage has."""

"""The memory as it lies in the folder, committed or not.

Chapter 6, "The first prompt", and its pitfall: a file that somebody has just spoiled, and that no
commit would ever let in, is what the model believes. v0.3 reads HEAD instead
(``prompt/compile.py``). Introduced in v0.2.
"""

from pathlib import Path

from mini_letta.git import Repo
from mini_letta.prompt.conversation import Conversation, RenderMemory
from mini_letta.prompt.render import fill_prompt, render_tree
from mini_letta.providers.protocol import Message


def compile_working_tree(repo: Repo, raw_prompt: str) -> str:
    """Return the system prompt with the memory as it is in the folder right now."""
    return fill_prompt(raw_prompt, render_working_tree(repo, None))


def render_working_tree(repo: Repo, _revision: str | None) -> str:
    """Return the memory in the folder as text; whatever is committed does not matter."""
    core = {path.name: _read(path) for path in repo.dir.glob("*.md") if path.is_file()}
    indexes = [path.relative_to(repo.dir).as_posix() for path in repo.dir.glob("*/MEMORY.md")]
    return render_tree(core, [*core, *indexes])


def recompile_every_turn(
    repo: Repo, conversation: Conversation, raw_prompt: str, *, render: RenderMemory
) -> list[Message]:
    """Give the conversation a system prompt compiled this moment; announce nothing."""
    conversation.system = fill_prompt(raw_prompt, render(repo, None))
    return []


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")

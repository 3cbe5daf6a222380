"""v0.3: the prompt is compiled from what is committed, and keeps its bytes.

Adds: `render_committed`, shown by `announce_new_memory`: the compiled prompt stays as it is, a new
    commit is announced in a memory update. `load_prompt` and `save_prompt` carry the prompt
    and the notices nobody has seen from one process to the next. The command `prompt --fresh`.
Closes: `uncommitted-in-prompt`.
Leaves: see `no-verify-into-prompt`, `approval-variable`, `bypass-in-prompt` and
    `history-lost-on-exit` among the pitfalls.
Mirrors: mini-letta v0.3, src/prompt/compile.ts; letta-code 0.34.12,
    src/backend/local/system-prompt-compilation.ts; chapter 8.
"""

from mini_letta import v0_2
from mini_letta.prompt.compile import render_committed
from mini_letta.prompt.store import load_prompt, save_prompt
from mini_letta.prompt.update import announce_new_memory

INTRODUCES = ("prompt.compile", "prompt.store", "prompt.update")

HARNESS = v0_2.HARNESS.with_(
    tag="v0.3",
    render_memory=render_committed,
    refresh_prompt=announce_new_memory,
    load_conversation=load_prompt,
    save_conversation=save_prompt,
).add_commands("prompt --fresh")

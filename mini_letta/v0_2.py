"""v0.2: an agent whose memory is a git repository, and the gatekeeper of that repository.

Adds: the tools `read_file`, `write_file`, `edit_file` and `shell`; the commands `agent create`,
    `agent list`, `memory path`, `memory tree`, `memory log`, `memory check`,
    `memory install-hook`, `prompt`, `say` and `chat`. A turn is `run_tool` and at most `20`
    replies of the model; its prompt is `render_working_tree` by `recompile_every_turn`; its
    conversation goes from `start_conversation` to `forget_conversation`, has a place in
    `conversation_file` and its turns are `take_turn_unguarded`. The hook of a new memory is the
    validator `whole_tree`.
Closes: any file, any shape: the hook judges the whole staged tree at each commit.
Leaves: see `no-verify-into-prompt`, `approval-variable`, `uncommitted-in-prompt`,
    `bypass-in-prompt` and `history-lost-on-exit` among the pitfalls.
Mirrors: mini-letta v0.2, src/memory/frontmatter.ts, constraints.ts and hooks.ts; chapters 5 to 7.
"""

from mini_letta.agents import Agent
from mini_letta.harness import Harness
from mini_letta.memory.hooks import WHOLE_TREE
from mini_letta.prompt.conversation import forget_conversation, start_conversation
from mini_letta.prompt.working_tree import recompile_every_turn, render_working_tree
from mini_letta.tools import TOOLS, run_tool
from mini_letta.unlogged_turn import take_turn_unguarded

INTRODUCES = (
    *("agents", "bash", "errors", "first_memory", "git", "harness", "paths", "session", "tools"),
    *(
        "turn",
        "unlogged_turn",
        "memory.accepted",
        "memory.checkout",
        "memory.commit_check",
        "memory.constraints",
    ),
    *("memory.format", "memory.frontmatter", "memory.gate", "memory.glob", "memory.hooks"),
    *("memory.layout", "memory.legacy", "memory.legacy_gate"),
    *("memory.policy", "memory.policy_name", "memory.repo", "memory.settings", "memory.staged"),
    "memory.unfinished",
    *("prompt.conversation", "prompt.render", "prompt.working_tree"),
    *("providers.mischief", "providers.mock", "providers.plans", "providers.protocol"),
    *("providers.repair_plan",),
)

HARNESS = Harness(
    tag="v0.2",
    tools=TOOLS,
    commands=(
        *("agent create", "agent list", "memory path", "memory tree", "memory log"),
        *("memory check", "memory install-hook", "prompt", "say", "chat"),
    ),
    render_memory=render_working_tree,
    refresh_prompt=recompile_every_turn,
    conversation_file=Agent.conversation_file,
    load_conversation=start_conversation,
    save_conversation=forget_conversation,
    take_turn=take_turn_unguarded,
    validator=WHOLE_TREE,
    run_tool=run_tool,
    max_steps=20,
)

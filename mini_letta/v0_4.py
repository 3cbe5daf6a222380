"""v0.4: a conversation is an append-only log, and what the model sees is folded from it.

Adds: `session_log`, opened by `resume_conversation` and saved by `save_to_log`; a turn is
    `take_turn_in_log`, which appends each message when it is said. The step `compact above 40000
    characters` after the turn; the commands `compact`, `sessions list` and `sessions show`.
Closes: `history-lost-on-exit`.
Leaves: see `no-verify-into-prompt`, `approval-variable`, `bypass-in-prompt` and
    `compacted-text-lost` among the pitfalls.
Mirrors: mini-letta v0.4, src/sessions/log.ts and fold.ts; DeepSeek Harness 0.1.1-rc.2,
    packages/session-query; chapter 8.
"""

from mini_letta import v0_3
from mini_letta.agents import Agent
from mini_letta.logged_turn import COMPACT_ABOVE, CompactAbove, take_turn_in_log
from mini_letta.sessions.resume import resume_conversation, save_to_log

INTRODUCES = (
    *("logged_turn", "sessions.compaction", "sessions.describe", "sessions.events"),
    *("sessions.fold", "sessions.log", "sessions.resume", "sessions.view"),
)

HARNESS = (
    v0_3.HARNESS.with_(
        tag="v0.4",
        conversation_file=Agent.session_log,
        load_conversation=resume_conversation,
        save_conversation=save_to_log,
        take_turn=take_turn_in_log,
    )
    .add_commands("compact", "sessions list", "sessions show")
    .append_after_turn(CompactAbove(COMPACT_ABOVE))
)

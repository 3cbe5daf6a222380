"""v1.0: every new HEAD is audited at the start and at the end of a turn, whoever moved it.

For now it stands on v0.4, because the stages between them are not written yet.

Adds: the step `report_unaudited_head`, before and after the turn; the command `memory audit`.
Closes: `no-verify-into-prompt`.
Leaves: see `approval-variable`, `bypass-in-prompt` and `compacted-text-lost` among the pitfalls.
Mirrors: mini-letta v1.0, src/memory/audit.ts; chapter 7.
"""

from mini_letta import v0_4
from mini_letta.audit_notice import report_unaudited_head

INTRODUCES = ("audit_notice", "memory.audit")

HARNESS = (
    v0_4.HARNESS.with_(tag="v1.0")
    .add_commands("memory audit")
    .append_before_turn(report_unaudited_head)
    .append_after_turn(report_unaudited_head)
)

"""Every core case of the recorded hook, through a real ``git commit`` and our installed hook."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from mini_letta.memory.audit import audit_committed
from tests.memory.kit import Case, Memory, copy_of, disagreement, load_cases

CORE = [case for case in load_cases() if case.record["tier"] == "core" and not case.is_quirk]


@pytest.mark.parametrize("case", CORE, ids=lambda case: case.id)
def test_the_hook_agrees_with_the_recorded_one(
    case: Case, templates: Mapping[str, Memory], tmp_path: Path
) -> None:
    """The same verdict, and each problem line of the recorded hook is among ours."""
    memory = copy_of(templates[case.policy], tmp_path / "memory")
    case.commit_head(memory)
    case.stage(memory)
    if case.is_audit:
        memory.bypass()
        lines = audit_committed(memory.repo)
        assert disagreement(case, not lines, lines) is None
    else:
        attempt = memory.attempt(approved=case.is_approved)
        assert "Traceback" not in attempt.output
        assert disagreement(case, attempt.accepted, attempt.output.split("\n")) is None

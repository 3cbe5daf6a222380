"""The other recorded cases in process over a real index, and our decision for each quirk."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from mini_letta.memory.audit import audit_committed, audit_new_head
from mini_letta.memory.repo import check_staged
from tests.memory.kit import (
    Case,
    Memory,
    copy_of,
    disagreement,
    load_cases,
    load_decisions,
)

CASES = load_cases()
FULL = [case for case in CASES if case.record["tier"] == "full" and not case.is_quirk]
QUIRKS = [case for case in CASES if case.is_quirk]
DECISIONS = load_decisions()


@pytest.mark.parametrize("case", FULL, ids=lambda case: case.id)
def test_the_validator_agrees_with_the_recorded_one(
    case: Case, templates: Mapping[str, Memory], tmp_path: Path
) -> None:
    """The same verdict, and each problem line of the recorded validator is among ours."""
    memory = copy_of(templates[case.policy], tmp_path / "memory")
    case.commit_head(memory)
    case.stage(memory)
    if case.is_audit:
        memory.bypass()
        lines = audit_committed(memory.repo)
    else:
        lines = check_staged(memory.repo, approved=case.is_approved)
    assert disagreement(case, not lines, lines) is None


@pytest.mark.long
def test_the_installed_hook_agrees_with_the_recorded_one(
    templates: Mapping[str, Memory], tmp_path: Path
) -> None:
    """The same commits once more, made by git through the installed hook."""
    found = []
    for case in FULL:
        if case.is_audit:
            continue
        memory = copy_of(templates[case.policy], tmp_path / "memory")
        case.commit_head(memory)
        case.stage(memory)
        attempt = memory.attempt(approved=case.is_approved)
        problem = disagreement(case, attempt.accepted, attempt.output.split("\n"))
        found += [f"{case.id}: {problem}"] if problem else []
        shutil.rmtree(memory.dir)
    assert found == []


@pytest.mark.parametrize("case", QUIRKS, ids=lambda case: case.id)
def test_a_quirk_is_decided_as_listed(
    case: Case, templates: Mapping[str, Memory], tmp_path: Path
) -> None:
    """Hook and validator, or the audit, give exactly the listed answer."""
    decision = DECISIONS[case.id]
    memory = copy_of(templates[case.policy], tmp_path / "memory")
    case.commit_head(memory)
    if case.is_audit:
        audit_new_head(memory.repo)  # what is committed now becomes the accepted state
        case.stage(memory)
        if case.record["staged"]:
            memory.bypass()
        lines = audit_committed(memory.repo)
    else:
        case.stage(memory)
        lines = check_staged(memory.repo, approved=case.is_approved)
        attempt = memory.attempt(approved=case.is_approved)
        assert (attempt.accepted, attempt.problems) == (decision["accepted"], lines)
    assert sorted(lines) == decision["problems"]
    assert decision["accepted"] is not bool(lines)


def test_every_quirk_has_a_decision_with_a_reason() -> None:
    """Nothing is excused silently: the list is complete and each entry says why."""
    assert sorted(DECISIONS) == sorted(case.id for case in QUIRKS)
    assert all(decision["reason"].endswith(".") for decision in DECISIONS.values())

"""Fixtures of the memory tests: a fresh memory, and a template that is copied for each case."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from mini_letta.memory.layout import POLICIES
from tests.memory.kit import Memory, new_bare_template, new_memory

# Repeatable: the same examples on every run and machine, and no clock in the verdict.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A new memory: MEMORY.md, persona.md and human.md committed, hook installed, clean."""
    return new_memory(tmp_path)


@pytest.fixture(scope="session")
def template(templates: Mapping[str, Memory]) -> Memory:
    """An empty repository with the hook installed; copy it, never change it."""
    return templates["root-marker"]


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Memory]:
    """Policy -> an empty repository with the hook of that policy; copy it, never change it."""
    root = tmp_path_factory.mktemp("templates")
    return {name: new_bare_template(root / name, policy=name) for name in POLICIES}

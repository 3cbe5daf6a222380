"""Fixtures of the memory tests: a fresh memory, and a template that is copied for each case."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.memory.kit import Memory, new_bare_template, new_memory

# Repeatable: the same examples on every run and machine, and no clock in the verdict.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A new memory: MEMORY.md, persona.md and human.md committed, hook installed, clean."""
    return new_memory(tmp_path)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """An empty repository with the hook installed; copy it, never change it."""
    return new_bare_template(tmp_path_factory.mktemp("template"))

"""A user with an empty home."""

from pathlib import Path

import pytest

from tests.cli.kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The command line of a user whose home is empty."""
    return Cli(folder=tmp_path)

"""A checkout with the tiny lab in it."""

from pathlib import Path

import pytest

from mini_letta.course.labs.lab import Lab
from tests.grading.kit import tiny_lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """The tiny lab, in English."""
    return tiny_lab(tmp_path / "checkout")

"""The sample lab, built once for all tests."""

from pathlib import Path

import pytest

from tests.labs.kit import Student, build_sample, enrol


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with the sample lab, built; not to be changed."""
    return build_sample(tmp_path_factory.mktemp("checkout"))


@pytest.fixture
def student(sample: Path, tmp_path: Path) -> Student:
    """A student who has just got the English sample."""
    return enrol(sample, tmp_path / "desk")

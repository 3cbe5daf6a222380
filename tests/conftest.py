"""What every test stands on: no user configuration, no network names, a clock that stands still."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mini_letta.git import hermetic_environment

NOW = 1767225600  # 2026-01-01T00:00:00Z
KEPT = ("PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


@pytest.fixture(autouse=True)
def scrubbed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test process an environment in which nothing of the user's is left."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    for name in list(os.environ):
        if not name.startswith(("PYTEST_", "COVERAGE_")):
            monkeypatch.delenv(name)
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    # The interpreter's folder first, so that a shell finds `python` and `mini-letta` of this venv.
    programs = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", os.defpath)])
    monkeypatch.setenv("PATH", programs)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def env(scrubbed: None) -> dict[str, str]:
    """A complete environment for git: hermetic, and commits are dated 2026-01-01."""
    return hermetic_environment(os.environ, now=NOW)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for agents that does not exist yet."""
    return tmp_path / "home"


@pytest.fixture
def clock() -> Callable[[], int]:
    """A clock that stands still."""
    return lambda: NOW

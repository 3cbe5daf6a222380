"""`make` on a machine that lacks something: one line says what, the next says what to do."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("cat", "cksum", "git", "python3", "sed", "sh", "tail", "tr")
OLD_PYTHON = '#!/bin/sh\n[ "$1" = -V ] && echo \'Python 3.9.18\'; [ "$1" = -V ]\n'
NO_VENV = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; esac\nexit 0\n'
OLD_GIT = "#!/bin/sh\necho 'git version 2.34.1'\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the setup reads of a checkout, in a folder with a name that is not ASCII."""
    folder = tmp_path / "一个 checkout"
    (folder / "tools").mkdir(parents=True)
    for name in ("pyproject.toml", "constraints.txt", "tools/venv.sh"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def run_setup(checkout: Path, **replaced: str) -> tuple[int, list[str]]:
    """Run tools/venv.sh where the named programs are these scripts, or absent if empty."""
    programs = checkout.parent / "bin"
    programs.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    for name, script in replaced.items():
        (programs / name).unlink()
        if script:
            (programs / name).write_text(script)
            (programs / name).chmod(0o755)
    done = subprocess.run(
        ["sh", "tools/venv.sh", "grade"],
        cwd=checkout,
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("replaced", "what", "next_step"),
    [
        ({"git": ""}, "there is no git.", "install git 2.39 or newer (Debian"),
        ({"git": OLD_GIT}, "git 2.34.1 is too old.", "install git 2.39 or newer, then run make"),
        (
            {"python3": OLD_PYTHON},
            "python3 is Python 3.9.18, it needs Python 3.11, 3.12 or 3.13.",
            "install one of them, then run: make PYTHON=python3.12 course",
        ),
        (
            {"python3": NO_VENV},
            "python3 has no venv module.",
            "install it (Debian/Ubuntu: sudo apt-get install python3-venv)",
        ),
    ],
    ids=["no git", "old git", "old python", "no venv"],
)
def test_what_is_missing_is_said_with_the_next_step(
    checkout: Path, replaced: dict[str, str], what: str, next_step: str
) -> None:
    """Exit code 3, two lines, and nothing was made."""
    code, lines = run_setup(checkout, **replaced)
    assert (code, lines[0]) == (3, f"mini_letta cannot be set up: {what}")
    assert lines[1].startswith(f"  -> {next_step}")
    assert len(lines) == 2
    assert not (checkout / ".venv").exists()

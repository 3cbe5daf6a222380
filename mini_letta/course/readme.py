"""The README shows what `make course` prints: a copy of a real run, compared by a test."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

READMES: Mapping[str, str] = {"en": "README.md", "zh": "README.zh-CN.md"}
WIDTH = 80
OPENING, CLOSING = "<!-- course -->\n```text\n", "```"
# A pipe gets a line per cell where a terminal has a bar that vanishes.
PROGRESS = re.compile(r"^(notebooks/\S+\.ipynb| +\d+/\d+  .*)\n", flags=re.MULTILINE)


def run_course(lang: str, *, env: Mapping[str, str]) -> tuple[int, str]:
    """Run `mini-letta course` in an empty folder; return its exit code and what a terminal keeps.

    Args:
        env: the surrounding environment.
    """
    with tempfile.TemporaryDirectory(prefix="mini-letta-readme-") as folder:
        done = subprocess.run(
            [sys.executable, "-m", "mini_letta", "--lang", lang, "course"],
            cwd=folder,
            env={**env, "COLUMNS": str(WIDTH), "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
    return done.returncode, PROGRESS.sub("", done.stdout) + done.stderr


def read_shown(root: Path, lang: str) -> str:
    """Return the run that the README of a language shows."""
    text = (root / READMES[lang]).read_text(encoding="utf-8")
    return text.partition(OPENING)[2].partition(CLOSING)[0]


def weave_readmes(root: Path, *, env: Mapping[str, str]) -> list[Path]:
    """Bring the shown runs up to date where the run succeeds; return the files that changed."""
    changed: list[Path] = []
    for lang, name in READMES.items():
        code, printed = run_course(lang, env=env)
        path = root / name
        old = path.read_text(encoding="utf-8")
        head, _, rest = old.partition(OPENING)
        new = head + OPENING + printed + rest[rest.index(CLOSING) :]
        if code == 0 and new != old:
            path.write_text(new, encoding="utf-8")
            changed.append(path)
    return changed

"""The real command line, started as a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one call printed and returned."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cli:
    """A user with a home and nothing else."""

    folder: Path
    """The user's home folder and working directory."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the bare environment."""

    def call(self, *args: str, input: str = "", **env: str) -> Answer:
        """Run ``mini-letta`` and return its answer; a traceback fails the test."""
        done = subprocess.run(
            [sys.executable, "-m", "mini_letta", *args],
            cwd=self.folder,
            env={**self.bare_env(), **self.env, **env},
            input=input,
            encoding="utf-8",
            errors="surrogateescape",
            capture_output=True,
            check=False,
        )
        assert TRACEBACK not in done.stderr, done.stderr
        return Answer(code=done.returncode, out=done.stdout, err=done.stderr)

    def json(self, *args: str) -> Any:
        """Run ``mini-letta … --json`` and return what it printed as data."""
        return json.loads(self.call(*args, "--json").out)

    def memory(self) -> Path:
        """Return the folder of the default agent's memory, creating it if needed."""
        return Path(self.call("memory", "path").out.removesuffix("\n"))

    def git(self, dir: Path, *args: str, codes: Sequence[int] = (0,)) -> str:
        """Run git as a user would; return what it printed, standard error included."""
        done = subprocess.run(
            ["git", *args],
            cwd=dir,
            env={**self.bare_env(), **self.env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
        assert done.returncode in codes, done.stdout
        return done.stdout

    def commit(self, dir: Path, path: str, text: str, *options: str) -> None:
        """Write one file and commit it."""
        (dir / path).write_text(text, encoding="utf-8")
        self.git(dir, "add", "--", path)
        self.git(dir, "commit", "-q", "-m", f"write {path}", *options)

    def bare_env(self) -> dict[str, str]:
        """Return an environment with a path, a home and a language, and nothing else."""
        who = {f"GIT_{role}_{what}": "user@example.invalid"
               for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}  # fmt: skip
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            **who,
        }

"""The command line in a student's folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.kit import Answer, Cli
from tests.labs.kit import Student


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A student at a prompt."""

    student: Student

    def labs(self, *args: str, **env: str) -> Answer:
        """Run ``mini-letta labs ...`` in the student's folder."""
        return Cli(folder=self.student.folder).call("labs", *args, **env)

    def json(self, *args: str) -> Any:
        """Run ``mini-letta labs ... --json`` and return what it printed as data."""
        return Cli(folder=self.student.folder).json("labs", *args)


def shell(student: Student) -> Shell:
    """Return the student at a prompt."""
    return Shell(student=student)


def files(folder: Path) -> list[str]:
    """Return all files below a folder, sorted."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())

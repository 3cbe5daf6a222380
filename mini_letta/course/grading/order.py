"""What one call of ``mini-letta grade`` asks for, and whether that can be meant."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mini_letta.course.grading.results import list_results
from mini_letta.errors import MiniLettaError

MAX_SEED = 2**31
INTERRUPTED = 130


class BadOrder(MiniLettaError):
    """The command has to be worded differently."""

    exit_code = 2


class CannotGrade(MiniLettaError):
    """Something that grading needs is not here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What one call asks for."""

    submissions: Path | None
    """Folder of submissions."""
    out: Path
    """Folder for everything that is written."""
    jobs: int | None = None
    """How many at a time; None for one per core."""
    resumes: bool = False
    """Only what is missing, has changed or could not be graded."""
    seed: int | None = None
    """None for the recorded one, else a fresh one."""
    is_unsafe: bool = False
    """Grade without a real sandbox too."""
    marks: Path | None = None
    """A file of marks to enter."""
    lang: str = "en"
    """Of what is said to the instructor."""
    is_quiet: bool = False
    """Print nothing on the way."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The surrounding environment."""

    @property
    def grades(self) -> bool:
        """Is anything to be graded? With a file of marks only if the order says to resume."""
        return self.marks is None or self.resumes

    def command(self, **values: object) -> str:
        """Return a command that goes on from here."""
        words = ["mini-letta", "grade"]
        words += [str(self.submissions or "SUBMISSIONS")] if "merge" not in values else []
        words += ["--out", str(self.out)]
        words += ["--merge", str(values["merge"])] if "merge" in values else ["--resume"]
        return shlex.join(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of an order."""

    exit_code: int
    summary: Mapping[str, Any]
    """For ``--json``."""

    @property
    def is_interrupted(self) -> bool:
        """Was it stopped before the end?"""
        return self.exit_code == INTERRUPTED


def check_order(order: Order) -> None:
    """Raise BadOrder if an order cannot be meant."""
    has_results = bool(list_results(order.out))
    if order.jobs is not None and order.jobs < 1:
        raise BadOrder("--jobs is how many notebooks to grade at a time: at least 1.")
    if order.seed is not None and not 0 < order.seed < MAX_SEED:
        raise BadOrder(f"--seed is a whole number from 1 to {MAX_SEED - 1}.")
    if not order.grades:
        if not has_results:
            raise BadOrder(f"there are no results in {order.out} to enter marks into. Grade first.")
        return
    if order.submissions is None:
        raise BadOrder("name the folder of submissions: mini-letta grade SUBMISSIONS --out OUT")
    if order.out.resolve().is_relative_to(order.submissions.resolve()):
        raise BadOrder(f"{order.out} lies among the submissions. Choose a folder outside.")
    if has_results and not order.resumes:
        raise BadOrder(
            f"{order.out} holds results already. Add --resume to grade only what is missing or has "
            "changed, or choose another folder."
        )

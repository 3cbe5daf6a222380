"""What came of the public checks of one exercise, wherever they ran."""

from dataclasses import dataclass
from itertools import zip_longest

from mini_letta.course.labs.lab import Check, Exercise


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One public check."""

    check: Check
    seen: str
    """What it printed, up to where it stopped."""
    fault: str = ""
    """Why it stopped or never ran: a sentence in the student's language; "" if it ended."""

    @property
    def is_met(self) -> bool:
        """Return whether the sentence of the task is met, as far as this check sees."""
        return not self.fault and self.seen == self.check.expected

    def differences(self) -> list[tuple[str, str]]:
        """Return the lines that differ, each as expected and seen."""
        pairs = zip_longest(self.check.expected.splitlines(), self.seen.splitlines(), fillvalue="")
        return [(expected, seen) for expected, seen in pairs if expected != seen]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One exercise as it stands."""

    exercise: Exercise
    outcomes: tuple[Outcome, ...] = ()
    """One for each public check; none for what a person reads."""
    is_untouched: bool = False
    """The answer is as it was handed out, or a part of it still is."""
    message: str = ""
    """What stands in the way of all checks, or where an error was: a sentence; may be ""."""
    is_written: bool = False
    """For what a person reads: there is something to read."""

    @property
    def met(self) -> int:
        """Return how many public checks are met."""
        return sum(outcome.is_met for outcome in self.outcomes)

    @property
    def is_passed(self) -> bool:
        """Return whether nothing is left to do that could be seen here."""
        if self.exercise.kind == "reading":
            return self.is_written
        return self.met == len(self.outcomes) and not self.message

    def first_unmet(self) -> Outcome | None:
        """Return the first check that is not met."""
        return next((outcome for outcome in self.outcomes if not outcome.is_met), None)

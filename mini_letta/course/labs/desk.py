"""A folder in which a student works on a lab: its kit, its progress, and what they are told."""

from dataclasses import dataclass
from pathlib import Path

from mini_letta.course.labs.attempt import Attempt
from mini_letta.course.labs.kit import read_kit
from mini_letta.course.labs.lab import Exercise, Lab
from mini_letta.course.labs.phrases import say
from mini_letta.course.labs.progress import Progress, read_progress
from mini_letta.course.labs.wording import describe_attempt, describe_hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One lab in one folder."""

    folder: Path
    kit: Lab
    progress: Progress

    @property
    def lang(self) -> str:
        """Language of the lab, in which a student is told everything about it."""
        return self.kit.lang

    def report(self, attempt: Attempt) -> list[str]:
        """Remember an attempt; return what to say about it, with a hint when it is of use."""
        self.progress.note(attempt)
        lines = describe_attempt(self.lang, attempt)
        exercise = attempt.exercise
        if exercise.hints and not (attempt.is_passed or attempt.is_untouched):
            number = max(1, self.progress.of(exercise.id).hints)
            self.progress.take_hint(exercise.id, number)
            lines += describe_hint(self.lang, exercise, number)
        return lines

    def next_hint(self, exercise: Exercise) -> list[str]:
        """Take the next hint; after the last one, it again."""
        if not exercise.hints:
            return [say(self.lang, "no_hints", id=exercise.id)]
        number = min(self.progress.of(exercise.id).hints + 1, len(exercise.hints))
        self.progress.take_hint(exercise.id, number)
        return describe_hint(self.lang, exercise, number)

    def find(self, id: str) -> Exercise | None:
        """Return an exercise of the lab."""
        return next((each for each in self.kit.exercises if each.id == id), None)

    def keep(self) -> list[str]:
        """Save the progress; return what to say if that, or reading it, did not work."""
        lines = []
        if self.progress.damaged is not None:
            name = self.progress.damaged.name
            lines.append(say(self.lang, "damaged_progress", name=name))
        try:
            self.progress.save()
        except OSError as error:
            lines.append(say(self.lang, "unsaved_progress", reason=error.strerror or str(error)))
        return lines


def open_desk(folder: Path, lab: str) -> Desk:
    """Return the desk of a lab in a folder.

    Raises:
        NoKit: the lab is not worked on there.
        BadKit: its kit is damaged or of another version.
    """
    return Desk(folder=folder, kit=read_kit(folder, lab), progress=read_progress(folder))

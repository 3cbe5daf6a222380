"""Carry out one call of ``mini-letta grade``, step by step."""

import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console

from mini_letta.course.grading.batch import Batch
from mini_letta.course.grading.engine import make_engines
from mini_letta.course.grading.follow import Tally, follow_batch
from mini_letta.course.grading.grade import Engine
from mini_letta.course.grading.marks import Merged, merge_marks
from mini_letta.course.grading.order import (
    INTERRUPTED,
    MAX_SEED,
    CannotGrade,
    Done,
    Order,
    check_order,
)
from mini_letta.course.grading.reading import PAGE, TABLE, Rubrics
from mini_letta.course.grading.references import References
from mini_letta.course.grading.reports import write_reports
from mini_letta.course.grading.results import read_results
from mini_letta.course.grading.run_record import record_run, recorded_seed
from mini_letta.course.grading.submissions import find_submissions
from mini_letta.course.grading.words import word
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.master import lab_ids, read_lab

MAX_SHOWN = 20

MakeEngines = Callable[..., Sequence[Engine]]


def carry_out(order: Order, *, root: Path, make_engines: MakeEngines = make_engines) -> Done:
    """Grade, enter marks, write the reports.

    Args:
        root: top folder of the checkout with the labs.
        make_engines: returns the sandboxes, one for each slot.
    Raises:
        MiniLettaError: the order makes no sense, or something it needs is missing.
    """
    check_order(order)
    if not (root / "labs" / "labs.toml").is_file():
        raise CannotGrade(
            f"there are no labs in {root}. They come with the repository: clone it, and grade "
            "from there."
        )
    return _Course(order, root=root, make_engines=make_engines).run()


class _Course:
    """The course of one order."""

    def __init__(self, order: Order, *, root: Path, make_engines: MakeEngines) -> None:
        self.order = order
        self.root = root
        self.make_engines = make_engines
        self.console = Console(quiet=order.is_quiet)
        self.tally = Tally()
        self.strangers: tuple[str, ...] = ()

    def run(self) -> Done:
        order = self.order
        if order.grades:
            try:
                self.grade()
            except KeyboardInterrupt:
                count = self.tally.fresh + self.tally.kept
                values = {"count": count, "total": self.tally.total, "command": order.command()}
                Console(stderr=True).print(
                    "\n" + word(order.lang, "interrupted", **values), markup=False, soft_wrap=True
                )
                return Done(exit_code=INTERRUPTED, summary={})
        merged = merge_marks(order.out, order.marks, lang=order.lang) if order.marks else None
        write_reports(order.out, lang=order.lang, rubrics=self.rubrics())
        return self.report(merged)

    def grade(self) -> None:
        """Grade what the order says."""
        order = self.order
        assert order.submissions is not None  # by check_order
        handed_out = {id: self.read_lab(id, "en").handouts for id in lab_ids(self.root)}
        found = find_submissions(order.submissions, handed_out)
        self.tally.total, self.strangers = len(found.submissions), found.strangers
        engines = self.make_engines(self.slots(), env=order.env, is_unsafe=order.is_unsafe)
        seed = order.seed or recorded_seed(order.out) or secrets.randbelow(MAX_SEED - 1) + 1
        record_run(order.out, seed=seed, strangers=self.strangers)
        level = engines[0].level
        if level == "rlimits":
            self.say("unsafe", level=level)
        self.say("starting", count=self.tally.total, slots=len(engines), level=level, seed=seed)
        with tempfile.TemporaryDirectory(prefix="mini-letta-grade-") as temporary:
            folder = Path(temporary)
            folder.chmod(0o755)  # the users of the sandboxes read the libraries in it
            references = References(read_lab=self.read_lab, seed=seed, env=order.env, folder=folder)
            batch = Batch(
                root=order.submissions, out=order.out, references=references, engines=engines
            )
            with closing(batch.run(found.submissions)) as rows:
                follow_batch(rows, tally=self.tally, console=self.console, lang=order.lang)

    def read_lab(self, id: str, lang: str) -> Lab:
        return read_lab(self.root, id, lang)

    def slots(self) -> int:
        """Return how many kernels run at once: never more than there are cores."""
        cores = len(os.sched_getaffinity(0))
        jobs = self.order.jobs or cores
        if jobs > cores:
            self.say("fewer_slots", jobs=jobs, slots=cores)
        return min(jobs, cores)

    def rubrics(self) -> Rubrics:
        """Return how the reading tasks are marked that are in the results."""
        known = lab_ids(self.root)
        editions = {(result.lab, result.lang) for _, result in read_results(self.order.out)}
        return {
            (id, lang, exercise.id): exercise.rubric
            for id, lang in sorted(editions)
            if id in known
            for exercise in self.read_lab(id, lang).exercises
        }

    def report(self, merged: Merged | None) -> Done:
        """Say how it went and what to do next."""
        order, out = self.order, self.order.out
        outcomes: Counter[str] = Counter()
        needs_reading = 0
        for _, result in read_results(out):
            outcomes[result.outcome] += 1
            needs_reading += result.needs_reading
        self.say_strangers()
        if order.grades:
            self.say("done", fresh=self.tally.fresh, kept=self.tally.kept)
        if merged is not None:
            self.say("merged", count=merged.count, blank=merged.blank)
        self.say_next(outcomes, needs_reading)
        files = {"report": out / "report.html", "grades": out / "grades.csv"}
        files["feedback"] = out / "feedback"
        self.say("files", **files)
        summary = {
            "out": str(out),
            "seed": recorded_seed(out),
            "graded": self.tally.fresh,
            "unchanged": self.tally.kept,
            "outcomes": dict(sorted(outcomes.items())),
            "needs_reading": needs_reading,
            "not_submissions": list(self.strangers),
            "marks": merged.count if merged else 0,
        }
        return Done(exit_code=1 if outcomes["needs_regrade"] else 0, summary=summary)

    def say_next(self, outcomes: Counter[str], needs_reading: int) -> None:
        out = self.order.out
        if outcomes["unreadable"]:
            self.say("unreadable", count=outcomes["unreadable"])
        if outcomes["needs_regrade"]:
            command = self.order.command()
            self.say("regrade", count=outcomes["needs_regrade"], command=command)
        if needs_reading:
            table = out / TABLE
            command = self.order.command(merge=table)
            values = {"page": out / PAGE, "marks": table, "command": command}
            self.say("reading", count=needs_reading, **values)

    def say_strangers(self) -> None:
        if not self.strangers:
            return
        self.say("strangers")
        for name in self.strangers[:MAX_SHOWN]:
            self.print(f"  {name}")
        if len(self.strangers) > MAX_SHOWN:
            self.say("more", count=len(self.strangers) - MAX_SHOWN)

    def say(self, key: str, **values: object) -> None:
        self.print(word(self.order.lang, key, **values))

    def print(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True, emoji=False)

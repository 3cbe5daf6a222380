"""Find what was handed in, and read it as the work of somebody who may mean harm.

Three layouts are accepted, nbgrader's among them::

    SUBMISSIONS/<student>/lab1.ipynb
    SUBMISSIONS/<student>/lab1/lab1.ipynb
    SUBMISSIONS/submitted/<student>/lab1/lab1.ipynb

Nothing else below a student's folder is ever opened. No link is followed, whatever it points to,
and only regular files are read. What has another name is listed, so that no work is overlooked.
"""

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from mini_letta.course.grading.phrases import say
from mini_letta.course.grading.spelling import visible_name
from mini_letta.errors import MiniLettaError

MAX_BYTES = 5_000_000
MAX_LISTED = 20
"""Unknown names that are listed of one folder."""
NBGRADER = "submitted"
# Left by nbgrader and JupyterLab in every folder they touch.
EXPECTED = frozenset({"timestamp.txt", ".ipynb_checkpoints"})
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: opening a FIFO would wait for its writer.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

Entry = Literal["folder", "file", "link", "other"]
Labs = Mapping[str, Collection[str]]  # lab id -> names of the files handed out with it


class NoSubmissions(MiniLettaError):
    """There is nothing to grade in the folder."""

    exit_code = 2


class Unreadable(MiniLettaError):
    """What was handed in cannot be read as a notebook; final, and the student's to repair."""

    def __init__(self, reason: str, **details: object) -> None:
        self.reason = reason
        self.details = details
        super().__init__(say("en", reason, **details))


class CannotOpen(MiniLettaError):
    """The machine, not the student, is in the way; the text says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One notebook of one student, not yet opened."""

    student: str
    """The folder's name as text that can be printed; unique."""
    folder: str
    """The folder's name as the file system has it."""
    lab: str
    """``lab1``."""
    paths: tuple[tuple[str, ...], ...]
    """Where the notebook is, below the root; more than one is ambiguous."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a folder of submissions holds."""

    submissions: tuple[Submission, ...]
    """By student, then by lab."""
    strangers: tuple[str, ...]
    """What else is there, as lines for people: ``ada/notes.txt``."""


def find_submissions(root: Path, labs: Labs) -> Found:
    """Return every notebook of these labs below ``root``, and every name that is none.

    Raises:
        NoSubmissions: ``root`` is no folder, is a student's own, or has no notebook of a lab in it.
    """
    if not root.is_dir():
        raise NoSubmissions(f"{root} is not a folder. Name the folder with the students' folders.")
    if any(os.path.lexists(root / place / f"{lab}.ipynb") for lab in labs for place in ("", lab)):
        raise NoSubmissions(
            f"{root} holds the notebooks of one student. Name the folder above it, in which each "
            f"student has a folder: {root.resolve().parent}"
        )
    finder = _Finder(labs)
    top = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if _entry(top, NBGRADER) == "folder":
            finder.list_strangers(top, (), expected={NBGRADER})
            with _inside(top, NBGRADER) as submitted:
                finder.look_for_students(submitted, (NBGRADER,))
        else:
            finder.look_for_students(top, ())
    finally:
        os.close(top)
    if not finder.found:
        raise NoSubmissions(
            f"there is no notebook to grade in {root}. It should hold one folder per student "
            f"with {' or '.join(f'{lab}.ipynb' for lab in labs)} in it."
        )
    return Found(submissions=tuple(finder.found), strangers=tuple(finder.strangers))


def read_submission(root: Path, submission: Submission) -> bytes:
    """Return the bytes of a notebook.

    Raises:
        Unreadable: a link, not a file, too big, or there are two of them.
        CannotOpen: the machine refuses.
    """
    if len(submission.paths) > 1:
        first, second = (_shown(*path[-2:]) for path in submission.paths[:2])
        raise Unreadable("two_notebooks", first=first, second=second)
    try:
        return _read(root, submission.paths[0])
    except OSError as error:
        if _meets_link(root, submission.paths[0]):
            raise Unreadable("a_link", name=f"{submission.lab}.ipynb") from error
        raise CannotOpen(f"{submission.lab}.ipynb: {error.strerror or error}") from error


class _Finder:
    """Walks the folders, and collects."""

    def __init__(self, labs: Labs) -> None:
        self.labs = labs
        self.found: list[Submission] = []
        self.strangers: list[str] = []
        self.expected = {*EXPECTED, *labs, *(f"{lab}.ipynb" for lab in labs)}
        self.expected |= {f"{lab}.json" for lab in labs}  # the kit
        self.expected |= {name for names in labs.values() for name in names}

    def look_for_students(self, folder: int, where: tuple[str, ...]) -> None:
        for name in sorted(os.listdir(folder)):
            if _entry(folder, name) != "folder":
                self.strangers.append(_shown(*where, name))
                continue
            try:
                with _inside(folder, name) as own:
                    self.look_for_labs(own, (*where, name))
            except OSError as error:  # a folder that this user may not open spoils no other
                self.strangers.append(f"{_shown(*where, name)}: {error.strerror or error}")

    def look_for_labs(self, own: int, where: tuple[str, ...]) -> None:
        before = len(self.found)
        for lab in self.labs:
            file = f"{lab}.ipynb"
            paths = [] if _entry(own, file) is None else [(*where, file)]
            kind = _entry(own, lab)
            if kind == "link" or (kind == "folder" and self.has_notebook(own, lab, where)):
                paths.append((*where, lab, file))
            elif kind is not None:
                self.strangers.append(f"{_shown(*where, lab)}: no {file}")
            if paths:
                folder, student = where[-1], visible_name(where[-1])
                self.found.append(
                    Submission(student=student, folder=folder, lab=lab, paths=tuple(paths))
                )
        if len(self.found) == before:
            self.strangers.append(f"{_shown(*where)}: no notebook of a lab")
        if len(self.found) > before or not where[-1].startswith("."):
            self.list_strangers(own, where, expected=self.expected)

    def has_notebook(self, own: int, lab: str, where: tuple[str, ...]) -> bool:
        try:
            with _inside(own, lab) as folder:
                self.list_strangers(folder, (*where, lab), expected=self.expected)
                return _entry(folder, f"{lab}.ipynb") is not None
        except OSError:  # what is in it will be found out when it is read, and reported there
            return True

    def list_strangers(
        self, folder: int, where: tuple[str, ...], *, expected: Collection[str]
    ) -> None:
        with os.scandir(folder) as entries:
            others = (entry.name for entry in entries if entry.name not in expected)
            names = list(islice(others, MAX_LISTED + 1))
        self.strangers += [_shown(*where, name) for name in sorted(names)[:MAX_LISTED]]
        if len(names) > MAX_LISTED:
            self.strangers.append(_shown(*where, "..."))


def _shown(*path: str) -> str:
    return "/".join(map(visible_name, path))


def _read(root: Path, path: tuple[str, ...]) -> bytes:
    *folders, name = path
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for part in folders:
        parent = descriptor
        try:
            descriptor = os.open(part, FOLDER, dir_fd=parent)
        finally:
            os.close(parent)
    try:
        return _read_file(descriptor, name)
    finally:
        os.close(descriptor)


def _read_file(folder: int, name: str) -> bytes:
    if _entry(folder, name) in ("folder", "other"):  # a socket cannot even be opened
        raise Unreadable("not_a_file", name=name)
    descriptor = os.open(name, FILE, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("not_a_file", name=name)
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        size, limit = max(status.st_size, len(data)), MAX_BYTES
        raise Unreadable("too_big", name=name, size=f"{size:,}", limit=f"{limit:,}")
    return data


def _meets_link(root: Path, path: tuple[str, ...]) -> bool:
    return any(root.joinpath(*path[:depth]).is_symlink() for depth in range(1, len(path) + 1))


def _entry(folder: int, name: str) -> Entry | None:
    """Return what a name in an open folder is; None if it is not there."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "other"


@contextmanager
def _inside(parent: int, name: str) -> Iterator[int]:
    descriptor = os.open(name, FOLDER, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)

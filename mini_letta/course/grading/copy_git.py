"""Take the history out of a repository that a student's code has written, and nothing else.

Only objects and branches are taken, as plain files, into a new bare repository of our own. No
symbolic link is followed, no pipe is opened, and neither configuration nor hooks nor alternates
come along: those make git run programs or read elsewhere. An object is what its name says, so
whoever writes objects by hand has only written history.
"""

import os
import re
import signal
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from mini_letta.course.grading.unpacked import largest_folder
from mini_letta.errors import MiniLettaError
from mini_letta.git import GitError, Repo, hermetic_environment, run_git

MAX_BYTES = 50_000_000
MAX_FILES = 20_000
MAX_OBJECT = 10_000_000
MAX_OBJECTS = 20_000
MAX_FOLDERS = 10_000_000
"""Bytes of all lists of what is in a folder; every one of them is read."""
MAX_UNPACKED = 200_000_000
MAX_DEPTH = 12
CHECK_S = 20.0
OBJECT = re.compile(r"objects/[0-9a-f]{2}/[0-9a-f]{38}|objects/pack/pack-[0-9a-f]{40}\.(pack|idx)")
ID = re.compile(rb"[0-9a-f]{40}\n?")
HEAD = re.compile(rb"ref: refs/heads/[!-~]{1,200}\n?|[0-9a-f]{40}\n?")
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class CannotCopy(MiniLettaError):
    """There is no repository to be had; the text says why."""

    exit_code = 1


def copy_git(root: Path, git_dir: PurePosixPath, target: Path, *, env: Mapping[str, str]) -> Repo:
    """Return a new bare repository with the objects and branches of a hostile one.

    Args:
        root: an existing folder that the student's code cannot have replaced.
        git_dir: where the repository is, below ``root``.
        target: where the new one goes; must not exist.
        env: the surrounding environment.
    Raises:
        CannotCopy: it is missing, too large, or not made of plain files and folders.
        GitError: git was killed, which nobody inside the sandbox can do.
    """
    files = _read_all(root, git_dir)
    hermetic = hermetic_environment(env)
    run_git(root, "init", "--quiet", "--bare", "--template=", str(target), env=hermetic)
    for name, content in files.items():
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    repo = Repo(dir=target, env=hermetic)
    try:
        _refuse_large(repo)
    except GitError as error:
        if error.returncode == -signal.SIGKILL:  # for want of memory, say: the machine's trouble
            raise
        raise CannotCopy(f"git cannot read its objects: {error.stderr.strip()[:500]}") from error
    return repo


def _read_all(root: Path, git_dir: PurePosixPath) -> dict[str, bytes]:
    """Return the files to take: name inside the git dir -> content."""
    files: dict[str, bytes] = {}
    size = 0
    try:
        folder = _open_folder(root, git_dir)
    except OSError as error:
        raise CannotCopy(f"there is no repository any more ({error.strerror}).") from error
    try:
        for name, file in _walk(folder, ""):
            if not is_wanted(name):
                continue
            content = _read(file, name, MAX_BYTES - size)
            size += len(content)
            if not _is_sound(name, content):
                raise CannotCopy(f"{name} in its git folder is not what git writes there.")
            files[name] = content
            if len(files) > MAX_FILES:
                raise CannotCopy(f"its git folder holds more than {MAX_FILES} files.")
    finally:
        os.close(folder)
    if "HEAD" not in files:
        raise CannotCopy("there is no repository any more (its git folder has no HEAD).")
    return files


def _open_folder(root: Path, below: PurePosixPath) -> int:
    """Return an open folder below another one, with no symbolic link on the way."""
    folder = os.open(root, FLAGS | os.O_DIRECTORY)
    for part in below.parts:
        above = folder
        try:
            folder = os.open(part, FLAGS | os.O_DIRECTORY, dir_fd=above)
        finally:
            os.close(above)
    return folder


def _walk(folder: int, above: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield every entry that is no folder: its name, and folder and name to open it by."""
    if above.count("/") > MAX_DEPTH:
        raise CannotCopy("folders in its git folder are nested too deep.")
    for entry in sorted(os.listdir(folder)):
        name = f"{above}{entry}"
        try:
            below = os.open(entry, FLAGS | os.O_DIRECTORY, dir_fd=folder)
        except OSError:
            yield name, (folder, entry)
            continue
        try:
            if name.split("/")[0] in ("objects", "refs"):
                yield from _walk(below, f"{name}/")
        finally:
            os.close(below)


def is_wanted(name: str) -> bool:
    """Return whether a file inside a git dir is history: by the name that git gives it."""
    return (
        name in ("HEAD", "packed-refs") or name.startswith("refs/") or bool(OBJECT.fullmatch(name))
    )


def _is_sound(name: str, content: bytes) -> bool:
    if name == "HEAD":
        return bool(HEAD.fullmatch(content))
    return not name.startswith("refs/") or bool(ID.fullmatch(content))


def _read(file: tuple[int, str], name: str, room: int) -> bytes:
    folder, entry = file
    try:
        opened = os.open(entry, FLAGS, dir_fd=folder)
    except OSError as error:
        raise CannotCopy(f"{name} in its git folder cannot be read ({error.strerror}).") from error
    with os.fdopen(opened, "rb") as stream:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise CannotCopy(f"{name} in its git folder is no plain file.")
        content = stream.read(room + 1)
    if len(content) > room:
        raise CannotCopy(f"its git folder holds more than {MAX_BYTES} bytes.")
    return content


def _refuse_large(repo: Repo) -> None:
    """Refuse what is, or unpacks to, more than a memory ever holds, and what is not sound.

    Numbers first, then headers: nothing is listed or unpacked before it is known how much it is.
    """
    counts = dict(line.split(": ") for line in _ask(repo, "count-objects", "-v").splitlines())
    if int(counts["count"]) + int(counts["in-pack"]) > MAX_OBJECTS:
        raise CannotCopy(f"it holds more than {MAX_OBJECTS} objects.")
    listing = _ask(repo, "cat-file", "--batch-all-objects", "--batch-check", "--unordered")
    rows = [line.split() for line in listing.splitlines()]
    sizes = {row[0]: int(row[2]) for row in rows if row[-1].isdigit()}
    if len(sizes) < len(rows) or max(sizes.values(), default=0) > MAX_OBJECT:
        raise CannotCopy(f"it holds an object of more than {MAX_OBJECT} bytes.")
    if sum(sizes.values()) > MAX_UNPACKED:
        raise CannotCopy(f"its objects are more than {MAX_UNPACKED} bytes.")
    trees = [row[0] for row in rows if row[1] == "tree"]
    if sum(sizes[tree] for tree in trees) > MAX_FOLDERS:
        raise CannotCopy(f"the lists of its folders are more than {MAX_FOLDERS} bytes.")
    # An object is what its name says, and nothing is missing: hostile names could run in circles.
    _ask(repo, "fsck", "--full", "--no-dangling", "--no-progress")
    folder = largest_folder(repo, sizes=sizes, trees=trees)
    if folder.bytes > MAX_UNPACKED or folder.files > MAX_FILES:
        raise CannotCopy(f"it unpacks to {folder.files} files of {folder.bytes} bytes.")


def _ask(repo: Repo, *args: str) -> str:
    return repo.run(*args, timeout_s=CHECK_S).text

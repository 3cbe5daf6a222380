"""The files of a memory and how much of its budget each one uses.

Which limit holds for a file is asked of the rules themselves, never worked out a second time.
"""

import os
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from mini_letta.git import Repo
from mini_letta.memory.checkout import place_of
from mini_letta.memory.constraints import check_size
from mini_letta.memory.format import is_core, is_memory, missing_index
from mini_letta.memory.policy import POLICY_FILE, Policy, default_policy, parse_policy
from mini_letta.memory.staged import read_objects, read_tree
from mini_letta.prompt.compile import REGULAR_FILE_MODES

ABOVE_EVERY_LIMIT = 2**53  # a policy cannot hold such a number


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of a memory."""

    path: str
    """Repo-relative POSIX path; may hold anything but NUL."""
    size: int | None
    """Length in code points; None if it is no regular file."""
    limit: int | None = None
    """Code points it may have; None without a limit, and for what is no memory."""

    @property
    def excess(self) -> int:
        """Code points over the limit; 0 if it keeps it."""
        return max(0, (self.size or 0) - self.limit) if self.limit is not None else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One state of a memory."""

    commit: str | None
    """Its commit id, empty if nothing is committed; None for the files in the folder."""
    files: tuple[File, ...]
    """Sorted by path."""
    core: File
    """All Markdown files at the root together; its path is empty."""
    missing: frozenset[str]
    """Paths of the indexes that are required and not there."""
    has_policy: bool
    """The limits come from a policy file, else they are the defaults."""
    problems: int
    """How many problems the policy file has; what is wrong in it counts as absent."""


def read_memory(repo: Repo, revision: str | None) -> Memory:
    """Return the state of a commit, or for None of the files in the folder, ignored ones left out.

    A HEAD without a commit has no files.

    Raises:
        GitError: there is no such commit.
        OSError: an object or a file cannot be read.
    """
    if revision is None:
        return describe_memory(_read_folder(repo), commit=None)
    if revision == "HEAD" and repo.head() is None:
        return describe_memory({}, commit="")
    commit = repo.run("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").text
    return describe_memory(_read_commit(repo, commit), commit=commit)


def describe_memory(contents: Mapping[str, bytes | None], *, commit: str | None) -> Memory:
    """Return the files of a memory, each with its size and limit.

    Args:
        contents: path -> bytes, None for what is no regular file.
    """
    policy, problems = _read_policy(contents)
    files = [_describe_file(path, contents[path], policy) for path in sorted(contents)]
    total = sum(file.size or 0 for file in files if is_core(file.path))
    missing = {missing_index(path, contents) for path in contents if is_memory(path)} - {""}
    return Memory(
        commit=commit,
        files=tuple(files),
        core=File(path="", size=total, limit=policy["maxCoreMemoryCharacters"]),
        missing=frozenset(missing if "MEMORY.md" in contents else missing | {"MEMORY.md"}),
        has_policy=POLICY_FILE in contents,
        problems=problems,
    )


def limit_of(path: str, policy: Policy) -> int | None:
    """Return how many code points a file may have, None if any number: the rule is tried out."""
    sizes = range(ABOVE_EVERY_LIMIT + 1)
    refused = bisect_left(sizes, True, key=lambda size: bool(check_size(path, size, policy)))
    return refused - 1 if refused in sizes else None


def _describe_file(path: str, content: bytes | None, policy: Policy) -> File:
    size = None if content is None else len(content.decode("utf-8", "replace"))
    return File(path=path, size=size, limit=limit_of(path, policy) if is_memory(path) else None)


def _read_policy(contents: Mapping[str, bytes | None]) -> tuple[Policy, int]:
    """Return the policy of a memory and how many problems it has."""
    content = contents.get(POLICY_FILE)
    if content is None:
        return default_policy(), int(POLICY_FILE in contents)
    policy, problems = parse_policy(content.decode("utf-8", "replace"))
    return policy, len(problems)


def _read_commit(repo: Repo, commit: str) -> dict[str, bytes | None]:
    place = place_of(repo)
    tree = read_tree(place, commit)
    blobs = {path: id for path, (mode, id) in tree.items() if mode in REGULAR_FILE_MODES}
    contents = read_objects(place, [], blobs.values())
    return {path: contents[blobs[path]] if path in blobs else None for path in tree}


def _read_folder(repo: Repo) -> dict[str, bytes | None]:
    listed = ("--cached", "--others", "--exclude-standard", "--deduplicate")
    paths = repo.run("ls-files", "-z", *listed).text.split("\0")[:-1]
    files = {path: repo.dir / path for path in paths}
    return {
        path: file.read_bytes() if file.is_file() and not file.is_symlink() else None
        for path, file in files.items()
        if os.path.lexists(file)  # a removed one is listed as long as the index has it
    }

"""How much a repository is once it is unpacked, found out without unpacking it.

Ten small objects can name each other so that a listing of their files never ends. Here every
object is read once, and what a folder holds is added up from what its folders hold.
"""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mini_letta.git import Repo
from mini_letta.memory.checkout import place_of
from mini_letta.memory.staged import read_objects

ID_BYTES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """What one folder holds, with all that is below it; a file counts wherever it appears."""

    files: int
    """How many."""
    bytes: int
    """Their sizes together."""


def largest_folder(repo: Repo, *, sizes: Mapping[str, int], trees: list[str]) -> Unpacked:
    """Return the most files and the most bytes that any folder of the history holds.

    Args:
        repo: whose objects are sound (``git fsck``), so that no folder contains itself.
        sizes: id of every object -> its bytes.
        trees: ids of all folders.
    """
    contents = read_objects(place_of(repo), trees, [])
    known: dict[str, Unpacked] = {}
    # A folder is added up after those in it; each is put back once, behind what it waits for.
    waiting = list(trees)
    while waiting:
        tree = waiting[-1]
        if tree in known:
            waiting.pop()
            continue
        entries = list(_entries(contents[tree] or b""))
        # A set: a folder may name another one a hundred thousand times.
        if inner := {id for is_tree, id in entries if is_tree and id in contents} - known.keys():
            waiting += inner
            continue
        parts = [
            known[id] if is_tree and id in known else Unpacked(files=1, bytes=sizes.get(id, 0))
            for is_tree, id in entries
        ]
        known[tree] = Unpacked(
            files=sum(part.files for part in parts), bytes=sum(part.bytes for part in parts)
        )
    return Unpacked(
        files=max((folder.files for folder in known.values()), default=0),
        bytes=max((folder.bytes for folder in known.values()), default=0),
    )


def _entries(tree: bytes) -> Iterator[tuple[bool, str]]:
    """Yield of each entry of a raw tree object whether it is a folder, and its id."""
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        mode = int(tree[at:end].partition(b" ")[0], 8)  # as git does: 040000 and 40755 are folders
        at = end + 1 + ID_BYTES
        yield stat.S_ISDIR(mode), tree[end + 1 : at].hex()

"""A repository's history as plain data, each commit judged anew: for checks of artefacts."""

from dataclasses import dataclass

from mini_letta.git import Repo
from mini_letta.memory.accepted import State, revision_objects, state_at
from mini_letta.memory.checkout import place_of
from mini_letta.memory.gate import judge, judged_blobs
from mini_letta.memory.staged import read_objects, read_tree

REGULAR = ("100644", "100755")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit of a memory."""

    subject: str
    """First line of its message."""
    files: dict[str, str]
    """Regular files: repo-relative POSIX path -> text, undecodable bytes replaced."""
    problems: list[str]
    """What the gatekeeper says of it, policy changes taken as approved; empty if it is valid."""


def read_history(repo: Repo, branch: str = "main") -> list[Commit]:
    """Return the commits of a branch along first parents, oldest first.

    Protected files are judged against the commit before, and the first commit against itself.

    Args:
        repo: a checkout or a bare repository.
    Raises:
        GitError: there is no such branch.
        OSError: an object cannot be read.
    """
    format = "--format=%H%x00%s"
    log = repo.run("log", "--first-parent", "--reverse", format, branch, "--").text
    # not splitlines(): a subject may hold what else Python takes for the end of a line
    pairs = [line.split("\0", 1) for line in log.split("\n")]
    commits = []
    previous: State | None = None
    for revision, subject in pairs:
        state, commit = _read_commit(repo, revision, subject, previous)
        commits.append(commit)
        previous = state
    return commits


def _read_commit(
    repo: Repo, revision: str, subject: str, previous: State | None
) -> tuple[State, Commit]:
    place = place_of(repo)
    tree = read_tree(place, revision)
    blobs = {id for mode, id in tree.values() if mode in REGULAR}
    objects = read_objects(place, revision_objects(revision), {*judged_blobs(tree), *blobs})
    state = state_at(place, revision, objects)
    before = previous or state
    problems, _ = judge(place, tree, objects, previous=before, accepted=before, approved=True)
    files = {
        path: (objects[id] or b"").decode("utf-8", "replace")
        for path, (mode, id) in tree.items()
        if mode in REGULAR
    }
    return state, Commit(subject=subject, files=files, problems=problems)

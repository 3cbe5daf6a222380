"""The commits of a repository as a graph shows them, read through git and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mini_letta.errors import MiniLettaError
from mini_letta.git import Repo

MARKS = ("bypassed", "valid", "invalid")
BRANCHES = ("refs/heads/", "refs/remotes/")
NAMED = (*BRANCHES, "refs/tags/")


class BadMark(MiniLettaError):
    """A mark is not known, or stands at no commit."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit, as a graph shows it."""

    id: str
    """Full commit id."""
    parents: tuple[str, ...] = ()
    """Full ids, first parent first."""
    subject: str = ""
    """As git has it; may hold anything."""
    refs: tuple[str, ...] = ()
    """What points here: checkouts first, then branches and tags."""
    marks: tuple[str, ...] = ()
    """Of :data:`MARKS`, in that order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All commits that some revisions reach."""

    commits: tuple[Commit, ...]
    """Newest first, no commit before one of its children."""
    head: str | None
    """Commit id at HEAD of this checkout; None before the first commit."""


@dataclass(slots=True)
class _Pointers:
    """What points at commits, and where a history begins if nobody says so."""

    refs: dict[str, list[str]] = field(default_factory=dict)
    tips: list[str] = field(default_factory=list)
    checked_out: set[str] = field(default_factory=set)

    def add(self, id: str, name: str, *, is_tip: bool = True) -> None:
        self.refs.setdefault(id, []).append(name)
        if is_tip:
            self.tips.append(id)


def read_history(
    repo: Repo, revisions: Sequence[str] = (), *, marks: Mapping[str, str | tuple[str, ...]]
) -> History:
    """Return the commits that ``revisions`` reach.

    Args:
        revisions: such as ``HEAD`` or ``side``; none means all branches, remote ones too, and the
            HEAD of every worktree.
        marks: revision -> one or several of :data:`MARKS`.
    Raises:
        BadMark: by name.
        GitError: there is no such revision.
    """
    pointers = _Pointers()
    _read_worktrees(repo, pointers)
    _read_refs(repo, pointers)
    marked = _resolve(repo, marks)
    starts = list(revisions) or sorted(set(pointers.tips))
    fields = _log(repo, starts) if starts else []
    commits = [
        Commit(
            id=id,
            parents=tuple(parents.split()),
            subject=subject,
            refs=tuple(pointers.refs.get(id, ())),
            marks=tuple(mark for mark in MARKS if mark in marked.get(id, ())),
        )
        for id, parents, subject in zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    ]
    return History(commits=tuple(commits), head=repo.head())


def _log(repo: Repo, starts: Sequence[str]) -> list[str]:
    """Return id, parents and subject of each commit, one after another."""
    options = ["-z", "--date-order", "--encoding=UTF-8", "--no-show-signature"]
    form = "--format=%H%x00%P%x00%s"
    # On standard input, because a command line is too short for hundreds of branches.
    given = "".join(f"{start}\n" for start in starts).encode("utf-8", "surrogateescape")
    return repo.run("log", *options, form, "--stdin", "--", input=given).text.split("\0")[:-1]


def _read_worktrees(repo: Repo, pointers: _Pointers) -> None:
    """Note the HEAD of this checkout as ``HEAD``, that of another one as ``HEAD (folder)``."""
    top = repo.run("rev-parse", "--show-toplevel").text
    listed = repo.run("worktree", "list", "--porcelain", "-z").text
    for block in listed.split("\0\0")[:-1]:
        facts = dict(line.partition(" ")[::2] for line in block.split("\0"))
        if not facts.get("HEAD", "").strip("0"):  # bare, or nothing committed
            continue
        name = "HEAD" if facts["worktree"] == top else f"HEAD ({Path(facts['worktree']).name})"
        branch = facts.get("branch", "").removeprefix("refs/heads/")
        pointers.checked_out.add(branch)
        pointers.add(facts["HEAD"], f"{name} → {branch}" if branch else name)


def _read_refs(repo: Repo, pointers: _Pointers) -> None:
    """Note branches that are not named by a HEAD already, and tags."""
    form = "--format=%(objectname)%00%(*objectname)%00%(refname)%00"
    listed = repo.run("for-each-ref", form, *NAMED).text.split("\0\n")
    for entry in filter(None, listed):
        own, peeled, name = entry.removesuffix("\0").split("\0")
        is_branch = name.startswith(BRANCHES)
        short = next(name.removeprefix(kind) for kind in NAMED if name.startswith(kind))
        if name.startswith("refs/heads/") and short in pointers.checked_out:
            pointers.tips.append(own)
        else:
            pointers.add(peeled or own, short if is_branch else f"tag: {short}", is_tip=is_branch)


def _resolve(repo: Repo, marks: Mapping[str, str | tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return commit id -> marks; a commit may be named twice."""
    found: dict[str, tuple[str, ...]] = {}
    for revision, given in marks.items():
        chosen = (given,) if isinstance(given, str) else given
        unknown = [mark for mark in chosen if mark not in MARKS]
        if unknown:
            raise BadMark(f"there is no mark {unknown[0]!r}. Marks: {', '.join(MARKS)}.")
        asked = ("--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        named = repo.run("rev-parse", *asked, check=False)
        if named.returncode:
            raise BadMark(f"there is no commit {revision!r} to mark. Name one such as HEAD~1.")
        found[named.text] = (*found.get(named.text, ()), *chosen)
    return found

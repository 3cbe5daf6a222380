"""The accepted state: what protected files and the policy are judged against.

Authorisation looks at what was accepted before, never at what the change brings along. The
record lives in the git dir of the checkout and is as forgeable as the approval variable: it
stops mistakes and habits, not a determined writer with the same user id.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: chapter 7, "Who guards the rule". Introduced in v0.2.
"""

from collections.abc import Callable, Mapping

from mini_letta.memory.constraints import Tree
from mini_letta.memory.staged import Place, ask_git, read_tree, root_entry

Record = dict[str, str | None]
"""``revision``: last commit whose audit was clean. ``policy``: object id of the accepted policy
file, None for "no policy file". ``pendingPolicy`` and ``pendingTree``: an approved policy whose
commit has not been seen yet, and the id of exactly the tree that was approved with it."""


class State:
    """A tree to judge against: its policy entry, and its files once they are needed."""

    __slots__ = ("_known", "_read", "policy")

    def __init__(self, policy: tuple[str, str] | None, read: "Callable[[], Tree]") -> None:
        self.policy = policy
        """(octal mode, object id) of the policy file, or None."""
        self._read = read
        self._known: Tree | None = None

    def files(self) -> "Tree":
        """Return the whole tree: one git process, once, and only when a rule asks for it."""
        if self._known is None:
            self._known = self._read()
        return self._known


def revision_objects(revision: str) -> list[str]:
    """Return the names of the objects :func:`state_at` needs, to be read in one go with others."""
    return [revision, f"{revision}^{{tree}}"]


def state_at(place: "Place", revision: str, objects: "Mapping[str, bytes | None]") -> "State":
    """Return the state a commit holds; an empty one when there is no such commit.

    Args:
        objects: content of the objects that :func:`revision_objects` names.
    """
    commit, tree = (objects[name] for name in revision_objects(revision))
    if commit is None or tree is None:
        return State(None, dict)
    id_bytes = (commit.index(b"\n") - len(b"tree ")) // 2
    policy = root_entry(tree, ".memfs.config.json", id_bytes)
    return State(policy, lambda: read_tree(place, revision))


def read_record(git_dir: str) -> "Record | None":
    """Return the accepted record of a checkout, or None when there is none yet.

    Reads the flat JSON object that :func:`write_record` writes, without importing ``json``.

    Raises:
        ValueError: the file is not such a record.
    """
    path = f"{git_dir}/mini-letta-accepted.json"
    repair = f"{path} is damaged: move it away, then run `mini-letta memory audit` there"
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            fields = [line.strip(" ,\n") for line in file if line.strip() not in ("{", "}")]
    except FileNotFoundError:
        return None
    record: dict[str, str | None] = {}
    for field in fields:
        name, _, value = field.partition(": ")
        word = value.strip('"')
        if value != "null" and (value != f'"{word}"' or not (word.isalnum() or not word)):
            raise ValueError(repair)
        record[name.strip('"')] = None if value == "null" else word
    if sorted(record) != ["pendingPolicy", "pendingTree", "policy", "revision"]:
        raise ValueError(repair)
    return record


def write_record(git_dir: str, record: "Record") -> None:
    """Replace the accepted record of a checkout in one step."""
    import posix

    fields = [
        f'  "{name}": ' + ("null" if value is None else f'"{value}"')
        for name, value in sorted(record.items())
    ]
    path = f"{git_dir}/mini-letta-accepted.json"
    draft = f"{path}.{posix.getpid()}"
    with open(draft, "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(fields) + "\n}\n")
    posix.replace(draft, path)


def settle_pending(place: "Place", record: "Record") -> "Record":
    """Return the record, with an approved policy change accepted once its commit exists.

    That is a commit of exactly the tree that the hook judged and a human approved, wherever it
    is by now. Its tree being judged, it becomes the accepted revision too.

    Raises:
        OSError: git failed.
    """
    if record["pendingTree"] is None:
        return record
    command = ["rev-list", "--all", "--reflog", "--max-count=200", "--no-commit-header"]
    for line in ask_git(place, [*command, "--format=%T %H"]).decode().split("\n"):
        tree, _, revision = line.partition(" ")
        if tree == record["pendingTree"]:
            return {
                "revision": revision,
                "policy": record["pendingPolicy"],
                "pendingPolicy": None,
                "pendingTree": None,
            }
    return record


def current_record(place: "Place") -> "Record | None":
    """Return the accepted record after settling what was pending, on disk too.

    A linked worktree without a record of its own starts from the one of the main checkout.

    Raises:
        OSError: git failed, or the git dir is not writable.
        ValueError: the record is unreadable.
    """
    record = read_record(place.git_dir) or read_record(place.common_dir)
    settled = settle_pending(place, record) if record else None
    if settled and settled is not record:
        write_record(place.git_dir, settled)
    return settled


def note_approval(
    place: "Place", record: "Record | None", accepted: "State", staged: tuple[str, str] | None
) -> None:
    """Record that a human approved the staged policy, before the commit exists.

    Raises:
        OSError: the git dir is not writable, or git failed.
    """
    write_record(
        place.git_dir,
        {
            "revision": record["revision"] if record else None,
            "policy": accepted.policy[1] if accepted.policy else None,
            "pendingPolicy": staged[1] if staged else None,
            "pendingTree": ask_git(place, ["write-tree"]).decode().strip(),
        },
    )


def accepted_state(place: "Place", record: "Record | None", head: "State") -> "State":
    """Return the accepted state of a checkout; without a record it is HEAD.

    The record keeps the bytes of the policy: as an accepted file it is a plain one.
    """
    if record is None:
        return State(head.policy, head.files)
    policy, revision = record["policy"], record["revision"]
    entry = ("100644", policy) if policy else None
    return State(entry, (lambda: accepted_files(place, revision)) if revision else head.files)


def accepted_files(place: "Place", revision: str) -> dict[str, tuple[str, str]]:
    """Return the files of the accepted revision.

    Raises:
        ValueError: history was rewritten and that commit pruned; the text says what to do.
    """
    try:
        return read_tree(place, revision)
    except OSError:
        raise ValueError(
            f"the accepted revision {revision} is no longer in this repository: move "
            f"{place.git_dir}/mini-letta-accepted.json away, then run `mini-letta memory audit`"
        ) from None

"""The verdict on the files of a legacy tree: what is read for it, and which rule asks for what.

The rules about one file are in ``memory/legacy.py``; ``memory/gate.py`` calls this.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: letta-code 0.34.12 as observed (``tests/data/conformance``). Introduced in v0.2.
"""

from mini_letta.memory.accepted import State
from mini_letta.memory.constraints import Tree, check_shape, check_size
from mini_letta.memory.frontmatter import explain_first_line
from mini_letta.memory.legacy import (
    check_legacy_frontmatter,
    check_lock,
    is_legacy_memory,
    read_lock,
)
from mini_letta.memory.policy import Policy
from mini_letta.memory.staged import Place, read_objects


def read_accepted_texts(place: "Place", accepted: "State", changed: list[str]) -> dict[str, str]:
    """Return path -> accepted text of the changed files; a file that was not there has none.

    Raises:
        OSError: git failed.
        ValueError: an accepted text is gone, and with it the answer whether it was locked.
    """
    entries = {path: accepted.files()[path] for path in changed if path in accepted.files()}
    blobs = {path: id for path, (mode, id) in entries.items() if mode != "160000"}
    contents = read_objects(place, [], blobs.values())
    texts = {}
    for path, object_id in blobs.items():
        content = contents[object_id]
        if content is None:
            raise ValueError(
                f"the accepted text of {path} is missing from the repository (object {object_id}): "
                "fetch it from another copy, for example with `git fetch --refetch`"
            )
        texts[path] = content.decode("utf-8", "replace")
    return texts


def check_legacy_file(
    path: str, text: str | None, entry: tuple[str, str], policy: "Policy"
) -> list[str]:
    """Return what is wrong with the place, kind and size of one file, whoever wrote it.

    Args:
        text: None if the entry is a submodule or its content is missing.
        entry: (octal mode, object id).
    """
    problems = check_shape(path, entry[0], "", policy)
    if text is not None:
        return problems + check_size(path, len(text), policy)
    if entry[0] == "160000":
        return problems
    return [*problems, f"its content is missing from the repository (object {entry[1]})"]


def check_legacy_files(
    place: "Place",
    tree: "Tree",
    contents: dict[str, bytes | None],
    policy: "Policy",
    *,
    previous: "State",
    accepted: "State",
) -> tuple[list[str], list[str]]:
    """Return the problems of all legacy memory files, sorted by path, and what explains them.

    The shape is asked of what differs from the tree before, but not of an accepted file that is
    locked: it is as people left it. The lock is asked of what differs from the accepted tree.

    Raises:
        OSError, ValueError: as :func:`read_accepted_texts`.
    """
    agreed = accepted.files()
    paths = sorted(path for path in {**agreed, **tree} if is_legacy_memory(path))
    changed = [path for path in paths if tree.get(path) != agreed.get(path)]
    before = read_accepted_texts(place, accepted, changed)
    problems, hints = [], []
    for path in paths:
        entry = tree.get(path)
        content = contents.get(entry[1]) if entry else None
        text = None if content is None else content.decode("utf-8", "replace")
        found = [] if text is None else check_legacy_frontmatter(text)
        is_locked = path not in changed and read_lock(text or "") == "true"
        # the tree before is read only when there is such a problem: most commits have none.
        # Where nothing was before, nobody locked anything either: a first audit judges all.
        if found and previous.files() and (is_locked or entry == previous.files().get(path)):
            found = []
        hint = explain_first_line(text) if found and text else ""
        hints += [f"{path}: {hint}"] if hint else []
        found += check_lock(text, before.get(path)) if path in changed else []
        found += check_legacy_file(path, text, entry, policy) if entry else []
        problems += [f"{path}: {problem}" for problem in found]
    return problems, hints

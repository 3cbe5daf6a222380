"""The verdict on a tree: one function for the hook, the command line, the audit and the labs.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: chapter 7, "One rule set". Introduced in v0.2.
"""

from mini_letta.memory.accepted import (
    State,
    accepted_state,
    current_record,
    note_approval,
    revision_objects,
    state_at,
)
from mini_letta.memory.constraints import (
    Tree,
    check_core_budget,
    check_protected,
    check_shape,
    check_size,
    matches_any,
)
from mini_letta.memory.format import is_flat_skill, is_memory, missing_index
from mini_letta.memory.frontmatter import check_frontmatter, explain_first_line
from mini_letta.memory.layout import find_layout, read_policy_name
from mini_letta.memory.legacy_gate import check_legacy_files
from mini_letta.memory.policy import Policy, default_policy, parse_policy, unlimited_policy
from mini_letta.memory.staged import Place, read_index, read_objects


def one_line(problem: str) -> str:
    """Return a problem as one line of Unicode: a line feed as ``\\n``, a raw byte as ``\\xff``."""
    flat = problem.replace("\n", "\\n")
    try:
        raw = flat.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, written as such in the policy's JSON
        raw = flat.encode("utf-8", "backslashreplace")
    return raw.decode("utf-8", "backslashreplace")


def choose_policy(
    tree: "Tree", previous: "State", accepted: "State", approved: bool
) -> tuple[tuple[str, str] | None, list[str]]:
    """Return the policy entry a tree is judged by, and the problem if it is not allowed to change.

    The policy of the change itself counts only with a human's approval, or when it restores
    exactly the accepted bytes; otherwise the previous one stays in force.
    """
    name = ".memfs.config.json"
    staged = tree.get(name)
    occupied = any(path.startswith(f"{name}/") for path in tree)
    restored = staged == accepted.policy
    problems = []
    if occupied or (staged and staged[0] not in ("100644", "100755")):
        problems.append(f"{name}: constraint config must be a regular file")
    if approved or staged == previous.policy or (restored and not occupied):
        return (None if problems else staged), problems
    problems.insert(0, f"{name} is protected and requires human approval to change")
    return previous.policy, problems


def check_files(
    tree: "Tree", contents: dict[str, bytes | None], policy: "Policy", *, chained: bool = True
) -> tuple[list[str], list[str]]:
    """Return the problems of every memory file and of all together, and what explains them.

    Args:
        chained: MemFS v2, where each folder needs an index before a file in it counts, and the
            files at the root share a budget.
    """
    problems, hints = [], []
    sizes: dict[str, int] = {}
    for path, (mode, object_id) in sorted(tree.items()):
        if not is_memory(path):
            continue
        index = missing_index(path, tree) if chained else ""
        found = check_shape(path, mode, index, policy)
        content = contents.get(object_id)
        if content is not None:
            text = content.decode("utf-8", "replace")
            if not index:
                shape = check_frontmatter(path, text)
                hint = explain_first_line(text) if shape else ""
                hints += [f"{path}: {hint}"] if hint else []
                found = shape + found
            if mode != "120000":
                sizes[path] = len(text)
                found += check_size(path, len(text), policy)
        elif mode != "160000":
            found.append(f"its content is missing from the repository (object {object_id})")
        problems += [f"{path}: {problem}" for problem in found]
    return problems + (check_core_budget(sizes, policy) if chained else []), hints


def check_read_only(
    tree: "Tree", policy: "Policy", previous: "State", accepted: "State", guarded: list[str]
) -> list[str]:
    """Return a problem for each protected file that differs from its accepted bytes or mode.

    Args:
        guarded: globs the accepted policy protects. Such a file is judged against the accepted
            tree; one that only the new policy protects, against the commit before.
    """
    patterns = policy["readOnlyFiles"]
    changed = check_protected(patterns, tree, accepted.files())
    changed = [path for path in changed if matches_any(guarded, path)]
    if patterns != guarded:
        fresh = check_protected(patterns, tree, previous.files())
        changed += [path for path in fresh if not matches_any(guarded, path)]
    return [
        f"{path}: read-only file cannot be created, changed or removed" for path in sorted(changed)
    ]


def check_skills(tree: "Tree", previous: "State", *, also_below: str = "") -> list[str]:
    """Return a problem for each flat skill that is new or changed; an old one is left alone.

    Args:
        also_below: a folder whose ``skills/`` counts as well, with its slash.
    """
    flat_skills = sorted(path for path in tree if is_flat_skill(path.removeprefix(also_below)))
    before = previous.files() if flat_skills else {}
    return [
        f"{path}: invalid skill path (skills must be folders). Use skills/<name>/SKILL.md"
        for path in flat_skills
        if tree[path] != before.get(path)
    ]


def judge(
    place: "Place",
    tree: "Tree",
    contents: dict[str, bytes | None],
    *,
    previous: "State",
    accepted: "State",
    approved: bool,
    layout: str = "memfs-v2",
    completed: bool = False,
) -> tuple[list[str], list[str]]:
    """Return everything that is wrong with a tree, and hints that explain it.

    Args:
        tree: the whole proposed tree, not only what changed.
        contents: object id -> bytes of every judged file.
        previous: what the tree replaces: HEAD for a commit, the accepted state for an audit.
        accepted: what protected files and the policy may always return to.
        approved: a human approved a policy change.
        layout: as ``find_layout`` says.
        completed: outside MemFS v2 too, what the policy file leaves out takes the defaults.
    Raises:
        OSError: git failed or an object could not be read.
        ValueError: an accepted revision or text is gone.
    """
    entry, problems = choose_policy(tree, previous, accepted, approved)
    limited = layout == "memfs-v2" or (completed and entry is not None)
    policy, found = load_policy(place, entry, contents, limited=limited)
    problems += [f".memfs.config.json: {problem}" for problem in found]
    if layout == "memfs-v2" and "MEMORY.md" not in tree:
        problems.append("MEMORY.md: root memory index is required for MemFS v2")
    if layout == "legacy":
        problems += check_skills(tree, previous, also_below="memory/")
        found, hints = check_legacy_files(
            place, tree, contents, policy, previous=previous, accepted=accepted
        )
    else:
        problems += check_skills(tree, previous)
        found, hints = check_files(tree, contents, policy, chained=layout == "memfs-v2")
    problems += found
    if policy["readOnlyFiles"]:
        guarded = load_policy(place, accepted.policy, contents)[0]["readOnlyFiles"]
        problems += check_read_only(tree, policy, previous, accepted, guarded)
    return [one_line(problem) for problem in problems], [one_line(hint) for hint in hints]


def load_policy(
    place: "Place",
    entry: tuple[str, str] | None,
    contents: dict[str, bytes | None],
    *,
    limited: bool = True,
) -> tuple["Policy", list[str]]:
    """Return the policy behind a tree entry, the defaults for None, and what is wrong with it.

    Args:
        contents: object id -> bytes already read; anything else is asked of git.
        limited: what the file leaves out takes the defaults; otherwise it has no limit.
    """
    policy = default_policy() if limited else unlimited_policy()
    if entry is None:
        return policy, []
    if entry[0] not in ("100644", "100755"):
        return policy, ["constraint config must be a regular file"]
    known = contents if entry[1] in contents else read_objects(place, [], [entry[1]])
    content = known[entry[1]]
    if content is None:
        return policy, [f"its content is missing from the repository ({entry[1]})"]
    return parse_policy(content.decode("utf-8", "replace"), policy)


def judged_blobs(tree: "Tree") -> list[str]:
    """Return the ids of the objects whose content the rules read."""
    return [
        object_id
        for path, (mode, object_id) in tree.items()
        if mode != "160000" and (is_memory(path) or path == ".memfs.config.json")
    ]


def check_index(
    place: "Place", *, approved: bool, committing: bool = False
) -> tuple[list[str], list[str]]:
    """Return everything that is wrong with what is staged, and hints that explain it.

    Args:
        approved: a human approved a policy change.
        committing: the verdict decides a commit, so an approved policy that passes is noted: it
            counts as accepted once the commit exists.
    Raises:
        OSError: git failed.
        ValueError: the accepted record of this checkout or its policy's name is unreadable.
    """
    tree, unmerged = read_index(place)
    if unmerged:
        return [one_line(f"{path}: has an unresolved merge conflict") for path in unmerged], []
    objects = read_objects(place, revision_objects("HEAD"), judged_blobs(tree))
    head = state_at(place, "HEAD", objects)
    unborn = objects["HEAD"] is None
    staged = tree.get(".memfs.config.json")
    name = read_policy_name(place.common_dir)
    may_lock = name != "root-marker" or "MEMORY.md" not in tree
    # most memories have neither policy nor locks, and then nothing depends on the record
    record = current_record(place) if unborn or head.policy or staged or may_lock else None
    accepted = accepted_state(place, record, head)
    previous = accepted if unborn else head  # an orphan branch does not shed what was accepted
    problems, hints = judge(
        place,
        tree,
        objects,
        previous=previous,
        accepted=accepted,
        approved=approved,
        layout=find_layout(place, name, tree, accepted, unborn=unborn),
        # as letta-code does before a commit, but not in an audit
        completed=name == "root-marker",
    )
    if approved and committing and not problems and staged != accepted.policy:
        note_approval(place, record, accepted, staged)
    return problems, hints

"""The policy file ``.memfs.config.json``: limits, protected files, every way to get it wrong.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: chapter 7, "Rule two: budget and shape". Introduced in v0.2.
"""

from typing import TypedDict

from mini_letta.memory.glob import check_glob

POLICY_FILE = ".memfs.config.json"
APPROVAL_VARIABLE = "MINI_LETTA_CONSTRAINTS_UPDATE"


class Policy(TypedDict):
    """Limits in force. Characters are Unicode code points; ``a/b/c.md`` has depth 2."""

    maxDepth: int
    maxFileCharacters: int
    maxCoreMemoryCharacters: int
    fileCharacterLimits: list[tuple[str, int | None]]
    """(glob, limit) in file order; the first match wins, None is no limit."""
    readOnlyFiles: list[str]
    """Globs of files that may not be created, changed or removed."""


def default_policy() -> "Policy":
    """Return the limits of a memory without a policy file."""
    return {
        "maxDepth": 2,
        "maxFileCharacters": 20_000,
        "maxCoreMemoryCharacters": 65_536,
        "fileCharacterLimits": [],
        "readOnlyFiles": [],
    }


def unlimited_policy() -> "Policy":
    """Return the limits of a layout that has none of its own: the largest number JSON can hold."""
    largest = 2**53 - 1
    policy = default_policy()
    policy["maxDepth"] = policy["maxFileCharacters"] = largest
    policy["maxCoreMemoryCharacters"] = largest
    return policy


def is_whole_number(value: object, least: int) -> bool:
    """Return whether a JSON value is an integer of at least ``least`` that JavaScript can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value == value // 1 and least <= value <= 2**53 - 1


def decode_json(text: str) -> object:
    """Return the value of a JSON text; NaN and Infinity are errors, as the standard says.

    Importing ``json`` costs a hook as much as starting Python once more. Its scanner alone costs
    nothing, and whatever that does not like is left to the real thing.

    Raises:
        ValueError, RecursionError: the text is not JSON, or nests too deeply.
    """

    class Options:
        strict = True
        object_hook = object_pairs_hook = None
        parse_float, parse_int = float, int

        @staticmethod
        def parse_constant(name: str) -> None:
            raise ValueError(f"{name} is not a JSON value")

    blanks = " \t\n\r"
    try:
        from _json import make_scanner

        start = len(text) - len(text.lstrip(blanks))
        value, end = make_scanner(Options)(text, start)  # type: ignore[arg-type]
        if not text[end:].strip(blanks):
            return value
    except (ImportError, StopIteration, ValueError, RecursionError, SystemError):
        pass  # SystemError: alone, the scanner lacks the words for what it found
    import json

    return json.loads(text, parse_constant=Options.parse_constant)


def parse_policy(text: str, base: "Policy | None" = None) -> tuple["Policy", list[str]]:
    """Return the policy of a file and every problem in it, without the file's name.

    Fields that are absent or wrong are those of ``base``, or else of the defaults, so that the
    rest of the tree can still be judged. A policy with problems must not be committed.
    """
    policy = base or default_policy()
    try:
        data = decode_json(text)
    except (ValueError, RecursionError) as error:
        return policy, [f"invalid JSON ({error})"]
    if not isinstance(data, dict):
        return policy, ["expected a JSON object"]
    problems = [
        f"unknown field '{field}'" for field in data if field not in policy and field != "version"
    ]
    if isinstance(data.get("version"), bool) or data.get("version") != 1:
        problems.append("version must be 1")
    problems += read_limits(data, policy)
    problems += read_file_limits(data.get("fileCharacterLimits", []), policy)
    problems += read_protected(data.get("readOnlyFiles", []), policy)
    return policy, problems


def read_limits(data: dict[str, object], policy: "Policy") -> list[str]:
    """Move the three plain limits of a parsed file into ``policy``; return the problems."""
    problems = []
    for field, least, kind in (
        ("maxDepth", 0, "non-negative"),
        ("maxFileCharacters", 1, "positive"),
        ("maxCoreMemoryCharacters", 1, "positive"),
    ):
        if not is_whole_number(data.get(field, least), least):
            problems.append(f"{field} must be a {kind} integer")
        elif field in data:
            policy.update({field: int(data[field])})  # type: ignore[misc]  # one of these three
    return problems


def read_file_limits(items: object, policy: "Policy") -> list[str]:
    """Move ``fileCharacterLimits`` into ``policy``; return the problems."""
    if not isinstance(items, list):
        return ["fileCharacterLimits must be an array"]
    problems = []
    for number, item in enumerate(items):
        where = f"fileCharacterLimits[{number}]"
        if not isinstance(item, dict):
            problems.append(f"{where} must be an object")
            continue
        found = [
            f"unknown field '{field}'"
            for field in item
            if field not in ("pattern", "maxCharacters")
        ]
        found += [problem for problem in [check_glob(item.get("pattern"))] if problem]
        limit = item.get("maxCharacters", 0)
        if limit is not None and not is_whole_number(limit, 1):
            found.append("maxCharacters must be a positive integer or null")
        problems += [f"{where}: {problem}" for problem in found]
        if not found:
            policy["fileCharacterLimits"].append((item["pattern"], limit))
    return problems


def read_protected(items: object, policy: "Policy") -> list[str]:
    """Move ``readOnlyFiles`` into ``policy``; return the problems."""
    if not isinstance(items, list):
        return ["readOnlyFiles must be an array"]
    problems = [(number, check_glob(item)) for number, item in enumerate(items)]
    policy["readOnlyFiles"] = [
        item for item, (_, problem) in zip(items, problems, strict=True) if not problem
    ]
    return [f"readOnlyFiles[{number}]: {problem}" for number, problem in problems if problem]

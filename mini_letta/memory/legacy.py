"""The rules of a legacy memory: two folders, one field, and files that lock themselves.

letta-code had this layout before MemFS v2 and still guards it. A file is judged when it changes;
an old one is left alone. ``read_only: true`` in a file's own frontmatter locks it, which is why
the field is not the agent's to set. Here a locked file cannot be deleted or moved away either.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: letta-code 0.34.12 as observed (``tests/data/conformance``). Introduced in v0.2.
"""


def is_legacy_memory(path: str) -> bool:
    """Return whether the legacy rules speak about a file; ``memory/`` in front makes no odds."""
    return path.endswith(".md") and path.removeprefix("memory/").startswith(
        ("system/", "reference/")
    )


def read_legacy_fields(content: str) -> tuple[list[tuple[str, str]], str]:
    """Return the frontmatter fields in file order, and what is wrong with its frame.

    Line oriented: an indented line continues the one before and is skipped, a key is the text
    before the first ``:`` without its spaces, a line without ``:`` is its own value.
    """
    lines = content.split("\n")
    if lines[0] != "---":
        return [], "missing frontmatter (must start with ---)"
    if "---" not in lines[1:]:
        return [], "frontmatter opened but never closed (missing closing ---)"
    fields = []
    for line in lines[1 : lines.index("---", 1)]:
        if line and line[0] not in " \t":
            key, colon, value = line.partition(":")
            fields.append((key.replace(" ", ""), (value if colon else line).strip(" ")))
    return fields, ""


def check_legacy_frontmatter(content: str) -> list[str]:
    """Return what is wrong with the shape of one file, without its path."""
    fields, problem = read_legacy_fields(content)
    if problem:
        return [problem]
    allowed = ("description", "read_only", "limit")
    problems = [
        f"unknown frontmatter key '{key}' (allowed: description read_only limit)"
        for key, _ in fields
        if key not in allowed
    ]
    problems += [
        "'description' must not be empty" for field in fields if field == ("description", "")
    ]
    if all(key != "description" for key, _ in fields):
        problems.append("missing required field 'description'")
    return problems


def read_lock(content: str) -> str:
    """Return the value of ``read_only`` in what a file was before, an empty string if it had none.

    Not the reader of :func:`read_legacy_fields`: whatever letta-code takes for a lock is one.
    """
    lines = content.split("\n")[1:]
    inside = lines[: lines.index("---")] if "---" in lines else lines
    return "\n".join(
        line.removeprefix("read_only:").strip(" ")
        for line in inside
        if line.startswith("read_only:")
    )


def check_lock(content: str | None, before: str | None) -> list[str]:
    """Return what a change does to a lock that it may not do.

    Args:
        content: the file now; None if it is gone.
        before: the file as it was accepted; None or empty if there was none.
    """
    lock = read_lock(before or "")
    if lock == "true":
        return [f"file is read_only and cannot be {'removed' if content is None else 'modified'}"]
    if content is None:
        return []
    values = [value for key, value in read_legacy_fields(content)[0] if key == "read_only"]
    done = "changed" if before else "set"
    problems = [
        f"'read_only' is a protected field and cannot be {done} by the agent"
        for value in values
        if not before or value != lock
    ]
    if lock and not values:
        problems.append("'read_only' is a protected field and cannot be removed by the agent")
    return problems

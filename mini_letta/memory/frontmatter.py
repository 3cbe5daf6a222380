"""Rule one: what a memory file must look like. The only implementation; hook and CLI share it.

Every function here is self-contained, because the commit hook embeds its source
(``memory/hooks.py``): builtins only, nothing from this module but its embedded siblings.

Source: chapter 7, "Rule one: frontmatter". Introduced in v0.2.
"""


def read_frontmatter(content: str) -> tuple[list[tuple[str, str]], str] | None:
    """Return the frontmatter fields in file order, and the body after the closing line.

    Line oriented, not YAML: a field is the text before the first ``:`` and the text after it,
    both without surrounding spaces; a line without ``:`` is its own key and value; empty lines
    are skipped. None when the file does not open with a line ``---`` or never closes it.
    """
    lines = content.split("\n")
    try:
        close = lines.index("---", 1)
    except ValueError:
        return None
    if lines[0] != "---":
        return None
    fields = []
    for line in lines[1:close]:
        if line:
            key, colon, value = line.partition(":")
            fields.append((key.strip(" "), (value if colon else line).strip(" ")))
    return fields, "\n".join(lines[close + 1 :])


def check_frontmatter(path: str, content: str) -> list[str]:
    """Return what is wrong with the shape of one memory file, in file order.

    Args:
        path: repo-relative POSIX path; a ``MEMORY.md`` is an index and has no frontmatter.
        content: the whole file as text.
    Returns:
        Problems without the path. Empty when the shape is right.
    """
    opened = content.split("\n", 1)[0] == "---"
    if path.rsplit("/", 1)[-1] == "MEMORY.md":
        return ["MEMORY.md must not have frontmatter"] if opened else []
    if not opened:
        return ["missing frontmatter (must start with ---)"]
    parsed = read_frontmatter(content)
    if parsed is None:
        return ["frontmatter opened but never closed (missing closing ---)"]
    required = ("name", "description")
    problems = []
    seen = set()
    for key, value in parsed[0]:
        if key not in required:
            problems.append(f"unknown frontmatter key '{key}' (allowed: name description)")
            continue
        if key in seen:
            problems.append(f"duplicate frontmatter key '{key}'")
        seen.add(key)
        if value in ("", '""', "''"):
            problems.append(f"'{key}' must not be empty")
    return problems + [f"missing required field '{key}'" for key in required if key not in seen]


def explain_first_line(content: str) -> str:
    """Return the invisible reason why ``---`` is not seen as frontmatter, or an empty string."""
    if content.startswith("\ufeff"):
        return "a byte order mark (BOM) stands before its first line; save it as UTF-8 without BOM"
    lines = content.split("\n")
    if lines[0] == "---\r" or (lines[0] == "---" and "---\r" in lines):
        return "its lines end in CR LF, so `---` is read as `---\\r`; save it with LF line ends"
    return ""

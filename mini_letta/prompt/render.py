"""How memory looks inside the system prompt, whichever place it was read from.

Chapter 8, "What the model sees". Shape of a rendering, blocks separated by one empty line::

    <human>
    <description>What I know about you</description>
    - likes tabs
    </human>

    <memory>
    # Memory
    <deferred-memory>
    <directory path="work/" index="work/MEMORY.md" />
    </deferred-memory>
    </memory>

Introduced in v0.2.
"""

from collections.abc import Collection, Mapping
from xml.sax.saxutils import escape

from mini_letta.memory.format import is_projected
from mini_letta.memory.frontmatter import check_frontmatter, read_frontmatter

INDEX = "MEMORY.md"
PLACEHOLDER = "{CORE_MEMORY}"


def fill_prompt(raw_prompt: str, rendering: str) -> str:
    """Return the raw prompt with the rendering in every ``{CORE_MEMORY}``, else at its end.

    Plain replacement: a ``$1`` or a ``{CORE_MEMORY}`` inside the memory stays what it is.
    """
    if PLACEHOLDER in raw_prompt:
        return raw_prompt.replace(PLACEHOLDER, rendering)
    return f"{raw_prompt}\n\n{rendering}"


def render_tree(core: Mapping[str, str], paths: Collection[str]) -> str:
    """Return the memory as text: core blocks sorted by name, then ``<memory>``.

    Args:
        core: path -> text of each Markdown file at the root, ``MEMORY.md`` included.
        paths: every path of the tree, to find the directories that are only listed.
    Returns:
        Blocks joined by an empty line; empty when there is no memory.
    """
    names = sorted(path for path in core if path != INDEX)
    blocks = [_render_core(path, core[path]) for path in names]
    index = _render_index(core.get(INDEX, ""), list_deferred(paths))
    return "\n\n".join(blocks + ([index] if index else []))


def list_deferred(paths: Collection[str]) -> list[str]:
    """Return the first-level directories that have an index and so count as memory, sorted."""
    known = frozenset(paths)
    tops = {path.split("/")[0] for path in known if path.count("/") == 1}
    return sorted(
        top for top in tops if f"{top}/{INDEX}" in known and is_projected(f"{top}/{INDEX}", known)
    )


def _render_core(path: str, text: str) -> str:
    name = _escape_name(path.removesuffix(".md"))
    description, body = _split(path, text)
    inside = [f"<description>{description}</description>"] if description else []
    inside += [body.rstrip()] if body.strip() else []
    return "\n".join([f"<{name}>", *inside, f"</{name}>"])


def _split(path: str, text: str) -> tuple[str, str]:
    """Return description and body; a file without valid frontmatter is all body.

    That is how a commit made past the hook becomes visible instead of vanishing (chapter 7).
    """
    parsed = None if check_frontmatter(path, text) else read_frontmatter(text)
    if parsed is None:
        return "", text
    fields, body = parsed
    return dict(fields).get("description", ""), body


def _render_index(index: str, deferred: list[str]) -> str:
    body = index.rstrip()
    inside = [body] if body else []
    if deferred:
        rows = [_render_directory(_escape_name(name)) for name in deferred]
        inside += ["<deferred-memory>", *rows, "</deferred-memory>"]
    return "\n".join(["<memory>", *inside, "</memory>"]) if inside else ""


def _render_directory(name: str) -> str:
    return f'<directory path="{name}/" index="{name}/{INDEX}" />'


def _escape_name(name: str) -> str:
    """Return a name that cannot break out of its tag; bytes that are not UTF-8 become U+FFFD."""
    readable = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return escape(readable, {'"': "&quot;", "'": "&apos;", "\n": "&#10;"})

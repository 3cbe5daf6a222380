"""Blocks of a chapter that are copies: their source, found by the marker above them.

<!-- include: mini_letta.git:Repo.git_dir -->   source of a symbol of the package or a test
<!-- cell: 07/no-verify-fails -->               source of a notebook cell
<!-- output: 07/no-verify-fails -->             what that cell prints or shows in the built notebook
"""

import ast
import json
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mini_letta.errors import MiniLettaError

MARKER = re.compile(r"<!-- (include|cell|output): (\S+) -->")
FENCE = re.compile(r"(`{3,})(\w*)")

Body = Callable[[str, str, str], str]  # (kind of marker, name, body as shown) -> body


class UnknownSource(MiniLettaError):
    """A marker names a symbol, cell or output that is not there."""


def rewrite_blocks(text: str, body: Body) -> str:
    """Return a chapter in which each woven block has the body ``body(kind, name, shown)``."""
    lines = text.split("\n")
    result: list[str] = []
    while lines:
        result.append(lines.pop(0))
        marker = MARKER.fullmatch(result[-1])
        fence = FENCE.fullmatch(lines[0]) if marker and lines else None
        if not marker or not fence:
            continue
        end = lines.index(fence[1], 1)
        new = body(marker[1], marker[2], "\n".join(lines[1:end]))
        ticks = "````" if "```" in new else "```"
        result += [ticks + fence[2], *([new] if new else []), ticks]
        del lines[: end + 1]
    return "\n".join(result)


def read_source(root: Path, lang: str, kind: str, name: str) -> str:
    """Return what a marker stands for, without a final newline.

    Raises:
        UnknownSource: there is no such symbol, cell or output.
    """
    if kind == "include":
        return read_symbol(root, name)
    number, _, id = name.partition("/")
    for path in (root / "notebooks" / lang).glob(f"{number}_*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell.get("id") == id:
                return _joined(cell["source"]) if kind == "cell" else printed(cell)
    raise UnknownSource(f"there is no cell {name} in notebooks/{lang}; build the notebooks first")


def printed(cell: dict[str, list[dict[str, Any]]]) -> str:
    """Return what a code cell of a built notebook printed, and its pictures as text."""
    outputs = cell["outputs"]
    texts = [out.get("text", out.get("data", {}).get("text/plain")) for out in outputs]
    return "\n".join(_joined(text).removesuffix("\n") for text in texts if text is not None)


def read_symbol(root: Path, name: str) -> str:
    """Return the source of ``package.module:Symbol.attribute``, decorators included."""
    module, _, symbol = name.partition(":")
    path = root / (module.replace(".", "/") + ".py")
    if not path.is_file():
        raise UnknownSource(f"there is no module {module}")
    text = path.read_text(encoding="utf-8")
    body: list[ast.stmt] = ast.parse(text).body
    node: ast.stmt | None = None
    for part in symbol.split("."):
        node = next((item for item in body if part in _names(item)), None)
        if node is None:
            raise UnknownSource(f"there is no {symbol} in {module}")
        body = getattr(node, "body", [])
    assert node is not None  # `"".split(".")` has one item
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return textwrap.dedent("\n".join(text.split("\n")[first - 1 : node.end_lineno]))


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _joined(text: object) -> str:
    return "".join(text) if isinstance(text, list) else str(text)

"""Break text into lines for a terminal, Chinese included.

rich breaks at spaces only. Chinese has none: a line may end after any character, but must not
begin with closing punctuation nor end with opening punctuation.
"""

import re

from rich.cells import cell_len

WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
CLOSING = "，。：；！？、）》」』”’…"
OPENING = "（《「『“‘"
# A word with what may not be torn off it, or one wide character with the same.
UNIT = re.compile(rf"[{OPENING}]*(?:[^\s{WIDE}{CLOSING}{OPENING}]+|[{WIDE}])[{CLOSING}]*\s*|\S+\s*")


def wrap(text: str, width: int) -> str:
    """Return ``text`` in lines of at most ``width`` cells; a longer word is left whole."""
    lines = [""]
    for unit in UNIT.findall(text):
        if lines[-1] and cell_len(lines[-1] + unit.rstrip()) > width:
            lines.append("")
        lines[-1] += unit
    return "\n".join(line.rstrip() for line in lines)

"""Text of strangers on our screens and pages: every character visible, none obeyed."""

import html
import unicodedata

# Control, format (bidirectional overrides among them) and surrogate characters, line separators.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS = "\u200c\u200d"  # inside emoji and in several scripts


def visible(text: str, *, kept: str = "") -> str:
    """Return text with each character that cannot be seen written as an escape.

    Args:
        kept: characters to leave alone, such as a newline.
    """
    return "".join(_spell(char) if _is_unseen(char, kept) else char for char in text)


def visible_name(name: str) -> str:
    """Return a file name as text for people and JSON; two names never become the same text."""
    return visible(name.replace("\\", "\\\\"))


def escape(text: str) -> str:
    """Return text as HTML, for element content and quoted attributes, on one or more lines."""
    return html.escape(visible(text, kept="\n\t"))


def clip(text: str, limit: int) -> str:
    """Return at most ``limit`` characters and, if some are left out, how many there were."""
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def _is_unseen(char: str, kept: str) -> bool:
    return unicodedata.category(char) in UNSEEN and char not in kept and char not in JOINERS


def _spell(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")

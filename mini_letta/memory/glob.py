"""Globs of the policy file: ``*`` and ``?`` stay inside a segment, ``**`` is a whole segment.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``).

Source: chapter 7, "Rule two: budget and shape". Introduced in v0.2.
"""

from collections.abc import Callable, Sequence


def matches_glob(pattern: str, path: str) -> bool:
    """Return whether a repo-relative path matches a glob.

    ``*`` is any run of characters and ``?`` one character (a Unicode code point) within a
    segment; ``**`` is any number of segments, at least one when it comes last. Everything else
    stands for itself. Time is at most the product of the two lengths, whatever the pattern.
    """

    def match(
        wanted: "Sequence[str]",
        found: "Sequence[str]",
        many: str,
        fits: "Callable[[str, str], bool]",
    ) -> bool:
        at = seen = retry = 0
        star = -1
        while seen < len(found):
            if at < len(wanted) and wanted[at] == many:
                star, retry, at = at, seen, at + 1
            elif at < len(wanted) and fits(wanted[at], found[seen]):
                at, seen = at + 1, seen + 1
            elif star >= 0:
                retry += 1
                at, seen = star + 1, retry
            else:
                return False
        return all(rest == many for rest in wanted[at:])

    def fits_character(wanted: str, found: str) -> bool:
        return wanted in ("?", found)

    def fits_segment(wanted: str, found: str) -> bool:
        return match(wanted, found, "*", fits_character)

    segments = pattern.split("/")
    if segments[-1] == "**":
        segments.append("*")
    return match(segments, path.split("/"), "**", fits_segment)


def check_glob(pattern: object) -> str:
    """Return why a value of the policy file is not a usable glob, or an empty string."""
    if not isinstance(pattern, str) or not pattern or pattern.startswith("/") or "\\" in pattern:
        return "pattern must be a non-empty repo-relative glob using '/'"
    segments = pattern.split("/")
    if ".." in segments:
        return "pattern must be a non-empty repo-relative glob using '/'"
    if any("**" in segment and segment != "**" for segment in segments):
        return "'**' must be a complete path segment"
    return ""

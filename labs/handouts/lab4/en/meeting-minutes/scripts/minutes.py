"""Sort the raw notes of a meeting: ``python3 minutes.py < notes.txt``."""

import sys

TITLES = {"decision": "Decisions", "todo": "To do", "open": "Open questions"}


def sort_notes(notes: str) -> str:
    """Return the notes as Markdown, grouped by the word before the colon; the rest last."""
    groups: dict[str, list[str]] = {title: [] for title in [*TITLES.values(), "Notes"]}
    for line in notes.splitlines():
        word, colon, rest = line.partition(":")
        title = TITLES.get(word.strip().lower()) if colon else None
        text = rest if title else line
        if text.strip():
            groups[title or "Notes"].append(f"- {text.strip()}\n")
    return "\n".join(f"## {title}\n\n{''.join(group)}" for title, group in groups.items() if group)


if __name__ == "__main__":
    sys.stdout.write(sort_notes(sys.stdin.read()))

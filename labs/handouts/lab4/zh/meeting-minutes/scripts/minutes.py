"""把会议笔记分类：``python3 minutes.py < notes.txt``。"""

import sys

TITLES = {"决定": "决定", "待办": "待办", "问题": "未定"}


def sort_notes(notes: str) -> str:
    """返回 Markdown，按冒号前的词归类；其余的放在最后。"""
    groups: dict[str, list[str]] = {title: [] for title in [*TITLES.values(), "其他"]}
    for line in notes.splitlines():
        word, colon, rest = line.replace("：", ":", 1).partition(":")
        title = TITLES.get(word.strip()) if colon else None
        text = rest if title else line
        if text.strip():
            groups[title or "其他"].append(f"- {text.strip()}\n")
    return "\n".join(f"## {title}\n\n{''.join(group)}" for title, group in groups.items() if group)


if __name__ == "__main__":
    sys.stdout.write(sort_notes(sys.stdin.read()))

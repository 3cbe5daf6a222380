"""One turn as a sequence: who told whom what, the hook and the audit among them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from mini_letta.course.show.events import PARTIES, Event, list_events
from mini_letta.course.show.labels import GAP, Label, as_line, legible, width_of
from mini_letta.course.show.picture import Picture
from mini_letta.course.show.sequence import draw_sequence, header_of, text_column
from mini_letta.course.show.svg import document, draw_rows
from mini_letta.turn import Turn

TEXT_CELLS = 76
ARROW = " → "
WORDS = {
    "en": {
        "title": "What happened in the turn",
        "about": "Messages in order: {count}.",
        "user": "you",
        "model": "model",
        "tools": "tools",
        "hook": "hook",
        "harness": "harness",
        "turn": "turn {number}",
        "refused": "✗ refused: ",
        "passed": "✓ no objection",
        "bypassed": "○ not asked: ",
        "notice": "notice: ",
        "untold": "notice for the next turn: ",
        "update": "prompt update: ",
        "more": " (more lines: {count})",
        "skipped": "… messages left out: {count}",
        "silence": "(nothing)",
    },
    "zh": {
        "title": "这个回合里发生了什么",
        "about": "{count} 条消息，按先后排列。",
        "user": "你",
        "model": "模型",
        "tools": "工具",
        "hook": "守门员",
        "harness": "harness",
        "turn": "第 {number} 个回合",
        "refused": "✗ 拒绝：",
        "passed": "✓ 没有异议",
        "bypassed": "○ 没有问它：",
        "notice": "通知：",
        "untold": "留到下一回合的通知：",
        "update": "提示更新：",
        "more": "（另有 {count} 行）",
        "skipped": "… 略去 {count} 条消息",
        "silence": "（没有输出）",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a trace."""

    text: str
    """Legible."""
    tone: str = "muted"
    """A key of ``svg.INK``."""
    event: Event | None = None
    """What begins here; None for a further line, or a line about the trace itself."""


def turn_trace(
    *turns: Turn, shown: Callable[[str], str] = str, limit: int = 60, lang: str = "en"
) -> Picture:
    """Return a picture of one turn, or of several one below the other.

    Args:
        turns: in the order they took place.
        shown: applied to every text; ``bench.shown`` writes the temporary home as ``~``.
        limit: messages of one turn to show; of more, those in the middle are counted.
        lang: ``en`` or ``zh``.
    """
    events = [list_events(turn, shown=shown) for turn in turns]
    return draw_events(events, limit=limit, lang=lang)


def draw_events(turns: Sequence[Sequence[Event]], *, limit: int, lang: str) -> Picture:
    """Return the picture of the events of some turns; see :func:`turn_trace`."""
    words = WORDS[lang]
    rows: list[Row] = []
    for number, events in enumerate(turns, start=1):
        if len(turns) > 1:
            rows.append(Row(text=words["turn"].format(number=number)))
        rows += _list_rows(events, words, limit=limit)
    taking_part = {
        party for row in rows if row.event for party in (row.event.source, row.event.target)
    }
    parties = {party: words[party] for party in PARTIES if party in taking_part}
    column = text_column(parties)
    labels = [[Label(column=column, text=row.text, tone=row.tone)] for row in rows]
    table = [header_of(parties), *labels]
    svg = document(
        [*draw_sequence([row.event for row in rows], parties), *draw_rows(table)],
        columns=width_of(table),
        rows=len(table),
        title=words["title"],
        about=words["about"].format(count=sum(map(len, turns))),
        lang=lang,
    )
    return Picture(text="\n".join(_write_rows(rows, parties)), svg=svg)


def _parties(events: Sequence[Event], words: Mapping[str, str]) -> dict[str, str]:
    """Return the parties that take part and their names, in the order they stand side by side."""
    taking_part = {party for event in events for party in (event.source, event.target)}
    return {party: words[party] for party in PARTIES if party in taking_part}


def _list_rows(events: Sequence[Event], words: Mapping[str, str], *, limit: int) -> list[Row]:
    """Return the lines of one turn, those of its middle replaced by their number if need be."""
    rows = [_rows_of(event, words) for event in events]
    skipped = len(events) - limit
    if skipped > 0:
        half = limit // 2
        rows[half : half + skipped] = [[Row(text=words["skipped"].format(count=skipped))]]
    return [row for group in rows for row in group]


def _rows_of(event: Event, words: Mapping[str, str]) -> list[Row]:
    """Return the lines of one event: its label and as much of its text as is worth showing."""
    lines = [line.strip() for line in event.text.splitlines()] or [""]
    more = len(lines) - event.max_lines
    kept = lines[: event.max_lines]
    kept[0] = words.get(event.label, "") + kept[0]
    if not any(kept):
        kept = [words["silence"]]
    texts = [legible(line, TEXT_CELLS) for line in kept]
    if more > 0:
        note = words["more"].format(count=more)
        texts[-1] = legible(kept[-1], TEXT_CELLS - cell_len(note)) + note
    return [
        Row(text=text, tone=event.tone, event=None if number else event)
        for number, text in enumerate(texts)
    ]


def _write_rows(rows: Sequence[Row], parties: Mapping[str, str]) -> list[str]:
    """Return the lines of text: from whom to whom, and what."""
    between = [
        f"{parties[row.event.source]}{ARROW}{parties[row.event.target]}" if row.event else ""
        for row in rows
    ]
    column = max(map(cell_len, between), default=0) + GAP
    return [
        as_line([Label(column=0, text=who), Label(column=column, text=row.text)])
        for who, row in zip(between, rows, strict=True)
    ]

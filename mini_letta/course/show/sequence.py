"""Lifelines and arrows of a sequence as SVG."""

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len

from mini_letta.course.show.events import Event
from mini_letta.course.show.labels import GAP, Label
from mini_letta.course.show.svg import CELL, FRAME, INK, ROW, element, x_of, y_of

HEAD_PX = 7


def header_of(parties: Mapping[str, str]) -> list[Label]:
    """Return the names above the lifelines.

    Args:
        parties: party -> its name, in the order they stand side by side.
    """
    return [
        Label(column=_middle(parties, party) - cell_len(name) // 2, text=name, tone="muted")
        for party, name in parties.items()
    ]


def text_column(parties: Mapping[str, str]) -> int:
    """Return the cell behind the lifelines."""
    return len(parties) * _pitch(parties)


def draw_sequence(events: Sequence[Event | None], parties: Mapping[str, str]) -> list[str]:
    """Return lifelines, and an arrow in each row that has an event, below a row for the names."""
    lines = [
        element(
            "rect", fill=FRAME, height=len(events) * ROW, width=2, x=x - 1, y=y_of(0) + ROW // 2
        )
        for x in (_x_of(parties, party) for party in parties)
    ]
    arrows = [
        part
        for row, event in enumerate(events, start=1)
        if event
        for part in _draw_arrow(event, row, parties)
    ]
    return lines + arrows


def _draw_arrow(event: Event, row: int, parties: Mapping[str, str]) -> Iterable[str]:
    start, end, y = _x_of(parties, event.source), _x_of(parties, event.target), y_of(row)
    ink = INK[event.tone]
    back = -HEAD_PX if start < end else HEAD_PX
    dashes = {"stroke_dasharray": "4 3"} if event.is_pending else {}
    head = f"{end},{y} {end + back},{y - 4} {end + back},{y + 4}"
    yield element("path", d=f"M{start},{y} H{end + back}", stroke=ink, stroke_width=2, **dashes)
    yield element("polygon", fill=ink, points=head)
    yield element("circle", cx=start, cy=y, fill=ink, r=3)


def _pitch(parties: Mapping[str, str]) -> int:
    return max(map(cell_len, parties.values()), default=0) + GAP


def _middle(parties: Mapping[str, str], party: str) -> int:
    pitch = _pitch(parties)
    return list(parties).index(party) * pitch + pitch // 2 - 1


def _x_of(parties: Mapping[str, str], party: str) -> int:
    return x_of(_middle(parties, party)) + CELL // 2

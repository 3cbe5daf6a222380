"""The lines and dots of a commit graph as SVG."""

from collections.abc import Sequence

from mini_letta.course.show.history import Commit
from mini_letta.course.show.lanes import Lanes, Line
from mini_letta.course.show.svg import INK, PAPER, ROW, element, x_of, y_of

LANE_CELLS = 2
NODE_PX = 5
RING_PX = 7
TONES = {"bypassed": "warn", "valid": "good", "invalid": "bad"}
COLOURS = ("#57606a", "#0969da", "#8250df", "#1a7f37", "#bf3989", "#9a6700")
"""Of the lanes, over and over; they only help the eye."""


def graph_as_svg(commits: Sequence[Commit], lanes: Lanes) -> list[str]:
    """Return the elements of a graph, lines below dots."""
    lines = [_draw_line(line, bottom=len(commits)) for line in lanes.lines]
    dots = [part for row, commit in enumerate(commits) for part in _draw_dot(commit, lanes, row)]
    return lines + dots


def _draw_line(line: Line, *, bottom: int) -> str:
    """Return one line; ``bottom`` is the row where a parent that is not shown would be."""
    half = ROW // 2
    start, x, end = (_lane_x(lane) for lane in (line.child_lane, line.lane, line.parent_lane))
    top, foot = y_of(line.child), y_of(bottom if line.parent is None else line.parent)
    path = [f"M{start},{top}"]
    if start != x:
        path.append(f"C{start},{top + half} {x},{top} {x},{top + half}")
    path.append(f"V{foot if end == x else foot - half}")
    if end != x:
        path.append(f"C{x},{foot} {end},{foot - half} {end},{foot}")
    dashes = {"stroke_dasharray": "2 3"} if line.parent is None else {}
    return _draw_path(" ".join(path), COLOURS[line.lane % len(COLOURS)], **dashes)


def _draw_dot(commit: Commit, lanes: Lanes, row: int) -> list[str]:
    """Return a dot, or for a marked commit a ring: dashed past the hook, the verdict inside."""
    lane = lanes.of[row]
    x, y = _lane_x(lane), y_of(row)
    if not commit.marks:
        return [element("circle", cx=x, cy=y, fill=COLOURS[lane % len(COLOURS)], r=NODE_PX)]
    ink = INK[TONES[commit.marks[-1]]]
    dashes = {"stroke_dasharray": "3 2"} if "bypassed" in commit.marks else {}
    ring = element(
        "circle", cx=x, cy=y, fill=PAPER, r=RING_PX, stroke=ink, stroke_width=2, **dashes
    )
    verdicts = {
        "valid": f"M{x - 3},{y} L{x - 1},{y + 3} L{x + 3},{y - 3}",
        "invalid": f"M{x - 3},{y - 3} L{x + 3},{y + 3} M{x - 3},{y + 3} L{x + 3},{y - 3}",
    }
    return [ring, *(_draw_path(verdicts[m], ink) for m in commit.marks[-1:] if m in verdicts)]


def _draw_path(path: str, ink: str, **attributes: str) -> str:
    return element("path", d=path, fill="none", stroke=ink, stroke_width=2, **attributes)


def _lane_x(lane: int) -> int:
    return x_of(lane * LANE_CELLS + 1)

"""The lines of a commit graph in box-drawing characters.

A commit has a line of text. Where lines change lanes there is one more, above or below it.
"""

from collections.abc import Sequence

from mini_letta.course.show.history import Commit
from mini_letta.course.show.labels import Label, as_line
from mini_letta.course.show.lanes import Lanes, Line

SIGNS = {"bypassed": "○", "valid": "✓", "invalid": "✗"}
# Which sides of a cell a line touches (up, down, left, right) -> character.
STROKES = {
    "": " ", "u": "│", "d": "│", "ud": "│", "lr": "─",
    "dr": "╭", "dl": "╮", "ur": "╰", "ul": "╯",
    "udr": "├", "udl": "┤", "dlr": "┬", "ulr": "┴", "udlr": "┼",
}  # fmt: skip


def graph_as_text(
    commits: Sequence[Commit], lanes: Lanes, rows: Sequence[Sequence[Label]]
) -> list[str]:
    """Return the lines of a graph.

    Args:
        rows: what stands beside each commit.
    """
    lines: list[str] = []
    for row, (commit, labels) in enumerate(zip(commits, rows, strict=True)):
        joining = [line for line in lanes.lines if line.parent == row]
        leaving = [line for line in lanes.lines if line.child == row]
        lines += _draw_bends(lanes, joining, row, side="u")
        lines.append(as_line(labels, drawing=_draw_row(commit, lanes, row)))
        lines += _draw_bends(lanes, leaving, row, side="d")
    return lines


def draw_loose_ends(lanes: Lanes) -> str:
    """Return what stands below the last commit: a sign in each lane that would go on."""
    loose = {line.lane for line in lanes.lines if line.parent is None}
    return " ".join("┊" if lane in loose else " " for lane in range(lanes.count))


def _draw_row(commit: Commit, lanes: Lanes, row: int) -> str:
    cells = [" "] * lanes.count
    for line in lanes.lines:
        if line.passes(row):
            cells[line.lane] = "│"
    cells[lanes.of[row]] = SIGNS[commit.marks[-1]] if commit.marks else "●"
    return " ".join(cells)


def _draw_bends(lanes: Lanes, ending: Sequence[Line], row: int, *, side: str) -> list[str]:
    """Return the line above (``u``) or below (``d``) a commit; none if no line changes lanes there.

    Args:
        ending: the lines that have their end at the commit, on this side.
    """
    own = lanes.of[row]
    bending = [line for line in ending if line.lane != own]
    if not bending:
        return []
    cells = [set[str]() for _ in range(2 * lanes.count)]
    cells[2 * own].add("d" if side == "u" else "u")
    for line in lanes.lines:
        if line.passes(row):
            cells[2 * line.lane] |= {"u", "d"}
    for line in ending:
        cells[2 * line.lane].add(side)
    for line in bending:
        left, right = sorted((2 * own, 2 * line.lane))
        cells[left].add("r")
        cells[right].add("l")
        for cell in cells[left + 1 : right]:
            cell |= {"l", "r"}
    return ["".join(_stroke(cell) for cell in cells).rstrip()]


def _stroke(sides: set[str]) -> str:
    return STROKES["".join(side for side in "udlr" if side in sides)]

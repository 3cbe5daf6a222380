"""Text on a grid of cells: what a picture says, wherever it is shown.

Both forms of a picture are made of the same labels, so they cannot say different things. Nothing
is measured: a cell is a fixed width, and East Asian characters take two of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from mini_letta.course.grading.spelling import visible

GAP = 2
ELLIPSIS = "…"
# Not Unicode characters, which XML does not allow; and controls that Python 3.11 does not know.
ALSO_UNSEEN = {code: f"\\u{code:04x}" for code in (0xFFFE, 0xFFFF)} | {
    code: f"\\U{code:08x}" for code in range(0x13439, 0x13440)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A piece of one line."""

    column: int
    """Cell it begins at; of a boxed one, the cell after the left edge of the box."""
    text: str
    """Every character visible; see :func:`legible`."""
    tone: str = "plain"
    """A key of ``svg.INK``."""
    boxed: bool = False
    """Drawn in a frame, written in square brackets."""

    @property
    def end(self) -> int:
        """Cell after the last one, its box included."""
        return self.column + cell_len(self.text) + self.boxed


def legible(text: str, cells: int) -> str:
    """Return one line of at most ``cells`` cells: nothing invisible, an ellipsis if it was longer.

    Control characters, bidirectional overrides and lone surrogates become escapes: ``\\x1b``.
    """
    # More characters than cells fit only if most have no width, and then they are cut as well.
    shown = visible(text[: 4 * cells].translate(ALSO_UNSEEN))
    if len(text) <= 4 * cells and cell_len(shown) <= cells:
        return shown
    while cell_len(shown) >= cells:
        shown = shown[:-1]
    return shown + ELLIPSIS


def lay_out(*parts: tuple[str, str] | tuple[str, str, str], column: int = 0) -> list[Label]:
    """Return labels one behind the other, two cells apart.

    Args:
        parts: (text, tone), or (text, tone, "box"); one with an empty text is left out.
        column: cell the first begins at.
    """
    labels: list[Label] = []
    for text, tone, *box in parts:
        if text:
            start = labels[-1].end + GAP if labels else column
            labels.append(
                Label(column=start + len(box), text=text, tone=tone, boxed=bool(box)),
            )
    return labels


def as_line(labels: Iterable[Label], *, drawing: str = "") -> str:
    """Return labels as one line of plain text, each at its column.

    Args:
        drawing: what stands before them, such as the lines of a graph.
    """
    line = drawing
    for label in labels:
        text = f"[{label.text}]" if label.boxed else label.text
        line += " " * (label.column - label.boxed - cell_len(line)) + text
    return line.rstrip()


def width_of(rows: Iterable[Sequence[Label]]) -> int:
    """Return how many cells the longest row needs."""
    return max((row[-1].end for row in rows if row), default=0)

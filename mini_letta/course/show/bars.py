"""How full a budget is: a bar of characters, and the same bar as SVG."""

from mini_letta.course.show.svg import CELL, INK, ROW, element, x_of, y_of

BAR_CELLS = 20
BAR_PX = 12
TRACK = "#e4e8ec"
USED, EXCESS, FREE = "█▓░"


def divide_bar(size: int, limit: int, units: int) -> tuple[int, int]:
    """Return how many units of a bar are used within the limit, and how many beyond it.

    Up to the limit the whole bar is the limit; beyond it the whole bar is the size. Whatever is
    there is at least one unit long, however little it is.
    """
    if size <= limit:
        return max(size * units // limit, min(size, 1)), 0
    within = max(1, min(limit * units // size, units - 1))
    return within, units - within


def bar_as_text(size: int, limit: int) -> str:
    """Return a bar of :data:`BAR_CELLS` characters."""
    within, beyond = divide_bar(size, limit, BAR_CELLS)
    return (USED * within + EXCESS * beyond).ljust(BAR_CELLS, FREE)


def bar_as_svg(size: int, limit: int, *, column: int, row: int) -> list[str]:
    """Return the elements of a bar; what is beyond the limit follows a line at the limit."""
    x, y, width = x_of(column), y_of(row) - BAR_PX // 2, BAR_CELLS * CELL
    within, beyond = divide_bar(size, limit, width)
    parts = [_draw_block(x, y, width, TRACK)]
    if within:
        parts.append(_draw_block(x, y, within, INK["accent"]))
    if beyond:
        parts.append(_draw_block(x + within, y, beyond, INK["bad"]))
        parts.append(
            element("rect", fill=INK["plain"], height=ROW - 4, width=2, x=x + within - 1, y=y - 4)
        )
    return parts


def _draw_block(x: int, y: int, width: int, colour: str) -> str:
    return element("rect", fill=colour, height=BAR_PX, width=width, x=x, y=y)

"""SVG that is the same bytes everywhere, is safe to put into a page, and can be read on any theme.

JupyterLab shows an SVG as an image of its own, nbconvert puts it into the page. Therefore:

* no ``<style>`` and no ``id``, which would reach the page or meet their like there;
* a background of its own, because an image cannot know the colours around it;
* every text is given its width (``textLength``), so that another font moves nothing;
* whole numbers only.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from mini_letta.course.show.labels import Label

CELL = 8
"""Width of a cell in pixels."""
ROW = 24
"""Height of a row in pixels."""
MARGIN = 14
FONT_PX = 13
FONTS = "DejaVu Sans Mono, Menlo, Consolas, Noto Sans Mono CJK SC, monospace"
PAPER = "#ffffff"
FRAME = "#d0d7de"
# Each at least 4.5 to 1 on the paper, as WCAG asks of text.
INK = {
    "plain": "#1f2328",
    "muted": "#59636e",
    "good": "#1a7f37",
    "bad": "#cf222e",
    "warn": "#8a5d00",
    "accent": "#0969da",
}


def element(name: str, *children: str, **attributes: int | str) -> str:
    """Return one element; attributes are sorted, ``_`` in their names is a hyphen."""
    pairs = sorted((key.replace("_", "-"), value) for key, value in attributes.items())
    opening = "".join(f" {key}={quoteattr(str(value))}" for key, value in pairs)
    if not children:
        return f"<{name}{opening}/>"
    return f"<{name}{opening}>{''.join(children)}</{name}>"


def x_of(column: int) -> int:
    """Return where a cell begins, in pixels."""
    return MARGIN + column * CELL


def y_of(row: int) -> int:
    """Return the middle of a row, in pixels."""
    return MARGIN + row * ROW + ROW // 2


def draw_rows(rows: Iterable[Iterable[Label]]) -> list[str]:
    """Return the elements of rows of labels, the first at the top."""
    return [
        part
        for row, labels in enumerate(rows)
        for label in labels
        for part in _draw_label(label, row)
    ]


def _draw_label(label: Label, row: int) -> list[str]:
    cells, ink = cell_len(label.text), INK[label.tone]
    size = {"textLength": cells * CELL} if cells else {}
    x, y = x_of(label.column), y_of(row) + FONT_PX // 3
    words = element("text", escape(label.text), fill=ink, x=x, y=y, **size)
    if not label.boxed:
        return [words]
    box = element(
        "rect",
        fill="none",
        height=ROW - 6,
        rx=4,
        stroke=ink,
        width=(cells + 1) * CELL,
        x=x_of(label.column) - CELL // 2,
        y=y_of(row) - ROW // 2 + 3,
    )
    return [box, words]


def document(
    body: Iterable[str], *, columns: int, rows: int, title: str, about: str, lang: str
) -> str:
    """Return a whole picture.

    Args:
        columns: cells in a row.
        title: its accessible name, without anything invisible.
        about: one sentence for those who do not see it.
        lang: ``en`` or ``zh``; decides which form of a Chinese character is drawn.
    """
    width, height = columns * CELL + 2 * MARGIN, rows * ROW + 2 * MARGIN
    paper = [
        element("rect", fill=FRAME, height=height, rx=6, width=width),
        element("rect", fill=PAPER, height=height - 2, rx=5, width=width - 2, x=1, y=1),
    ]
    parts = [element("title", escape(title)), element("desc", escape(about)), *paper, *body]
    attributes: dict[str, int | str] = {
        "font_family": FONTS,
        "font_size": FONT_PX,
        "height": height,
        "role": "img",
        "style": "height:auto;max-width:100%",  # in a narrow page
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "xml:lang": lang,
        "xml:space": "preserve",
        "xmlns": "http://www.w3.org/2000/svg",
    }
    return element("svg", "\n", "\n".join(parts), "\n", **attributes) + "\n"

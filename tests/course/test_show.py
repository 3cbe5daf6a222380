"""What all pictures of the notebooks have in common: text that is safe, fits, and can be read."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter
from rich.cells import cell_len

from mini_letta.course.show import Picture
from mini_letta.course.show.labels import Label, as_line, lay_out, legible, width_of
from mini_letta.course.show.svg import CELL, INK, MARGIN, PAPER, document, draw_rows, element
from mini_letta.course.woven import printed
from tests.course.show_kit import INVISIBLE, SVG, texts

PICTURE = Picture(text="● one\n● two", svg="<svg/>\n")


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(texts, st.integers(1, 80))
def test_text_fits_and_nothing_in_it_is_invisible(text: str, cells: int) -> None:
    """At most so many cells, one line, no character that acts instead of showing."""
    shown = legible(text, cells)
    assert cell_len(shown) <= cells
    assert not set(shown) & set(INVISIBLE + "\n")
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("世界", "世界"),
        ("a\x1b[31mb\nc", "a\\x1b[31mb\\nc"),
        ("txt.\u202egpj", "txt.\\u202egpj"),
        ("\udcff\ud800\ufffe", "\\xff\\ud800\\ufffe"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    """Escapes say which character was there; a byte that is no UTF-8 is written as that byte."""
    assert legible(text, 40) == shown


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("世界你好", 6, "世界…"),
        ("世界", 4, "世界"),
    ],
)
def test_a_long_text_ends_in_an_ellipsis(text: str, cells: int, shown: str) -> None:
    """Only if it does not fit; a Chinese character takes two cells and is never halved."""
    assert legible(text, cells) == shown


@given(st.lists(st.tuples(texts.map(lambda text: legible(text, 30)), st.booleans()), max_size=6))
def test_labels_of_a_row_do_not_touch(parts: list[tuple[str, bool]]) -> None:
    """Each begins at least two cells behind the one before, its box included."""
    row = lay_out(*((text, "plain", *["box"] * boxed) for text, boxed in parts))  # type: ignore[arg-type]
    assert all(right.column - right.boxed - left.end == 2 for left, right in pairwise(row))


@given(st.lists(texts.map(lambda text: legible(text, 30)), max_size=6))
def test_a_row_says_the_same_as_text_and_as_svg(parts: list[str]) -> None:
    """Every label of the SVG is in the line of text, in the same order."""
    row = lay_out(*((text, "plain") for text in parts))
    svg = ET.fromstring(
        document(draw_rows([row]), columns=80, rows=1, title="", about="", lang="en")
    )
    line = as_line(row)
    at = 0
    for label in svg.iter(f"{SVG}text"):
        at = line.index((label.text or "").rstrip(), at)


def test_a_line_keeps_the_columns_of_its_labels() -> None:
    """Behind a drawing and behind wide characters alike; a box has brackets."""
    row = [Label(column=4, text="世界"), Label(column=12, text="end", boxed=True)]
    assert as_line(row, drawing="│") == "│   世界   [end]"


def test_an_svg_is_as_wide_as_its_longest_row() -> None:
    """Nothing is cut off at the right edge, and a picture of short rows is small."""
    rows = [lay_out(("ab", "plain")), lay_out(("abcd", "plain"), ("ef", "plain", "box"))]
    svg = ET.fromstring(document([], columns=width_of(rows), rows=2, title="", about="", lang="en"))
    assert svg.get("width") == str(2 * MARGIN + 10 * CELL)


def test_attributes_are_escaped_and_sorted() -> None:
    """The same bytes for any order of arguments, and no way out of a value."""
    both = (element("a", z=1, stroke_width='"<&'), element("a", stroke_width='"<&', z=1))
    assert both == ('<a stroke-width=\'"&lt;&amp;\' z="1"/>',) * 2


@pytest.mark.parametrize("tone", sorted(INK))
def test_ink_can_be_read_on_the_paper(tone: str) -> None:
    """The paper is the picture's own, so the theme around it does not matter."""
    dark, light = sorted([luminance(INK[tone]), luminance(PAPER)])
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_a_cell_shows_a_picture_in_both_forms() -> None:
    """IPython takes the SVG and the text as they are."""
    data, _ = DisplayFormatter().format(PICTURE)  # type: ignore[no-untyped-call]
    assert data == {"image/svg+xml": PICTURE.svg, "text/plain": PICTURE.text}


def test_a_chapter_shows_the_text_of_a_picture() -> None:
    """What a cell printed, then its picture; in a built notebook texts are lists of lines."""
    outputs: list[dict[str, object]] = [
        {"output_type": "stream", "text": ["printed\n"]},
        {"output_type": "execute_result", "data": {"text/plain": ["● one\n", "● two"]}},
    ]
    assert printed({"outputs": outputs}) == "printed\n● one\n● two"

"""Hostile text for the pictures of notebooks, and what must hold of every picture."""

import xml.etree.ElementTree as ET

from hypothesis import strategies as st

from mini_letta.course.show import Picture

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "rect", "path", "circle", "polygon", "text"}
XML = "{http://www.w3.org/XML/1998/namespace}"
ATTRIBUTES = {
    "cx", "cy", "d", "fill", "font-family", "font-size", "height", "points", "r", "role", "rx",
    "stroke", "stroke-dasharray", "stroke-width", "style", "textLength", "viewBox", "width", "x",
    "y", f"{XML}lang", f"{XML}space",
}  # fmt: skip
NASTY = (
    "<>&\"'`]\\/\0\a\b\t\n\v\f\r\x1b\x7f\x85\xad\u061c\u200b\u200d\u200e\u2028\u202e\u2066\u2069"
    "\ufeff\ufe0f\ufffe\uffff\ud800\udcff\udfff\U000e0041\U0001f30f世ｗ é\u0301א1#"
)
HOSTILE = (
    "<script>alert(1)</script>",
    "]]><foreignObject onload='x'/>",
    '" href="javascript:alert(1)',
    "&lt;script&gt; &#60; &unknown;",
    "txt.\u202egpj",
    "\x1b[31mred\x1b]8;;http://x\x07",
    "bytes \udcff\udc80 and half \ud83d",
)
INVISIBLE = "\0\a\b\t\v\f\r\x1b\x7f\x85\u061c\u200b\u200e\u2028\u202e\u2066\u2069\ufeff\ufffe\uffff"

characters = st.sampled_from(NASTY) | st.integers(0, 0x10FFFF).map(chr)
texts = st.text(characters, max_size=120) | st.sampled_from(HOSTILE)


def labels_of(picture: Picture) -> list[str]:
    """Return the texts that the SVG shows."""
    return [element.text or "" for element in ET.fromstring(picture.svg).iter(f"{SVG}text")]


def check_picture(picture: Picture) -> None:
    """Assert what holds of every picture, whatever it shows."""
    root = ET.fromstring(picture.svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ELEMENTS
    assert {name for element in root.iter() for name in element.attrib} <= ATTRIBUTES
    assert [element.tag.removeprefix(SVG) for element in root[:2]] == ["title", "desc"]
    assert root.get("role") == "img"
    assert not [element for element in root.iter() if "style" in element.attrib and element != root]
    for form in (picture.text, picture.svg):
        form.encode("utf-8")
        assert not set(form) & set(INVISIBLE)
    assert [label for label in labels_of(picture) if label.rstrip() not in picture.text] == []

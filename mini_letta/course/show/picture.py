"""What a notebook cell shows: an SVG, and the same as plain text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Picture:
    """A picture and its twin in plain text, both the same bytes on every machine.

    As the last expression of a notebook cell it is stored in both forms. JupyterLab shows the
    text until the notebook is trusted or the cell was run; chapters and terminals show the text.
    """

    text: str
    """Plain text, without a final newline."""
    svg: str
    """A whole SVG document."""

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg

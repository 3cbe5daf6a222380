"""The stages of the program, and what lies between two of them.

Everything here is read off the stage files ``vX_Y.py``: their ``HARNESS``, the modules they
introduce and the sections of their docstring.
"""

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType

from mini_letta.errors import MiniLettaError
from mini_letta.harness import GROWING, SEAMS, Harness

TAGS = ("v0.2", "v0.3", "v0.4", "v1.0")
"""Oldest first."""
SECTIONS = ("Adds", "Closes", "Leaves", "Mirrors")
NOTHING = ""
"""Stands for the stage before the first."""


class UnknownStage(MiniLettaError):
    """There is no such stage, or two are named in the wrong order."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What one stage has and an earlier one has not; names, in the order of the stage."""

    old: str
    """Tag, or an empty string for nothing at all."""
    new: str
    """Tag."""
    modules: tuple[str, ...]
    """Inside the package, such as ``prompt.compile``."""
    tools: tuple[str, ...]
    """By the name the model calls them."""
    commands: tuple[str, ...]
    """As typed after ``mini-letta``."""
    before_turn: tuple[str, ...]
    """Functions."""
    after_turn: tuple[str, ...]
    """Functions."""
    seams: Mapping[str, tuple[str, str]]
    """Replaced seam -> (what it was, what it is)."""


def load(tag: str) -> ModuleType:
    """Return the module of a stage; its ``HARNESS`` is the stage."""
    if tag not in TAGS:
        raise UnknownStage(f"there is no stage {tag!r}. Stages: {', '.join(TAGS)}.")
    return importlib.import_module(f"mini_letta.{tag.replace('.', '_')}")


def added(tag: str) -> Difference:
    """Return what a stage adds to the one before it."""
    load(tag)
    return diff(((NOTHING, *TAGS)[TAGS.index(tag)]), tag)


def diff(old: str, new: str) -> Difference:
    """Return what ``new`` has and the earlier ``old`` has not."""
    order = (NOTHING, *TAGS)
    before = load(old).HARNESS if old else None
    after: Harness = load(new).HARNESS
    if order.index(old) > order.index(new):
        raise UnknownStage(f"{old} comes after {new}. Name the earlier stage first.")
    between = TAGS[order.index(old) : order.index(new)]
    growth = {
        field: _names(getattr(after, field)[len(getattr(before, field, ())) :]) for field in GROWING
    }
    return Difference(
        old=old,
        new=new,
        modules=tuple(name for tag in between for name in load(tag).INTRODUCES),
        seams=_replaced_seams(before, after),
        **growth,
    )


def sections(tag: str) -> dict[str, str]:
    """Return the docstring of a stage by section: ``""`` is its first line, then ``SECTIONS``."""
    found: dict[str, list[str]] = {"": []}
    lines = found[""]
    for line in (load(tag).__doc__ or "").splitlines():
        title, colon, rest = line.partition(":")
        starts_section = bool(colon) and title in SECTIONS
        if starts_section:
            lines = found.setdefault(title, [])
        lines.append((rest if starts_section else line).strip())
    return {title: " ".join(lines).strip() for title, lines in found.items()}


def _replaced_seams(before: Harness | None, after: Harness) -> dict[str, tuple[str, str]]:
    pairs = {seam: (getattr(before, seam, NOTHING), getattr(after, seam)) for seam in SEAMS}
    return {seam: (_name(old), _name(new)) for seam, (old, new) in pairs.items() if old is not new}


def _names(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(_name(value) for value in values)


def _name(value: object) -> str:
    """Return the name of a function or a tool, and any other value as it prints."""
    return str(getattr(value, "__name__", getattr(value, "name", value)))

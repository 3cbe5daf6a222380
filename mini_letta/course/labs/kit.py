"""The kit: what checks and hints need, in a file beside the student's notebook.

``lab3.json`` holds the public half of a lab and what its public checks should print. It lets a
student work in a folder of their own, without a checkout.
"""

import re
from pathlib import Path

from mini_letta.course.labs.lab import BadKit, Lab, lab_from_json

TYPED = re.compile(r"(?:lab)?([0-9]{1,3})(?:\.([0-9]{1,3}))?", re.ASCII)


class NoKit(BadKit):
    """There is no kit where one is needed."""


def parse_name(typed: str) -> tuple[str, str] | None:
    """Return lab and exercise of what somebody typed, None if it is neither.

    ``3`` and ``lab3`` are ``("lab3", "")``, ``3.2`` and ``lab3.2`` are ``("lab3", "3.2")``.
    """
    match = TYPED.fullmatch(typed.strip())
    if not match:
        return None
    number = int(match[1])
    return f"lab{number}", f"{number}.{int(match[2])}" if match[2] else ""


def kit_path(folder: Path, lab: str) -> Path:
    """Return where the kit of a lab is."""
    return folder / f"{lab}.json"


def notebook_path(folder: Path, lab: str) -> Path:
    """Return where the notebook of a lab is."""
    return folder / f"{lab}.ipynb"


def has_kit(folder: Path, lab: str) -> bool:
    """Return whether the folder is one in which this lab is worked on."""
    return kit_path(folder, lab).is_file()


def read_kit(folder: Path, lab: str) -> Lab:
    """Return the kit of a lab.

    Raises:
        NoKit: there is no such file.
        BadKit: it is of another version, of another lab, or damaged.
    """
    path = kit_path(folder, lab)
    try:
        kit = lab_from_json(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError as error:
        raise NoKit(f"{path.name} is not in {folder}.") from error
    except UnicodeDecodeError as error:
        raise BadKit(f"{path.name} is not text.") from error
    if kit.id != lab:
        raise BadKit(f"{path.name} holds {kit.id}.")
    return kit

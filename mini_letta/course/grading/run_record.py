"""What is written down about a folder of results besides the results: ``run.json``."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mini_letta.course.grading.results import write_whole

RUN = "run.json"


def record_run(out: Path, *, seed: int, strangers: Sequence[str]) -> None:
    """Write down the seed, so that a resumed run draws the same inputs, and what was left out.

    Args:
        strangers: what lies among the submissions and is not named like one.
    """
    record = {"seed": seed, "not_submissions": list(strangers)}
    write_whole(out / RUN, [json.dumps(record, indent=1) + "\n"])


def recorded_seed(out: Path) -> int | None:
    """Return the seed that the results in a folder were graded with; None if none is recorded."""
    seed = _read(out).get("seed")
    return seed if type(seed) is int else None


def recorded_strangers(out: Path) -> list[str]:
    """Return what was left out, as it was listed; nothing if none is recorded."""
    strangers = _read(out).get("not_submissions")
    return list(map(str, strangers)) if isinstance(strangers, list) else []


def _read(out: Path) -> dict[str, Any]:
    try:
        record = json.loads((out / RUN).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}

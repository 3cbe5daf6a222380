"""What the runs of one submission have shown so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mini_letta.course.grading.kernel_run import CellRun
from mini_letta.course.grading.rebuild import Step
from mini_letta.course.grading.results import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The cell with which an exercise ended a run."""

    step: Step
    cell: CellRun


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRun:
    """What came of a student's script."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """Artefact check -> what it printed about the repository."""
    fault: str = ""
    """Why there is nothing to inspect, the student's doing: a sentence."""
    verdict: Verdict = "failed"
    """With a fault: what the checks are."""
    trouble: str = ""
    """Why there is nothing to inspect, our doing."""


@dataclass(slots=True, kw_only=True)
class Evidence:
    """What is known of one submission; filled while it runs."""

    steps: tuple[Step, ...]
    """Everything there is to run."""
    unchecked: Mapping[str, str]
    """Exercise without an answer that can run -> ``missing`` or ``not_code``."""
    cells: dict[str, CellRun] = field(default_factory=dict)
    """Step -> its first run that came to an end."""
    faults: dict[str, Fault] = field(default_factory=dict)
    """Exercise -> what it was dropped for."""
    scripts: dict[str, ScriptRun] = field(default_factory=dict)
    """Exercise -> what came of its script."""
    trouble: str = ""
    """Why something is still open, our doing."""
    is_out_of_time: bool = False
    """The submission used up its time before everything had run."""

"""The kernel that nbval starts, as Jupyter wants it told: enclosed, and with nothing of ours.

nbval is given a kernel by name. The specification of that name holds the whole command, walls
included, and the provisioner that starts it (:mod:`mini_letta.course.grading.provisioner`).
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mini_letta.course.grading.limits import Limits
from mini_letta.course.grading.sandbox import Inside, Sandbox, enclose
from mini_letta.course.grading.users import limits_beside

KERNEL = "mini-letta-graded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a notebook is run."""

    sandbox: Sandbox
    uid: int | None
    """User that nothing else runs as; None for the grader's own."""
    library: Path
    """What the kernel may import besides the installed packages."""
    hidden: tuple[Path, ...] = ()
    """Folders among the installed packages that are seen empty."""
    limits: Limits = field(default_factory=Limits)
    cpu: int | None = None
    """The only processor it may use; None for all."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The surrounding environment."""


def write_kernel(place: Place, *, jupyter: Path, sockets: Path, home: Path) -> None:
    """Write the specification of the enclosed kernel.

    Args:
        jupyter: a folder for ``JUPYTER_PATH``, created here.
        sockets: the folder through which the kernel is spoken to.
        home: the folder the student's code works in.
    """
    inside = Inside(
        uid=place.uid,
        home=home,
        writable=(sockets,),
        readable=(place.library,),
        hidden=place.hidden,
        env=_environment(place, sockets),
        cpu=place.cpu,
    )
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    config = {
        "folder": str(sockets),
        "uid": -1 if place.uid is None else place.uid,
        "path": place.env.get("PATH", os.defpath),
    }
    provisioner = {"provisioner_name": "mini-letta-sandbox", "config": config}
    limits = limits_beside(place.limits, place.uid)
    specification = {
        "argv": enclose(place.sandbox, command, inside, limits),
        "display_name": KERNEL,
        "language": "python",
        "interrupt_mode": "message",  # a signal would hit the walls, not the kernel
        "metadata": {"kernel_provisioner": provisioner},
    }
    folder = jupyter / "kernels" / KERNEL
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(specification), encoding="utf-8")


def _environment(place: Place, sockets: Path) -> dict[str, str]:
    # Without walls /tmp is everybody's, and the next run would find what this one leaves there.
    temporary = str(sockets) if place.sandbox.level == "rlimits" else "/tmp"
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
        "PYTHONPATH": str(place.library),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUTF8": "1",
        "IPYTHONDIR": f"{temporary}/ipython",
        "JPY_PARENT_PID": "1",  # else the kernel looks for a parent it cannot see
        "LC_ALL": "C",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "TMPDIR": temporary,
        "TZ": "UTC",
    }

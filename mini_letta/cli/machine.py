"""What is on this machine: the checks behind ``doctor``."""

import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from mini_letta.cli.requirements import MIN_GIT, git_version
from mini_letta.course.grading.sandbox import LEVELS, detect_sandbox
from mini_letta.errors import MiniLettaError

MIN_PYTHON = (3, 11)
NOTEBOOK_PARTS = ("nbval", "pytest", "nbclient", "nbformat", "ipykernel", "jupytext")
INSTALL_BUBBLEWRAP = {
    "en": "Only graders need more. Debian and Ubuntu: sudo apt-get install bubblewrap",
    "zh": "只有批改作业才需要更强的隔离。Debian 与 Ubuntu：sudo apt-get install bubblewrap",
}
ALLOW_BUBBLEWRAP = {
    "en": "Only graders need more. bubblewrap is here, but this user may not make namespaces: "
    "grade as root, or allow them (Ubuntu: sudo sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0)",
    "zh": "只有批改作业才需要更强的隔离。bubblewrap 已安装，但当前用户不能创建命名空间：请以 root "
    "身份批改，或放开限制（Ubuntu：sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0）",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked for."""

    name: str
    ok: bool
    required: bool
    """Without it the course does not run."""
    found: str
    advice: Mapping[str, str]
    """Language -> what to do about it; read only when ``ok`` is false."""


def check_machine(env: Mapping[str, str]) -> list[Check]:
    """Return every check, the required ones first. Starts git and tries the sandboxes."""
    return [
        _check_python(),
        _check_venv(),
        _check_git(env),
        _check_packages("notebooks", NOTEBOOK_PARTS, extra="grade", required=True),
        _check_packages("JupyterLab", ("jupyterlab",), extra="course", required=False),
        _check_sandbox(env),
    ]


def _check_python() -> Check:
    return Check(
        name="python",
        ok=sys.version_info[:2] >= MIN_PYTHON,
        required=True,
        found=f"{platform.python_version()} ({sys.executable})",
        advice={
            "en": "Install Python 3.11, 3.12 or 3.13, then: make PYTHON=python3.12 course",
            "zh": "请安装 Python 3.11、3.12 或 3.13，然后运行：make PYTHON=python3.12 course",
        },
    )


def _check_venv() -> Check:
    # Debian ships venv without ensurepip, and then `python3 -m venv` fails half way.
    ok = all(find_spec(name) is not None for name in ("venv", "ensurepip"))
    return Check(
        name="venv",
        ok=ok,
        required=True,
        found="venv and ensurepip" if ok else "not there",
        advice={
            "en": "Debian and Ubuntu: sudo apt-get install python3-venv",
            "zh": "Debian 与 Ubuntu：sudo apt-get install python3-venv",
        },
    )


def _check_git(env: Mapping[str, str]) -> Check:
    try:
        numbers = git_version(env)
        found = f"{numbers[0]}.{numbers[1]}" if numbers else "an unreadable version"
    except MiniLettaError:
        numbers, found = None, "not found on PATH"
    return Check(
        name="git",
        ok=numbers is not None and numbers >= MIN_GIT,
        required=True,
        found=found,
        advice={
            "en": "Install git 2.39 or newer: sudo apt-get install git (Debian, Ubuntu), "
            "xcode-select --install (macOS)",
            "zh": "请安装 git 2.39 或更新版本：sudo apt-get install git（Debian、Ubuntu），"
            "xcode-select --install（macOS）",
        },
    )


def _check_packages(name: str, packages: tuple[str, ...], *, extra: str, required: bool) -> Check:
    versions: list[str] = []
    missing: list[str] = []
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    make = "make course" if required else "make lab"
    return Check(
        name=name,
        ok=not missing,
        required=required,
        found=f"without {', '.join(missing)}" if missing else ", ".join(versions),
        advice={
            "en": f"In a checkout: {make}. Elsewhere: pip install 'mini-letta[{extra}]'",
            "zh": f"在仓库目录里运行 {make}；别处用 pip install 'mini-letta[{extra}]'",
        },
    )


def _check_sandbox(env: Mapping[str, str]) -> Check:
    sandbox = detect_sandbox(env)
    user = ", a user of its own for each run" if sandbox.own_uid else ""
    is_installed = shutil.which("bwrap", path=env.get("PATH")) is not None
    return Check(
        name="sandbox for grading",
        ok=sandbox.level == "bubblewrap",
        required=False,
        found=f"{sandbox.level} ({' > '.join(LEVELS)}){user}",
        advice=ALLOW_BUBBLEWRAP if is_installed else INSTALL_BUBBLEWRAP,
    )

"""What a lab may import and read of the package: up to its stage, without its own answer."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mini_letta import stages
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.library import build_library
from mini_letta.course.labs.master import read_lab
from tests.labs.sample import write_sample


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """The sample lab, which hides `memory.constraints:check_size`."""
    return read_lab(write_sample(tmp_path), "lab9", "en")


def run(library: Path, code: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with nothing of the package but the library."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=library,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(library), "LC_ALL": "C"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("tag", stages.TAGS)
def test_every_stage_up_to_the_labs_own_works_and_no_later_one(
    tag: str, lab: Lab, tmp_path: Path
) -> None:
    """The library is complete for its stage, and nothing newer is in it."""
    library = build_library(replace(lab, stage=tag, hides=()), tmp_path / "library")
    module = tag.replace(".", "_")
    code = (
        "from mini_letta.course.workbench import Workbench\n"
        f"from mini_letta import {module}\nWorkbench({module}.HARNESS).say('ping')"
    )
    assert run(library, code).stdout.startswith("you: ping\nmini-letta:")
    later = stages.TAGS[stages.TAGS.index(tag) + 1 :]
    for name in [module for each in later for module in stages.load(each).INTRODUCES]:
        assert "ModuleNotFoundError" in run(library, f"import mini_letta.{name}").stderr


def test_a_hidden_function_can_be_named_but_says_nothing(lab: Lab, tmp_path: Path) -> None:
    """Whoever needs its name is still importable."""
    library = build_library(lab, tmp_path / "library")
    code = "from mini_letta.memory.constraints import check_size\ncheck_size('a.md', 1, {})"
    done = run(library, code)
    assert done.stderr.endswith("NotImplementedError: check_size is what lab9 asks for\n")


def test_no_copy_of_a_hidden_function_is_left_in_the_library(lab: Lab, tmp_path: Path) -> None:
    """Neither a source nor a compiled file holds its words."""
    library = build_library(lab, tmp_path / "library")
    words = b"characters exceeds {limit} from {source}"
    assert not [p for p in library.rglob("*") if p.is_file() and words in p.read_bytes()]


def test_the_hook_of_a_new_memory_lacks_a_hidden_function_too(lab: Lab, tmp_path: Path) -> None:
    """The validator is made of the library's sources, so it refuses instead of answering."""
    library = build_library(lab, tmp_path / "library")
    code = (
        "from mini_letta import v0_2\nfrom mini_letta.course.workbench import Workbench\n"
        "Workbench(v0_2.HARNESS)"
    )
    assert "check_size is what lab9 asks for" in run(library, code).stderr


def test_a_rule_of_the_students_own_takes_the_place_of_the_hidden_one(
    lab: Lab, tmp_path: Path
) -> None:
    """Plugged in as the seam `validator`, it guards a real repository."""
    library = build_library(lab, tmp_path / "library")
    rule = tmp_path / "rule.py"
    rule.write_text(
        "def mine(path, size, policy):\n    return ['far too long'] if size > 200 else []\n"
    )
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\nfrom rule import mine\n"
        "from mini_letta import v0_2\nfrom mini_letta.course.workbench import Workbench\n"
        "from mini_letta.memory.hooks import with_rules\n"
        "validator = with_rules(v0_2.HARNESS.validator, check_size=mine)\n"
        "bench = Workbench(v0_2.HARNESS.with_(validator=validator))\n"
        "bench.sh('''printf -- '---\\nname: N\\ndescription: D\\n---\\n%0300d' 0 > n.md\n"
        "git add n.md; git commit -qm n 2>&1 | sed -n 2p''')"
    )
    assert run(library, code).stdout == "  n.md: far too long\n"

"""Running built notebooks: every output compared, every cell accounted for."""

import os
from pathlib import Path

import pytest

from mini_letta.course.running import Ended, RunError
from tests.course.kit import TITLE, build, change, run, write_source

THREE = TITLE + (
    """
# %% id="one"
print("one")

# %% id="two" mini_letta={"pitfall": "p", "role": "fails"}
print("two")

# %% id="three"
print("three")
"""
)


def outcomes(ended: list[Ended]) -> list[tuple[str, str]]:
    """Return id and outcome of each cell."""
    return [(end.cell.id, end.outcome) for end in ended]


def test_an_output_that_differs_fails_its_cell_and_no_other(tmp_path: Path) -> None:
    """The detail shows the input and both outputs; the notebook itself is only read."""
    notebook = build(tmp_path, THREE, os.environ)
    change(notebook, '"two\\n"', '"deux\\n"')
    before = notebook.path.read_bytes()
    env = {**os.environ, "PYTEST_ADDOPTS": "--no-such-option", "PYTHONHASHSEED": "7"}
    ended = run([notebook], env)
    assert outcomes(ended) == [("one", "passed"), ("two", "failed"), ("three", "passed")]
    assert ended[1].detail.splitlines() == ['print("two")', "@@ -1 +1 @@", "-deux", "+two"]
    assert (ended[1].cell.pitfall, ended[1].cell.role) == ("p", "fails")
    assert notebook.path.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"src", "en"}


def test_a_dead_kernel_fails_its_cell_at_once(tmp_path: Path) -> None:
    """nbval alone would wait for the whole time a cell is allowed."""
    notebook = build(tmp_path, THREE, os.environ)
    change(notebook, 'print(\\"two\\")', "import os; os._exit(4)")
    ended = run([notebook], os.environ, cell_timeout_s=3600)
    assert outcomes(ended) == [("one", "passed"), ("two", "failed"), ("three", "not_run")]
    assert ended[1].detail == "The kernel died in this cell (exit code 4)."


def test_what_follows_a_cell_without_end_counts_as_not_run(tmp_path: Path) -> None:
    """nbval lets the cells after a timeout pass; nothing can be said about them."""
    notebook = build(tmp_path, THREE, os.environ)
    change(notebook, 'print(\\"two\\")', "while True: pass")
    ended = run([notebook], os.environ, cell_timeout_s=2)
    assert outcomes(ended) == [("one", "passed"), ("two", "failed"), ("three", "not_run")]
    assert "Timeout of 2 seconds" in ended[1].detail


def test_a_skipped_cell_is_not_a_passed_one(tmp_path: Path) -> None:
    """A tag that makes nbval skip a cell does not reproduce a pitfall."""
    text = THREE.replace('id="two"', 'id="two" tags=["nbval-skip"]')
    ended = run([build(tmp_path, text, os.environ)], os.environ)
    assert outcomes(ended)[1] == ("two", "not_run")


def test_a_notebook_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A file that is no notebook stops the run with nbval's own words."""
    notebook = write_source(tmp_path, THREE)
    notebook.path.parent.mkdir()
    notebook.path.write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match="07_small"):
        run([notebook], os.environ)


def test_a_missing_notebook_is_named_with_the_command_that_builds_it(tmp_path: Path) -> None:
    """Nothing runs; the reader is told what to type."""
    with pytest.raises(RunError) as caught:
        run([write_source(tmp_path, THREE)], os.environ)
    assert str(caught.value) == (
        "notebooks/en/07_small.ipynb is missing. Build it with `make notebooks`."
    )

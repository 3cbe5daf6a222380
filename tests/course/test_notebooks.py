"""Building notebooks: the same bytes everywhere, or a clear refusal."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mini_letta.course.notebooks import BuildError, compile_notebook
from tests.course.kit import TITLE, write_source

SOURCE = TITLE + (
    """
# %% id="stream"
import os, time
for number in range(3):
    print(number, flush=True)
    time.sleep(0.05)  # the kernel sends each piece for itself

# %% id="hash"
{"a", "b", "c", "d"}, os.environ.get("LANG"), sorted(os.listdir())

# %% id="raises" tags=["raises-exception"]
raise ValueError("no")
"""
)
PROFILE = "c = get_config()\nc.InteractiveShell.ast_node_interactivity = 'all'\nprint('profile')\n"


@pytest.fixture
def users(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has set up IPython, Jupyter, Python and pytest to taste."""
    profile = tmp_path / "user" / ".ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True)
    (profile / "ipython_kernel_config.py").write_text(PROFILE)
    (profile / "startup" / "00.py").write_text("print('startup')\n")
    kernel = tmp_path / "user" / ".local" / "share" / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text('{"argv": ["false"], "display_name": "mine"}')
    return {
        **os.environ,
        "HOME": str(tmp_path / "user"),
        "IPYTHONDIR": str(profile.parent),
        "LANG": "de_DE.UTF-8",
        "LC_ALL": "de_DE.UTF-8",
        "PYTHONHASHSEED": "7",
        "JUPYTER_COLUMNS": "20",
        "PYTEST_ADDOPTS": "--no-such-option",
    }


def read_cells(text: str) -> dict[str, Any]:
    """Return the cells of a built notebook by id."""
    return {cell["id"]: cell for cell in json.loads(text)["cells"]}


def test_a_users_configuration_does_not_change_a_byte(
    tmp_path: Path, users: dict[str, str]
) -> None:
    """IPython profile, kernelspec, locale and hash seed of the user leave no trace."""
    notebook = write_source(tmp_path, SOURCE)
    plain = compile_notebook(notebook, env=os.environ)
    assert compile_notebook(notebook, env=users) == plain


def test_a_built_notebook_says_nothing_about_machine_or_moment(tmp_path: Path) -> None:
    """No version, no timing, no frames; counts are there, since nbval compares only with them."""
    text = compile_notebook(write_source(tmp_path, SOURCE), env=os.environ)
    cells = read_cells(text)
    assert json.loads(text)["metadata"]["language_info"].keys() == {
        "file_extension",
        "mimetype",
        "name",
    }
    assert [cells[id]["execution_count"] for id in ("stream", "hash", "raises")] == [1, 2, 3]
    assert [cells[id]["metadata"] for id in ("stream", "hash")] == [{}, {}]
    assert [output["text"] for output in cells["stream"]["outputs"]] == [["0\n", "1\n", "2\n"]]
    assert cells["raises"]["outputs"][0]["traceback"] == ["ValueError: no"]
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import sys; print('x', file=sys.stderr)", "cell code writes to stderr"),
        ("import os; print(os.getcwd())", "an output names the temporary folder"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_what_would_differ_elsewhere_is_refused(tmp_path: Path, code: str, problem: str) -> None:
    """A cell that fails, or whose output cannot be the same again, stops the build."""
    notebook = write_source(tmp_path, f'{TITLE}\n# %% id="code"\n{code}\n')
    with pytest.raises(BuildError) as caught:
        compile_notebook(notebook, env=os.environ)
    assert problem in str(caught.value)
    assert "notebooks/en/07_small.ipynb" in str(caught.value)

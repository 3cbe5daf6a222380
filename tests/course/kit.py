"""Small notebooks for the tests of the course."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from mini_letta.course.notebooks import Notebook, compile_notebook
from mini_letta.course.running import Ended, run_notebooks

TITLE = """\
# %% [markdown] id="title" lang="en"
# # Seven

# %% [markdown] id="title" lang="zh"
# # 七
"""


def write_source(folder: Path, text: str, *, lang: str = "en") -> Notebook:
    """Write ``src/07_small.py`` below ``folder`` and return one edition of it, not yet built."""
    source = folder / "src" / "07_small.py"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text, encoding="utf-8")
    return Notebook(source=source, lang=lang)


def build(folder: Path, text: str, env: Mapping[str, str], *, lang: str = "en") -> Notebook:
    """Write a source, build it and return the built notebook."""
    notebook = write_source(folder, text, lang=lang)
    built = compile_notebook(notebook, env=env)
    notebook.path.parent.mkdir(exist_ok=True)
    notebook.path.write_text(built, encoding="utf-8")
    return notebook


def change(notebook: Notebook, old: str, new: str) -> None:
    """Replace text in a built notebook."""
    text = notebook.path.read_text(encoding="utf-8")
    assert old in text
    notebook.path.write_text(text.replace(old, new), encoding="utf-8")


def run(
    notebooks: Iterable[Notebook], env: Mapping[str, str], *, cell_timeout_s: float = 60
) -> list[Ended]:
    """Run built notebooks and return how their cells ended."""
    events = run_notebooks(list(notebooks), env=env, cell_timeout_s=cell_timeout_s)
    return [event for event in events if isinstance(event, Ended)]

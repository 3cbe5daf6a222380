"""The rules of a stage: small, cumulative, honest about itself."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import mini_letta
from mini_letta import stages
from mini_letta.pitfalls import TABLE
from mini_letta.stages import TAGS, UnknownStage, added, diff, load, sections

PACKAGE = Path(mini_letta.__file__).parent
# Above the stages, or beside them: these serve every stage alike.
SURROUNDINGS = {"cli", "course", "explore", "pitfalls", "stages", "transcript", "__main__"}
STAGE_FILES = {tag: PACKAGE / f"{tag.replace('.', '_')}.py" for tag in TAGS}


def quoted(text: str) -> set[str]:
    """Return what stands in backticks."""
    return set(re.findall(r"`([^`]+)`", text))


def package_modules() -> set[str]:
    """Return the modules that some stage must introduce, such as ``prompt.compile``."""
    paths = (p.relative_to(PACKAGE).with_suffix("") for p in PACKAGE.rglob("*.py"))
    names = {".".join(p.parts) for p in paths if p.name != "__init__"}
    stage_names = {path.stem for path in STAGE_FILES.values()}
    return {n for n in names - stage_names if n.split(".")[0] not in SURROUNDINGS}


@pytest.mark.parametrize("tag", TAGS)
def test_a_stage_file_is_short(tag: str) -> None:
    """At most 60 lines."""
    assert len(STAGE_FILES[tag].read_text().splitlines()) <= 60


def test_every_stage_file_is_listed() -> None:
    """No vX_Y.py is forgotten."""
    assert set(PACKAGE.glob("v[0-9]*.py")) == set(STAGE_FILES.values())


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.name)
def test_no_code_asks_which_version_it_is(path: Path) -> None:
    """No comparison mentions a tag."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.If | ast.IfExp | ast.Compare | ast.Match):
            test = node if isinstance(node, ast.Compare | ast.Match) else node.test
            assert not re.search(r"\bv\d+\.\d+\b|\.tag\s*[=!<>]=", ast.unparse(test)), node.lineno


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.name)
def test_only_what_is_above_the_stages_names_a_stage(path: Path) -> None:
    """A tag in code, docstrings apart, stands in stage files and in what shows stages."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if path in STAGE_FILES.values() or parts[0] in SURROUNDINGS:
        return
    tree = ast.parse(path.read_text())
    prose = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in prose]
    assert [n.value for n in texts if isinstance(n.value, str) and n.value in TAGS] == []


def test_each_module_is_introduced_by_exactly_one_stage() -> None:
    """Every module of the package, and no other."""
    counts = Counter(name for tag in TAGS for name in load(tag).INTRODUCES)
    assert counts == Counter(package_modules())


@pytest.mark.parametrize("tag", TAGS)
def test_a_stage_does_not_load_later_modules(tag: str) -> None:
    """In a fresh interpreter, importing a stage loads only what it and earlier ones introduce."""
    code = f"import sys, mini_letta.{STAGE_FILES[tag].stem}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {n.removeprefix("mini_letta.") for n in done.stdout.split() if "mini_letta." in n}
    known = TAGS[: TAGS.index(tag) + 1]
    allowed = {n for t in known for n in (*load(t).INTRODUCES, STAGE_FILES[t].stem)}
    packages = {name.rpartition(".")[0] for name in allowed}
    assert loaded - allowed - packages == set()


@pytest.mark.parametrize("tag", TAGS)
def test_the_docstring_says_what_a_stage_adds(tag: str) -> None:
    """*Adds* names every tool, command, step and seam, and nothing else in backticks."""
    new = added(tag)
    steps = (*new.before_turn, *new.after_turn)
    replaced = [now for _, now in new.seams.values()]
    assert quoted(sections(tag)["Adds"]) == {*new.tools, *new.commands, *steps, *replaced}


@pytest.mark.parametrize("tag", TAGS)
def test_the_docstring_agrees_with_the_pitfalls(tag: str) -> None:
    """*Leaves* names what bites here, *Closes* what bit the stage before and does not any more."""
    before = (None, *TAGS)[TAGS.index(tag)]
    bites = {p.id for p in TABLE if p.kind == "stage" and tag in p.bites}
    bit = {p.id for p in TABLE if p.kind == "stage" and before in p.bites}
    assert quoted(sections(tag)["Leaves"]) == bites
    assert quoted(sections(tag)["Closes"]) == bit - bites


@pytest.mark.parametrize("tag", TAGS)
def test_a_stage_says_what_it_mirrors(tag: str) -> None:
    """All four sections, none empty, and the tag first."""
    found = sections(tag)
    assert all(found[name] for name in stages.SECTIONS)
    assert found[""].startswith(f"{tag}: ")
    assert load(tag).HARNESS.tag == tag


def test_a_difference_names_what_was_added_and_replaced() -> None:
    """From the prompt of the folder to the audited one."""
    found = diff("v0.2", "v1.0")
    assert found.tools == ()
    new = ("prompt --fresh", "compact", "sessions list", "sessions show", "memory audit")
    assert found.commands == new
    assert found.before_turn == ("report_unaudited_head",)
    assert found.after_turn == ("compact above 40000 characters", "report_unaudited_head")
    assert found.seams["render_memory"] == ("render_working_tree", "render_committed")
    later = (load(tag).INTRODUCES for tag in TAGS[1:])
    assert set(found.modules) == {name for names in later for name in names}


def test_a_stage_does_not_differ_from_itself() -> None:
    """Nothing added, nothing replaced."""
    found = diff("v0.3", "v0.3")
    assert (found.modules, found.commands, found.seams) == ((), (), {})


@pytest.mark.parametrize(("old", "new"), [("v1.0", "v0.2"), ("v0.2", "v9.9"), ("nonsense", "v1.0")])
def test_a_difference_that_makes_no_sense_is_refused(old: str, new: str) -> None:
    """Unknown tags and a wrong order are told apart from an empty difference."""
    with pytest.raises(UnknownStage):
        diff(old, new)


def test_diff_cannot_start_from_nothing_by_accident() -> None:
    """Only `added` looks at the first stage that way."""
    assert added("v0.2").old == ""

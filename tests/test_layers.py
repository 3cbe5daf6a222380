"""The shape of the package: who may import whom, who starts git, who looks at the machine."""

import ast
from pathlib import Path

import pytest

import mini_letta

PACKAGE = Path(mini_letta.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
# A module may import from its own layer and those before it. Names are the first part of the
# dotted name inside the package; stages (v0_2, ...) are one layer.
LAYERS = (
    {"errors"},
    {"git"},
    {"memory", "locks"},
    {"providers", "prompt", "sessions", "reflection", "sync", "workers", "pipeline"},
    {"agents", "harness", "session", "tools", "turn"},
    {"stage"},
    {"stages", "pitfalls", "explore"},
    {"cli", "course"},
)
LEVEL = {part: level for level, layer in enumerate(LAYERS) for part in layer}
# (module, what it may not touch) for the few who may: see the rule that uses each.
STARTS_GIT = {"git"}
READS_THE_MACHINE = {"cli", "course"}
MAX_LINES = 300


def part_of(module: Path) -> str:
    """Return the first part of a module's name, ``stage`` for vX_Y."""
    part = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "stage" if is_stage(part) else part


def is_stage(part: str) -> bool:
    """Is it the name of a stage module?"""
    return part.startswith("v") and part[1:].replace("_", "").isdigit()


def imported_names(module: Path) -> list[str]:
    """Return the dotted names a module imports from the package, lazy imports included."""
    names = []
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in names if name.split(".")[0] == "mini_letta"]


def calls_and_names(module: Path) -> set[str]:
    """Return every dotted name used in a module's code, e.g. ``os.environ``."""
    nodes = ast.walk(ast.parse(module.read_text()))
    return {ast.unparse(n) for n in nodes if isinstance(n, ast.Attribute | ast.Name)}


def describe(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_no_module_imports_from_a_layer_above_it(module: Path) -> None:
    """git knows no memory, memory no turn, a turn no stage, a stage no command line."""
    if module.name in {"__init__.py", "__main__.py"} and module.parent == PACKAGE:
        return
    own = LEVEL[part_of(module)]
    for name in imported_names(module):
        part = name.split(".")[1]
        target = "stage" if is_stage(part) else part
        if target in LEVEL:  # else a name of mini_letta/__init__.py itself
            assert LEVEL[target] <= own, f"{describe(module)} imports {name}"


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_providers_know_nothing_of_git(module: Path) -> None:
    """A provider sees messages and tools; memory and git are not its business."""
    if part_of(module) == "providers":
        parts = {name.split(".")[1] for name in imported_names(module)}
        assert parts <= {"errors", "providers"}


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_only_one_module_starts_git(module: Path) -> None:
    """A command list that begins with git appears in git.py and nowhere else."""
    if part_of(module) in STARTS_GIT:
        return
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.List | ast.Tuple) and node.elts:
            first = node.elts[0]
            starts_git = isinstance(first, ast.Constant) and first.value == "git"
            assert not (starts_git and isinstance(node.ctx, ast.Load) and len(node.elts) > 1), (
                f"{describe(module)}:{node.lineno} starts git"
            )


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_only_the_edge_reads_environment_folder_and_clock(module: Path) -> None:
    """Everything below the command line is given its environment, folder and clock."""
    if part_of(module) in READS_THE_MACHINE:
        return
    forbidden = {
        "os.environ", "os.getenv", "os.environb", "os.getcwd", "Path.cwd", "Path.home",
        "time.time", "time.time_ns", "datetime.now", "datetime.datetime.now", "date.today",
        "os.path.expanduser", "sys.argv",
    }  # fmt: skip
    assert calls_and_names(module) & forbidden == set()


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_a_module_can_be_read_in_one_sitting(module: Path) -> None:
    """No module is longer than the limit."""
    assert len(module.read_text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_names_are_imported_one_by_one(module: Path) -> None:
    """There is no star import."""
    assert not any(name.endswith(".*") for name in imported_names(module))

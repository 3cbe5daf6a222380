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
    {"agents", "audit_notice", "bash", "first_memory", "harness", "paths", "session", "tools"}
    | {"logged_turn", "transcript", "turn", "unlogged_turn"},
    {"stage"},
    {"stages", "explore"},
    {"cli", "course", "pitfalls"},
)
LEVEL = {part: level for level, layer in enumerate(LAYERS) for part in layer}
EDGE = {"cli", "course"}
STARTS_PROCESSES = {
    "git.py",
    "memory/staged.py",  # embedded in the hook, where git.py does not exist
    "bash.py",  # the agent's own shell
}
SPELLS_GIT = {"git.py", "memory/checkout.py", "memory/commit_check.py"}  # for memory/staged.py
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


def modules_imported_by(module: Path) -> set[str]:
    """Return the names of every module it imports, lazy imports included."""
    nodes = [n for n in ast.walk(ast.parse(module.read_text())) if isinstance(n, ast.Import)]
    return {alias.name for node in nodes for alias in node.names}


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
    assert part_of(module) in LEVEL, f"say in which layer {describe(module)} is"
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
def test_only_listed_modules_start_processes(module: Path) -> None:
    """git is started by git.py, and by the hook, which cannot import it."""
    starts = {"subprocess", "os.system", "os.popen", "os.execv", "os.fork"}
    starts |= {f"{owner}.posix_spawn{kind}" for owner in ("os", "posix") for kind in ("", "p")}
    used = calls_and_names(module) | modules_imported_by(module)
    if describe(module) not in STARTS_PROCESSES and part_of(module) not in EDGE:
        assert used & starts == set()


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_only_listed_modules_spell_a_git_command(module: Path) -> None:
    """A list that begins with "git" is a command; everybody else asks a Repo."""
    if describe(module) in SPELLS_GIT or part_of(module) == "course":
        return
    sequences = [
        node.elts for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.List | ast.Tuple) and node.elts
    ]  # fmt: skip
    assert not any(ast.unparse(elements[0]) == "'git'" for elements in sequences)


@pytest.mark.parametrize("module", MODULES, ids=describe)
def test_only_the_edge_reads_environment_folder_and_clock(module: Path) -> None:
    """Everything below the command line is given its environment, folder and clock."""
    if part_of(module) in EDGE:
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

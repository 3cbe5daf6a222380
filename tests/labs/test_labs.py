"""The four labs themselves, graded for real: who scores what, and why.

Mistakes in different exercises do not touch each other, so one submission carries one mistake in
each exercise: the n-th makes the n-th mistake everywhere.
"""

import importlib
import json
import os
from functools import cache
from pathlib import Path

import pytest

from mini_letta import stages
from mini_letta.course.grading.carry_out import carry_out
from mini_letta.course.grading.order import Order
from mini_letta.course.grading.results import Result, read_result, result_path
from mini_letta.course.grading.sandbox import detect_sandbox
from mini_letta.course.labs.lab import Check, Lab
from mini_letta.course.labs.library import allowed_modules, build_library
from mini_letta.course.labs.master import lab_ids, read_lab
from mini_letta.course.labs.reference import expected_texts

ROOT = Path(__file__).parents[2]
EDITIONS = [(id, lang) for id in lab_ids(ROOT) for lang in ("en", "zh")]


def lab_of(id: str, lang: str) -> Lab:
    """Return one edition of a lab."""
    return read_lab(ROOT, id, lang)


def mistakes_of(id: str) -> dict[str, str]:
    """Return check id -> an answer that only this check finds fault with."""
    found: dict[str, str] = importlib.import_module(f"tests.labs.mistakes.{id}").MISTAKES
    return found


def planted_of(id: str) -> dict[str, str]:
    """Return exercise -> an answer that takes what the package ships."""
    found: dict[str, str] = importlib.import_module(f"tests.labs.mistakes.{id}").PLANTED
    return found


def code_checks(lab: Lab) -> list[list[Check]]:
    """Return the checks of each exercise that is not read by a person."""
    return [list(lab.checks_of(e.id)) for e in lab.exercises if e.kind != "reading"]


def rounds(lab: Lab) -> int:
    """Return how many submissions it takes to make every mistake once."""
    return max(map(len, code_checks(lab)))


def mistakes_in_round(lab: Lab, number: int) -> list[str]:
    """Return the checks whose mistake the n-th submission makes, one an exercise."""
    return [checks[number].id for checks in code_checks(lab) if number < len(checks)]


def submission(lab: Lab, answers: dict[str, str]) -> str:
    """Return the student's notebook with some answer cells filled in."""
    notebook = json.loads((ROOT / "labs" / lab.lang / f"{lab.id}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        mark = cell["metadata"].get("mini_letta", {})
        if mark.get("kind") in ("answer", "written") and mark.get("exercise") in answers:
            cell["source"] = answers[mark["exercise"]]
    return json.dumps(notebook)


def students(lab: Lab) -> dict[str, str]:
    """Return the class: student -> notebook."""
    solved = {cell.exercise: cell.solution for cell in lab.cells if cell.solution}
    mistakes = mistakes_of(lab.id)
    spoiled = {
        f"mistakes-{number}": solved
        | {id[:-1]: mistakes[id] for id in mistakes_in_round(lab, number)}
        for number in range(rounds(lab))
    }
    answers = {"stub": {}, "solution": solved, "planted": planted_of(lab.id), **spoiled}
    return {student: submission(lab, own) for student, own in answers.items()}


@cache
def graded(id: str, lang: str, folder: Path) -> dict[str, Result]:
    """Return the results of a class, graded once."""
    if detect_sandbox(os.environ).level == "rlimits":
        pytest.skip("there is no sandbox here: install bubblewrap, or run as root with util-linux")
    handed_in = folder / f"{id}-{lang}"
    names = students(lab_of(id, lang))
    for student, notebook in names.items():
        (handed_in / student).mkdir(parents=True)
        (handed_in / student / f"{id}.ipynb").write_text(notebook, encoding="utf-8")
    out = folder / f"{id}-{lang}-out"
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    order = Order(submissions=handed_in, out=out, jobs=1, seed=20_260, is_quiet=True, env=env)
    assert carry_out(order, root=ROOT).exit_code == 0
    results = {student: read_result(result_path(out, student, id)) for student in names}
    return {student: result for student, result in results.items() if result is not None}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the classes of this process hand in."""
    return tmp_path_factory.mktemp("labs")


def each_edition(function: object) -> object:
    """Run a test for every lab and language.

    Two are left for `make test`, one of functions and one with scripts; the code of both
    languages is the same.
    """
    short = {("lab1", "en"), ("lab4", "en")}
    marks = [
        pytest.param(
            *edition,
            id="-".join(edition),
            marks=[] if edition in short else [pytest.mark.long],
        )
        for edition in EDITIONS
    ]
    return pytest.mark.parametrize(("id", "lang"), marks)(function)


@each_edition
def test_an_untouched_notebook_scores_nothing(id: str, lang: str, folder: Path) -> None:
    """Not even the tasks that a person reads."""
    result = graded(id, lang, folder)["stub"]
    assert (result.points, result.needs_reading) == (0, 0)
    assert {exercise.outcome for exercise in result.exercises} == {"failed"}


@each_edition
def test_the_reference_passes_everything(id: str, lang: str, folder: Path) -> None:
    """With only its stage importable and its own answer hidden; the rest a person reads."""
    result = graded(id, lang, folder)["solution"]
    wrong = [
        (check.id, check.expected, check.seen)
        for exercise in result.exercises
        for check in exercise.checks
        if check.outcome != "passed"
    ]
    assert wrong == []
    assert {e.outcome for e in result.exercises} <= {"passed", "needs_reading"}


@each_edition
def test_the_shipped_answer_scores_nothing(id: str, lang: str, folder: Path) -> None:
    """Imported, read from a file or out of the hook: it is not there, or it is not the answer."""
    result = graded(id, lang, folder)["planted"]
    assert [(e.id, e.points) for e in result.exercises if e.points] == []


@each_edition
def test_each_check_alone_finds_its_mistake(id: str, lang: str, folder: Path) -> None:
    """No check is superfluous, and none stands in for another."""
    lab = lab_of(id, lang)
    found = {
        number: [
            check.id
            for exercise in graded(id, lang, folder)[f"mistakes-{number}"].exercises
            for check in exercise.checks
            if check.outcome != "passed"
        ]
        for number in range(rounds(lab))
    }
    assert found == {number: mistakes_in_round(lab, number) for number in range(rounds(lab))}


@pytest.mark.long
@pytest.mark.parametrize("id", lab_ids(ROOT))
def test_no_constant_passes_a_check(id: str, tmp_path: Path) -> None:
    """Another seed is another text: whoever prints what was right at home is wrong when graded.

    Artefacts are left out: they inspect what a script makes of a start that is handed out.
    """
    lab = lab_of(id, "en")
    library = build_library(lab, tmp_path / "library")
    texts = [expected_texts(lab, seed, env=os.environ, library=library) for seed in (0, 7, 11)]
    assert [name for name in texts[0] if len({text[name] for text in texts}) < len(texts)] == []


@pytest.mark.parametrize("id", lab_ids(ROOT))
def test_every_check_has_a_mistake_of_its_own(id: str) -> None:
    """A check without one could be left out, for all we know."""
    lab = lab_of(id, "en")
    assert sorted(mistakes_of(id)) == sorted(check.id for check in lab.checks)


@pytest.mark.parametrize("id", lab_ids(ROOT))
def test_a_lab_is_worth_twenty_points_in_four_to_eight_exercises(id: str) -> None:
    """So labs can be added up."""
    lab = lab_of(id, "en")
    assert (lab.points, 4 <= len(lab.exercises) <= 8) == (20, True)


@pytest.mark.parametrize("id", lab_ids(ROOT))
def test_both_editions_ask_the_same(id: str) -> None:
    """Same exercises, points, checks and code; only the words differ."""
    here, there = (lab_of(id, lang) for lang in ("en", "zh"))
    for of in (
        lambda lab: [(e.id, e.kind, e.points, e.hidden_checks) for e in lab.exercises],
        lambda lab: [(c.id, c.hidden, c.points, c.source) for c in lab.checks],
        lambda lab: [(c.id, c.kind, c.exercise) for c in lab.cells],
        lambda lab: [c.solution for c in lab.cells if c.kind == "answer"],
        lambda lab: [len(e.hints) for e in lab.exercises],
    ):
        assert of(here) == of(there)


@pytest.mark.parametrize("id", lab_ids(ROOT))
def test_a_lab_cannot_import_a_later_stage(id: str) -> None:
    """Only its own and earlier ones."""
    lab = lab_of(id, "en")
    later = stages.TAGS[stages.TAGS.index(lab.stage) + 1 :]
    introduced = {name for tag in later for name in stages.load(tag).INTRODUCES}
    assert introduced.isdisjoint(allowed_modules(lab.stage))


@pytest.mark.parametrize(("id", "lang"), EDITIONS)
def test_what_is_handed_out_is_there(id: str, lang: str) -> None:
    """In both languages."""
    folder = ROOT / "labs" / "handouts" / id / lang
    lab = lab_of(id, lang)
    assert [name for name in lab.handouts if not (folder / name).is_file()] == []

"""How a submission is sorted into the places of the master, and what is run of it."""

import dataclasses
import json
from typing import Any

import pytest

from mini_letta.course.grading.handed_in import parse_notebook
from mini_letta.course.grading.matching import Match, match_cells
from mini_letta.course.grading.rebuild import Step, compose_notebook, rebuild, without
from mini_letta.course.labs.lab import Lab
from tests.grading.kit import SEED, hand_out, make_cell, own_cell, place_of, solve


def match(lab: Lab, notebook: dict[str, Any]) -> Match:
    """Return how a notebook is sorted."""
    return match_cells(lab, parse_notebook(json.dumps(notebook).encode()))


def steps(lab: Lab, notebook: dict[str, Any]) -> tuple[Step, ...]:
    """Return what is run of a notebook."""
    return rebuild(lab, match(lab, notebook), seed=SEED)


def order(lab: Lab, notebook: dict[str, Any]) -> list[str]:
    """Return what is run, in short."""
    return [step.name or f"{step.role} {step.position or ''}".strip() for step in
            steps(lab, notebook)]  # fmt: skip


def said(lab: Lab, notebook: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the notices: kind and text."""
    return [(notice.kind, notice.text) for notice in match(lab, notebook).notices]


def test_hidden_checks_run_after_everything_that_a_student_gets_to_see(lab: Lab) -> None:
    """Tools, given cells, answers and public checks in order; all hidden checks at the end."""
    assert order(lab, solve(lab)) == [
        "tools", "given", "answer 5", "1.1a", "answer 8", "1.2a", "1.1b", "1.2b",
    ]  # fmt: skip


def test_an_untouched_notebook_gives_no_notice(lab: Lab) -> None:
    """What was handed out is what is expected back."""
    assert said(lab, hand_out(lab)) == []


def test_only_sources_are_taken_from_a_submission(lab: Lab) -> None:
    """Tags, outputs, counts and kernelspecs of a submission do not reach the notebook we run."""
    notebook = solve(lab)
    notebook["metadata"]["kernelspec"] = {"name": "mine"}
    for cell in notebook["cells"]:
        cell["metadata"] |= {"tags": ["nbval-skip", "raises-exception"]}
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "planted"}]
    node = compose_notebook(steps(lab, notebook), {check.id: "ours\n" for check in lab.checks})
    assert "planted" not in json.dumps(node)
    assert {tag for cell in node.cells for tag in cell.metadata.get("tags", ())} == {
        "nbval-ignore-output"
    }
    assert node.metadata.kernelspec.name == "python3"
    outputs = [cell.outputs[0].text for cell in node.cells if cell.outputs]
    assert outputs == ["ours\n"] * len(lab.checks)
    assert [cell.execution_count for cell in node.cells] == list(range(1, len(node.cells) + 1))


@pytest.mark.parametrize("marker", ["NBVAL_SKIP", "NBVAL_RAISES_EXCEPTION", "NBVAL_CHECK_OUTPUT"])
def test_a_comment_for_nbval_in_an_answer_is_only_a_comment(lab: Lab, marker: str) -> None:
    """Whether a cell runs and is compared is not for its author to say."""
    answer = f"x = 1\n  ## {marker}\ny = 2"
    source = next(s.source for s in steps(lab, solve(lab, answer_1_1=answer)) if s.position == 5)
    assert marker not in source and source.startswith("x = 1\n") and source.endswith("\ny = 2")


def test_all_copies_of_an_answer_run_one_after_another(lab: Lab) -> None:
    """S1: a copied answer cell is reported with its positions; the last one counts."""
    notebook = solve(lab)
    at = place_of(notebook, "answer-1-1")
    copy = {**make_cell("answer-1-1", "double = abs"), "id": "fresh"}
    notebook["cells"].insert(at + 1, copy)
    assert order(lab, notebook)[2:5] == ["answer 5", "answer 6", "1.1a"]
    assert said(lab, notebook) == [
        ("answer_copies", "Exercise 1.1: the answer cell stands 2 times (cells 5, 6). All copies "
         "ran one after the other, so what the last one defines counts."),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["markdown", "raw", "nonsense"])
def test_an_answer_that_is_no_code_cell_is_not_run(lab: Lab, kind: str) -> None:
    """S7: pressing `m` on the answer is reported, whatever kind the cell has become."""
    notebook = solve(lab)
    notebook["cells"][place_of(notebook, "answer-1-1")]["cell_type"] = kind
    assert "answer 5" not in order(lab, notebook)
    assert said(lab, notebook) == [
        ("answer_not_code",
         "Exercise 1.1: answer cell is not a code cell (cell 5). It was not run."),
    ]  # fmt: skip


def test_a_deleted_answer_is_named(lab: Lab) -> None:
    """S2: the message says which exercise has no answer cell; the number of checks stays."""
    notebook = solve(lab)
    del notebook["cells"][place_of(notebook, "answer-1-1")]
    assert said(lab, notebook) == [("answer_missing", "Exercise 1.1: answer cell missing.")]
    names = [step.name for step in steps(lab, notebook) if step.role == "check"]
    assert sorted(names) == [check.id for check in lab.checks]


def test_a_deleted_given_cell_comes_back(lab: Lab) -> None:
    """S2: without the set-up cell the notebook still runs with the original one."""
    notebook = solve(lab)
    del notebook["cells"][place_of(notebook, "setup")]
    assert order(lab, notebook)[:2] == ["tools", "given"]
    assert said(lab, notebook) == [
        ("locked_missing", "The locked cell setup is missing. The original one was used."),
    ]  # fmt: skip


def test_exercises_in_another_order_run_in_the_order_of_the_master(lab: Lab) -> None:
    """S2: two exercises swapped change nothing."""
    notebook = solve(lab)
    first, second = place_of(notebook, "answer-1-1"), place_of(notebook, "answer-1-2")
    cells = notebook["cells"]
    cells[first], cells[second] = cells[second], cells[first]
    assert order(lab, notebook)[2:6] == ["answer 8", "1.1a", "answer 5", "1.2a"]


def test_a_changed_locked_cell_is_restored_and_shown_as_a_diff(lab: Lab) -> None:
    """S8: the student sees exactly what was not used."""
    notebook = solve(lab, setup="import math\nimport json\nLIMIT = 3")
    (notice,) = match(lab, notebook).notices
    assert (notice.kind, notice.diff) == (
        "locked_changed", "@@ -1,2 +1,3 @@\n import math\n+import json\n LIMIT = 3",
    )  # fmt: skip
    given = next(step for step in steps(lab, notebook) if step.role == "given")
    assert given.source == "import math\nLIMIT = 3"


def test_spaces_at_the_ends_of_lines_are_no_change(lab: Lab) -> None:
    """What an editor adds or strips by itself is not reported."""
    assert said(lab, solve(lab, setup="\nimport math  \r\nLIMIT = 3\n\n")) == []


def test_work_in_the_cell_that_asks_is_reported(lab: Lab) -> None:
    """The cell with `check("1.1")` is locked as well."""
    (kind, _), *_ = said(lab, solve(lab, ask_1_1='check("1.1")\nimport json'))
    assert kind == "locked_changed"


def test_cells_of_the_students_own_run_where_they_stand(lab: Lab) -> None:
    """S8: a helper cell belongs to the answer before it and keeps its place."""
    notebook = solve(lab)
    notebook["cells"].insert(place_of(notebook, "answer-1-2"), own_cell("import json"))
    notebook["cells"].insert(place_of(notebook, "setup"), own_cell("early = 1"))
    found = match(lab, notebook)
    assert [(e.cell.position, e.exercise, e.after) for e in found.extras] == [
        (3, "1.1", ""), (9, "1.1", "answer-1-1"),
    ]  # fmt: skip
    assert order(lab, notebook)[:6] == ["tools", "extra 3", "given", "answer 6", "extra 9", "1.1a"]
    assert [text for _, text in said(lab, notebook)] == [
        "Exercise 1.1: your own cells (3, 9) ran where they stand."
    ]


def test_empty_cells_and_notes_of_the_student_are_nothing_to_run(lab: Lab) -> None:
    """A blank code cell or a markdown note is no cell of one's own."""
    notebook = solve(lab)
    notebook["cells"] += [own_cell(" \n"), {**own_cell("note"), "cell_type": "markdown"}]
    assert match(lab, notebook).extras == ()


def test_the_notebook_of_another_lab_is_told_in_one_sentence(lab: Lab) -> None:
    """Not a missing answer for each exercise, but the likely reason for all of them."""
    other = dataclasses.replace(
        lab, cells=tuple(dataclasses.replace(cell, id=f"{cell.id}-x") for cell in lab.cells)
    )
    assert said(lab, hand_out(other)) == [
        ("no_known_cell",
         "None of the answer cells of lab1 is in this notebook. "
         "Is it the notebook of another lab?"),
    ]  # fmt: skip


def test_a_dropped_exercise_takes_its_own_cells_and_checks_along(lab: Lab) -> None:
    """What hung is not run again; given cells and the other exercises are, under the same ids."""
    notebook = solve(lab)
    notebook["cells"].insert(place_of(notebook, "ask-1-1"), own_cell("helper = 1"))
    every = steps(lab, notebook)
    left = without(every, dropped={"1.1"}, unchecked={})
    assert [step.name or step.role for step in left] == [
        "tools", "given", "answer", "1.2a", "1.2b",
    ]  # fmt: skip
    assert {step.id for step in left} < {step.id for step in every}


def test_a_check_draws_its_inputs_from_the_seed(lab: Lab) -> None:
    """Another seed is another program; the prelude stands in front of every check."""
    found = match(lab, solve(lab))
    one, two = (rebuild(lab, found, seed=seed)[-1].source for seed in (1, 2))
    assert one != two and "draw = random.Random(SEED)" in one

"""Checks print plain data in one spelling, and nothing else has a spelling."""

import functools
import operator
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta.course.labs.values import run_check, show, spell, tell

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.sets(st.text() | st.integers())
        | st.frozensets(st.text())
    ),
    max_leaves=10,
)


class Always(str):
    """Equal to everything, and looks like the answer."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "'the answer'"


@given(PLAIN)
def test_plain_data_is_spelt_so_that_python_reads_it_back(value: object) -> None:
    """Nothing is lost and nothing is confused."""
    assert eval(spell(value), {"frozenset": frozenset, "set": set}) == value


def test_sets_and_dictionaries_are_spelt_in_sorted_order() -> None:
    """The order something was built in is not an answer."""
    assert spell({"b": 1, "a": {3, 1, 2}}) == "{'a': {1, 2, 3}, 'b': 1}"


@pytest.mark.parametrize("value", [Always("x"), [Always("x")], {"k": Always()}, object(), len])
def test_an_object_cannot_spell_itself(value: object) -> None:
    """A subclass of a plain type is not plain data either."""
    assert "is not plain data>" in spell(value) and "the answer" not in spell(value)


def test_true_is_not_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Type counts, not equality."""
    show([True, 1, 1.0])
    assert capsys.readouterr().out == "[True, 1, 1.0]\n"


def test_what_the_function_prints_is_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """A student may leave print() in."""

    def noisy(n: int) -> int:
        sys.stdout.write("looking")
        return n

    tell(noisy, 3)
    assert capsys.readouterr().out == "noisy(3) -> 3\n"


def test_a_function_is_told_by_the_name_the_check_uses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What a student calls the function elsewhere is no part of the answer."""
    double = {"double": lambda n: 2 * n, "tell": tell}
    exec("tell(double, 3)", double)
    exec("tell(double, 4)", {**double, "double": functools.partial(operator.mul, 2)})
    assert capsys.readouterr().out == "double(3) -> 6\ndouble(4) -> 8\n"


def test_of_what_a_check_prints_only_values_get_out(capsys: pytest.CaptureFixture[str]) -> None:
    """A function of the student's may be called by anything that the check runs."""
    source = "print('noise')\nshow(chatty())\nprint('more')"
    namespace: dict[str, object] = {}
    exec("def chatty():\n    print('looking')\n    return 3", namespace)
    namespace["show"] = show
    run_check("9.1a", source, namespace)
    assert capsys.readouterr().out == "3\n"


def test_an_error_is_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    """One bad input does not hide the lines after it, and a line stays one line."""

    def picky(*, n: int) -> int:
        raise ValueError("no\ngood")

    tell(picky, n=3)
    assert capsys.readouterr().out == "picky(n=3) raised ValueError: no\\ngood\n"

"""Predict cells say whose guess it was, and never fail."""

import pytest

from mini_letta.course.predict import compare


def test_the_guess_of_the_page_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """A reader who guesses nothing sees that the guess is the page's, and how to make their own."""
    compare("committed", "refused", page="committed", lang="en")
    assert capsys.readouterr().out.splitlines() == [
        "The page's guess: committed",
        "What happened: refused",
        "Not as expected. Read on to see why.",
        "Change the cell `guess = ...`, then run it and this cell again.",
    ]


def test_a_guess_of_the_reader_is_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    """A changed guess is called the reader's, in their language."""
    compare("refused", "refused", page="committed", lang="zh")
    assert capsys.readouterr().out.splitlines() == [
        "你的猜测：refused",
        "实际结果：refused",
        "猜对了。",
    ]

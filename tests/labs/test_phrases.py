"""What students are told exists in both languages."""

import re

from mini_letta.course.labs.phrases import SENTENCES


def test_both_languages_say_the_same_things() -> None:
    """The same sentences with the same braces."""
    english, chinese = (
        {key: sorted(re.findall(r"{\w+}", text)) for key, text in SENTENCES[lang].items()}
        for lang in ("en", "zh")
    )
    assert english == chinese

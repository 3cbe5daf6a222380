"""Predict cells of the notebooks: guess before you run, then compare.

The guess that the page ships with is deliberately the one many readers would make, right or
wrong, so that reading on without guessing costs nothing and gives nothing away.
"""

WORDS = {
    "en": {
        "page": "The page's guess",
        "yours": "Your guess",
        "answer": "What happened",
        "same": "As expected.",
        "other": "Not as expected. Read on to see why.",
        "change": "Change the cell `guess = ...`, then run it and this cell again.",
    },
    "zh": {
        "page": "本页的猜测",
        "yours": "你的猜测",
        "answer": "实际结果",
        "same": "猜对了。",
        "other": "没猜对。原因往下看。",
        "change": "改一改 `guess = ...` 那一格，再跑它和这一格。",
    },
}


def compare(guess: object, answer: object, *, page: object, lang: str) -> None:
    """Print a guess beside what happened, and whose guess it was.

    Args:
        guess: what the reader wrote.
        answer: what the run showed.
        page: the guess that was there before; equal to ``guess`` if the reader left it alone.
        lang: ``en`` or ``zh``.
    """
    words = WORDS[lang]
    colon = "：" if lang == "zh" else ": "
    print(f"{words['page' if guess == page else 'yours']}{colon}{guess}")
    print(f"{words['answer']}{colon}{answer}")
    print(words["same" if guess == answer else "other"])
    if guess == page:
        print(words["change"])

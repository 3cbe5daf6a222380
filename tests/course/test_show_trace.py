"""The turn trace: who told whom what, in order, whatever the model wrote."""

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta import v1_0
from mini_letta.course.show import turn_trace
from mini_letta.course.workbench import Workbench
from mini_letta.harness import Notice
from mini_letta.prompt.conversation import UPDATE_TAG
from mini_letta.providers.mock import MockModel
from mini_letta.providers.protocol import Message, ToolCall
from mini_letta.turn import Turn
from tests.course.show_kit import check_picture, texts

LANGS = ("en", "zh")
REFUSED = "Memory validation failed:\n  a.md: bad\n  b.md: worse\n\nNothing was committed.\nexit=1"
COMMITTED = "[main 1a2b3c4] Change\n 1 file changed"

calls = st.builds(ToolCall, id=st.sampled_from("12"), name=texts, arguments=texts)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    text=texts | texts.map(f"{UPDATE_TAG} {{}}".format) | st.sampled_from([REFUSED, COMMITTED]),
    tool_calls=st.lists(calls, max_size=2).map(tuple),
    tool_call_id=st.sampled_from([None, "1", "2"]),
    failed=st.booleans(),
)
turns = st.builds(
    Turn,
    reply=texts,
    messages=st.lists(messages, max_size=8).map(tuple),
    notices=st.lists(st.builds(Notice, text=texts), max_size=2).map(tuple),
)


def turn_of(*said: Message, notices: Iterable[str] = ()) -> Turn:
    return Turn(reply="", messages=said, notices=tuple(Notice(text=text) for text in notices))


def commit_turn(command: str, output: str) -> Turn:
    """Return a turn in which one shell command has this output."""
    call = ToolCall(id="1", name="shell", arguments=json.dumps({"command": command}))
    return turn_of(
        Message(role="assistant", text="", tool_calls=(call,)),
        Message(role="tool", text=output, tool_call_id="1"),
    )


def trace(turn: Turn, lang: str = "en") -> list[tuple[str, str]]:
    """Return (between whom, what) of each line."""
    lines = turn_trace(turn, lang=lang).text.split("\n")
    halves = [line.partition("  ") for line in lines]
    return [(who, what.strip()) for who, _, what in halves]


@given(st.lists(turns, max_size=3), st.integers(1, 10), st.sampled_from(LANGS))
def test_any_turn_makes_a_sound_picture(given: list[Turn], limit: int, lang: str) -> None:
    """Well-formed, without anything that acts, and text and SVG carry the same labels."""
    check_picture(turn_trace(*given, limit=limit, lang=lang))


def test_an_ordinary_turn_is_told_in_order() -> None:
    """From the user to the model, its tools, the hook, and back."""
    with Workbench(v1_0.HARNESS) as bench:
        told = trace(bench.turn("remember I like tea"))
        commit = (bench.session.repo.head() or "")[:7]
    assert told == [
        ("you → model", "remember I like tea"),
        ("model → tools", "read_file: human.md"),
        ("tools → model", "--- (more lines: 4)"),
        (
            "model → tools",
            "write_file: human.md | ---\\nname: Human\\ndescription: What I know about you…",
        ),
        ("tools → model", "wrote human.md (88 characters), not committed yet"),
        (
            "model → tools",
            "shell: git add -- human.md && git commit -m 'Remember: I like tea'",
        ),
        ("hook → tools", "✓ no objection"),
        ("tools → model", f"[main {commit}] Remember: I like tea (more lines: 1)"),
        ("model → you", "I will remember: I like tea."),
    ]


def test_a_bypass_is_followed_from_the_refusal_to_the_next_turn() -> None:
    """Refusal, --no-verify, the notice of the audit, and what the model is told next time."""
    with Workbench(v1_0.HARNESS, lang="zh", provider=MockModel("no_verify")) as bench:
        picture = turn_trace(bench.turn("记住：我爱喝茶"), bench.turn("在吗"), lang="zh")
    between = [line.split("  ")[0] for line in picture.text.split("\n") if not line.startswith(" ")]
    assert between[:11] == [
        "你 → 模型",
        *("模型 → 工具", "工具 → 模型"),
        *("模型 → 工具", "守门员 → 工具", "工具 → 模型"),
        *("模型 → 工具", "守门员 → 工具", "工具 → 模型"),
        "模型 → 你",
        "harness → 模型",
    ]
    for words in ("✗ 拒绝：human.md: missing", "○ 没有问它：--no-verify", "第 2 个回合"):
        assert words in picture.text
    assert picture.text.index("留到下一回合的通知：MEMORY INVALID") < picture.text.index(
        "提示更新："
    )
    assert picture.text.index("提示更新：") < picture.text.index("  通知：MEMORY INVALID")


@pytest.mark.parametrize(
    ("command", "output", "verdict"),
    [
        ("git commit -m x", REFUSED, "✗ refused: a.md: bad"),
        ("git commit -m x", COMMITTED, "✓ no objection"),
        ("git add . && git -C . commit -m x", COMMITTED, "✓ no objection"),
        ("git commit -m x --no-verify", COMMITTED, "○ not asked: --no-verify"),
        ("git commit -n -m x", COMMITTED, "○ not asked: -n"),
        ("git commit -m x; git log -n 1", COMMITTED, "✓ no objection"),
        ("git commit -m x && head -n 1 a.md", COMMITTED, "✓ no objection"),
    ],
)
def test_the_verdict_of_the_hook_is_read_from_what_git_said(
    command: str, output: str, verdict: str
) -> None:
    """Refused, not asked, or nothing against it."""
    told = trace(commit_turn(command, output))
    assert [what for who, what in told if who == "hook → tools"] == [verdict]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git commit -q -m x", ""),
        ("git cherry-pick side", COMMITTED),
        ("git commit -m x", "nothing to commit\nexit=1"),
        ("ls", "a.md"),
    ],
)
def test_where_git_said_nothing_of_a_commit_the_hook_says_nothing(
    command: str, output: str
) -> None:
    """No verdict is made up."""
    assert "hook → tools" not in dict(trace(commit_turn(command, output)))


def test_all_problems_of_a_refusal_are_shown() -> None:
    """Each on its own line, the advice below them left out."""
    told = trace(commit_turn("git commit -m x", REFUSED))
    assert told[1:3] == [("hook → tools", "✗ refused: a.md: bad"), ("", "b.md: worse")]


def test_a_notice_that_was_told_is_not_told_again() -> None:
    """One that came too late is for the next turn."""
    told = trace(turn_of(Message(role="system", text="EARLY"), notices=["EARLY", "LATE"]))
    assert told == [
        ("harness → model", "notice: EARLY"),
        ("harness → model", "notice for the next turn: LATE"),
    ]


def test_only_those_who_take_part_have_a_line() -> None:
    """A turn of words needs no tools."""
    picture = turn_trace(turn_of(Message(role="user", text="hi")))
    assert ">tools<" not in picture.svg
    assert ">model<" in picture.svg


def test_the_middle_of_a_long_turn_is_counted() -> None:
    """Beginning and end are kept."""
    said = [Message(role="user", text=f"m{n}") for n in range(400)]
    told = [what for _, what in trace(turn_of(*said))]
    assert (len(told), told[0], told[30], told[-1]) == (
        61,
        "m0",
        "… messages left out: 340",
        "m399",
    )


def test_an_empty_result_is_said_to_be_empty() -> None:
    """Silence is an answer too."""
    assert trace(commit_turn("true", ""))[1] == ("tools → model", "(nothing)")


def test_arguments_that_are_no_object_are_shown_as_the_model_wrote_them() -> None:
    """Broken JSON included."""
    call = ToolCall(id="1", name="read_file", arguments='{"path": "human.md')
    turn = turn_of(Message(role="assistant", text="", tool_calls=(call,)))
    assert trace(turn) == [("model → tools", 'read_file: {"path": "human.md')]


def test_places_on_this_machine_can_be_hidden() -> None:
    """``shown`` sees every text before it is cut."""
    turn = commit_turn("ls", "/tmp/xyz/a")
    picture = turn_trace(turn, shown=lambda text: text.replace("/tmp/xyz", "~"))
    assert "~/a" in picture.text

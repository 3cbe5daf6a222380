"""The mock: one rule a message, both languages, and what it does when it is refused."""

from pathlib import Path

import pytest

from mini_letta import v1_0
from mini_letta.harness import Harness
from mini_letta.providers.mock import MockModel, Scripted, ScriptExhausted, UnknownMischief
from mini_letta.providers.protocol import Message
from mini_letta.turn import Turn, run_turn
from tests.kit import MISSING, bypass, commit, open_agent

Env = dict[str, str]
HARNESS: Harness = v1_0.HARNESS


def tell(home: Path, env: Env, text: str, mischief: str | None = None) -> Turn:
    """Say one thing in a process of its own."""
    return run_turn(HARNESS, open_agent(home, env, provider=MockModel(mischief)), text)


def committed(home: Path, env: Env, path: str) -> str:
    """Return a file at HEAD."""
    return open_agent(home, env).repo.run("show", f"HEAD:{path}").text


@pytest.mark.parametrize(
    ("text", "reply", "line"),
    [
        ("remember that I like tabs", "I will remember: I like tabs.", "- I like tabs"),
        ("记住我喜欢 tabs", "记住了：我喜欢 tabs。", "- 我喜欢 tabs"),
        ("以后用 tabs 缩进", "记住了：以后用 tabs 缩进。", "- 以后用 tabs 缩进"),
        ("Remember: it's\n$HOME `x`", "I will remember: it's $HOME `x`.", "- it's $HOME `x`"),
    ],
)
def test_a_note_is_appended_and_committed(
    home: Path, env: Env, text: str, reply: str, line: str
) -> None:
    """The file is read, rewritten with one more line, and committed alone."""
    turn = tell(home, env, text)
    assert turn.reply == reply
    assert committed(home, env, "human.md").splitlines()[-2:] == ["- We have just met.", line]
    names = [c.name for m in turn.messages for c in m.tool_calls]
    assert names == ["read_file", "write_file", "shell"]


@pytest.mark.parametrize("text", ["设定：严肃", "设定: 严肃", "persona: 严肃"])
def test_the_persona_is_replaced_below_its_frontmatter(home: Path, env: Env, text: str) -> None:
    """The name and the description stay."""
    tell(home, env, text)
    text = committed(home, env, "persona.md")
    assert text == "---\nname: Persona\ndescription: Who I am\n---\n严肃"


def test_only_the_file_it_changed_is_committed(home: Path, env: Env) -> None:
    """What somebody else is editing stays uncommitted."""
    session = open_agent(home, env)
    (session.repo.dir / "persona.md").write_text("half an edit")
    tell(home, env, "remember tea")
    assert session.repo.run("status", "--porcelain").text == " M persona.md"


def test_what_is_known_is_not_committed_twice(home: Path, env: Env) -> None:
    """The second time it says that it knows."""
    tell(home, env, "remember tea")
    head = open_agent(home, env).repo.head()
    assert tell(home, env, "remember tea").reply == "I know: tea."
    assert open_agent(home, env).repo.head() == head


@pytest.mark.parametrize(("text", "reply"), [("在吗？", "在。"), ("ping", "I am here.")])
def test_somebody_is_there(home: Path, env: Env, text: str, reply: str) -> None:
    """It answers in the language it is asked in."""
    assert tell(home, env, text).reply == reply


@pytest.mark.parametrize("text", ["what do you know about me?", "我是谁？"])
def test_it_answers_from_the_newest_memory(home: Path, env: Env, text: str) -> None:
    """An update overrides the prompt."""
    tell(home, env, "ping")
    tell(home, env, "remember tea")
    assert tell(home, env, text).reply.endswith("- We have just met.\n- tea")


@pytest.mark.parametrize("text", ["tell me a joke", "讲个笑话"])
def test_what_it_cannot_do_is_said_with_what_it_can(home: Path, env: Env, text: str) -> None:
    """The reply repeats the words and lists the rules."""
    assert text in tell(home, env, text).reply


def test_a_refusal_is_quoted_and_undone(home: Path, env: Env) -> None:
    """First problem line, nothing committed, the file as it was, what to do next."""
    session = open_agent(home, env)
    before = (session.repo.dir / "human.md").read_bytes()
    reply = tell(home, env, "remember " + "x" * 30_000).reply
    assert "human.md: 30078 characters exceeds 20000 from maxFileCharacters" in reply
    assert "Nothing was committed" in reply
    assert "Next:" in reply
    assert (session.repo.dir / "human.md").read_bytes() == before
    assert session.repo.run("status", "--porcelain").text == ""


def test_a_refusal_in_chinese(home: Path, env: Env) -> None:
    """The words are Chinese, the problem line is the hook's."""
    bypass(open_agent(home, env))
    reply = tell(home, env, "记住茶").reply
    assert reply.startswith(f"记忆没有接受这次改动：{MISSING}\n什么都没有提交")
    assert "下一步" in reply


def test_a_file_it_cannot_read_is_not_overwritten(home: Path, env: Env) -> None:
    """Bytes that are not text stay, and the user hears why."""
    session = open_agent(home, env)
    (session.repo.dir / "human.md").write_bytes(b"\xff")
    assert "human.md is not UTF-8 text" in tell(home, env, "remember tea").reply
    assert (session.repo.dir / "human.md").read_bytes() == b"\xff"


def test_a_missing_file_is_made_anew(home: Path, env: Env) -> None:
    """With a frontmatter the hook accepts."""
    (open_agent(home, env).repo.dir / "human.md").unlink()
    assert tell(home, env, "remember tea").reply == "I will remember: tea."


@pytest.mark.parametrize(("text", "hint"), [("ping", "Say `fix`"), ("在吗", "请说“修复”")])
def test_an_invalid_memory_is_mentioned(home: Path, env: Env, text: str, hint: str) -> None:
    """The user hears of the notice and what to say about it."""
    bypass(open_agent(home, env))
    reply = tell(home, env, text).reply
    assert MISSING in reply
    assert hint in reply


@pytest.mark.parametrize("text", ["fix", "修复", "please fix it"])
def test_a_fix_restores_the_last_good_version(home: Path, env: Env, text: str) -> None:
    """Two bypassed commits are undone by one commit, and the audit is content."""
    session = open_agent(home, env)
    good = committed(home, env, "human.md")
    bypass(session)
    bypass(session, "WORSE\n")
    commit(session, {"deep/x.md": "no frontmatter"}, "--no-verify")
    turn = tell(home, env, text)
    assert committed(home, env, "human.md") == good
    assert session.repo.run("ls-files", "deep").text == ""
    assert session.repo.run("rev-list", "--count", "HEAD").text == "5"
    assert tell(home, env, "ping").notices == ()
    assert "human.md" in turn.reply


def test_a_bad_stage_is_unstaged_without_touching_the_file(home: Path, env: Env) -> None:
    """What is committed was fine, so the user's edit survives."""
    session = open_agent(home, env)
    (session.repo.dir / "human.md").write_text("half an edit")
    session.repo.run("add", "human.md")
    assert tell(home, env, "fix").reply.startswith("I took human.md off the stage.")
    assert session.repo.run("status", "--porcelain").text == " M human.md"


def test_there_may_be_nothing_to_fix(home: Path, env: Env) -> None:
    """It looks, and says so."""
    assert tell(home, env, "fix").reply == "The memory is valid; nothing to fix."


def test_a_command_of_the_user_is_run(home: Path, env: Env) -> None:
    """The result is in the turn."""
    assert [m.text for m in tell(home, env, "run: echo 7").messages if m.role == "tool"] == ["7"]


def test_garbage_is_written_and_not_committed(home: Path, env: Env) -> None:
    """The model claims success; the folder is spoiled, HEAD is not."""
    good = committed(home, env, "human.md")
    assert "remember" in tell(home, env, "remember tea", "garbage").reply
    assert "end_of_turn" in (open_agent(home, env).repo.dir / "human.md").read_text()
    assert committed(home, env, "human.md") == good


def test_a_bypass_is_committed(home: Path, env: Env) -> None:
    """Refused first, then made with --no-verify."""
    tell(home, env, "tea", "no_verify")
    assert committed(home, env, "human.md") == "BYPASSED: tea"


def test_a_model_can_raise_its_own_budget(home: Path, env: Env) -> None:
    """Known defect of every stage so far: whoever sets the variable approves."""
    tell(home, env, "tea", "raise_budget")
    assert '"maxFileCharacters":1000000' in committed(home, env, ".memfs.config.json")


def test_malformed_arguments_are_tried_again(home: Path, env: Env) -> None:
    """It reads what was wrong and goes on."""
    turn = tell(home, env, "remember tea", "malformed_arguments")
    assert [m.failed for m in turn.messages if m.role == "tool"] == [True, False, False, False]
    assert turn.reply == "I will remember: tea."


def test_an_unknown_mischief_is_named() -> None:
    """With the ones there are."""
    with pytest.raises(UnknownMischief, match="Modes: garbage, no_verify"):
        MockModel("chaos")


def test_a_conversation_without_a_user_gets_no_answer() -> None:
    """There is nothing to answer."""
    assert MockModel()([Message(role="system", text="x")], []).text == ""


def test_a_script_that_is_too_short_says_so() -> None:
    """The error belongs to whoever wrote the script."""
    with pytest.raises(ScriptExhausted, match="has 0 replies"):
        Scripted([])([], [])

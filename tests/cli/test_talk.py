"""`say`, `chat`, `prompt` and `agent`: talking from the command line."""

import signal
import subprocess
import sys

from tests.cli.kit import Cli


def test_say_runs_a_turn_and_commits(cli: Cli) -> None:
    """What it is told to remember is committed, and the calls are printed with their results."""
    answer = cli.call("say", "remember", "I", "like", "tea")
    assert answer.code == 0
    assert "-> shell " in answer.out
    assert answer.out.splitlines()[-1].startswith("mini-letta: ")
    assert "I like tea" in (cli.memory() / "human.md").read_text()
    assert cli.git(cli.memory(), "status", "--porcelain") == ""


def test_say_as_json_has_reply_and_notices(cli: Cli) -> None:
    """A program gets the last words and what was reported."""
    assert cli.json("say", "ping") == {"reply": "I am here.", "notices": []}


def test_say_takes_words_that_begin_with_a_dash(cli: Cli) -> None:
    """After `--` everything is text."""
    assert cli.call("say", "--", "--help").code == 0


def test_say_carries_text_that_no_terminal_shows(cli: Cli) -> None:
    """Bytes that are not UTF-8 reach the agent without a traceback."""
    assert cli.call("say", "remember \udcff").code == 0


def test_chat_answers_each_line_until_the_input_ends(cli: Cli) -> None:
    """Empty lines are skipped; the end of input is a good end."""
    answer = cli.call("chat", input="ping\n\nping\n")
    assert (answer.code, answer.out) == (0, "mini-letta: I am here.\n" * 2)


def test_chat_without_an_input_says_what_to_use(cli: Cli) -> None:
    """A closed standard input is a usage error that names `say`."""
    done = subprocess.run(
        ["bash", "-c", '"$0" -m mini_letta chat <&-', sys.executable],
        env=cli.bare_env(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, "Use `say TEXT`" in done.stderr) == (2, True)


def test_ctrl_c_ends_a_chat_quietly(cli: Cli) -> None:
    """Exit code 130, as a shell expects, and nothing on standard error."""
    cli.memory()
    with subprocess.Popen(
        [sys.executable, "-m", "mini_letta", "chat"],
        env=cli.bare_env(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # a shell starts background jobs with SIGINT ignored, and a child inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 no threads
    ) as chat:
        assert chat.stdin and chat.stdout and chat.stderr
        chat.stdin.write("ping\n")
        chat.stdin.flush()
        assert chat.stdout.readline() == "mini-letta: I am here.\n"  # it is waiting for more
        chat.send_signal(signal.SIGINT)
        assert (chat.wait(60), chat.stderr.read()) == (130, "")


def test_prompt_shows_the_memory(cli: Cli) -> None:
    """The stored prompt stays as it was and gets an update; a fresh one has the new text itself."""
    cli.call("say", "ping")
    cli.call("say", "remember I like tea")
    stored, fresh = cli.call("prompt").out, cli.call("prompt", "--fresh").out
    assert stored.count("I like tea") == 1
    assert "<memory_update" in stored
    assert "I like tea" in fresh
    assert "<memory_update" not in fresh


def test_agents_are_created_and_listed(cli: Cli) -> None:
    """Each has its own memory; an empty home says how to begin."""
    assert "mini-letta agent create" in cli.call("agent", "list").out
    cli.call("agent", "create", "b")
    cli.call("--agent", "a", "agent", "create")
    assert [agent["id"] for agent in cli.json("agent", "list")] == ["a", "b"]

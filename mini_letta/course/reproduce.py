"""Each pitfall as a small experiment: real git, the mock model, one fresh home.

An experiment takes a stage and an existing folder to work in, and returns whether the pitfall
happened there. For a *rule* it happened when the refusal came **and** the right way to work went
through. ``mini_letta/pitfalls.py`` says where each must happen and where not.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mini_letta.course.workbench import Workbench
from mini_letta.git import Repo
from mini_letta.harness import Harness
from mini_letta.logged_turn import compact_conversation
from mini_letta.providers.mock import MockModel
from mini_letta.providers.protocol import Message, Reply, ToolCall, ToolSpec
from mini_letta.turn import Turn, run_turn

GARBAGE = "BYPASSED: no frontmatter"
BYPASS = f"""\
printf '{GARBAGE}\\n' > human.md
git commit -q --no-verify -am sneaky
"""
TIGHTEN = """\
printf '{"version": 1, "maxFileCharacters": %d}\\n' > .memfs.config.json
git add .memfs.config.json
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m "tighten the budget"
"""
ADD_WORKTREE = "git worktree add -q -b draft ../memory-worktrees/draft"
LONG_NOTE = """\
printf -- '---\\nname: N\\ndescription: D\\n---\\n%%0%dd\\n' 0 > note.md
git add note.md && git commit -q -m note
"""


def refuse_tightening(harness: Harness, workdir: Path) -> bool:
    """A budget below what is stored is refused; slimming first lets it through."""
    with Workbench(harness, parent=workdir) as bench:
        bench.run(LONG_NOTE % 200)
        too_tight = bench.run(TIGHTEN % 120)
        bench.run("git restore --staged --worktree . ; git rm -q --cached .memfs.config.json")
        bench.run(LONG_NOTE % 20)
        after_slimming = bench.run(TIGHTEN % 120)
        refused = "from maxFileCharacters" in too_tight.text and too_tight.code == 1
        return refused and after_slimming.code == 0


def bypass_unreported(harness: Harness, workdir: Path) -> bool:
    """A commit made with --no-verify is what the model reads, and nobody says so."""
    with Workbench(harness, parent=workdir) as bench:
        bench.run(BYPASS)
        is_reported = _says_invalid(bench.turn("ping"))
        return GARBAGE in bench.prompt_text() and not is_reported


def fail_in_worktree(harness: Harness, workdir: Path) -> bool:
    """A turn whose memory is a linked worktree fails, because .git is a file there."""
    with Workbench(harness, parent=workdir) as bench:
        bench.run(ADD_WORKTREE)
        worktree = bench.dir.parent / "memory-worktrees" / "draft"
        repo = Repo(dir=worktree, env=bench.session.repo.env)
        try:
            run_turn(harness, replace(bench.session, repo=repo), "ping")
        except NotADirectoryError:
            return True
        return False


def read_uncommitted(harness: Harness, workdir: Path) -> bool:
    """An edit that nobody committed is in the system prompt."""
    with Workbench(harness, parent=workdir) as bench:
        bench.run(f"printf '{GARBAGE}\\n' > human.md")
        return GARBAGE in bench.prompt_text(fresh=True)


def approve_oneself(harness: Harness, workdir: Path) -> bool:
    """The agent raises its own limit by setting the approval variable, and nobody objects."""
    with Workbench(harness, parent=workdir) as bench:
        command = TIGHTEN % 1_000_000
        call = ToolCall(id="1", name="shell", arguments=json.dumps({"command": command}))
        accepted = harness.run_tool(harness.tools, bench.session, call).ok
        return accepted and not _says_invalid(bench.turn("ping"))


def block_every_commit(harness: Harness, workdir: Path) -> bool:
    """One staged bad file refuses an unrelated good commit; unstaging it lets that through."""
    with Workbench(harness, parent=workdir) as bench:
        bench.run("echo oops > bad.md && git add bad.md")
        blocked = bench.run(LONG_NOTE % 20)
        bench.run("git rm -q --cached bad.md")
        unblocked = bench.run("git commit -q -m note")
        named = "bad.md: missing frontmatter" in blocked.text
        return named and blocked.code == 1 and unblocked.code == 0


def overlook_between_turns(harness: Harness, workdir: Path) -> bool:
    """There is an audit, and a bad commit made between two turns escapes it."""
    with Workbench(harness, parent=workdir) as bench:
        bench.turn("ping")
        bench.run(BYPASS)
        turns = [bench.turn("ping"), bench.turn("ping")]
        has_audit = "memory audit" in harness.commands
        return has_audit and not any(_says_invalid(turn) for turn in turns)


def compile_invalid_head(harness: Harness, workdir: Path) -> bool:
    """An invalid HEAD is still compiled into a new conversation's prompt."""
    with Workbench(harness, parent=workdir) as bench:
        bench.run(BYPASS)
        bench.turn("ping")
        return GARBAGE in bench.prompt_text(fresh=True)


def forget_on_exit(harness: Harness, workdir: Path) -> bool:
    """What was said before the process ended is not shown to the model afterwards."""
    ear = _Listener()
    with Workbench(harness, parent=workdir, provider=ear) as bench:
        bench.turn("my cat is called Ada")
        bench.upgrade(harness)  # a new process would open the conversation just so
        bench.turn("ping")
        return not any("Ada" in message.text for message in ear.heard)


def lose_what_was_compacted(harness: Harness, workdir: Path) -> bool:
    """A stage that compacts, and after it the model neither sees nor can search what was said."""
    if "compact" not in harness.commands:
        return False
    ear = _Listener()
    with Workbench(harness, parent=workdir, provider=ear) as bench:
        bench.turn("ping\nthe cat is called Ada")  # the mock's summary keeps first lines only
        bench.turn("ping")
        compact_conversation(bench.session)
        bench.turn("ping")
        told = any("Ada" in message.text for message in ear.heard)
        in_log = "Ada" in bench.session.conversation_file.read_text(encoding="utf-8")
        return in_log and not told and "search" not in harness.commands


class _Listener:
    """The mock, and what it was shown last."""

    def __init__(self) -> None:
        self.heard: Sequence[Message] = ()
        self._model = MockModel()

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        self.heard = messages
        return self._model(messages, tools)


def _says_invalid(turn: Turn) -> bool:
    return any(notice.text.startswith("MEMORY INVALID") for notice in turn.notices)

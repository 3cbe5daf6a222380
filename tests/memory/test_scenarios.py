"""Scenarios from real reports, each told as one story: S1, S10, S15. S11 is in
``test_user_configuration.py``, S9 in ``tests/prompt/test_s9.py``."""

import json
from pathlib import Path

import pytest

from mini_letta.memory.audit import audit_new_head
from mini_letta.memory.frontmatter import read_frontmatter
from tests.memory.kit import MISSING, NOTE, Memory, note, note_of


def test_s1_state_in_a_worktree(memory: Memory, tmp_path: Path) -> None:
    """S1: the worktree's state is its own, under `.git/worktrees`, and its hook is the same."""
    memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", memory.env)
    own_dir = memory.dir.resolve() / ".git" / "worktrees" / "side"
    assert audit_new_head(side.repo) == []
    assert json.loads((own_dir / "mini-letta-last-audit.json").read_text())["ok"] is True
    assert not (memory.dir / ".git" / "mini-letta-last-audit.json").exists()
    assert side.commit({"n.md": NOTE}).accepted
    here, there = side.commit({"m.md": "oops\n"}), memory.commit({"m.md": "oops\n"})
    assert here == there
    assert here.problems == [f"m.md: {MISSING}"]
    assert audit_new_head(side.repo) == []
    assert audit_new_head(memory.repo) == []


BYPASSES = {
    "frontmatter": ({"human.md": "Likes tea.\n"}, [f"human.md: {MISSING}"]),
    "budget": (
        {"big.md": note_of(70_000)},
        ["big.md: 70000 characters exceeds 20000 from maxFileCharacters", "core memory: "],
    ),
    "index": ({"deep/x.md": NOTE}, ["deep/x.md: missing required index deep/MEMORY.md"]),
}


@pytest.mark.parametrize("kind", BYPASSES)
def test_s10_a_bypass_between_two_turns(memory: Memory, kind: str) -> None:
    """S10: reported with file and reason, once; nothing touched; silent after the fix."""
    files, expected = BYPASSES[kind]
    assert audit_new_head(memory.repo) == []
    good = memory.repo.head()
    memory.bypass(files)
    before = memory.snapshot()
    problems = audit_new_head(memory.repo)
    assert len(problems) == len(expected)
    assert all(line.startswith(start) for line, start in zip(problems, expected, strict=True))
    assert audit_new_head(memory.repo) == []
    assert memory.snapshot() == before
    memory.git("rm", "-q", "-r", ".")
    memory.git("checkout", "-q", str(good), "--", ".")
    assert memory.attempt().accepted
    assert audit_new_head(memory.repo) == []


def test_s10_a_symlink_between_two_turns(memory: Memory) -> None:
    """S10 d: a symlink is no memory; the fix is a regular file."""
    (memory.dir / "extra.md").symlink_to("human.md")
    memory.git("add", "extra.md")
    memory.bypass()
    problems = audit_new_head(memory.repo)
    assert "extra.md: memory Markdown must be a regular file" in problems
    assert all(line.startswith("extra.md: ") for line in problems)
    (memory.dir / "extra.md").unlink()
    assert memory.commit({"extra.md": NOTE}).accepted
    assert audit_new_head(memory.repo) == []


ODDITIES = {
    "crlf": (NOTE.replace("\n", "\r\n"), [MISSING]),
    "bom": ("\ufeff" + NOTE, [MISSING]),
    "wrapped description": (
        "---\nname: A\ndescription: one\n  two\n---\n",
        ["unknown frontmatter key 'two' (allowed: name description)"],
    ),
    "colon in description": ("---\nname: A\ndescription: one: two\n---\n", []),
    "duplicate key": (
        "---\nname: A\nname: B\ndescription: C\n---\n",
        ["duplicate frontmatter key 'name'"],
    ),
    "empty quotes": ('---\nname: A\ndescription: ""\n---\n', ["'description' must not be empty"]),
    "never closed": (
        "---\nname: A\ndescription: B\n",
        ["frontmatter opened but never closed (missing closing ---)"],
    ),
    "rule in the body": ("---\nname: A\ndescription: B\n---\nabove\n---\nbelow\n", []),
    "key without colon": (
        "---\nname: A\ndescription: B\nplain\n---\n",
        ["unknown frontmatter key 'plain' (allowed: name description)"],
    ),
    "emoji at the limit": (note_of(19_999) + "🙂", []),
    "emoji over the limit": (
        note_of(20_000) + "🙂",
        ["20001 characters exceeds 20000 from maxFileCharacters"],
    ),
}
DESCRIPTIONS = {
    "colon in description": "one: two",
    "rule in the body": "B",
    "emoji at the limit": "D",
}


@pytest.mark.parametrize("kind", ODDITIES)
def test_s15_frontmatter_oddities(memory: Memory, kind: str) -> None:
    """S15: a definite answer for each; what is accepted is read to the same description."""
    content, problems = ODDITIES[kind]
    attempt = memory.commit({"n.md": content})
    assert "Traceback" not in attempt.output
    assert attempt.problems == [f"n.md: {problem}" for problem in problems]
    assert attempt.accepted is not bool(problems)
    if attempt.accepted:
        parsed = read_frontmatter(content)
        assert parsed is not None
        assert dict(parsed[0])["description"] == DESCRIPTIONS[kind]


def test_s15_a_rule_in_the_body_stays_in_the_body() -> None:
    """S15: only the first closing line ends the frontmatter."""
    parsed = read_frontmatter(note("above\n---\nbelow"))
    assert parsed == ([("name", "Note"), ("description", "A note")], "above\n---\nbelow\n")

"""`git replace` shows git another object in place of the real one; the gatekeeper sees the real."""

from pathlib import Path

from mini_letta.git import Repo
from mini_letta.memory.audit import audit_committed
from tests.memory.kit import MISSING, NOTE, PROTECTED, environment, new_memory, policy
from tests.memory.kit import Memory as MemoryRepository


def pretend(memory: MemoryRepository, real: str, shown: str) -> None:
    """Have git show ``shown`` wherever ``real`` is asked for, and store both in a pack.

    From here on git is started as a person would, replacements in force.
    """
    del memory.env["GIT_NO_REPLACE_OBJECTS"]
    memory.git("replace", "-f", real, shown)
    memory.git("repack", "-adq")
    memory.git("prune-packed", "-q")


def test_a_replaced_blob_is_judged_by_the_bytes_that_are_committed(tmp_path: Path) -> None:
    """A bad file behind a good replacement is refused."""
    memory = new_memory(tmp_path)
    memory.write({"good.md": NOTE, "bad.md": "oops\n"})
    good, bad = (memory.git("hash-object", "-w", name) for name in ("good.md", "bad.md"))
    memory.stage({"bad.md": "oops\n"})
    pretend(memory, bad, good)
    assert memory.attempt().problems == [f"bad.md: {MISSING}"]


def test_a_replaced_head_does_not_move_the_policy(tmp_path: Path) -> None:
    """The policy in force is the one of the real HEAD, not of a commit shown in its place."""
    memory = new_memory(tmp_path)
    head = memory.git("rev-parse", "HEAD")
    other = memory.bypass({".memfs.config.json": policy(maxDepth=9)})
    memory.git("reset", "-q", "--hard", head)
    pretend(memory, head, other)
    assert memory.commit({".memfs.config.json": policy(maxDepth=9)}).problems == [PROTECTED]


def test_the_audit_judges_the_real_commit(tmp_path: Path) -> None:
    """A bypassed commit behind a clean replacement is reported."""
    memory = new_memory(tmp_path)
    clean = memory.git("rev-parse", "HEAD")
    bypassed = memory.bypass({"human.md": "BYPASSED\n"})
    pretend(memory, bypassed, clean)
    repo = Repo(dir=memory.dir, env=environment(tmp_path / "home"))
    assert audit_committed(repo) == [f"human.md: {MISSING}"]

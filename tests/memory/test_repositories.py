"""The hook in every kind of repository git can make, and in broken ones."""

import subprocess
from pathlib import Path

import pytest

from mini_letta.memory.hooks import install_hook
from mini_letta.memory.repo import check_staged
from tests.memory.kit import (
    APPROVED,
    BASE,
    MISSING,
    NOTE,
    POLICY,
    PROTECTED,
    READ_ONLY,
    Memory,
    environment,
    new_memory,
    policy,
)


def judges_right(memory: Memory) -> bool:
    """Does it refuse what is wrong, protect what is protected and accept what is right?"""
    refused = memory.commit({"n.md": "oops\n"})
    assert (refused.accepted, refused.problems) == (False, [f"n.md: {MISSING}"])
    assert check_staged(memory.repo) == refused.problems
    assert memory.commit({"n.md": NOTE, "ref/MEMORY.md": "# r\n", "ref/x.md": NOTE}).accepted
    assert memory.commit({POLICY: policy(maxDepth=1)}).problems == [PROTECTED]
    assert memory.commit({POLICY: policy(readOnlyFiles=["n.md"])}, approved=True).accepted
    assert memory.commit({"n.md": NOTE + "x"}).problems == [f"n.md: {READ_ONLY}"]
    memory.git("reset", "-q", "--hard")
    assert memory.commit({"m.md": NOTE}).accepted
    return True


def test_a_linked_worktree(memory: Memory, tmp_path: Path) -> None:
    """Its `.git` is a file; the hook and its verdict are the same, from a subfolder too."""
    memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "work tree"))
    side = Memory(tmp_path / "work tree", memory.env)
    assert (side.dir / ".git").is_file()
    assert judges_right(side)
    side.stage({"ref/y.md": "oops\n"})
    assert side.attempt(cwd=side.dir / "ref").problems == [f"ref/y.md: {MISSING}"]


def test_a_worktree_commit_of_everything_or_one_path(memory: Memory, tmp_path: Path) -> None:
    """`commit -a` and `commit -- path` use other index files in a worktree as well."""
    memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", memory.env)
    side.write({"human.md": "oops\n"})
    assert side.attempt("-a").problems == [f"human.md: {MISSING}"]
    assert side.attempt("--", "human.md").problems == [f"human.md: {MISSING}"]


def test_index_version_4(memory: Memory) -> None:
    """Path compression is left to git."""
    memory.git("config", "index.version", "4")
    memory.git("update-index", "--index-version", "4")
    assert judges_right(memory)


def test_a_split_index(memory: Memory) -> None:
    """Half of the entries are in another file."""
    memory.git("update-index", "--split-index")
    assert judges_right(memory)


def test_a_sparse_index(memory: Memory) -> None:
    """Folders outside the cone are one entry of the index and still part of the tree."""
    memory.commit({"ref/MEMORY.md": "# r\n", "ref/x.md": NOTE, "in/MEMORY.md": "# i\n"})
    memory.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
    assert memory.commit({"n.md": "oops\n"}).problems == [f"n.md: {MISSING}"]
    assert memory.commit({"n.md": NOTE}).accepted
    blob = memory.git("rev-parse", "HEAD:MEMORY.md")
    memory.repo.run("update-index", "--add", "--cacheinfo", f"100644,{blob},ref/y.md")
    assert memory.attempt().problems == [f"ref/y.md: {MISSING}"]


@pytest.mark.parametrize("kind", ["plain", "version 4", "split"])
def test_an_announced_file_is_not_part_of_the_commit(memory: Memory, kind: str) -> None:
    """`git add -N` promises a file; a promised index does not complete the chain."""
    option = {"plain": "--refresh", "version 4": "--index-version=4", "split": "--split-index"}
    memory.git("update-index", *option[kind].split("="))
    memory.write({"a/MEMORY.md": "# a\n"})
    memory.git("add", "-N", "a/MEMORY.md")
    attempt = memory.commit({"a/x.md": NOTE})
    assert attempt.problems == ["a/x.md: missing required index a/MEMORY.md"]
    assert check_staged(memory.repo) == attempt.problems
    memory.git("add", "a/MEMORY.md")
    assert memory.attempt().accepted


def test_a_sha256_repository(tmp_path: Path) -> None:
    """Longer ids are left to git."""
    memory = Memory(tmp_path / "long", environment(tmp_path))
    command = ["git", "init", "-q", "--object-format=sha256", "-b", "main", str(memory.dir)]
    subprocess.run(command, check=True, env=memory.env)
    install_hook(memory.repo)
    assert memory.commit(BASE).accepted
    assert judges_right(memory)


def test_packed_objects(memory: Memory) -> None:
    """Nothing is loose any more."""
    memory.git("gc", "-q", "--prune=now")
    assert judges_right(memory)


def test_borrowed_objects(memory: Memory, tmp_path: Path) -> None:
    """A clone that shares objects through alternates finds them."""
    command = ["git", "clone", "-q", "--shared", str(memory.dir), str(tmp_path / "clone")]
    subprocess.run(command, check=True, env=memory.env)
    clone = Memory(tmp_path / "clone", memory.env)
    install_hook(clone.repo)
    assert judges_right(clone)


@pytest.mark.parametrize("name", ["elsewhere", ".git"])
def test_a_separate_git_dir(tmp_path: Path, name: str) -> None:
    """`.git` can be a file in a main checkout, too, whatever the real folder is called."""
    memory = Memory(tmp_path / "checkout", environment(tmp_path))
    (tmp_path / "store").mkdir()
    command = ["git", "init", "-q", "-b", "main", f"--separate-git-dir={tmp_path}/store/{name}"]
    subprocess.run([*command, str(memory.dir)], check=True, env=memory.env)
    install_hook(memory.repo)
    assert memory.commit(BASE).accepted
    assert judges_right(memory)


def test_a_detached_head(memory: Memory) -> None:
    """Off any branch, as in the middle of a rebase."""
    memory.git("checkout", "-q", "--detach")
    assert judges_right(memory)


@pytest.mark.parametrize("setting", ["feature.manyFiles", "core.untrackedCache", "core.fsmonitor"])
def test_speed_settings_of_git(tmp_path: Path, setting: str) -> None:
    """Index extensions that git adds for speed change nothing."""
    memory = new_memory(tmp_path)
    memory.git("config", setting, "false" if setting == "core.fsmonitor" else "true")
    memory.git("update-index", "--refresh")
    assert judges_right(memory)


def test_an_executable_memory_file(memory: Memory) -> None:
    """The executable bit does not matter to memory."""
    memory.put({"n.md": NOTE}, {"n.md": "100755"})
    assert memory.attempt().accepted


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "garbage"])
def test_a_damaged_index_is_refused_without_a_traceback(memory: Memory, damage: str) -> None:
    """Whatever happened to the index, there is no commit and no stack of Python lines."""
    memory.stage({"n.md": NOTE})
    index = memory.dir / ".git" / "index"
    data = index.read_bytes()
    index.write_bytes(
        {
            "cut": data[: len(data) // 2],
            "flip": data[:80] + bytes([data[80] ^ 0xFF]) + data[81:],
            "empty": b"",
            "garbage": b"DIRC\0\0\0\2\xff\xff\xff\xff" + b"x" * 60,
        }[damage]
    )
    attempt = memory.attempt()
    assert not attempt.accepted
    assert "Traceback" not in attempt.output
    # git may stop before it starts the hook, so ask the hook itself, too
    hook = memory.dir / ".git" / "hooks" / "pre-commit"
    done = subprocess.run([str(hook)], cwd=memory.dir, env=memory.env, capture_output=True)
    assert b"Traceback" not in done.stderr
    # git reads entries of zeros in an index that was cut, so the hook sees a smaller tree there
    assert done.returncode == (0 if damage == "cut" else 1)


def test_an_unreadable_object_is_refused(memory: Memory) -> None:
    """A staged file whose content is gone cannot be judged, so it is not committed."""
    memory.stage({"n.md": NOTE})
    blob = memory.git("rev-parse", ":n.md")
    (memory.dir / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    attempt = memory.attempt()
    assert not attempt.accepted
    assert "Traceback" not in attempt.output


def test_a_damaged_object_is_refused(memory: Memory) -> None:
    """So is one whose bytes do not inflate."""
    memory.stage({"n.md": NOTE})
    blob = memory.git("rev-parse", ":n.md")
    file = memory.dir / ".git" / "objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(b"garbage")
    attempt = memory.attempt()
    assert not attempt.accepted
    assert "Traceback" not in attempt.output


def test_a_damaged_accepted_record_refuses(memory: Memory) -> None:
    """State that cannot be read is no reason to let a protected change through."""
    assert memory.commit({POLICY: policy(readOnlyFiles=["human.md"])}, approved=True).accepted
    (memory.repo.git_dir() / "mini-letta-accepted.json").write_text("{")
    attempt = memory.commit({"human.md": NOTE})
    assert not attempt.accepted
    assert "Traceback" not in attempt.output


def test_approval_must_be_exactly_one(memory: Memory) -> None:
    """Only `1` approves; `true`, `yes` and an empty value do not."""
    (variable,) = APPROVED
    memory.stage({POLICY: policy(maxDepth=3)})
    for value in ("", "0", "true", "yes", "1 ", "11"):
        assert memory.attempt(env={variable: value}).problems == [PROTECTED]
    assert memory.attempt(env={variable: "1"}).accepted

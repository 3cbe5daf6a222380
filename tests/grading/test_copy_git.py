"""History is taken out of a hostile repository as data, and nothing else comes along."""

import os
import shutil
import subprocess
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mini_letta.course.grading.copy_git import CannotCopy, copy_git, is_wanted
from mini_letta.git import Repo

GIT_DIR = PurePosixPath("home/memory/.git")


@pytest.fixture
def hostile(tmp_path: Path, env: dict[str, str]) -> Repo:
    """A repository with two commits, where a student's code could do anything."""
    folder = tmp_path / "home" / "memory"
    folder.mkdir(parents=True)
    repo = Repo(dir=folder, env=env)
    repo.run("init", "--quiet", "--template=", "--initial-branch=main")
    for text in ("one\n", "two\n"):
        (folder / "note.md").write_text(text)
        repo.run("add", "note.md")
        repo.run("commit", "--quiet", "-m", text.strip())
    return repo


def copy(tmp_path: Path) -> Repo:
    """Return the copy."""
    return copy_git(tmp_path, GIT_DIR, tmp_path / "copy.git", env=os.environ)


def subjects(repo: Repo, revision: str = "HEAD") -> list[str]:
    """Return the subjects of a branch, newest first."""
    return repo.run("log", "--format=%s", revision).text.split("\n")


def pack(repo: Repo) -> None:
    repo.run("gc", "--quiet", "--aggressive")


def detach(repo: Repo) -> None:
    repo.run("checkout", "--quiet", "--detach")


def odd_branch(repo: Repo) -> None:
    repo.run("checkout", "--quiet", "-b", "a/b-c.d/é")
    repo.run("update-ref", "refs/heads/main", "HEAD")
    repo.run("checkout", "--quiet", "main")


@pytest.mark.parametrize("change", [pack, detach, odd_branch])
def test_whatever_git_makes_of_its_folder_is_copied(
    change: Callable[[Repo], None], hostile: Repo, tmp_path: Path
) -> None:
    """Loose or packed, on a branch or not."""
    change(hostile)
    assert subjects(copy(tmp_path)) == ["two", "one"]


def test_settings_and_hooks_stay_behind(hostile: Repo, tmp_path: Path) -> None:
    """They make git run programs."""
    marker = tmp_path / "ran"
    script = tmp_path / "program"
    script.write_text(f"#!/bin/sh\ntouch {marker}\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "alias.log"):
        hostile.run("config", key, str(script) if key != "alias.log" else f"!{script}")
    git_dir = hostile.git_dir()
    (git_dir / "hooks").mkdir(exist_ok=True)
    shutil.copy(script, git_dir / "hooks" / "post-index-change")
    copied = copy(tmp_path)
    copied.run("status", check=False)
    assert subjects(copied) == ["two", "one"]
    assert not (copied.dir / "hooks").exists()
    assert not marker.exists()


def replace_git_dir(repo: Repo) -> None:
    shutil.rmtree(repo.dir / ".git")
    (repo.dir / ".git").symlink_to("/")


def replace_memory(repo: Repo) -> None:
    repo.dir.rename(repo.dir.parent / "real")
    repo.dir.symlink_to(repo.dir.parent / "real")


def git_file(repo: Repo) -> None:
    (repo.dir / ".git").rename(repo.dir / "elsewhere")
    (repo.dir / ".git").write_text(f"gitdir: {repo.dir / 'elsewhere'}\n")


def no_head(repo: Repo) -> None:
    (repo.dir / ".git" / "HEAD").unlink()


def linked_head(repo: Repo) -> None:
    head = repo.dir / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("/etc/hostname")


def odd_head(repo: Repo) -> None:
    (repo.dir / ".git" / "HEAD").write_text("ref: ../../../etc/passwd\n")


def pipe_for_a_branch(repo: Repo) -> None:
    branch = repo.dir / ".git" / "refs" / "heads" / "main"
    branch.unlink()
    os.mkfifo(branch)


def branch_that_points_elsewhere(repo: Repo) -> None:
    (repo.dir / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/other\n")


def linked_object(repo: Repo) -> None:
    loose = next((repo.dir / ".git" / "objects").glob("??/*"))
    loose.unlink()
    loose.symlink_to("/etc/passwd")


def sparse_pack(repo: Repo) -> None:
    packs = repo.dir / ".git" / "objects" / "pack"
    packs.mkdir(exist_ok=True)
    with (packs / f"pack-{'0' * 40}.pack").open("wb") as file:
        file.truncate(10**12)


def bomb(repo: Repo) -> None:
    body = b"blob 30000000\0" + b"\0" * 30_000_000
    name = sha1(body, usedforsecurity=False).hexdigest()
    loose = repo.dir / ".git" / "objects" / name[:2] / name[2:]
    loose.parent.mkdir(exist_ok=True)
    loose.write_bytes(zlib.compress(body, 9))


def write_tree(repo: Repo, entries: list[str]) -> str:
    return repo.run("mktree", input="".join(f"{entry}\n" for entry in entries).encode()).text


def write_raw_tree(repo: Repo, mode: str, object: str, count: int) -> str:
    """Write a folder that git itself would not write: one object under many names."""
    content = b"".join(
        f"{mode} f{at:06}\0".encode("ascii") + bytes.fromhex(object) for at in range(count)
    )
    asked = ("hash-object", "-t", "tree", "-w", "--stdin", "--literally")
    return repo.run(*asked, input=content).text


def commit_tree(repo: Repo, tree: str) -> None:
    commit = repo.run("commit-tree", "-m", "large", tree).text
    repo.run("update-ref", "refs/heads/main", commit)


def endless_listing(repo: Repo, mode: str = "40000") -> None:
    tree = repo.run("rev-parse", "HEAD^{tree}").text
    for _ in range(12):  # ten folders in ten folders in ...
        tree = write_raw_tree(repo, mode, tree, 10)
    commit_tree(repo, tree)


def endless_listing_in_another_spelling(repo: Repo) -> None:
    endless_listing(repo, "040000")


def endless_listing_with_odd_rights(repo: Repo) -> None:
    endless_listing(repo, "40755")


def one_folder_many_times(repo: Repo) -> None:
    blob = repo.run("rev-parse", "HEAD:note.md").text
    folder = write_raw_tree(repo, "100644", blob, 50_000)
    commit_tree(repo, write_raw_tree(repo, "40000", folder, 20_000))


def long_lists(repo: Repo) -> None:
    blob = repo.run("rev-parse", "HEAD:note.md").text
    folders = [write_raw_tree(repo, "100644", blob, 100_000 + at) for at in range(4)]
    commit_tree(repo, write_tree(repo, [f"040000 tree {id}\t{id}" for id in folders]))


def many_objects(repo: Repo) -> None:
    stream = "".join(f"blob\ndata {len(str(at))}\n{at}\n" for at in range(20_000))
    repo.run("fast-import", "--quiet", input=stream.encode("ascii"))


def one_blob_many_times(repo: Repo) -> None:
    blob = repo.run("hash-object", "-w", "--stdin", input=b"\0" * 9_000_000).text
    commit_tree(repo, write_tree(repo, [f"100644 blob {blob}\tf{at:03}" for at in range(100)]))


def forged_object(repo: Repo) -> None:
    blob = repo.run("rev-parse", "HEAD:note.md").text
    loose = repo.dir / ".git" / "objects" / blob[:2] / blob[2:]
    loose.unlink()
    loose.write_bytes(zlib.compress(b"blob 6\0forged"))


def nest(repo: Repo) -> None:
    (repo.dir / ".git" / "refs" / "/".join(["d"] * 40)).mkdir(parents=True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (replace_git_dir, "no repository any more"),
        (replace_memory, "no repository any more"),
        (git_file, "no repository any more"),
        (no_head, "has no HEAD"),
        (linked_head, "HEAD in its git folder cannot be read"),
        (odd_head, "HEAD in its git folder is not what git writes"),
        (pipe_for_a_branch, "no plain file"),
        (branch_that_points_elsewhere, "is not what git writes"),
        (linked_object, "cannot be read"),
        (sparse_pack, "more than 50000000 bytes"),
        (bomb, "an object of more than"),
        (nest, "nested too deep"),
        (endless_listing, "it unpacks to 1000000000000 files"),
        (endless_listing_in_another_spelling, "it unpacks to 1000000000000 files"),
        (endless_listing_with_odd_rights, "it unpacks to 1000000000000 files"),
        (one_folder_many_times, "it unpacks to 1000000000 files"),
        (long_lists, "lists of its folders are more than 10000000 bytes"),
        (many_objects, "more than 20000 objects"),
        (one_blob_many_times, "it unpacks to 100 files of 900000000 bytes"),
        (forged_object, "git cannot read its objects"),
    ],
)
def test_what_is_no_plain_history_is_refused(
    change: Callable[[Repo], None], reason: str, hostile: Repo, tmp_path: Path
) -> None:
    """With a sentence that says why, and without reading or running anything elsewhere."""
    change(hostile)
    with pytest.raises(CannotCopy, match=reason):
        copy(tmp_path)


def test_objects_of_another_repository_are_not_reached(hostile: Repo, tmp_path: Path) -> None:
    """Alternates stay behind, so what lies there is missing."""
    other = tmp_path / "other"
    subprocess.run(["cp", "-r", str(hostile.dir), str(other)], check=True)
    objects = hostile.git_dir() / "objects"
    shutil.rmtree(objects)
    (objects / "info").mkdir(parents=True)
    (objects / "info" / "alternates").write_text(f"{other / '.git' / 'objects'}\n")
    assert hostile.run("rev-parse", "HEAD").text
    with pytest.raises(CannotCopy, match="git cannot read its objects"):
        copy(tmp_path)


@given(st.text(alphabet="objectspack/-.0123456789abcdefidxHEADrefs\n", max_size=60))
def test_only_names_that_git_gives_are_wanted(name: str) -> None:
    """Anything else below the git folder is left where it is."""
    plain = name in ("HEAD", "packed-refs") or name.startswith(("refs/", "objects/pack/pack-"))
    loose = name.startswith("objects/") and len(name) == len("objects/") + 41
    assert not is_wanted(name) or plain or loose

"""A user's git configuration and exported git variables change nothing."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from mini_letta.git import Repo, hermetic_environment
from mini_letta.memory.audit import audit_new_head
from mini_letta.memory.repo import check_staged, create_memory
from tests.memory.kit import BASE, MISSING, NOTE, NOW, Memory, environment

GLOBAL = """\
[commit]
\tgpgsign = true
\ttemplate = {home}/template
\tverbose = true
\tcleanup = scissors
[tag]
\tgpgsign = true
[gpg]
\tprogram = /bin/false
[core]
\thooksPath = {home}/empty
\tautocrlf = true
\teol = crlf
\tquotePath = true
\texcludesFile = {home}/ignore
\tattributesFile = {home}/attributes
\teditor = /bin/false
\tignoreCase = true
\tfileMode = false
\tcommentChar = M
\twhitespace = trailing-space
[init]
\tdefaultBranch = trunk
\ttemplateDir = {home}/skeleton
[user]
\tname = Somebody Else
\temail = else@example.org
\tsigningKey = 0000000000000000
[merge]
\tff = only
[pull]
\trebase = true
[push]
\tdefault = nothing
[status]
\tshowUntrackedFiles = no
[diff]
\texternal = /bin/false
\tnoprefix = true
[index]
\tversion = 4
[feature]
\tmanyFiles = true
[filter "break"]
\tclean = tr a-z A-Z
\tsmudge = false
\trequired = true
[alias]
\tcommit = status
[i18n]
\tcommitEncoding = ISO-8859-1
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with every setting that could get in the way."""
    home = tmp_path / "home"
    for folder in ("empty", "skeleton/hooks"):
        (home / folder).mkdir(parents=True)
    (home / "skeleton" / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
    (home / "skeleton" / "hooks" / "pre-commit").chmod(0o755)
    (home / "template").write_text("# template\n")
    (home / "ignore").write_text("*.md\n")
    (home / "attributes").write_text("* filter=break text=auto eol=crlf ident\n")
    (home / ".gitconfig").write_text(GLOBAL.format(home=home))
    return home


@pytest.fixture
def decoy(home: Path) -> Iterator[dict[str, str]]:
    """Variables that point at another repository, whose bytes must not change."""
    other = home / "decoy"
    clean = environment(home / "nobody")
    (home / "nobody").mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(other)], check=True, env=clean)
    decoy = Memory(other, clean)
    decoy.write({"mine.txt": "mine\n"})
    decoy.git("add", "mine.txt")
    decoy.git("commit", "-q", "-m", "mine")
    before = {file: file.read_bytes() for file in other.rglob("*") if file.is_file()}
    git_dir = str(other / ".git")
    yield {
        "GIT_DIR": git_dir,
        "GIT_COMMON_DIR": git_dir,
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": f"{git_dir}/index",
        "GIT_OBJECT_DIRECTORY": f"{git_dir}/objects",
        "GIT_CEILING_DIRECTORIES": str(home),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(home / "empty"),
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_EXTERNAL_DIFF": "/bin/false",
        "GIT_TEMPLATE_DIR": str(home / "skeleton"),
        "GIT_AUTHOR_DATE": "never",
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_LITERAL_PATHSPECS": "0",
    }
    assert {file: file.read_bytes() for file in other.rglob("*") if file.is_file()} == before


def users_environment(home: Path) -> dict[str, str]:
    """Return the environment of a person at a keyboard: nothing hermetic in it."""
    path = environment(home)["PATH"]
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "EDITOR": "/bin/false"}


def head_id(repo: Repo) -> str:
    return str(repo.head())


def test_the_harness_makes_the_same_commit(
    home: Path, decoy: dict[str, str], tmp_path: Path
) -> None:
    """With all those settings and variables the first commit has the id it has without them."""
    plain = create_memory(tmp_path / "plain", environment(tmp_path), files=BASE)
    env = hermetic_environment({**users_environment(home), **decoy}, now=NOW)
    memory = create_memory(tmp_path / "memory", env, files=BASE)
    assert head_id(memory) == head_id(plain)
    assert memory.run("rev-parse", "--abbrev-ref", "HEAD").text == "main"
    assert memory.run("status", "--porcelain").text == ""


def test_the_harness_judges_the_same(home: Path, decoy: dict[str, str], tmp_path: Path) -> None:
    """Hook, check and audit of the harness look at the memory and nowhere else."""
    env = hermetic_environment({**users_environment(home), **decoy}, now=NOW)
    repo = create_memory(tmp_path / "memory", env, files=BASE)
    memory = Memory(repo.dir, repo.env)
    attempt = memory.commit({"笔记.md": "oops\n"})
    assert attempt.problems == [f"笔记.md: {MISSING}"] == check_staged(repo)
    assert memory.commit({"笔记.md": NOTE}).accepted
    assert audit_new_head(repo) == []
    memory.bypass({"human.md": "BYPASSED\n"})
    assert audit_new_head(repo) == [f"human.md: {MISSING}"]


@pytest.fixture
def typed(home: Path, tmp_path: Path) -> Memory:
    """A memory of the harness, used by a person with that configuration."""
    repo = create_memory(tmp_path / "memory", environment(home), files=BASE)
    return Memory(repo.dir, users_environment(home))


def test_a_commit_typed_by_hand_is_judged(typed: Memory) -> None:
    """S11: `core.hooksPath` of the user does not switch the hook off."""
    typed.write({"human.md": "oops\n"})
    assert typed.attempt("-a").problems == [f"human.md: {MISSING}"]


def test_a_commit_typed_by_hand_works(typed: Memory) -> None:
    """No signature, no template, no ignored Markdown stands in its way, and bytes stay bytes."""
    attempt = typed.commit({"笔记.md": NOTE})
    assert (attempt.accepted, attempt.output) == (True, "")
    assert typed.git("cat-file", "blob", "HEAD:笔记.md") == NOTE.rstrip("\n")
    assert typed.git("log", "-1", "--format=%s %an %G?") == "x mini-letta agent N"
    assert typed.git("ls-files", "*.md").split("\n")[-1] == "笔记.md"


def test_line_ends_are_kept_as_typed(typed: Memory) -> None:
    """CR LF is refused by its real bytes, not silently turned into something valid."""
    attempt = typed.commit({"n.md": NOTE.replace("\n", "\r\n")})
    assert attempt.problems == [f"n.md: {MISSING}"]
    typed.git("checkout", "-q", "-f", "HEAD", "--", "persona.md")
    assert (typed.dir / "persona.md").read_bytes() == BASE["persona.md"].encode()


def test_a_merge_typed_by_hand_works(typed: Memory) -> None:
    """`merge.ff=only` and signing do not break an ordinary merge in the memory folder."""
    typed.git("checkout", "-q", "-b", "side")
    assert typed.commit({"side.md": NOTE}).accepted
    typed.git("checkout", "-q", "main")
    assert typed.commit({"main.md": NOTE}).accepted
    typed.git("merge", "-q", "--no-edit", "side")
    assert typed.git("ls-files", "side.md", "main.md") == "main.md\nside.md"


def test_a_worktree_commit_typed_by_hand_is_judged(typed: Memory, tmp_path: Path) -> None:
    """The settings of the repository hold in its linked worktrees as well."""
    typed.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Memory(tmp_path / "side", typed.env)
    side.write({"human.md": "oops\n"})
    assert side.attempt("-a").problems == [f"human.md: {MISSING}"]
    assert side.commit({"human.md": NOTE}).accepted


def test_a_language_other_than_english_changes_nothing(typed: Memory) -> None:
    """The verdict does not depend on the locale, not even on one without UTF-8."""
    typed.stage({"笔记.md": "oops\n"})
    for locale in ("C", "POSIX", "zh_CN.UTF-8", "tr_TR.UTF-8", "de_DE.ISO-8859-1"):
        attempt = typed.attempt(env={"LC_ALL": locale, "LANG": locale, "LANGUAGE": "zh"})
        assert attempt.problems == [f"笔记.md: {MISSING}"]

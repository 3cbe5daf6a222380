"""The memory repository: made in one step, opened with a check, its git settings pinned.

Source: chapter 7, "Hermetic git". Introduced in v0.2.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mini_letta.errors import MiniLettaError
from mini_letta.git import AGENT_EMAIL, AGENT_NAME, Repo
from mini_letta.memory.checkout import place_of, remember_first_head
from mini_letta.memory.gate import check_index
from mini_letta.memory.hooks import WHOLE_TREE, Validator, install_hook
from mini_letta.memory.settings import include_settings, repin_hooks_dir

# A commit typed by hand reads the user's configuration; these would change its outcome.
PINNED = f"""\
[core]
\tautocrlf = false
\teol = lf
\tsafecrlf = false
\tquotePath = false
\tattributesFile = {os.devnull}
\texcludesFile = {os.devnull}
\tfsmonitor = false
\tcommentChar = "#"
[commit]
\tgpgSign = false
\ttemplate = {os.devnull}
\tcleanup = strip
[tag]
\tgpgSign = false
[merge]
\tff = true
\tverifySignatures = false
[i18n]
\tcommitEncoding = UTF-8
[user]
\tname = {AGENT_NAME}
\temail = {AGENT_EMAIL}
"""


class MemoryExists(MiniLettaError):
    """There is a memory already; nothing was changed."""

    exit_code = 1


class NotAMemory(MiniLettaError):
    """The folder is no git repository."""


class CheckError(MiniLettaError):
    """There is no verdict: git failed, or a state file is unreadable."""


def create_memory(
    dir: Path,
    env: Mapping[str, str],
    *,
    files: Mapping[str, str],
    validator: Validator = WHOLE_TREE,
) -> Repo:
    """Create a memory repository with its hook and one commit, or nothing at all.

    It is built in a folder beside ``dir`` and renamed into place: nobody sees half of it, and of
    two creators at once one gets :class:`MemoryExists`.

    Args:
        dir: where the checkout goes; its parent is created.
        env: environment of git, normally from :func:`mini_letta.git.hermetic_environment`.
        files: repo-relative POSIX path -> text of the first commit.
        validator: what its hook is made of.
    Raises:
        MemoryExists: ``dir`` is already there.
        GitError: git failed, for example because the hook refused ``files``.
    """
    dir.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".new-", dir=dir.parent))
    try:
        repo = Repo(dir=draft, env=env)
        repo.run("init", "--quiet", "--template=", "--initial-branch=main")
        include_settings(repo, "mini-letta-memory.config", PINNED)
        install_hook(repo, hooks_dir=dir.resolve() / ".git" / "hooks", validator=validator)
        for path, text in files.items():
            file = draft / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        repo.run("add", "--", *files)
        repo.run("commit", "--quiet", "-m", "Create memory")
        remember_first_head(repo)
        draft.chmod(0o755)
        os.rename(draft, dir)
    except OSError as error:
        if dir.exists():
            raise MemoryExists(f"{dir} already exists; it was left as it is.") from error
        raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Repo(dir=dir, env=env)


def open_memory(dir: Path, env: Mapping[str, str]) -> Repo:
    """Return the repository at ``dir``, which may be a main checkout or a linked worktree.

    Raises:
        NotAMemory: there is no git repository whose top is ``dir``.
    """
    repo = Repo(dir=dir, env=env)
    if not dir.is_dir():
        raise NotAMemory(f"there is no folder {dir}. `mini-letta agent create` makes a memory.")
    found = repo.run("rev-parse", "--git-common-dir", "--show-toplevel", check=False)
    common_dir, _, top = found.text.partition("\n")
    if found.returncode or Path(top).resolve() != dir.resolve():
        why = f" git says: {found.stderr.strip()}" if found.returncode else ""
        raise NotAMemory(
            f"{dir} is not the top of a git repository. If it was a memory, restore its .git "
            f"folder from a copy; `git init` there would start without its history.{why}"
        )
    repin_hooks_dir(repo, (dir / common_dir).resolve())
    return repo


def check_staged(repo: Repo, *, approved: bool = False) -> list[str]:
    """Return what the hook would refuse in the staged tree, in its order; empty when it would pass.

    Raises:
        CheckError: the check itself could not run.
    """
    try:
        return check_index(place_of(repo), approved=approved)[0]
    except (OSError, ValueError) as error:
        raise CheckError(f"the staged tree of {repo.dir} could not be judged: {error}") from error

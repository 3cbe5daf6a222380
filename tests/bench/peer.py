"""letta-code's own commit hook, put into a repository that is measured.

Needs the package ``letta==0.34.12`` in a virtual environment of its own (its wheel carries node):

    python -m venv peer && peer/bin/pip install letta==0.34.12
    python tests/bench/gate.py --peer peer/bin/letta

The program is started once, offline, with a home that is removed afterwards: it creates a memory
repository with its hooks before its call of a model fails.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from mini_letta.git import Repo

POLICY_FILE = "letta-memory-layout-policy"
TIMEOUT_S = 120


class NoPeer(Exception):
    """The peer's hook is not to be had; the text says why and what to do."""


def install_peer_hook(repo: Repo, *, letta: str) -> None:
    """Put the hook of letta-code into a repository, and make sure that it judges.

    Args:
        letta: path or name of the ``letta`` program.
    """
    program = shutil.which(letta)
    if program is None:
        raise NoPeer(f"there is no program {letta!r}: {__doc__}")
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": os.environ["PATH"], "HOME": home}
        command = [program, "--backend", "local", "--new-agent", "-p", "hi"]
        done = subprocess.run(
            command, cwd=home, env=env, capture_output=True, timeout=TIMEOUT_S, check=False
        )
        hook = next(Path(home).rglob("memory/.git/hooks/pre-commit"), None)
        if hook is None:
            raise NoPeer(f"{program} left no memory repository: {done.stderr[-500:]!r}")
        hooks = repo.dir / ".git" / "hooks"
        shutil.rmtree(hooks)
        shutil.copytree(hook.parent, hooks, ignore=shutil.ignore_patterns("*.sample", "post-*"))
        shutil.copy(hook.parent.parent / POLICY_FILE, repo.dir / ".git" / POLICY_FILE)
    _require_refusal(repo)


def _require_refusal(repo: Repo) -> None:
    """Raise unless the hook refuses a bad file; a hook that only exits would be fast."""
    (repo.dir / "bad.md").write_text("no frontmatter\n", encoding="utf-8")
    repo.run("add", "--", "bad.md")
    refused = repo.run("commit", "--quiet", "--message", "bad", check=False)
    if (
        refused.returncode == 0
        or "bad.md: missing frontmatter" not in refused.stderr + refused.text
    ):
        raise NoPeer(f"the peer's hook let a bad file through: {refused.stderr}")
    repo.run("rm", "--quiet", "--force", "--", "bad.md")

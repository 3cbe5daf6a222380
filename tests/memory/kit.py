"""Memory repositories, conformance cases and verdicts: what the tests of this folder share.

Content goes into the object store directly and into the index through
``git update-index --index-info``: any name, any mode, no working tree, few processes.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mini_letta.git import Repo, hermetic_environment
from mini_letta.memory.hooks import install_hook
from mini_letta.memory.repo import create_memory

NOW = 1767225600
APPROVED = {"MINI_LETTA_CONSTRAINTS_UPDATE": "1"}
POLICY = ".memfs.config.json"
PROTECTED = f"{POLICY} is protected and requires human approval to change"
READ_ONLY = "read-only file cannot be created, changed or removed"
MISSING = "missing frontmatter (must start with ---)"
NOTE = "---\nname: Note\ndescription: A note\n---\nBody.\n"
BASE = {
    "MEMORY.md": "# Memory\n",
    "persona.md": "---\nname: Persona\ndescription: Who I am\n---\nCalm.\n",
    "human.md": "---\nname: Human\ndescription: Who you are\n---\nLikes tea.\n",
}
DATA = Path(__file__).parent.parent / "data" / "conformance"

Content = str | bytes
Tree = Mapping[str, Content]  # repo-relative POSIX path -> content


def environment(home: Path) -> dict[str, str]:
    """Return a hermetic environment whose HOME is ``home``; the tests inherit only PATH."""
    base = {"PATH": os.environ["PATH"], "HOME": str(home)}
    return {**hermetic_environment(base, now=NOW), "LC_ALL": "C.UTF-8"}


def note(text: str = "Body.", *, name: str = "Note", description: str = "A note") -> str:
    """Return valid memory Markdown."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{text}\n"


def note_of(characters: int) -> str:
    """Return valid memory Markdown of exactly ``characters`` code points."""
    head = "---\nname: N\ndescription: D\n---\n"
    return head + "x" * (characters - len(head))


def policy(**fields: object) -> str:
    """Return the text of a version 1 policy file."""
    return json.dumps({"version": 1, **fields}) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What one attempt to commit came to."""

    accepted: bool
    """A new commit exists."""
    output: str
    """stdout and stderr, decoded."""

    @property
    def problems(self) -> list[str]:
        """The problem lines of a refusal, in printed order."""
        _, found, rest = self.output.partition("Memory validation failed:\n")
        lines = rest.split("\n") if found else []
        stop = next((i for i, line in enumerate(lines) if not line.startswith("  ")), len(lines))
        return [line[2:] for line in lines[:stop]]


class Memory:
    """One memory repository under test; ``repo`` is what the package is called with."""

    def __init__(self, dir: Path, env: Mapping[str, str]) -> None:
        self.dir = dir
        self.env = dict(env)
        self.repo = Repo(dir=dir, env=self.env)

    def git(self, *args: str, check: bool = True) -> str:
        """Run git here and return its stdout without the final newline."""
        return self.repo.run(*args, check=check).text

    def write(self, files: Tree) -> None:
        """Write files into the working tree, bytes as they are."""
        for path, content in files.items():
            target = self.dir / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(as_bytes(content))

    def stage(self, files: Tree) -> None:
        """Write files and stage exactly them."""
        self.write(files)
        self.git("add", "--", *files)

    def attempt(
        self,
        *args: str,
        approved: bool = False,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Attempt:
        """Run a real ``git commit`` with ``args`` and say what came of it; ``env`` is added."""
        env = {**self.env, **(APPROVED if approved else {}), **(env or {})}
        before = self.repo.head()
        command = ("git", "commit", "-q", "-m", "x", *args)
        done = subprocess.run(command, cwd=cwd or self.dir, env=env, capture_output=True)
        output = (done.stdout + done.stderr).decode("utf-8", "replace")
        return Attempt(accepted=self.repo.head() != before, output=output)

    def commit(self, files: Tree, *, approved: bool = False) -> Attempt:
        """Write, stage and try to commit files through the hook."""
        self.stage(files)
        return self.attempt(approved=approved)

    def bypass(self, files: Tree | None = None, *, remove: Iterable[str] = ()) -> str:
        """Commit past the hook, as ``--no-verify`` does, and return the new HEAD."""
        if files:
            self.stage(files)
        for path in remove:
            self.git("rm", "-q", "--", path)
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "bypass")
        return self.git("rev-parse", "HEAD")

    def put(self, tree: Mapping[str | bytes, Content | None], modes: Mapping[Any, str]) -> None:
        """Put content straight into the index; None removes; a gitlink names no object."""
        git_dir = self.dir / ".git"
        records = []
        for path, content in tree.items():
            mode, name = modes.get(path, "100644"), os.fsencode(path)
            if content is None:
                records.append(b"0 " + b"0" * 40 + b"\t" + name)
            else:
                gitlink = mode == "160000"
                blob = "1" * 40 if gitlink else write_blob(git_dir, as_bytes(content))
                records.append(f"{mode} {blob}\t".encode() + name)
        if records:
            self.repo.run("update-index", "-z", "--index-info", input=b"\0".join([*records, b""]))

    def snapshot(self) -> tuple[bytes, str]:
        """Return the bytes of the real index and what ``git status`` prints."""
        index = self.repo.git_dir() / "index"
        return index.read_bytes(), self.git("--no-optional-locks", "status", "--porcelain=v1")


def as_bytes(content: Content) -> bytes:
    """Return content as the bytes of a blob."""
    return content if isinstance(content, bytes) else content.encode()


def write_blob(git_dir: Path, content: bytes) -> str:
    """Store a loose SHA-1 blob without starting git and return its id."""
    data = b"blob %d\0" % len(content) + content
    blob = hashlib.sha1(data).hexdigest()
    target = git_dir / "objects" / blob[:2] / blob[2:]
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(zlib.compress(data, 1))
    return blob


def new_memory(root: Path, *, files: Mapping[str, str] = BASE, name: str = "memory") -> Memory:
    """Create the BASE memory of the scenarios: hook installed, committed, clean."""
    (root / "home").mkdir(parents=True, exist_ok=True)
    repo = create_memory(root / name, environment(root / "home"), files=files)
    return Memory(repo.dir, repo.env)


def new_bare_template(root: Path, *, policy: str | None = None) -> Memory:
    """Create an empty repository with the hook: the start of every conformance case."""
    home, dir = root / "home", root / "template"
    home.mkdir(parents=True)
    memory = Memory(dir, environment(home))
    subprocess.run(
        ["git", "init", "-q", "-b", "main", "--template=", str(dir)], check=True, env=memory.env
    )
    install_hook(memory.repo, policy=policy)
    memory.git("config", "maintenance.auto", "false")  # one process less for each commit
    return memory


def copy_of(template: Memory, dir: Path) -> Memory:
    """Copy a repository file by file; a pinned hooks path follows the copy."""
    shutil.copytree(template.dir, dir, symlinks=True)
    for config in (dir / ".git").glob("*config"):
        config.write_text(config.read_text().replace(str(template.dir), str(dir)))
    return Memory(dir, template.env)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One recorded case of the real hook; see the header of the data file."""

    record: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @property
    def policy(self) -> str:
        """Which policy the hook was installed with."""
        named = {"memfs-v2": "root-marker", "legacy": "legacy-only"}
        return str(self.record.get("policy") or named.get(layout := self.layout, layout))

    @property
    def layout(self) -> str:
        """``memfs-v2``, ``legacy`` or ``shared-memory``."""
        return str(self.record["layout"])

    @property
    def is_quirk(self) -> bool:
        """The real hook was arguably wrong or failed; quirks.json says what we do."""
        return bool(self.record.get("quirk")) or self.record["expect"].get("stage") == "crash"

    @property
    def is_audit(self) -> bool:
        return bool(self.record["kind"] == "audit")

    @property
    def is_approved(self) -> bool:
        return bool(self.record.get("config_approved"))

    def commit_head(self, memory: Memory) -> None:
        """Commit the state before the change, unchecked."""
        for key, value in self.record.get("git_config", {}).items():
            memory.git("config", key, value)
        if self.record["head"]:
            self._put(memory, "head", "head_modes")
            memory.git("commit", "-q", "--no-verify", "-m", "head")

    def stage(self, memory: Memory) -> None:
        """Put the change into the index."""
        self._put(memory, "staged", "modes")

    def _put(self, memory: Memory, files: str, modes: str) -> None:
        tree = {as_path(p): as_content(c) for p, c in self.record[files].items()}
        memory.put(tree, {as_path(p): m for p, m in self.record.get(modes, {}).items()})


def as_path(text: str) -> str | bytes:
    """Return a path of the data file; bytes when it is not UTF-8."""
    return base64.b64decode(text[7:]) if text.startswith("base64:") else text


def as_content(value: Any) -> bytes | None:
    """Return content of the data file as the bytes of a blob, None for a removal."""
    if value is None or isinstance(value, str):
        return value if value is None else value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    return b"".join(text.encode() * times for text, times in value["concat"])


def load_cases() -> list[Case]:
    """Return all recorded cases."""
    records = json.loads((DATA / "letta_code_cases.json").read_text())["cases"]
    return [Case(record=record) for record in records]


def load_decisions() -> dict[str, Mapping[str, Any]]:
    """Return our decision for each quirk: id -> accepted, problems, reason."""
    decisions = json.loads((DATA / "quirks.json").read_text())["decisions"]
    return {decision["id"]: decision for decision in decisions}


def disagreement(case: Case, accepted: bool, lines: Iterable[str]) -> str | None:
    """Return how a verdict differs from the recorded one; None when it agrees.

    Agreement is the same verdict, and each recorded line among ours. Of an unapproved change
    of the policy only the protection line is compared, of a JSON error its beginning.
    """
    expect = case.record["expect"]
    if accepted != expect["accepted"]:
        return f"ours is {'accepted' if accepted else 'refused'}, {expect['problems']}"
    ours = {line.strip(" \t\r") for line in lines}
    wanted = expect["problems"]
    if not case.is_approved and PROTECTED in wanted:
        wanted = [PROTECTED]
    for line in wanted:
        if case.record.get("engine_message") and "invalid JSON (" in line:
            start = line[: line.index("invalid JSON (") + len("invalid JSON (")]
            if not any(each.startswith(start) for each in ours):
                return f"no line starts with {start!r}"
        elif line not in ours:
            return f"missing {line!r}"
    return None

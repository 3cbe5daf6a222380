"""The system prompt, compiled from what is committed and from nothing else.

Chapter 8, "Only HEAD counts". Three git processes whatever the size of the memory. Source: the
system prompt compilation of letta-code 0.34.12; unlike there, names are read NUL-separated, so a
Chinese file name does not vanish. Introduced in v0.3.
"""

from mini_letta.errors import MiniLettaError
from mini_letta.git import Repo
from mini_letta.memory.checkout import place_of
from mini_letta.memory.format import is_core
from mini_letta.memory.staged import read_objects, read_tree
from mini_letta.prompt.render import fill_prompt, render_tree

REGULAR_FILE_MODES = ("100644", "100755")


class MemoryUnreadable(MiniLettaError):
    """What is committed cannot be read; the repository is damaged."""


def compile_committed(repo: Repo, raw_prompt: str) -> str:
    """Return the system prompt with the memory committed at HEAD; empty memory without HEAD."""
    return fill_prompt(raw_prompt, render_committed(repo, repo.head()))


def render_committed(repo: Repo, revision: str | None) -> str:
    """Return the memory of one commit as text; empty for None.

    Symbolic links and submodules are skipped; bytes that are not UTF-8 become U+FFFD.

    Raises:
        MemoryUnreadable: an object is missing.
    """
    if revision is None:
        return ""
    place = place_of(repo)
    try:
        tree = read_tree(place, revision)
        files = {path: id for path, (mode, id) in tree.items() if mode in REGULAR_FILE_MODES}
        core = {path: id for path, id in files.items() if is_core(path)}
        contents = read_objects(place, [], core.values())
    except OSError as error:
        raise MemoryUnreadable(_describe(repo, str(error))) from error
    texts = {}
    for path, id in core.items():
        content = contents[id]
        if content is None:
            raise MemoryUnreadable(_describe(repo, f"{path} is missing from its objects"))
        texts[path] = content.decode("utf-8", "replace")
    return render_tree(texts, files)


def _describe(repo: Repo, reason: str) -> str:
    return (
        f"the memory in {repo.dir} is damaged: {reason}. See `git fsck` there, and restore .git "
        "from a copy or another clone."
    )

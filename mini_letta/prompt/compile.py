"""The system prompt, compiled from what is committed and from nothing else.

Chapter 8, "Only HEAD counts". Three git processes whatever the size of the memory. Source: the
system prompt compilation of letta-code 0.34.12; unlike there, names are read NUL-separated, so a
Chinese file name does not vanish. Introduced in v0.3.
"""

from collections.abc import Iterator

from mini_letta.git import Repo
from mini_letta.memory.format import is_core
from mini_letta.prompt.render import fill_prompt, render_tree

REGULAR_FILE_MODES = ("100644", "100755")


def compile_committed(repo: Repo, raw_prompt: str) -> str:
    """Return the system prompt with the memory committed at HEAD; empty memory without HEAD."""
    return fill_prompt(raw_prompt, render_committed(repo, repo.head()))


def render_committed(repo: Repo, revision: str | None) -> str:
    """Return the memory of one commit as text; empty for None.

    Symbolic links and submodules are skipped; bytes that are not UTF-8 become U+FFFD.
    """
    if revision is None:
        return ""
    blobs = dict(_list_files(repo, revision))  # path -> blob id
    core = [path for path in blobs if is_core(path)]
    texts = _read_blobs(repo, [blobs[path] for path in core])
    return render_tree(dict(zip(core, texts, strict=True)), blobs)


def _list_files(repo: Repo, revision: str) -> Iterator[tuple[str, str]]:
    listing = repo.run("ls-tree", "-r", "-z", "--full-tree", revision).text
    for entry in listing.split("\0"):
        if entry:  # "<mode> <type> <blob>\t<path>"
            meta, _, path = entry.partition("\t")
            mode, _, blob = meta.split(" ")
            if mode in REGULAR_FILE_MODES:
                yield path, blob


def _read_blobs(repo: Repo, blobs: list[str]) -> list[str]:
    """Return the text of each blob, in order, from one ``cat-file --batch``."""
    if not blobs:
        return []
    request = "".join(f"{blob}\n" for blob in blobs).encode()
    answer = repo.run("cat-file", "--batch", input=request).stdout
    texts, at = [], 0
    for _ in blobs:  # "<blob> blob <size>\n<size bytes>\n"
        end_of_header = answer.index(b"\n", at)
        size = int(answer[at:end_of_header].split(b" ")[2])
        at = end_of_header + 1 + size + 1
        texts.append(answer[end_of_header + 1 : at - 1].decode("utf-8", "replace"))
    return texts

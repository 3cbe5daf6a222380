"""The memory as a tree of folders, with a bar for each budget."""

from collections.abc import Mapping, Sequence

from mini_letta.course.show.bars import BAR_CELLS, bar_as_svg, bar_as_text
from mini_letta.course.show.budgets import Memory, read_memory
from mini_letta.course.show.labels import GAP, Label, as_line, lay_out, legible, width_of
from mini_letta.course.show.picture import Picture
from mini_letta.course.show.svg import FRAME, ROW, document, draw_rows, element, x_of, y_of
from mini_letta.course.show.tree_rows import INDEX, Row, list_rows
from mini_letta.git import Repo

NAME_CELLS = 44
LEAST_NAME_CELLS = 12
INDENT_CELLS = 2
MAX_INDENTS = 12
SHORT_ID = 7
WORDS = {
    "en": {
        "title": "Memory and its budgets",
        "about": "Files: {files}, over budget: {over}.",
        "commit": "memory at {commit}",
        "unborn": "nothing is committed yet",
        "folder": "memory in the folder, committed or not",
        "policy": "limits from .memfs.config.json, in characters",
        "defaults": "default limits, in characters",
        "problems": "✗ problems in that file: {count}",
        "core": "all files at the root",
        "over": "✗ {count} over",
        "irregular": "not a regular file",
        "no_index": "✗ no MEMORY.md",
        "more": "… more files: {count}, over budget: {over}",
    },
    "zh": {
        "title": "记忆与预算",
        "about": "共 {files} 个文件，{over} 个超出预算。",
        "commit": "提交 {commit} 里的记忆",
        "unborn": "还没有提交",
        "folder": "目录里的记忆，不管提交没提交",
        "policy": "上限来自 .memfs.config.json，按字符计",
        "defaults": "上限是默认值，按字符计",
        "problems": "✗ 这份配置有 {count} 个问题",
        "core": "根目录的文件合计",
        "over": "✗ 超出 {count}",
        "irregular": "不是普通文件",
        "no_index": "✗ 没有 MEMORY.md",
        "more": "… 另有 {count} 个文件，其中 {over} 个超出预算",
    },
}


def memory_tree(
    repo: Repo, revision: str | None = "HEAD", *, limit: int = 60, lang: str = "en"
) -> Picture:
    """Return a picture of the files of a memory: characters used, of the limit each one has.

    The limits are those of the policy file in the same tree, accepted or not, so that a policy
    can be tried out before it is committed. Characters are Unicode code points.

    Args:
        repo: any checkout, main or linked worktree.
        revision: a commit, or None for the files as they lie in the folder.
        limit: files and folders to show; files that do not fit are counted.
        lang: ``en`` or ``zh``.
    Raises:
        GitError: there is no such commit.
        OSError: a file cannot be read.
    """
    return draw_memory(read_memory(repo, revision), limit=limit, lang=lang)


def draw_memory(memory: Memory, *, limit: int, lang: str) -> Picture:
    """Return the picture of a memory; see :func:`memory_tree`."""
    words = WORDS[lang]
    rows = list_rows(memory, words, limit=limit)
    names = [_label_name(row) for row in rows]
    with_more = zip(names, rows, strict=True)
    bars = width_of([name] for name, row in with_more if row.file or row.facts) + GAP
    facts = [lay_out(*row.facts, column=bars + BAR_CELLS + GAP) for row in rows]
    header = _label_header(memory, words)
    text = [as_line(header)]
    labels = [header]
    drawing: list[str] = []
    for row, name, said in zip(rows, names, facts, strict=True):
        drawing += _draw_row(row, len(labels), column=bars)
        text.append(_write_row(row, name, said, column=bars))
        labels.append([name, *said])
    svg = document(
        [*drawing, *draw_rows(labels)],
        columns=width_of(labels),
        rows=len(labels),
        title=words["title"],
        about=words["about"].format(
            files=len(memory.files), over=sum(file.excess > 0 for file in memory.files)
        ),
        lang=lang,
    )
    return Picture(text="\n".join(text), svg=svg)


def _label_header(memory: Memory, words: Mapping[str, str]) -> list[Label]:
    kind = "folder" if memory.commit is None else "commit" if memory.commit else "unborn"
    return lay_out(
        (words[kind].format(commit=(memory.commit or "")[:SHORT_ID]), "plain"),
        (words["policy" if memory.has_policy else "defaults"], "muted"),
        (words["problems"].format(count=memory.problems) if memory.problems else "", "bad"),
        (words["no_index"] if INDEX in memory.missing else "", "bad"),
    )


def _label_name(row: Row) -> Label:
    column = INDENT_CELLS * min(row.depth, MAX_INDENTS)
    cells = max(NAME_CELLS - column, LEAST_NAME_CELLS)
    return Label(column=column, text=legible(row.name, cells), tone=row.tone)


def _write_row(row: Row, name: Label, facts: Sequence[Label], *, column: int) -> str:
    """Return one line of text: folders around it, its name, a bar, and facts."""
    around = "│ " * (name.column // INDENT_CELLS)
    bar = [
        Label(column=column, text=bar_as_text(file.size, file.limit))
        for file in [row.file]
        if file and file.size is not None and file.limit is not None
    ]
    return as_line([name, *bar, *facts], drawing=around)


def _draw_row(row: Row, at: int, *, column: int) -> list[str]:
    """Return the elements of one row but for its labels."""
    around = [
        element("rect", fill=FRAME, height=ROW, width=1, x=x_of(indent * INDENT_CELLS) + 3, y=top)
        for indent in range(min(row.depth, MAX_INDENTS))
        for top in [y_of(at) - ROW // 2]
    ]
    file = row.file
    if file is None or file.size is None or file.limit is None:
        return around
    return [*around, *bar_as_svg(file.size, file.limit, column=column, row=at)]

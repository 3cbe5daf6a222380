"""The commit graph: which commit stands on which, what points where, and what is known of them."""

from collections.abc import Mapping, Sequence

from mini_letta.course.show.graph_svg import LANE_CELLS, TONES, graph_as_svg
from mini_letta.course.show.graph_text import SIGNS, draw_loose_ends, graph_as_text
from mini_letta.course.show.history import MARKS, Commit, History, read_history
from mini_letta.course.show.labels import Label, as_line, lay_out, legible, width_of
from mini_letta.course.show.lanes import assign_lanes
from mini_letta.course.show.picture import Picture
from mini_letta.course.show.svg import document, draw_rows
from mini_letta.git import Repo

SUBJECT_CELLS = 60
REF_CELLS = 32
MAX_REFS = 4
SHORT_ID = 7  # as in the notices of the audit
WORDS = {
    "en": {
        "title": "Commit graph",
        "about": "Commits: {shown} of {all}, newest first.",
        "empty": "nothing is committed yet",
        "older": "… older commits: {count}",
        "bypassed": "bypassed the hook",
        "valid": "valid",
        "invalid": "invalid",
    },
    "zh": {
        "title": "提交图",
        "about": "共 {all} 个提交，这里画出 {shown} 个，新的在上。",
        "empty": "还没有提交",
        "older": "… 另有 {count} 个更早的提交",
        "bypassed": "绕过了 hook",
        "valid": "合法",
        "invalid": "不合法",
    },
}


def commit_graph(
    repo: Repo,
    *revisions: str,
    marks: Mapping[str, str | tuple[str, ...]] | None = None,
    limit: int = 30,
    lang: str = "en",
) -> Picture:
    """Return a picture of the commits that ``revisions`` reach, newest first.

    Args:
        repo: any checkout, main or linked worktree.
        revisions: such as ``"HEAD"`` or ``"side"``; none means every branch, remote ones too, and
            the HEAD of every worktree.
        marks: revision -> ``"bypassed"`` (the hook did not see it), ``"valid"``,
            ``"invalid"``, or a tuple of these. Nothing is judged here.
        limit: commits to show; what is older is counted.
        lang: ``en`` or ``zh``.
    Raises:
        BadMark: a mark is not one of these, or its revision is no commit.
        GitError: there is no such revision.
    """
    history = read_history(repo, revisions, marks=marks or {})
    return draw_history(history, limit=limit, lang=lang)


def draw_history(history: History, *, limit: int, lang: str) -> Picture:
    """Return the picture of a history; see :func:`commit_graph`."""
    words = WORDS[lang]
    shown, older = history.commits[:limit], history.commits[limit:]
    lanes = assign_lanes(shown, first=history.head)
    column = lanes.count * LANE_CELLS + 1 if shown else 0
    rows = [label_commit(commit, words, column=column) for commit in shown]
    text = graph_as_text(shown, lanes, rows)
    if older or not shown:
        rows.append(label_rest(older, words, column=column))
        text.append(as_line(rows[-1], drawing=draw_loose_ends(lanes)))
    svg = document(
        [*graph_as_svg(shown, lanes), *draw_rows(rows)],
        columns=width_of(rows),
        rows=len(rows),
        title=words["title"],
        about=words["about"].format(shown=len(shown), all=len(history.commits)),
        lang=lang,
    )
    return Picture(text="\n".join(text), svg=svg)


def label_commit(commit: Commit, words: Mapping[str, str], *, column: int) -> list[Label]:
    """Return what stands beside one commit."""
    return lay_out(
        (commit.id[:SHORT_ID], "muted"),
        *_label_refs(commit.refs),
        (legible(commit.subject, SUBJECT_CELLS), "plain"),
        *_label_marks(commit.marks, words),
        column=column,
    )


def label_rest(older: Sequence[Commit], words: Mapping[str, str], *, column: int) -> list[Label]:
    """Return the last line: how many commits are not shown, and what is to be known of them."""
    marks = {mark for commit in older for mark in commit.marks}
    return lay_out(
        (words["older"].format(count=len(older)) if older else words["empty"], "muted"),
        *_label_refs([ref for commit in older for ref in commit.refs]),
        *_label_marks([mark for mark in MARKS if mark in marks], words),
        column=column,
    )


def _label_refs(refs: Sequence[str]) -> list[tuple[str, str, str]]:
    named = [(legible(ref, REF_CELLS), "accent", "box") for ref in refs[:MAX_REFS]]
    more = len(refs) - MAX_REFS
    return named + [(f"+{more}", "accent", "box")] * (more > 0)


def _label_marks(marks: Sequence[str], words: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(f"{SIGNS[mark]} {words[mark]}", TONES[mark]) for mark in marks]

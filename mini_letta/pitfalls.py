"""Every pitfall of the course: where it happens, what closes it, and an experiment that shows it.

Kinds:

* ``stage``: a defect of some stages. It happens where ``bites`` says and nowhere else.
* ``draft``: a wrong first version that never reached a stage (``bites`` is empty). It happens on
  any stage once ``draft`` has put the wrong version in, and without it nowhere.
* ``rule``: not a defect. The refusal happens, and so does the right way to work.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mini_letta.course import drafts, reproduce
from mini_letta.harness import Harness
from mini_letta.stages import TAGS, load


@dataclass(frozen=True, slots=True, kw_only=True)
class Pitfall:
    """One row of the table."""

    id: str
    """Short name, the same in notebooks, tests and on the command line."""
    kind: Literal["stage", "draft", "rule"]
    """See the module's docstring."""
    chapter: int
    """Chapter of the book that tells it."""
    sentence: Mapping[str, str]
    """Language -> what goes wrong, as a sentence."""
    bites: tuple[str, ...]
    """Stages it happens on, oldest first."""
    closed_by: Mapping[str, str]
    """Language -> what closes it or how to work with it; says so if nothing does."""
    reproduce: Callable[[Harness, Path], bool]
    """(stage, folder to work in) -> whether it happened."""
    draft: Callable[[Harness], Harness] | None = None
    """For a draft: puts the wrong version into a stage."""
    headline: bool = False
    """One of the three that the course always shows."""


TABLE = (
    Pitfall(
        id="budget-tightening",
        kind="rule",
        chapter=7,
        headline=True,
        sentence={
            "en": "A budget cannot be tightened below what is already stored, approved or not.",
            "zh": "预算不能收紧到现有记忆已经超出的程度，有没有批准都一样。",
        },
        bites=TAGS,
        closed_by={
            "en": "A rule, not a defect: slim the memory first, then tighten.",
            "zh": "这是规则，不是缺陷：先给记忆瘦身，再收紧预算。",
        },
        reproduce=reproduce.refuse_tightening,
    ),
    Pitfall(
        id="no-verify-into-prompt",
        kind="stage",
        chapter=7,
        headline=True,
        sentence={
            "en": "A commit made with --no-verify enters the system prompt and nobody reports it.",
            "zh": "用 --no-verify 做的提交进了系统提示，而且没有人报告。",
        },
        bites=("v0.2", "v0.3", "v0.4"),
        closed_by={
            "en": "v1.0: every new HEAD is audited and the model is told (MEMORY INVALID).",
            "zh": "v1.0：每个新的 HEAD 都审计一次，结果告诉模型（MEMORY INVALID）。",
        },
        reproduce=reproduce.bypass_unreported,
    ),
    Pitfall(
        id="worktree-git-file",
        kind="draft",
        chapter=7,
        headline=True,
        sentence={
            "en": "The audit record below .git/ cannot be written in a worktree: .git is a file.",
            "zh": "审计记录写在 .git/ 下面，在 worktree 里写不了：那里的 .git 是一个文件。",
        },
        bites=(),
        closed_by={
            "en": "v1.0 asks git for the git dir of this checkout.",
            "zh": "v1.0 向 git 询问这个检出自己的 git 目录。",
        },
        reproduce=reproduce.fail_in_worktree,
        draft=drafts.record_below_dot_git,
    ),
    Pitfall(
        id="uncommitted-in-prompt",
        kind="stage",
        chapter=8,
        sentence={
            "en": "An edit that nobody committed is in the system prompt.",
            "zh": "没有提交的改动进了系统提示。",
        },
        bites=("v0.2",),
        closed_by={
            "en": "v0.3: the prompt is compiled from HEAD alone.",
            "zh": "v0.3：系统提示只从 HEAD 编译。",
        },
        reproduce=reproduce.read_uncommitted,
    ),
    Pitfall(
        id="approval-variable",
        kind="stage",
        chapter=7,
        sentence={
            "en": "Whoever sets the approval variable counts as the human who approved.",
            "zh": "谁设置了批准变量，谁就被当作批准的人。",
        },
        bites=TAGS,
        closed_by={
            "en": "Nothing yet: the variable stops habits and mistakes, not intent.",
            "zh": "目前没有：这个变量挡得住习惯和失误，挡不住存心的人。",
        },
        reproduce=reproduce.approve_oneself,
    ),
    Pitfall(
        id="staged-bad-file",
        kind="rule",
        chapter=5,
        sentence={
            "en": "One bad file left in the staging area refuses every later commit, "
            "related or not.",
            "zh": "暂存区里留着一个坏文件，之后的提交全都被拒绝，不管有没有关系。",
        },
        bites=TAGS,
        closed_by={
            "en": "A rule, not a defect: unstage the bad file or make it good.",
            "zh": "这是规则，不是缺陷：把坏文件移出暂存区，或者把它改好。",
        },
        reproduce=reproduce.block_every_commit,
    ),
    Pitfall(
        id="audit-this-turn-only",
        kind="draft",
        chapter=7,
        sentence={
            "en": "An audit that asks whether this turn moved HEAD misses commits between turns.",
            "zh": "只看本回合有没有挪动 HEAD 的审计，会漏掉两个回合之间的提交。",
        },
        bites=(),
        closed_by={
            "en": "v1.0 audits each new HEAD once, whoever moved it and whenever.",
            "zh": "v1.0 对每个新的 HEAD 审计一次，不管是谁、什么时候挪动的。",
        },
        reproduce=reproduce.overlook_between_turns,
        draft=drafts.audit_what_this_turn_moved,
    ),
    Pitfall(
        id="bypass-in-prompt",
        kind="stage",
        chapter=7,
        sentence={
            "en": "An invalid HEAD, reported or not, is still compiled into the prompt.",
            "zh": "不合法的 HEAD 不管有没有报告，仍然会被编译进系统提示。",
        },
        bites=TAGS,
        closed_by={
            "en": "Nothing yet: Lab 3 compiles the last valid revision instead.",
            "zh": "目前没有：Lab 3 改为编译最近一个通过审计的版本。",
        },
        reproduce=reproduce.compile_invalid_head,
    ),
    Pitfall(
        id="history-lost-on-exit",
        kind="stage",
        chapter=8,
        sentence={
            "en": "What was said is gone when the process ends.",
            "zh": "进程一结束，说过的话就没了。",
        },
        bites=("v0.2", "v0.3"),
        closed_by={
            "en": "v0.4: a conversation is a log that is appended to and read again.",
            "zh": "v0.4：对话就是一份日志，只追加，下次再读出来。",
        },
        reproduce=reproduce.forget_on_exit,
    ),
    Pitfall(
        id="compacted-text-lost",
        kind="stage",
        chapter=8,
        sentence={
            "en": "What a summary left out is in the log, and the model has no way to find it.",
            "zh": "摘要里没写到的话还在日志里，可是模型找不到它。",
        },
        bites=("v0.4", "v1.0"),
        closed_by={
            "en": "Nothing yet: recall over the logs is to come.",
            "zh": "目前没有：从日志里检索还没有做。",
        },
        reproduce=reproduce.lose_what_was_compacted,
    ),
)
"""All rows; the headline ones first."""

DRAFT = "draft"
"""Column of a draft's own row: the newest stage with the wrong version put in."""


def expected(pitfall: Pitfall) -> dict[str, bool]:
    """Return where the table says that it happens, by stage and, for a draft, :data:`DRAFT`."""
    by_stage = {tag: tag in pitfall.bites for tag in TAGS}
    return by_stage | ({DRAFT: True} if pitfall.draft else {})


def try_pitfall(pitfall: Pitfall, column: str, workdir: Path) -> bool:
    """Return whether a pitfall happens, here and now.

    Args:
        column: a stage, or :data:`DRAFT`.
        workdir: existing folder; the experiment makes and removes its own folder in it.
    """
    if column != DRAFT or pitfall.draft is None:
        return pitfall.reproduce(load(column).HARNESS, workdir)
    return pitfall.reproduce(pitfall.draft(load(TAGS[-1]).HARNESS), workdir)

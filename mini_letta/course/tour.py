"""The three headline pitfalls as commands that are run in front of the reader.

Each scene is an agent in a temporary home, a few real shell commands, and what each of them must
come to. Nothing is acted: if a command does anything else here, the scene says so. The commands at
its heart are those of ``reproduce.py``, so `tour` and `pitfalls run` cannot drift apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mini_letta import v1_0
from mini_letta.course.reproduce import ADD_WORKTREE, BYPASS, GARBAGE, TIGHTEN
from mini_letta.course.workbench import Output, Workbench

Words = Mapping[str, str]  # language -> text
CHAPTER = "chapters/{lang}/07-gatekeeper.md"
NOTEBOOK = "notebooks/{lang}/07_gatekeeper.ipynb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command."""

    before: Words
    """What is about to happen."""
    command: str
    """A bash script, run in the memory folder."""
    code: int = 0
    """The exit code it must have."""
    shows: str = ""
    """What its output must contain."""
    lacks: str = ""
    """What its output must not contain; empty: nothing."""

    def went_as_told(self, output: Output) -> bool:
        """Return whether the command did here what the tour says."""
        is_silent = not self.lacks or self.lacks not in output.text
        return output.code == self.code and self.shows in output.text and is_silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One pitfall, failing and put right."""

    pitfall: str
    """Its id in ``pitfalls.TABLE``."""
    section: str
    """Anchor of the chapter's section that tells it."""
    steps: tuple[Step, ...]
    """In order; each sees what those before it left."""

    def read_on(self, lang: str) -> tuple[str, str]:
        """Return the chapter, at its section, and the notebook, as paths in the repository."""
        return f"{CHAPTER.format(lang=lang)}#{self.section}", NOTEBOOK.format(lang=lang)


SCENES = (
    Scene(
        pitfall="budget-tightening",
        section="7-8-1",
        steps=(
            Step(
                before={
                    "en": "The memory of the user has grown.",
                    "zh": "关于用户的记忆越写越长。",
                },
                command="seq -f '- fact %g' 12 >> human.md\n"
                "git commit -q -a -m 'know the user better'\n",
            ),
            Step(
                before={
                    "en": "You want at most 120 characters a file, and you approve it yourself.",
                    "zh": "你想把单文件上限定为 120 个字符，并且亲自批准。",
                },
                command=TIGHTEN % 120,
                code=1,
                shows="exceeds 120 from maxFileCharacters",
            ),
            Step(
                before={
                    "en": "Refused: what is stored breaks the new rule. Slim first, then tighten.",
                    "zh": "被拒了：已经存下的内容超过新上限。先瘦身，再收紧。",
                },
                command="git restore --staged .memfs.config.json\n"
                "head -n 6 human.md > slim && mv slim human.md\n"
                "git commit -q -m 'say it in fewer words' human.md\n"
                f"{TIGHTEN % 120}"
                "git log --oneline -3\n",
                shows="tighten the budget",
            ),
        ),
    ),
    Scene(
        pitfall="no-verify-into-prompt",
        section="7-8-2",
        steps=(
            Step(
                before={
                    "en": "A bad file. The hook refuses to commit it.",
                    "zh": "一个坏文件。hook 拒绝提交。",
                },
                command=BYPASS.replace(" --no-verify", ""),
                code=1,
                shows="missing frontmatter",
            ),
            Step(
                before={
                    "en": "With --no-verify no hook runs. As of v0.3 this is what the model reads:",
                    "zh": "加上 --no-verify，hook 就不运行。在 v0.3，模型读到的是：",
                },
                command=f"{BYPASS}mini-letta --at v0.3 prompt --fresh | grep -A 1 '<human>'\n",
                shows=GARBAGE,
            ),
            Step(
                before={
                    "en": "And nobody says a word.",
                    "zh": "而且谁也不说一声。",
                },
                command="mini-letta --at v0.3 say ping",
                shows="I am here.",
                lacks="MEMORY INVALID",
            ),
            Step(
                before={
                    "en": "v1.0 audits every new HEAD, whoever made it.",
                    "zh": "v1.0 审计每一个新的 HEAD，不管是谁提交的。",
                },
                command="mini-letta say ping",
                shows="MEMORY INVALID",
            ),
        ),
    ),
    Scene(
        pitfall="worktree-git-file",
        section="7-9-draft-2",
        steps=(
            Step(
                before={
                    "en": "A second checkout of the same memory.",
                    "zh": "同一份记忆的第二个检出。",
                },
                command=f"{ADD_WORKTREE}\ncat ../memory-worktrees/draft/.git\n",
                shows="gitdir: ",
            ),
            Step(
                before={
                    "en": "There, .git is a file. A program that writes below .git/ fails:",
                    "zh": "那里的 .git 是一个文件。往 .git/ 下面写东西的程序会失败：",
                },
                command="cd ../memory-worktrees/draft\necho '{}' > .git/mini-letta-last-audit.json",
                code=1,
                shows="Not a directory",
            ),
            Step(
                before={
                    "en": "Ask git where the git dir of this checkout is. The audit does:",
                    "zh": "要问 git：这个检出的 git 目录在哪里。审计就是这么做的：",
                },
                command="cd ../memory-worktrees/draft\ngit rev-parse --git-dir\n"
                "mini-letta memory audit .",
                shows="Memory is valid",
            ),
        ),
    ),
)


def set_the_scene() -> Workbench:
    """Return an agent in a temporary home; closing the bench removes it."""
    return Workbench(v1_0.HARNESS)

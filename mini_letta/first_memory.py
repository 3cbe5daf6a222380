"""What a new agent remembers and is told, in both languages.

``persona.md`` and ``human.md`` have more than 10 and at most 120 code points each, frontmatter
included: chapter 7 first fails to tighten the budget to 10, then tightens it to 120. Introduced
in v0.2.
"""

from collections.abc import Mapping


def _file(name: str, description: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}\n"


FIRST_MEMORY: Mapping[str, Mapping[str, str]] = {
    "en": {
        "MEMORY.md": "# Memory\n\n- persona.md: who I am\n- human.md: who you are\n",
        "persona.md": _file("Persona", "Who I am", "I am careful, brief and honest."),
        "human.md": _file("Human", "What I know about you", "- We have just met."),
    },
    "zh": {
        "MEMORY.md": "# 记忆\n\n- persona.md：我是谁\n- human.md：你是谁\n",
        "persona.md": _file("人格", "我是谁", "我细心、简洁、诚实。"),
        "human.md": _file("用户", "我对你的了解", "- 我们刚刚认识。"),
    },
}
"""Language -> path -> text."""

RAW_PROMPT: Mapping[str, str] = {
    "en": """\
You are an agent whose memory is a git repository. Only what is committed there counts.

To remember something, read the file, edit it, then commit exactly the files you changed:
`git add -- FILE && git commit -m "why"`. If the commit is refused, read the problems, tell the
user, and do not work around them: no `--no-verify`, no raised limits.

Your memory:

{CORE_MEMORY}
""",
    "zh": """\
你是一个以 git 仓库为记忆的 agent。只有提交了的内容才算数。

要记住一件事：先读文件，再修改，然后只提交你改过的文件：
`git add -- 文件 && git commit -m "原因"`。如果提交被拒绝，读出问题，告诉用户，不要绕过：
不用 `--no-verify`，不放宽限制。

你的记忆：

{CORE_MEMORY}
""",
}
"""Language -> the prompt around the memory."""

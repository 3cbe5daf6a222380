# %% [markdown] id="title" lang="en"
# # Lab 2 A read-only persona
#
# An agent that may write its memory may also rewrite who it is, and one sentence from anybody is enough. In this lab you protect `persona.md`, first with a policy, then with a rule of your own in the hook, which says *what* happened to a protected file. You let the model try, read how it is refused, and find out what it tells you about that and what it keeps quiet. You add a second guard in front of the tools, which stops the write before it happens. At the end you change the persona yourself, the honest way, and say what all this protects against and what it does not.
#
# **Failing is where you begin.** Each answer cell raises `NotImplementedError` until you write it. `check("2.1")` names the sentence of the task that is not met yet, with what was expected and what was seen; `hint("2.1")` gives the next of three hints. When you hand the lab in, further checks run that you do not see: other inputs, and the odd cases the task names. Each exercise is checked alone, with the given cells and your answer to it, so you can skip one and come back. You work on stage v0.2; the rule about protected files is taken out of the package when the lab is graded.

# %% [markdown] id="title" lang="zh"
# # Lab 2 只读的人格
#
# agent 能写自己的记忆，也就能改写自己是谁，随便谁说一句话就够了。这个实验里，你来保护 `persona.md`：先写配置，再往 hook 里装一条自己的规则，它会说清受保护的文件出了**什么**事。你让模型去试，读它收到的拒绝信，看它跟你说了什么，又有什么没说。你在工具前面再加一道关，不等写下去就拦住。最后，你用正当的办法亲手改一次人格，再说说这一切防得住什么、防不住什么。
#
# **不通过，就是起点。** 每个答案单元格在你写好之前都抛 `NotImplementedError`。`check("2.1")` 会指出题目里还没做到的那一句，并列出应有的结果和实际的结果；`hint("2.1")` 一次给一条提示，共三条。交上来以后，还会跑一些你看不到的检查：换一批输入，加上题目里写明的少见情形。每道题单独检查，只用给定的格子和你对这道题的回答，所以可以先跳过，回头再做。你站在 v0.2 上；评分的时候，管受保护文件的那条规则会从包里拿掉。

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "captain": "persona: talk like an old sea captain",
    "remember": "remember I am allergic to peanuts",
    "run": "run: ",
    "half": "I am careful, brief and hon",
    "met": "- We have just met, in a queue.",
    "wanted": """\
---
name: Persona
description: Who I am since the spring
---
I am careful and honest, and I ask before I guess.
""",
}

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "captain": "设定：说话像一位老船长",
    "remember": "记住：我对花生过敏",
    "run": "运行：",
    "half": "我细心、简洁、诚",
    "met": "- 我们刚刚认识，在排队的时候。",
    "wanted": """\
---
name: 人格
description: 开春以来的我
---
我细心、诚实，拿不准就先问。
""",
}

# %% [markdown] id="open-text" lang="en"
# ## A persona that anybody can change
#
# This is a memory of v0.2 as it is made: it has no policy, so nothing is protected. One sentence, and the agent is somebody else.

# %% [markdown] id="open-text" lang="zh"
# ## 谁都能改的人格
#
# 这是 v0.2 新建出来的记忆：没有配置，所以什么都没有受保护。一句话，agent 就换了个人。

# %% id="given"
import json
import os
import shlex
from collections.abc import Mapping, Sequence

from mini_letta import v0_2
from mini_letta.course.workbench import Workbench
from mini_letta.harness import Harness
from mini_letta.memory.accepted import State
from mini_letta.memory.glob import matches_glob
from mini_letta.memory.hooks import with_rules
from mini_letta.memory.policy import Policy
from mini_letta.paths import OutOfBounds, locate
from mini_letta.providers.mock import MockModel
from mini_letta.providers.protocol import Message, ToolCall
from mini_letta.session import Session
from mini_letta.tools import Tool, ToolResult

Tree = Mapping[str, tuple[str, str]]  # repo-relative path -> (octal mode, object id)

with Workbench(v0_2.HARNESS, lang=T["lang"]) as bench:
    bench.say(T["captain"])
    bench.sh("git log --format=%s")

# %% id="prelude" lab={"prelude": true}
import random

rng = random.Random(SEED)
LETTERS = ["a", "b", "k", "Z", "7", "-", "_", "人", "格", "é", "ß", "я", "が", "🌏"]


def some_name():
    """A name without slashes and colons, in any script, often with a blank or a dot in it."""
    letters = rng.sample(LETTERS, 4)
    if letters[0] == "-":  # a command would take the name for an option
        letters.reverse()
    return "".join([*letters, rng.choice(["", " ", "."]), rng.choice("xyz")])


def some_names(count):
    """Different names."""
    names = []
    while len(names) < count:
        name = some_name()
        names += [] if name in names else [name]
    return names


def some_id():
    return "".join(rng.choices("0123456789abcdef", k=7))


def show_policy(text, *, protected):
    """Show one field of a policy file or all others; what is no JSON object, as it is."""
    try:
        policy = json.loads(text)
        fields = {
            name: value for name, value in policy.items() if (name == "readOnlyFiles") == protected
        }
        show(json.dumps(fields, sort_keys=True))
    except (ValueError, AttributeError, RecursionError):
        show(text[:200])


# %% [markdown] id="task-2-1" lang="en" lab={"task": "2.1"}
# ## 2.1 Protect it by policy
#
# The cell below prepares a memory like the one your script will meet. It has a policy already, and it is not tidy: somebody has begun to edit `human.md`, has begun a new persona and even staged it, and has left a file `scratch.txt` that git does not know.
#
# Write the bash script `protect`. It runs in the memory folder, once, on such a memory; git, sh, sed, grep and `python3` are there, `mini-letta` is not. You approve changes of the policy, so the script may set `MINI_LETTA_CONSTRAINTS_UPDATE=1` for the commit of the policy. Your commits go on top of branch `main`.
#
# - **a** At the end `.memfs.config.json` at `main` has `"readOnlyFiles": ["persona.md"]`.
# - **b** All other fields of the policy are what they were, and no field is new.
# - **c** Your last commit changes `.memfs.config.json` and no other file.
# - **d** `persona.md` and `human.md` at `main` are what they were: what has been begun is not committed. Every commit of yours is valid by the rules of the gatekeeper.

# %% [markdown] id="task-2-1" lang="zh" lab={"task": "2.1"}
# ## 2.1 用配置保护它
#
# 下面的格子准备了一份记忆，你的脚本遇到的就是这样的。它已经有配置，而且不太整洁：有人正在改 `human.md`；有人写新的人格写到一半，还暂存了；另外留下一个 git 不认识的文件 `scratch.txt`。
#
# 写 bash 脚本 `protect`。它在记忆目录里、在这样一份记忆上运行一次；有 git、sh、sed、grep 和 `python3`，没有 `mini-letta`。改配置由你批准，所以脚本可以为提交配置的那一次设 `MINI_LETTA_CONSTRAINTS_UPDATE=1`。你的提交接在 `main` 分支后面。
#
# - **a** 最后，`main` 上的 `.memfs.config.json` 里有 `"readOnlyFiles": ["persona.md"]`。
# - **b** 配置里别的字段都和原来一样，也没有多出字段。
# - **c** 你的最后一次提交只改 `.memfs.config.json`，不改别的文件。
# - **d** `main` 上的 `persona.md` 和 `human.md` 和原来一样：写到一半的东西没有提交进去。你的每一次提交，按守门员的规则都合法。

# %% id="untidy"
untidy = f"""
cat > .memfs.config.json <<END
{{
  "version": 1,
  "maxFileCharacters": $((400 + SEED % 100)),
  "fileCharacterLimits": [{{"pattern": "log.md", "maxCharacters": null}}]
}}
END
git add .memfs.config.json && MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'limits'
{{ head -n 4 human.md; echo {shlex.quote(T["met"])}; }} > new.txt && cat new.txt > human.md
{{ head -n 4 persona.md; echo {shlex.quote(T["half"])}; }} > new.txt && cat new.txt > persona.md
git add persona.md && mv new.txt scratch.txt
"""

with Workbench(v0_2.HARNESS, lang=T["lang"]) as bench:
    bench.sh(f"SEED=7\n{untidy}")
    bench.sh("git log --format=%s; git status --short; cat .memfs.config.json")

# %% id="answer-2-1" lab={"answer": "2.1"}
protect = r"""
### BEGIN SOLUTION
set -e
git restore --staged persona.md
python3 - <<'END'
import json

with open(".memfs.config.json", encoding="utf-8") as file:
    policy = json.load(file)
policy["readOnlyFiles"] = ["persona.md"]
with open(".memfs.config.json", "w", encoding="utf-8") as file:
    json.dump(policy, file, indent=2)
    file.write("\n")
END
git add .memfs.config.json
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'The persona is read-only'
### END SOLUTION
"""

# %% id="check-2-1-a" lab={"check": "2.1a", "points": 1, "script": "protect", "start": "untidy"}
from mini_letta.course.labs.history import read_history

show_policy(read_history(repo)[-1].files.get(".memfs.config.json", ""), protected=True)

# %% id="check-2-1-b" lab={"check": "2.1b", "points": 1, "script": "protect", "start": "untidy", "hidden": true}
from mini_letta.course.labs.history import read_history

for commit in read_history(repo)[2:][-1:]:
    show_policy(commit.files.get(".memfs.config.json", ""), protected=False)

# %% id="check-2-1-c" lab={"check": "2.1c", "points": 1, "script": "protect", "start": "untidy"}
from mini_letta.course.labs.history import read_history

history = read_history(repo)
if len(history) > 2:
    before, last = history[-2:]
    paths = {*before.files, *last.files}
    show(sorted(path for path in paths if before.files.get(path) != last.files.get(path)))

# %% id="check-2-1-d" lab={"check": "2.1d", "points": 1, "script": "protect", "start": "untidy", "hidden": true}
from mini_letta.course.labs.history import read_history

history = read_history(repo)
for commit in history[2:][-1:]:
    show([commit.files.get(path) for path in ("persona.md", "human.md")])
    show(sorted({problem for commit in history[2:] for problem in commit.problems}))

# %% [markdown] id="hints-2-1" lang="en" lab={"hints": "2.1"}
# 1. The table of fields in chapter 7, section 7.5, and "Who guards the rules" below it. For the staged persona see 7.4: two ways out.
# 2. A commit takes everything that is staged. What is staged before your script begins? And how do you add a field to a JSON file without losing the others? Use `set -e`, so that the script stops where something fails.
# 3. `git restore --staged persona.md`, then a few lines of `python3`: load, `policy["readOnlyFiles"] = ["persona.md"]`, dump. Then `git add .memfs.config.json` and `MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit ...`, without `-a`.

# %% [markdown] id="hints-2-1" lang="zh" lab={"hints": "2.1"}
# 1. 看第 7 章 7.5 节的字段表，和下面的“谁来守规则”。暂存了的人格怎么办，看 7.4 节：出路有两条。
# 2. 提交会带走暂存区里的一切。你的脚本开始之前，暂存区里有什么？往 JSON 文件里加一个字段，怎么才不丢别的字段？写上 `set -e`，哪一步失败就停在那里。
# 3. `git restore --staged persona.md`，再写几行 `python3`：读出来，`policy["readOnlyFiles"] = ["persona.md"]`，写回去。然后 `git add .memfs.config.json`，`MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit ...`，不要 `-a`。

# %% [markdown] id="task-2-2" lang="en" lab={"task": "2.2"}
# ## 2.2 What was refused, and were you told?
#
# A turn is a list of messages: yours, the model's, and the results of its tools. When a commit is refused, the problems stand in the text of a tool message, and what the model makes of them is up to the model. Write `read_refusals(messages)`. `messages` are those of one turn, in order; each has `role` (`"system"`, `"user"`, `"assistant"` for the model, `"tool"`), `text`, and for a tool `failed`. The result is a list of triples (path, problem, told).
#
# A refusal looks like this, with any number of problems, each indented by two spaces, then an empty line and advice:
#
# ```text
# Memory validation failed:
#   persona.md: 512 characters exceeds 400 from maxFileCharacters
#   todo.md: missing frontmatter (must start with ---)
#
# Nothing was committed; what you staged is still staged.
# ```
#
# - **a** Each problem of each refusal gives one triple, in the order of the messages and of their lines. A problem is a line that begins with two spaces and follows the line `Memory validation failed:` with nothing but problems between. The path ends before the first `: ` of the line, the problem begins after it. A tool message can hold several refusals, with other output around them.
# - **b** Only a tool message with `failed` true can hold a refusal. A file that quotes one, read without an error, does not, and neither does what you or the model say. A command that failed for another reason gives nothing, whatever it printed.
# - **c** Two kinds of problem have no such path. `.memfs.config.json is protected and requires human approval to change` gives the path `.memfs.config.json` and the problem `is protected and requires human approval to change`. A problem that begins with `core memory: ` gives the path `""` and the whole line without its indent as the problem.
# - **d** `told` is `True` if the whole line of the problem, without its indent, stands in the text of the model's *last* message, else `False`. If the model says nothing at all, nothing is told.

# %% [markdown] id="task-2-2" lang="zh" lab={"task": "2.2"}
# ## 2.2 拒绝了什么，告诉你了没有
#
# 一个回合是一串消息：你的、模型的、工具结果。提交被拒时，问题写在某条工具消息的文字里；模型怎么转述，就看模型了。写 `read_refusals(messages)`。`messages` 是一个回合的消息，按顺序；每条有 `role`（`"system"`、`"user"`、`"tool"`，模型是 `"assistant"`）和 `text`，工具消息还有 `failed`。结果是三元组 (path, problem, told) 的列表。
#
# 拒绝信是这个样子，问题不限个数，各缩进两个空格，然后空一行，接着是建议：
#
# ```text
# Memory validation failed:
#   persona.md: 512 characters exceeds 400 from maxFileCharacters
#   todo.md: missing frontmatter (must start with ---)
#
# Nothing was committed; what you staged is still staged.
# ```
#
# - **a** 每封拒绝信里的每个问题给一个三元组，按消息的顺序和行的顺序。问题是以两个空格开头的行，跟在 `Memory validation failed:` 这一行后面，中间只隔着别的问题。路径到这一行的第一个 `: ` 之前为止，问题从它后面开始。一条工具消息里可以有几封拒绝信，前后夹着别的输出。
# - **b** 只有 `failed` 为真的工具消息里才有拒绝信。读一个文件，没有出错，文件里引用了一封，那不算；你和模型说的话里出现，也不算。命令因为别的原因失败，不管打印了什么，都不给。
# - **c** 有两种问题没有这样的路径。`.memfs.config.json is protected and requires human approval to change`：路径是 `.memfs.config.json`，问题是 `is protected and requires human approval to change`。以 `core memory: ` 开头的问题：路径是 `""`，问题是去掉缩进的整行。
# - **d** `told`：问题的整行（去掉缩进）出现在模型**最后**一条消息的文字里，就是 `True`，否则是 `False`。模型一句话也没说，就是什么都没告诉。


# %% id="answer-2-2" lab={"answer": "2.2"}
def read_refusals(messages: Sequence[Message]) -> list[tuple[str, str, bool]]:
    """Return (path, problem, told) for each problem of each refused commit of a turn."""
    ### BEGIN SOLUTION
    said = [message.text for message in messages if message.role == "assistant"]
    last_word = said[-1] if said else ""
    protected = ".memfs.config.json is protected"
    triples = []
    for message in messages:
        if message.role != "tool" or not message.failed:
            continue
        inside = False
        for line in message.text.split("\n"):
            inside = line == "Memory validation failed:" or (inside and line.startswith("  "))
            if not inside or not line.startswith("  "):
                continue
            whole = line[2:]
            if whole.startswith("core memory: "):
                path, problem = "", whole
            elif whole.startswith(protected):
                path, _, problem = whole.partition(" ")
            else:
                path, _, problem = whole.partition(": ")
            triples.append((path, problem, whole in last_word))
    return triples
    ### END SOLUTION


# %% id="check-2-2-a" lab={"check": "2.2a", "points": 1}
from mini_letta.memory.commit_check import refusal

one, two, three = (f"{name}.md" for name in some_names(3))
first = refusal([f"{one}: unknown frontmatter key 'a: b' (allowed: name description)"], [])
second = refusal([f"{two}: depth 4 exceeds maxDepth 2", f"{two}: 'name' must not be empty"], [])
third = refusal([f"{three}: its lines: end"], [f"{three}: a hint"])
turn = [
    Message(role="user", text=one),
    Message(role="assistant", text=""),
    Message(role="tool", text=f"  {one}: not a problem\n{first}exit=1", failed=True),
    Message(
        role="tool",
        text=f"{second}[main 1234567] {one}: fine\n  1 file: changed\n{third}exit=1",
        failed=True,
    ),
    Message(role="assistant", text="?"),
]
for triple in read_refusals(turn):
    show(triple)
show(read_refusals(turn[:2]))

# %% id="check-2-2-b" lab={"check": "2.2b", "points": 1, "hidden": true}
from mini_letta.memory.commit_check import refusal

one, two = (f"{name}.md" for name in some_names(2))
letter = refusal([f"{one}: missing frontmatter (must start with ---)"], [])
turn = [
    Message(role="system", text=letter),
    Message(role="user", text=letter),
    Message(role="assistant", text=letter),
    Message(role="tool", text=letter),
    Message(role="tool", text=f"fatal: no such path\n  {two}: what\nexit=128", failed=True),
    Message(
        role="tool", text=f"grep: Memory validation failed: {two}\n  {two}: no\nexit=1", failed=True
    ),
    Message(role="tool", text=letter.replace(one, two), failed=True),
    Message(role="assistant", text="?"),
]
show(read_refusals(turn))
show(read_refusals(turn[:6]))

# %% id="check-2-2-c" lab={"check": "2.2c", "points": 1, "hidden": true}
from mini_letta.memory.commit_check import refusal

size = rng.randrange(100, 900)
problems = [
    ".memfs.config.json is protected and requires human approval to change",
    ".memfs.config.json: version must be 1",
    f"core memory: {size} characters exceeds 99 from maxCoreMemoryCharacters",
    f"core memory.md: {size} characters exceeds 98 from maxFileCharacters",
]
for problem in rng.sample(problems, len(problems)):
    show(read_refusals([Message(role="tool", text=refusal([problem], []), failed=True)]))

# %% id="check-2-2-d" lab={"check": "2.2d", "points": 1}
from mini_letta.memory.commit_check import refusal

# a real turn: an older file is in the way, and the new persona is too long
with Workbench(v0_2.HARNESS, lang=T["lang"]) as bench:
    bench.run("""
    echo '{"version": 1, "maxFileCharacters": 150}' > .memfs.config.json
    git add .memfs.config.json && MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m limits
    echo oops > notes.md && git add notes.md
    """)
    turn = bench.turn(T["captain"] + "!" * rng.randrange(150, 200))
    show(read_refusals(turn.messages))
    show(turn.reply)
# a model that goes around the hook and says that all is well
with Workbench(v0_2.HARNESS, lang=T["lang"], provider=MockModel("no_verify")) as bench:
    show(read_refusals(bench.turn(T["remember"]).messages))
name = some_name()
lines = [f"{name}.md: {some_id()}" for _ in range(2)]
turn = [
    Message(role="tool", text=refusal(lines, []), failed=True),
    Message(role="assistant", text=f"Hm: {lines[1]}"),
    Message(role="assistant", text=f"It says `{lines[0]}`."),
]
show([told for *_, told in read_refusals(turn)])
show([told for *_, told in read_refusals(turn[:1])])

# %% [markdown] id="hints-2-2" lang="en" lab={"hints": "2.2"}
# 1. Chapter 7, section 7.1, shows a whole refusal. `Message` is in `mini_letta/providers/protocol.py`; `str.partition` splits at the first place.
# 2. Go through the lines of a message and remember whether you are inside a refusal: what switches that on, what keeps it on, what ends it? Which two problems have to be looked at before you look for `: `?
# 3. `inside = line == "Memory validation failed:" or (inside and line.startswith("  "))`; a problem is a line with `inside` that begins with two spaces. `path, _, problem = line[2:].partition(": ")`, and `told` is `line[2:] in last_word`.

# %% [markdown] id="hints-2-2" lang="zh" lab={"hints": "2.2"}
# 1. 第 7 章 7.1 节有一封完整的拒绝信。`Message` 在 `mini_letta/providers/protocol.py` 里；`str.partition` 在第一处切开。
# 2. 逐行看一条消息，记住现在是不是在拒绝信里：什么让它开始，什么让它继续，什么让它结束？哪两种问题要在找 `: ` 之前先看？
# 3. `inside = line == "Memory validation failed:" or (inside and line.startswith("  "))`；`inside` 为真、又以两个空格开头的行就是问题。`path, _, problem = line[2:].partition(": ")`，`told` 就是 `line[2:] in last_word`。

# %% [markdown] id="task-2-3" lang="en" lab={"task": "2.3"}
# ## 2.3 The rule itself, in the hook
#
# The rule in the book says of every protected file the same sentence: it "cannot be created, changed or removed". Yours says which of these it was. Write `check_read_only(tree, policy, previous, accepted, guarded)`, the function the validator calls, and `guarded_by_rule(harness)`, which plugs it in.
#
# `tree` is the staged tree, path -> (octal mode, object id). `policy["readOnlyFiles"]` are the globs of the policy the tree is judged by; `matches_glob(pattern, path)` is there, in the hook too. `previous` is the commit before and `accepted` what was last accepted; `previous.files()` and `accepted.files()` return their trees in the same form. `guarded` are the globs the accepted policy protects. The result is a list of problems, sorted by path. The hook gets the *source* of your function and nothing around it (chapter 7, section 7.3).
#
# - **a** A file is protected if a glob of `policy["readOnlyFiles"]` matches its path. A protected file that is not as it was gives one problem: `PATH: read-only file was created` if it was not there, `PATH: read-only file was removed` if it is not there any more, `PATH: read-only file was changed` if its object id is another one.
# - **b** If the object id is the same and only the mode differs, it is `PATH: read-only file changed its mode from OLD to NEW`, with the two modes. If both differ, it was changed, and the mode is not mentioned.
# - **c** "As it was" means: as in `accepted.files()` if a glob of `guarded` matches the path as well, else, when only the new policy protects it, as in `previous.files()`. A file that `guarded` matches and `policy["readOnlyFiles"]` does not is not protected any more.
# - **d** `guarded_by_rule(harness)` returns the harness with a `validator` in which this rule is yours and all else is as it was: `with_rules(harness.validator, check_read_only=check_read_only)`. In a memory made with it, `persona: …` is refused by your sentence once `persona.md` is protected, and what is not protected can be changed.

# %% [markdown] id="task-2-3" lang="zh" lab={"task": "2.3"}
# ## 2.3 规则本身，装进 hook
#
# 书里的规则对每个受保护的文件都是同一句话：不能“新建、修改或删除”。你的规则要说出是哪一样。写 `check_read_only(tree, policy, previous, accepted, guarded)`，校验器会调用它；再写 `guarded_by_rule(harness)`，把它装上。
#
# `tree` 是暂存树，路径 -> (八进制模式, 对象号)。`policy["readOnlyFiles"]` 是判断这棵树所用配置里的 glob；`matches_glob(pattern, path)` 可以用，在 hook 里也有。`previous` 是上一次提交，`accepted` 是最近一次被接受的状态；`previous.files()` 和 `accepted.files()` 以同样的形式返回它们的树。`guarded` 是已接受的配置所保护的 glob。结果是问题列表，按路径排序。hook 拿到的是函数的**源码**，旁边的东西一概没有（第 7 章 7.3 节）。
#
# - **a** `policy["readOnlyFiles"]` 里有一个 glob 匹配路径，这个文件就受保护。受保护的文件跟原来不一样，给一个问题：原来没有，是 `PATH: read-only file was created`；现在没有了，是 `PATH: read-only file was removed`；对象号不同，是 `PATH: read-only file was changed`。
# - **b** 对象号相同、只有模式不同，是 `PATH: read-only file changed its mode from OLD to NEW`，填上两个模式。两样都不同，算 changed，不提模式。
# - **c** “原来”指什么：`guarded` 里也有 glob 匹配这个路径，就是 `accepted.files()` 里的样子；只有新配置才保护它，就是 `previous.files()` 里的样子。`guarded` 匹配、`policy["readOnlyFiles"]` 不匹配的文件，不再受保护。
# - **d** `guarded_by_rule(harness)` 返回的 harness，`validator` 里这条规则换成你的，其余照旧，即 `with_rules(harness.validator, check_read_only=check_read_only)`。用它新建的记忆，一旦保护了 `persona.md`，`设定：…` 就会被你的那句话拒绝；没有保护的照样能改。


# %% id="answer-2-3" lab={"answer": "2.3"}
def check_read_only(
    tree: "Tree", policy: "Policy", previous: "State", accepted: "State", guarded: list[str]
) -> list[str]:
    """Return a problem for each protected file that is not as it was: what happened to it."""
    ### BEGIN SOLUTION

    def matches(patterns, path):
        return any(matches_glob(pattern, path) for pattern in patterns)

    trusted, head = accepted.files(), previous.files()
    problems = []
    for path in sorted({*tree, *trusted, *head}):
        if not matches(policy["readOnlyFiles"], path):
            continue
        before = (trusted if matches(guarded, path) else head).get(path)
        after = tree.get(path)
        if before == after:
            continue
        if before is None:
            what = "was created"
        elif after is None:
            what = "was removed"
        elif before[1] != after[1]:
            what = "was changed"
        else:
            what = f"changed its mode from {before[0]} to {after[0]}"
        problems.append(f"{path}: read-only file {what}")
    return problems
    ### END SOLUTION


def guarded_by_rule(harness: Harness) -> Harness:
    """Return the harness whose new memories are guarded by `check_read_only`."""
    ### BEGIN SOLUTION
    return harness.with_(validator=with_rules(harness.validator, check_read_only=check_read_only))
    ### END SOLUTION


# %% id="check-2-3-a" lab={"check": "2.3a", "points": 1}
one, two, three, free = some_names(4)
before = {f"{one}.md": ("100644", some_id()), f"{two}/x.md": ("100644", some_id())}
before |= {f"{two}/same.md": ("100644", some_id()), f"{free}.md": ("100644", some_id())}
after = {f"{two}/x.md": ("100644", some_id()), f"{two}/same.md": before[f"{two}/same.md"]}
after |= {f"{two}/{three}/new.md": ("100644", some_id()), f"{free}.md": ("100644", some_id())}
state = State(None, lambda: before)
globs = [f"{one}.*", f"{two}/**"]
for tree in (after, before, {}):
    backwards = dict(sorted(tree.items(), reverse=True))
    for problem in check_read_only(backwards, {"readOnlyFiles": globs}, state, state, globs):
        show(problem)

# %% id="check-2-3-b" lab={"check": "2.3b", "points": 1, "hidden": true}
one, two, three = (f"{name}.md" for name in some_names(3))
same = some_id()
before = {one: ("100644", same), two: ("100755", same), three: ("100644", same)}
state = State(None, lambda: before)
for tree in (
    {**before, one: ("100755", same), two: ("100644", same)},
    {**before, three: ("120000", same)},
    {**before, two: ("100644", some_id())},
):
    show(check_read_only(tree, {"readOnlyFiles": ["*.md"]}, state, state, ["*.md"]))

# %% id="check-2-3-c" lab={"check": "2.3c", "points": 1, "hidden": true}
old, new, released = (f"{name}.md" for name in some_names(3))
good, bad, later = ("100644", some_id()), ("100644", some_id()), ("100644", some_id())
accepted = State(None, lambda: {old: good, new: good, released: good})
previous = State(None, lambda: {old: bad, new: bad, released: bad})
policy, guarded = {"readOnlyFiles": [old, new]}, [old, released]
for tree in (
    {old: good, new: bad, released: bad},
    {old: bad, new: good, released: later},
    {old: later, new: later},
):
    show(check_read_only(tree, policy, previous, accepted, guarded))

# %% id="check-2-3-d" lab={"check": "2.3d", "points": 1}
with Workbench(guarded_by_rule(v0_2.HARNESS), lang=T["lang"]) as bench:
    show(bench.turn(T["captain"]).reply)
    bench.run(f"""
    echo '{{"version": 1, "readOnlyFiles": ["persona.md"]}}' > .memfs.config.json
    git add .memfs.config.json
    MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'protect {rng.randrange(10**6)}'
    """)
    turn = bench.turn(T["captain"] + "!" * rng.randrange(1, 9))
    show([message.text.split("\n")[:2] for message in turn.messages if message.failed])
    show(turn.reply)
    show(bench.turn(T["remember"]).reply)
    show(bench.run("git log --format=%s; git status --short").text)

# %% [markdown] id="hints-2-3" lang="en" lab={"hints": "2.3"}
# 1. "Who guards the rules" in chapter 7, section 7.5, explains the accepted state. `with_rules` is in `mini_letta/memory/hooks.py`. For the source that travels see section 7.3.
# 2. Which paths do you have to look at, so that a removed file is not missed? For each one: is it protected, what was it before, what is it now? If every commit is refused with `NameError`, your function uses something from outside; helpers go inside.
# 3. `for path in sorted({*tree, *accepted.files(), *previous.files()})`, skip what no glob of the policy matches; `before = (accepted if ANY_OF_GUARDED_MATCHES else previous).files().get(path)`, `after = tree.get(path)`. `None` means it is not there, `[1]` is the object id.

# %% [markdown] id="hints-2-3" lang="zh" lab={"hints": "2.3"}
# 1. 第 7 章 7.5 节的“谁来守规则”讲了什么是已接受的状态。`with_rules` 在 `mini_letta/memory/hooks.py` 里。源码怎么跟过去，看 7.3 节。
# 2. 要看哪些路径，才不会漏掉被删的文件？对每个路径问三句：受保护吗，原来是什么，现在是什么？要是每次提交都因 `NameError` 被拒，就是函数用了外面的东西；辅助函数要写在里面。
# 3. `for path in sorted({*tree, *accepted.files(), *previous.files()})`，配置里没有 glob 匹配的跳过；`before = (accepted if any(matches_glob(g, path) for g in guarded) else previous).files().get(path)`，`after = tree.get(path)`。`None` 表示没有，`[1]` 是对象号。

# %% [markdown] id="task-2-4" lang="en" lab={"task": "2.4"}
# ## 2.4 A guard in front of the tools
#
# The hook speaks late: the file has been written by then, and the prompt of v0.2 is made of the files in the folder, committed or not. Write `with_early_guard(harness, patterns)`. It returns the harness with another `run_tool`, a function `(tools, session, call) -> ToolResult` that carries out one call of the model. `call.name` is the tool, `call.arguments` is the JSON text the model wrote; `patterns` are globs of protected files.
#
# - **a** A call of `write_file` or `edit_file` whose `path` matches one of the patterns is not carried out, so the folder stays as it is. Its result is `ToolResult(ok=False, text=TEXT)` with the TEXT `PATH is read-only, so nothing was written. Tell the user what you wanted to change; only they can change it.`
# - **b** Every other call is handed to the `run_tool` that the *given* harness has, with the same three arguments, and its result is returned as it is. That goes for other tools and other paths, and for calls that make no sense: arguments that are not JSON or not an object, a `path` that is missing or not a string.
# - **c** What counts is the file that is meant, not how its path is written: `./persona.md`, `a//b.md` and a symbolic link in the memory all mean a file. `locate(session.repo.dir, path)` gives its real place on disk; the PATH to match, and to name in TEXT, is that place relative to the real place of `session.repo.dir`, with `/` between its parts. If `locate` raises `OutOfBounds`, the call is handed on.

# %% [markdown] id="task-2-4" lang="zh" lab={"task": "2.4"}
# ## 2.4 工具前面的一道关
#
# hook 开口太晚：那时文件已经写了，而 v0.2 的系统提示取自目录里的文件，提交没提交都一样。写 `with_early_guard(harness, patterns)`。它返回的 harness 换了一个 `run_tool`；`run_tool` 是函数 `(tools, session, call) -> ToolResult`，执行模型的一次调用。`call.name` 是工具名，`call.arguments` 是模型写的 JSON 文本；`patterns` 是受保护文件的 glob。
#
# - **a** 调用 `write_file` 或 `edit_file`，而 `path` 与其中一个 pattern 匹配，就不执行，目录保持原样。结果是 `ToolResult(ok=False, text=TEXT)`，TEXT 是 `PATH is read-only, so nothing was written. Tell the user what you wanted to change; only they can change it.`
# - **b** 其他调用一律交给**传进来的** harness 原有的 `run_tool`，三个参数照旧，结果原样返回。别的工具、别的路径是这样，不成样子的调用也是这样：参数不是 JSON，或不是对象；`path` 缺了，或不是字符串。
# - **c** 要看指的是哪个文件，不看路径怎么写：`./persona.md`、`a//b.md`、记忆里的符号链接，都指着某个文件。`locate(session.repo.dir, path)` 给出它在磁盘上的真实位置；拿去匹配、写进 TEXT 的 PATH，是这个位置相对于 `session.repo.dir` 真实位置的路径，各段用 `/` 隔开。`locate` 抛 `OutOfBounds`，就把调用交下去。


# %% id="answer-2-4" lab={"answer": "2.4"}
def with_early_guard(harness: Harness, patterns: Sequence[str]) -> Harness:
    """Return the harness whose file tools refuse to write what a pattern protects."""
    ### BEGIN SOLUTION

    def target(session: Session, call: ToolCall) -> str:
        """Return the file a call means to write, or "" if it does not."""
        if call.name not in ("write_file", "edit_file"):
            return ""
        try:
            path = json.loads(call.arguments)["path"]
            place = locate(session.repo.dir, path)
        except (ValueError, RecursionError, KeyError, TypeError, OutOfBounds):
            return ""  # whoever carries it out says what is wrong with it
        return place.relative_to(os.path.realpath(session.repo.dir)).as_posix()

    def run_guarded(tools: tuple[Tool, ...], session: Session, call: ToolCall) -> ToolResult:
        path = target(session, call)
        if not any(matches_glob(pattern, path) for pattern in patterns):
            return harness.run_tool(tools, session, call)
        text = (
            f"{path} is read-only, so nothing was written. "
            "Tell the user what you wanted to change; only they can change it."
        )
        return ToolResult(ok=False, text=text)

    return harness.with_(run_tool=run_guarded)
    ### END SOLUTION


# %% id="check-2-4-a" lab={"check": "2.4a", "points": 1}
def call(tool, **arguments):
    return ToolCall(id="1", name=tool, arguments=json.dumps(arguments))


folder = some_name()
harness = with_early_guard(v0_2.HARNESS, ["persona.md", f"{folder}/*.md"])
with Workbench(harness, lang=T["lang"]) as bench:
    turn = bench.turn(T["captain"])
    show([message.text for message in turn.messages if message.failed])
    show(turn.reply)
    for asked in (
        call("write_file", path=f"{folder}/plan.md", content="x"),
        call("edit_file", path="persona.md", old="name", new="nom"),
    ):
        result = harness.run_tool(harness.tools, bench.session, asked)
        show((result.ok, result.text))
    show(bench.run("git status --short --untracked-files=all").text)


# %% id="check-2-4-b" lab={"check": "2.4b", "points": 1, "hidden": true}
def call(tool, **arguments):
    return ToolCall(id="1", name=tool, arguments=json.dumps(arguments))


def count_calls(tools, session, call):
    return ToolResult(
        ok=False, text=f"{len(tools)} tools, {session.lang}: {call.name} {call.arguments}"
    )


def refuse_all(tools, session, call):
    return ToolResult(ok=False, text="no tools today")


name = some_name()
with Workbench(v0_2.HARNESS, lang=T["lang"]) as bench:
    calls = [
        call("write_file", path=f"{name}.md", content=name),
        call("read_file", path="persona.md"),
        call("shell", command="echo persona.md"),
        call("write_file", content="no path"),
        call("write_file", path=["persona.md"], content=""),
        call("edit_file", path=None),
        call("forget", path="persona.md"),
    ]
    texts = ["", '{"path": "persona.md', '["path"]', '"persona.md"', "7", "null", "[" * 100_000]
    calls += [ToolCall(id="2", name="write_file", arguments=text) for text in texts]
    guards = [
        with_early_guard(v0_2.HARNESS.with_(run_tool=base), ["persona.md"])
        for base in (count_calls, refuse_all)
    ]
    for asked in rng.sample(calls, len(calls)):
        for harness in guards:
            show(harness.run_tool(harness.tools, bench.session, asked).text[:99])

# %% id="check-2-4-c" lab={"check": "2.4c", "points": 1, "hidden": true}
folder, link, back = some_names(3)
harness = with_early_guard(v0_2.HARNESS, ["persona.md", f"{folder}/**"])
with Workbench(harness, lang=T["lang"]) as bench:
    bench.run(f"""
    mkdir {shlex.quote(folder)} && cp human.md {shlex.quote(folder)}/x.md
    ln -s {shlex.quote(folder)} {shlex.quote(link)} && ln -s persona.md {shlex.quote(back)}.md
    ln -s ../human.md {shlex.quote(folder)}/out.md
    """)
    paths = ["./persona.md", f"{folder}//x.md", f"./{folder}/./y.md", f"{link}/x.md", f"{back}.md"]
    paths += [f"{folder}/out.md", "../persona.md", f"{folder}/../persona.md", ".git/config", ""]
    paths += ["Persona.md.txt", f"{link}.md", str(bench.dir / "persona.md")]
    for path in rng.sample(paths, len(paths)):
        arguments = json.dumps({"path": path, "content": "new"})
        asked = ToolCall(id="1", name="write_file", arguments=arguments)
        show(bench.shown(harness.run_tool(harness.tools, bench.session, asked).text))

# %% [markdown] id="hints-2-4" lang="en" lab={"hints": "2.4"}
# 1. `run_tool` in `mini_letta/tools.py` and `locate` in `mini_letta/paths.py`; the seam is in `mini_letta/harness.py`. A function defined inside `with_early_guard` may use `harness` and `patterns`.
# 2. Two questions, best asked by two small functions: which file does this call mean to write, if any? And is it protected? Whatever makes the first one fail is not your business: hand the call on, and let the tool say what is wrong.
# 3. `place = locate(session.repo.dir, json.loads(call.arguments)["path"])` inside a `try` that catches `ValueError, RecursionError, KeyError, TypeError, OutOfBounds`; then `place.relative_to(os.path.realpath(session.repo.dir)).as_posix()`. Hand on with `harness.run_tool(tools, session, call)`, return `harness.with_(run_tool=...)`.

# %% [markdown] id="hints-2-4" lang="zh" lab={"hints": "2.4"}
# 1. `run_tool` 在 `mini_letta/tools.py` 里，`locate` 在 `mini_letta/paths.py` 里，接缝在 `mini_letta/harness.py` 里。定义在 `with_early_guard` 里面的函数，可以用 `harness` 和 `patterns`。
# 2. 两个问题，最好由两个小函数来问：这次调用想写哪个文件（也许都不写）？它受保护吗？第一个问题答不上来，就不归你管：把调用交下去，让工具去说哪里不对。
# 3. 在 `try` 里写 `place = locate(session.repo.dir, json.loads(call.arguments)["path"])`，捕获 `ValueError, RecursionError, KeyError, TypeError, OutOfBounds`；然后 `place.relative_to(os.path.realpath(session.repo.dir)).as_posix()`。交下去用 `harness.run_tool(tools, session, call)`，返回 `harness.with_(run_tool=...)`。

# %% [markdown] id="task-2-5" lang="en" lab={"task": "2.5"}
# ## 2.5 An honest change
#
# Protected does not mean for ever. Spring has come, and you want a new persona, word for word as it lies in the file `wanted.txt` in the memory folder, which git does not know. The memory is guarded by the complete hook of v0.2, and its policy protects `persona.md`. The approval variable alone does not help: it lets you change the *policy*, and a protected file stays protected as long as the policy says so. Try it.
#
# Write the bash script `change_persona`. It runs in the memory folder, once; git, sh, sed, grep and `python3` are there. Your commits go on top of branch `main`; they may set `MINI_LETTA_CONSTRAINTS_UPDATE=1` where the policy changes.
#
# - **a** At the end `persona.md` at `main` is what `wanted.txt` is, byte for byte.
# - **b** Against the commit `protect`, on which your script begins, no other file differs at the end: the policy has the very same bytes again, and `wanted.txt` is not committed.
# - **c** You make at least one commit, and every commit of yours is valid by the rules of the gatekeeper; nothing gets in with `--no-verify`.

# %% [markdown] id="task-2-5" lang="zh" lab={"task": "2.5"}
# ## 2.5 正当的修改
#
# 受保护，不等于永远不改。开春了，你想换一个人格，一字不差就照记忆目录里的 `wanted.txt`，这个文件 git 还不认识。这份记忆由 v0.2 完整的 hook 看守，配置保护着 `persona.md`。光有批准变量没有用：它让你改的是**配置**，只要配置还写着保护，受保护的文件就还受保护。不信可以试试。
#
# 写 bash 脚本 `change_persona`。它在记忆目录里运行一次；有 git、sh、sed、grep 和 `python3`。你的提交接在 `main` 分支后面；改配置的提交可以设 `MINI_LETTA_CONSTRAINTS_UPDATE=1`。
#
# - **a** 最后，`main` 上的 `persona.md` 和 `wanted.txt` 一个字节也不差。
# - **b** 跟你的脚本开始时所在的提交 `protect` 相比，最后没有别的文件不同：配置又是原来那些字节，`wanted.txt` 没有提交进去。
# - **c** 你至少做了一次提交；你的每一次提交，按守门员的规则都合法，没有一次是用 `--no-verify` 混进去的。

# %% id="spring"
spring = f"""
limit=$((400 + SEED % 100))
printf '{{"version": 1, "maxFileCharacters": %d,\\n "readOnlyFiles": ["persona.md"]}}\\n' $limit > .memfs.config.json
git add .memfs.config.json && MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'protect'
printf %s {shlex.quote(T["wanted"])} > wanted.txt
echo "- $limit" >> wanted.txt
"""
print(T["wanted"])

# %% id="answer-2-5" lab={"answer": "2.5"}
change_persona = r"""
### BEGIN SOLUTION
set -e
grep -v readOnlyFiles .memfs.config.json | sed 's/,$/}/' > open.txt
cat open.txt > .memfs.config.json
rm open.txt
cat wanted.txt > persona.md
git add .memfs.config.json persona.md
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'A new persona; the user wants it'
git checkout -q HEAD~1 -- .memfs.config.json
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'The persona is read-only again'
### END SOLUTION
"""

# %% id="check-2-5-a" lab={"check": "2.5a", "points": 1, "script": "change_persona", "start": "spring"}
from mini_letta.course.labs.history import read_history

show(read_history(repo)[-1].files.get("persona.md"))

# %% id="check-2-5-b" lab={"check": "2.5b", "points": 1, "script": "change_persona", "start": "spring"}
from mini_letta.course.labs.history import read_history

history = read_history(repo)
begin = history[1].files if len(history) > 1 else {}
last = history[-1].files
# whoever changed nothing has changed nothing else
if begin.get("persona.md") != last.get("persona.md"):
    show(sorted(path for path in {*begin, *last} if begin.get(path) != last.get(path)))

# %% id="check-2-5-c" lab={"check": "2.5c", "points": 1, "script": "change_persona", "start": "spring", "hidden": true}
from mini_letta.course.labs.history import read_history

new = read_history(repo)[2:]
show(len(new) >= 1)
show(sorted({problem for commit in new for problem in commit.problems}))

# %% [markdown] id="hints-2-5" lang="en" lab={"hints": "2.5"}
# 1. "Who guards the rules" in chapter 7, section 7.5: what exactly does the approval approve?
# 2. By which policy is the tree of a commit judged when you approve? What does that policy have to say in the commit that brings the persona, and what in the last commit?
# 3. Write a policy without `readOnlyFiles`, `cat wanted.txt > persona.md`, stage both and commit with the approval. Then `git checkout HEAD~1 -- .memfs.config.json` brings the old bytes back; commit with the approval again.

# %% [markdown] id="hints-2-5" lang="zh" lab={"hints": "2.5"}
# 1. 第 7 章 7.5 节“谁来守规则”：批准，到底批准了什么？
# 2. 你批准的时候，一次提交的树按哪份配置来判断？带来人格的那次提交，配置里该怎么写？最后一次提交呢？
# 3. 写一份没有 `readOnlyFiles` 的配置，`cat wanted.txt > persona.md`，两个一起暂存，带着批准提交。再用 `git checkout HEAD~1 -- .memfs.config.json` 取回原来的字节，带着批准再提交一次。

# %% [markdown] id="task-2-6" lang="en" lab={"task": "2.6"}
# ## 2.6 What is it worth?
#
# The approval is an environment variable. The agent's shell starts without it, and nothing more is done about it. Your guard of 2.4 sees two tools of four.
#
# Answer in three to six sentences. Name one thing that this protection stops, and one way around it that a determined program with the same user account has. What would have to change so that this way is closed? A person reads this.

# %% [markdown] id="task-2-6" lang="zh" lab={"task": "2.6"}
# ## 2.6 它值多少
#
# 批准不过是一个环境变量。agent 的 shell 启动时没有它，此外再没有别的防备。你在 2.4 写的那道关，四个工具只看两个。
#
# 用三到六句话回答。说出这种保护能拦住的一件事，再说出一条绕过它的路：假设有个程序存心要绕，用的又是同一个系统账号。要堵上这条路，得改变什么？这道题由人工批阅。

# %% [markdown] id="written-2-6" lang="en" lab={"written": "2.6", "points": 2}
# *Your answer here.*
# ### BEGIN SOLUTION
# It stops a model that makes a mistake or does what any passer-by asks: `persona: …` is refused, the model reads why, and it has no approval by accident. It does not stop a program that wants to get around it: `MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit` can be typed by everybody, `git commit --no-verify` runs no hook at all, and the hook and the record of what was accepted are files of the same account. The guard before the tools does not see `echo … > persona.md` in the shell. To close this, the evidence must lie where the program cannot reach: a signature made with a key it does not have, a check on a server when the memory is pushed, or another account that owns the policy.
# ### END SOLUTION

# %% [markdown] id="written-2-6" lang="zh" lab={"written": "2.6", "points": 2}
# *在这里作答。*
# ### BEGIN SOLUTION
# 它拦得住犯错的模型，也拦得住谁的话都听的模型：`设定：…` 被拒，模型读得到理由，也不会碰巧带着批准。它拦不住存心要绕的程序：`MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit` 谁都能敲，`git commit --no-verify` 根本不跑 hook，而 hook 和已接受状态的记录都是同一个账号的文件。工具前面的那道关，看不见 shell 里的 `echo … > persona.md`。要堵上，证据得放在这个程序够不着的地方：用它没有的密钥签名，或者推送时由服务器再查一遍，或者让配置归另一个账号所有。
# ### END SOLUTION

# %% [markdown] id="rubric-2-6" lang="en" lab={"rubric": "2.6"}
# 1 point: one thing it stops (a mistake, a careless or obedient model, an accident), and one real way around it (sets the variable itself, `--no-verify`, edits hook or record, writes through the shell).
# 1 point: a remedy that fits the way that was named, out of reach of the same account (signature, check on a server, another account). "A better hook" or "a longer variable name" gives no point.

# %% [markdown] id="rubric-2-6" lang="zh" lab={"rubric": "2.6"}
# 1 分：能拦住的一件事（失误、粗心或听话的模型、碰巧），加上一条真能走通的绕路（自己设变量、`--no-verify`、改 hook 或记录、用 shell 写）。
# 1 分：针对所说的那条路，给出同一账号够不着的办法（签名、服务器检查、另一个账号）。“写个更好的 hook”“变量名取长一点”不得分。

# %% [markdown] id="end" lang="en"
# **Next.** Lab 3: who looks at a commit that went around the hook.

# %% [markdown] id="end" lang="zh"
# **接下来。** 实验 3：绕过了 hook 的提交，由谁来看。

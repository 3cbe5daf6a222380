# %% [markdown] id="title" lang="zh"
# # 第 7 章 守门员
#
# **一分钟导览。** 这里有一个真的 agent：记忆是一个真的 git 仓库，提交由真的 hook 把关。只有“模型”是假的，它按固定规则回话，所以每次运行、每台机器的结果都一样，连提交号也一样。不需要网络和密钥，也不会碰你自己的 git 配置：一切都在一个临时家目录里，输出里写作 `~`，跑完就删。
#
# 从上到下运行即可，全程十几秒。五个坑在你面前先失败，再修好；最该记住的是这三个：
#
# 1. 收紧预算的提交自己被拒了；
# 2. `--no-verify` 让坏记忆进了系统提示；
# 3. worktree 里的 `.git` 是一个文件。
#
# 有几格请你**先猜再跑**。改过哪一格、想重来，就重启内核，从头再跑。讲解在[第 7 章正文](../../chapters/zh/07-gatekeeper.md)里。

# %% [markdown] id="title" lang="en"
# # Chapter 7 The gatekeeper
#
# **One minute to look around.** Here is a real agent. Its memory is a real git repository, and a real hook guards its commits. Only the "model" is not real: it answers by fixed rules, so every run on every machine gives the same result, commit ids included. No network, no key, and your own git configuration is not touched: everything happens in a temporary home, which is printed as `~` and removed at the end.
#
# Run it from top to bottom; it takes some ten seconds. Five pitfalls fail in front of you and are then fixed. The three to remember:
#
# 1. the commit that tightens the budget is refused;
# 2. `--no-verify` leads bad memory straight into the system prompt;
# 3. in a worktree, `.git` is a file.
#
# A few cells ask you to **guess before you run**. To start over after a change, restart the kernel and run from the top. The explanations are in [chapter 7](../../chapters/en/07-gatekeeper.md).

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "persona": "设定：说话像一位老船长",
    "update": "记住：我对花生过敏",
    "ping": "在吗",
    "tight": "记住：我喜欢短句",
    "long": "- 每天早上读十页书，晚上写三行日记。\n" * 7,
    "short": "- 每天读书、写日记。\n",
    "note": "---\nname: 备忘\ndescription: 零碎的事\n---\n- 周三交稿\n",
    "plan": "---\nname: 计划\ndescription: 今年要做的事\n---\n- 写完第七章\n",
    "index": "# 项目\n\n- plan.md：今年要做的事\n",
    "human": "---\nname: 用户\ndescription: 我对你的了解\n---\n",
    "bypassed": "BYPASSED: 没有 frontmatter\n",
    "sentence": "你好，世界 🌏",
}

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "persona": "persona: talk like an old sea captain",
    "update": "remember I am allergic to peanuts",
    "ping": "ping",
    "tight": "remember I like short sentences",
    "long": "- Reads ten pages every morning and writes three lines every night.\n" * 3,
    "short": "- Reads in the morning.\n",
    "note": "---\nname: Odds and ends\ndescription: Small things\n---\n- hand in on Wednesday\n",
    "plan": "---\nname: Plan\ndescription: What to do this year\n---\n- finish chapter seven\n",
    "index": "# Projects\n\n- plan.md: what to do this year\n",
    "human": "---\nname: Human\ndescription: What I know about you\n---\n",
    "bypassed": "BYPASSED: no frontmatter\n",
    "sentence": "Hello, 世界 🌏",
}

# %% [markdown] id="bench-text" lang="zh"
# `Workbench` 是一张工作台：`sh` 在记忆目录里跑真的 bash，`say` 跟 agent 说一句话。下面的 agent 处在 v0.2 阶段，有守门员，还没有审计。

# %% [markdown] id="bench-text" lang="en"
# `Workbench` is our workbench: `sh` runs real bash in the memory folder, `say` says something to the agent. The agent below is at stage v0.2: there is a gatekeeper, and no audit yet.

# %% id="bench"
import inspect
import re

from mini_letta import v0_2
from mini_letta.course.predict import compare
from mini_letta.course.workbench import Workbench

bench = Workbench(v0_2.HARNESS, lang=T["lang"])
bench.sh("git log --oneline; git ls-files; cat persona.md")

# %% [markdown] id="turn-text" lang="zh"
# 一个平常的回合：模型读文件、改文件、提交。

# %% [markdown] id="turn-text" lang="en"
# An ordinary turn: the model reads a file, edits it, commits it.

# %% id="a-turn"
bench.say(T["persona"])

# %% [markdown] id="problem-text" lang="zh"
# ## 7.1 没有守门员会怎样
#
# 先看一个普通的 git 仓库。

# %% [markdown] id="problem-text" lang="en"
# ## 7.1 Without a gatekeeper
#
# First an ordinary git repository.

# %% id="plain-repository"
bench.sh("""
git init -q -b main ~/plain && cd ~/plain
printf 'human human ##{{ tabs?? ]]\\n' > human.md
git add human.md && git commit -q -m 'update memory' && git log --oneline
""")

# %% [markdown] id="garbage-text" lang="zh"
# 现在是有守门员的记忆仓库，换一个糟糕的模型：不管你说什么，它都把 `human.md` 整个写成乱码，还说自己记住了。然后我们替它提交。
#
# **猜一猜**：提交会成功（`"committed"`）还是被拒（`"refused"`）？

# %% [markdown] id="garbage-text" lang="en"
# Now the memory repository with its gatekeeper, and a bad model: whatever you say, it overwrites `human.md` with garbage and claims that it remembers. Then we commit for it.
#
# **Guess**: will the commit succeed (`"committed"`) or be `"refused"`?

# %% id="guess-garbage"
guess = "refused"

# %% id="garbage"
from mini_letta.providers.mock import MockModel

small = Workbench(v0_2.HARNESS, lang=T["lang"], provider=MockModel("garbage"))
small.say(T["update"])
small.sh("git commit -a -m 'update memory'")
commits = small.run("git rev-list --count HEAD").text.strip()
answer = "refused" if commits == "1" else "committed"

# %% id="compare-garbage"
compare(guess, answer, page="refused", lang=T["lang"])

# %% [markdown] id="frontmatter-text" lang="zh"
# ## 7.2 第一条规则：每个文件先自报家门
#
# 拒绝信里的那一行，出自下面这个函数。hook、命令行和审计用的是同一个。

# %% [markdown] id="frontmatter-text" lang="en"
# ## 7.2 Rule one: frontmatter
#
# The line in that refusal comes from the function below. Hook, command line and audit share it.

# %% id="four-shapes"
from mini_letta.memory.frontmatter import check_frontmatter

for path, content in [
    ("notes.md", "oops\n"),
    ("notes.md", "---\nname: Notes\ntags: a, b\nname: Notes\n---\n"),
    ("notes.md", "---\nname: Notes\ndescription: Small things\n---\n"),
    ("projects/MEMORY.md", "---\nname: Projects\n---\n"),
]:
    print(path, repr(content))
    for problem in check_frontmatter(path, content) or ["(no problem)"]:
        print("   ", problem)

# %% [markdown] id="embedding-text" lang="zh"
# ## 7.3 把函数的源码放进 hook
#
# hook 在记忆仓库里运行，那里没有 `mini_letta` 这个包。所以安装时把函数的源码文本写进去。在一个空的命名空间里试试，函数还能不能跑：

# %% [markdown] id="embedding-text" lang="en"
# ## 7.3 Put the source of the function into the hook
#
# The hook runs in the memory repository, where there is no package `mini_letta`. So the source text is written into it when it is installed. Let us see whether the functions still work in an empty namespace:

# %% id="source-travels"
from mini_letta.memory.frontmatter import read_frontmatter

source = inspect.getsource(read_frontmatter) + inspect.getsource(check_frontmatter)
namespace = {}
exec(source, namespace)
for content in ("oops\n", T["note"]):
    travelled = namespace["check_frontmatter"]("notes.md", content)
    print(travelled, travelled == check_frontmatter("notes.md", content))

# %% [markdown] id="trap-annotation-text" lang="zh"
# 陷阱一：注解是代码，`def` 执行时就会求值。

# %% [markdown] id="trap-annotation-text" lang="en"
# Trap one: an annotation is code and is evaluated when `def` runs.

# %% id="trap-annotation"
Problem = str


def check_length(content: str) -> list[Problem]:
    return [f"{len(content)} characters"] if len(content) > 5 else []


def define(source):
    try:
        exec(source, {})
        print("defined")
    except NameError as error:
        print("NameError:", error)


source = inspect.getsource(check_length)
define(source)
define("from __future__ import annotations\n" + source)

# %% [markdown] id="trap-closure-text" lang="zh"
# 陷阱二：模块里的名字和闭包变量不会跟过去。`def` 成功，短文件通过，直到真的该报错的那一次：

# %% [markdown] id="trap-closure-text" lang="en"
# Trap two: module names and closure variables stay behind. `def` succeeds, a short file passes, until the one time it should report something:

# %% id="trap-closure"
ADVICE = "say it in fewer words"


def check_words(content: str) -> list[str]:
    return [ADVICE] if len(content.split()) > 3 else []


namespace = {}
exec(inspect.getsource(check_words), namespace)
travelled = namespace["check_words"]
print(travelled("short"))
print(check_words("one two three four"))
try:
    travelled("one two three four")
except NameError as error:
    print("NameError:", error)

# %% [markdown] id="no-source-text" lang="zh"
# 陷阱三：有的函数没有源码，有的“源码”不是你以为的那一段。

# %% [markdown] id="no-source-text" lang="en"
# Trap three: some functions have no source, and some have one that is not what you think.

# %% id="no-source"
exec("def made_by_exec(): return 1")
pair = (lambda text: len(text) > 3, "a second item")
for function in (len, made_by_exec, pair[0]):
    try:
        print("source:", inspect.getsource(function).strip())
    except (TypeError, OSError) as error:
        print("no source:", type(error).__name__)

# %% [markdown] id="hook-text" lang="zh"
# 打开装好的 hook 看看。它很短，只负责用安装时的解释器（路径因机器而异，这里隐去）启动旁边的模块。

# %% [markdown] id="hook-text" lang="en"
# Open the hook that is installed. It is short; all it does is start the module beside it, with the interpreter that installed it (its path differs between machines and is hidden here).

# %% id="hook-files"
bench.sh("""sed "s|^python=.*|python='…/python'|" .git/hooks/pre-commit""")

# %% [markdown] id="validator-text" lang="zh"
# 旁边的模块由包里那些函数的源码拼成。`True`：第一条规则的源码原样在里面。

# %% [markdown] id="validator-text" lang="en"
# The module beside it is made of the source of the package's functions. `True`: the source of rule one is in it, word for word.

# %% id="validator"
bench.sh("head -n 7 .git/hooks/mini_letta_validator.py; echo ...")
validator = bench.dir / ".git" / "hooks" / "mini_letta_validator.py"
print(inspect.getsource(check_frontmatter) in validator.read_text(encoding="utf-8"))

# %% [markdown] id="stuck-text" lang="zh"
# ## 7.4 整棵暂存树
#
# `brief` 跟 `sh` 一样，只是略去拒绝信后面那段每次都相同的建议；`write` 直接写一个文件。
#
# 先提交一个没有 frontmatter 的 `notes.md`，被拒。接着提交 `todo.md`，它自己毫无问题：

# %% [markdown] id="stuck-text" lang="en"
# ## 7.4 The whole staged tree
#
# `brief` is `sh` without the advice at the end of a refusal, which is the same every time; `write` writes a file.
#
# First commit `notes.md`, which has no frontmatter: refused. Then commit `todo.md`, which is perfectly fine:


# %% id="stuck-index" mini_letta={"pitfall": "staged-bad-file", "role": "fails"}
def brief(script):
    text = bench.run(script).text
    text = re.sub(r"\n\nNothing was committed;.*?approved it\.", "", text, flags=re.DOTALL)
    if text.strip():
        print(text.strip())


def write(path, text):
    target = bench.dir / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


write("notes.md", "oops\n")
brief("git add notes.md && git commit -q -m 'add notes'")
write("todo.md", T["note"])
brief("git add todo.md && git commit -q -m 'add todo'; git status --short")

# %% [markdown] id="unstuck-text" lang="zh"
# 出路一：把坏文件移出暂存区（文件还在，只是不提交）。出路二：把它改好。

# %% [markdown] id="unstuck-text" lang="en"
# Way out one: unstage the bad file (it stays on disk). Way out two: make it good.

# %% id="unstuck" mini_letta={"pitfall": "staged-bad-file", "role": "fixed"}
brief("git restore --staged notes.md && git commit -q -m 'add todo'; git status --short")
write("notes.md", T["note"])
brief("git add notes.md && git commit -q -m 'add notes'; git log --oneline -2")

# %% [markdown] id="characters-text" lang="zh"
# ## 7.5 第二条规则：写多少，放哪里
#
# 预算按“字符”算。同一段文字有三种长度，守门员数的是哪一种？是码点，也就是 Python 的 `len`。

# %% [markdown] id="characters-text" lang="en"
# ## 7.5 Rule two: budget and shape
#
# The budget counts characters. One text has three lengths; the gatekeeper counts code points, as `len` does in Python.

# %% id="characters"
for text in ("🌏", T["sentence"]):
    print(
        f"{text}  code points {len(text)}"
        f"  UTF-8 bytes {len(text.encode())}"
        f"  UTF-16 units {len(text.encode('utf-16-le')) // 2}"
    )

# %% [markdown] id="index-text" lang="zh"
# 放了记忆的目录要有索引，否则没人找得到里面的东西。

# %% [markdown] id="index-text" lang="en"
# A folder that holds memory needs an index, or nobody will find what is in it.

# %% id="index-chain"
write("projects/plan.md", T["plan"])
brief("git add projects && git commit -q -m 'add plan'")
write("projects/MEMORY.md", T["index"])
brief("git add projects && git commit -q -m 'add plan'; git ls-files projects")

# %% [markdown] id="globs-text" lang="zh"
# 限制可以按 glob 分给不同的文件。`*` 不跨目录，`**` 可以；`?` 是一个码点。

# %% [markdown] id="globs-text" lang="en"
# Limits can be given to files by glob. `*` stays inside a folder, `**` does not; `?` is one code point.

# %% id="globs"
from mini_letta.memory.glob import matches_glob

for pattern, path in [
    ("*.md", "notes.md"),
    ("*.md", "projects/plan.md"),
    ("projects/**", "projects/2026/plan.md"),
    ("**/plan.md", "plan.md"),
    ("?.md", "😀.md"),
]:
    print(f"{matches_glob(pattern, path)!s:6} {pattern:12} {path}")

# %% [markdown] id="guard-text" lang="zh"
# ### 谁来守规则
#
# 嫌预算小，把上限改大就是了。这个模型先试一次，被拒之后又换了个办法：

# %% [markdown] id="guard-text" lang="en"
# ### Who guards the rules
#
# If the budget is too small, raise it. This model tries, is refused, and finds another way:

# %% id="raise-budget"
greedy = Workbench(v0_2.HARNESS, lang=T["lang"], provider=MockModel("raise_budget"))
greedy.say(T["tight"])
greedy.close()

# %% [markdown] id="tighten-text" lang="zh"
# ## 踩坑 1：预算收不紧
#
# 你是人，可以批准：在命令前加上 `MINI_LETTA_CONSTRAINTS_UPDATE=1`。`human.md` 写得太长了，你打算把单文件上限定为 120。
#
# **猜一猜**：带着批准，这次提交会怎样？

# %% [markdown] id="tighten-text" lang="en"
# ## Pitfall 1: a budget that cannot be tightened
#
# You are a person and can approve: put `MINI_LETTA_CONSTRAINTS_UPDATE=1` before the command. `human.md` has grown too long, and you want to limit each file to 120.
#
# **Guess**: with your approval, what happens to this commit?

# %% id="guess-tighten"
guess = "committed"

# %% id="tighten-fails" mini_letta={"pitfall": "budget-tightening", "role": "fails"}
write("human.md", T["human"] + T["long"])
brief("git add human.md && git commit -q -m 'know the user better'")
write(".memfs.config.json", '{"version": 1, "maxFileCharacters": 120}\n')
brief("""
git add .memfs.config.json
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'at most 120 characters a file'
""")
answer = "refused" if bench.run("git ls-tree HEAD .memfs.config.json").text == "" else "committed"

# %% id="compare-tighten"
compare(guess, answer, page="committed", lang=T["lang"])

# %% [markdown] id="bars-text" lang="zh"
# 画出来看：这次提交想让记忆变成这样。每个文件占了上限的多少，哪个超出，一眼就能看到。

# %% [markdown] id="bars-text" lang="en"
# A picture of the memory as this commit would make it: how much of its limit each file takes, and which one takes too much.

# %% id="bars-fails"
from mini_letta.course.show import commit_graph, memory_tree, turn_trace

memory_tree(bench.session.repo, None, lang=T["lang"])

# %% [markdown] id="tighten-fixed-text" lang="zh"
# 守门员看的是整棵树，而 `human.md` 早就超过新上限了。所以先瘦身，再收紧：两次提交，顺序不能反。

# %% [markdown] id="tighten-fixed-text" lang="en"
# The gatekeeper looks at the whole tree, and `human.md` was over the new limit before. So slim first, then tighten: two commits, in this order.

# %% id="tighten-fixed" mini_letta={"pitfall": "budget-tightening", "role": "fixed"}
write("human.md", T["human"] + T["short"])
brief("""
git restore --staged .memfs.config.json
git add human.md && git commit -q -m 'say it in fewer words'
git add .memfs.config.json
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'at most 120 characters a file'
git log --oneline -3
""")

# %% id="bars-fixed"
memory_tree(bench.session.repo, lang=T["lang"])

# %% [markdown] id="no-verify-text" lang="zh"
# ## 踩坑 2：坏提交一路进了系统提示
#
# 换到 v0.3：系统提示只从提交编译。然后绕过守门员。

# %% [markdown] id="no-verify-text" lang="en"
# ## Pitfall 2: a bad commit walks into the system prompt
#
# On to v0.3, where the prompt is compiled from commits only. And around the gatekeeper.

# %% id="no-verify-fails" mini_letta={"pitfall": "no-verify-into-prompt", "role": "fails"}
from mini_letta import v0_3

bench.upgrade(v0_3.HARNESS)
write("human.md", T["bypassed"])
brief("git commit -q -a -m 'sneaky'; echo exit=$?")
brief("git commit -q -a -m 'sneaky' --no-verify; echo exit=$?; git log --oneline -1")

# %% [markdown] id="graph-text" lang="zh"
# 提交图里，坏提交就在 HEAD。标记是我们加的：hook 没有看它，而照 hook 刚才的说法，它不合法。git 自己什么也没记。

# %% [markdown] id="graph-text" lang="en"
# In the commit graph the bad commit is HEAD. The marks are ours: the hook did not look at it, and by what the hook has just said it is invalid. git itself keeps no trace of either.

# %% id="graph-bypassed"
commit_graph(bench.session.repo, marks={"HEAD": ("bypassed", "invalid")}, limit=5, lang=T["lang"])

# %% [markdown] id="prompt-text" lang="zh"
# 系统提示里关于用户的那一段，现在是这样：

# %% [markdown] id="prompt-text" lang="en"
# This is what the system prompt now says about the user:

# %% id="prompt-fails" mini_letta={"pitfall": "no-verify-into-prompt", "role": "fails"}
prompt = bench.prompt_text(fresh=True)
print(prompt[prompt.index("<human>") : prompt.index("</human>") + len("</human>")])

# %% [markdown] id="silent-text" lang="zh"
# 再说一句话。没有谁提醒模型，记忆已经坏了：

# %% [markdown] id="silent-text" lang="en"
# One more message. Nobody tells the model that its memory is broken:

# %% id="silent-turn"
bench.say(T["ping"])

# %% [markdown] id="one-line-text" lang="zh"
# ## 7.9 修复：每个新的 HEAD 审计一次
#
# 两个阶段之间的差别：

# %% [markdown] id="one-line-text" lang="en"
# ## 7.9 The repair: audit every new HEAD once
#
# What lies between the two stages:

# %% id="one-line"
bench.sh("mini-letta stages diff v0.4 v1.0")

# %% id="audit-fixed" mini_letta={"pitfall": "no-verify-into-prompt", "role": "fixed"}
from mini_letta import v1_0

bench.upgrade(v1_0.HARNESS)
bench.say(T["ping"])
print("----")
bench.say(T["ping"])

# %% [markdown] id="fixing-text" lang="zh"
# 报告过一次，不再重复。现在提交一个修复，再问一句：没有通知，因为新的 HEAD 审过，是好的。
#
# `ping` 只打印通知和回答。

# %% [markdown] id="fixing-text" lang="en"
# Reported once, not repeated. Now commit a repair and ask again: no notice, since the new HEAD was audited and is fine.
#
# `ping` prints notices and the answer, nothing else.


# %% id="fixing-commit"
def ping():
    turn = bench.turn(T["ping"])
    for notice in turn.notices:
        print("notice:", notice.text)
    print("mini-letta:", turn.reply)


write("human.md", T["human"] + T["short"])
brief("git commit -q -a -m 'give human.md its frontmatter back'; git log --oneline -1")
ping()

# %% [markdown] id="model-no-verify-text" lang="zh"
# 模型自己也会绕过去。审计在回合结束时发现，模型在下一次调用时读到。

# %% [markdown] id="model-no-verify-text" lang="en"
# The model may do it by itself. The audit finds it when the turn ends, and the model reads the notice on its next call.

# %% id="model-no-verify"
sly = Workbench(v1_0.HARNESS, lang=T["lang"], provider=MockModel("no_verify"))
turn = sly.turn(T["update"])
sly.close()
turn_trace(turn, shown=sly.shown, lang=T["lang"])

# %% [markdown] id="policy-bypassed-text" lang="zh"
# 把放宽的**配置**用 `--no-verify` 提交进去，它就是 HEAD 了。可它仍然不算数：守门员记着上一次经批准的是哪一份。改回那一份不需要批准。

# %% [markdown] id="policy-bypassed-text" lang="en"
# Commit a looser **policy** with `--no-verify`, and it is HEAD. It does not count all the same: the gatekeeper remembers which one was approved last. Going back to that one needs no approval.

# %% id="policy-bypassed"
write(".memfs.config.json", '{"version": 1, "maxFileCharacters": 1000000}\n')
brief("git commit -q -a -m 'more room' --no-verify")
ping()
write(".memfs.config.json", '{"version": 1, "maxFileCharacters": 120}\n')
brief("git commit -q -a -m 'the approved policy again'; git log --oneline -2")

# %% [markdown] id="draft-one-text" lang="zh"
# ### 错误的草稿一：只在本回合动过 HEAD 时审计
#
# 把这份草稿装在 v0.3 上，代替 v1.0 的审计。然后在两个回合之间绕过 hook 提交。

# %% [markdown] id="draft-one-text" lang="en"
# ### Wrong draft one: audit only if this turn moved HEAD
#
# Install this draft on v0.3 in place of the audit of v1.0. Then commit between two turns, past the hook.

# %% id="draft-one"
from mini_letta.course import drafts

print(inspect.getsource(drafts.audit_what_this_turn_moved))

# %% id="draft-one-fails" mini_letta={"pitfall": "audit-this-turn-only", "role": "fails"}
bench.upgrade(drafts.audit_what_this_turn_moved(v0_3.HARNESS))
write("human.md", T["bypassed"])
brief("git commit -q -a -m 'between two turns' --no-verify; git log --oneline -1")
ping()

# %% [markdown] id="draft-one-fixed-text" lang="zh"
# 没有通知：这个回合开始前，坏提交就已经在那里了。换上 v1.0 再问：

# %% [markdown] id="draft-one-fixed-text" lang="en"
# No notice: the bad commit was there before this turn began. The same question with v1.0:

# %% id="draft-one-fixed" mini_letta={"pitfall": "audit-this-turn-only", "role": "fixed"}
bench.upgrade(v1_0.HARNESS)
ping()

# %% [markdown] id="worktree-text" lang="zh"
# ### 错误的草稿二（踩坑 3）：worktree 里的 `.git` 是一个文件
#
# 先把 `human.md` 恢复原样。然后用一条普通的 `git worktree add`，就能看到：

# %% [markdown] id="worktree-text" lang="en"
# ### Wrong draft two (pitfall 3): in a worktree, `.git` is a file
#
# First put `human.md` back. Then a plain `git worktree add` is enough to see it:

# %% id="worktree-file"
brief("git checkout -q HEAD~1 -- human.md && git commit -q -m 'repair human.md'")
brief("git worktree add -q -b side ~/side && cd ~/side && ls -A && cat .git")

# %% [markdown] id="draft-two-text" lang="zh"
# 草稿二每个新的 HEAD 都审，但把记录写到 `.git/` 下面：

# %% [markdown] id="draft-two-text" lang="en"
# Draft two audits every new HEAD, but puts its record below `.git/`:

# %% id="draft-two"
print(inspect.getsource(drafts.report_new_head_below_dot_git))

# %% [markdown] id="draft-two-fails-text" lang="zh"
# 在这个 worktree 里跑一个回合，就崩了。v1.0 问 git 要目录，记录写到了该去的地方。

# %% [markdown] id="draft-two-fails-text" lang="en"
# Run a turn in this worktree, and it crashes. v1.0 asks git for the folder, and the record goes where it belongs.

# %% id="draft-two-fails" mini_letta={"pitfall": "worktree-git-file", "role": "fails"}
from dataclasses import replace

from mini_letta.git import Repo
from mini_letta.turn import run_turn

side = Repo(dir=bench.user_home / "side", env=bench.session.repo.env)
in_worktree = replace(bench.session, repo=side)
try:
    run_turn(drafts.record_below_dot_git(v0_3.HARNESS), in_worktree, T["ping"])
except NotADirectoryError as error:
    print(type(error).__name__, error.strerror)

# %% id="draft-two-fixed" mini_letta={"pitfall": "worktree-git-file", "role": "fixed"}
turn = run_turn(v1_0.HARNESS, in_worktree, T["ping"])
print(turn.reply)
print(bench.shown(str(side.git_dir())))
print([record.name for record in side.git_dir().glob("mini-letta-last-*")])

# %% [markdown] id="worktree-hook-text" lang="zh"
# hook 由所有 worktree 共用，所以这里的坏提交也进不去：

# %% [markdown] id="worktree-hook-text" lang="en"
# All worktrees share the hook, so a bad commit does not get in here either:

# %% id="worktree-hook"
brief("""
cd ~/side && printf 'oops\\n' > oops.md
git add oops.md && git commit -q -m 'from the worktree'
git restore --staged oops.md && rm oops.md
""")

# %% [markdown] id="by-design-text" lang="zh"
# ### 本来就不过 hook 的提交
#
# 在一个小仓库里装一个只留个记号的 hook，看哪些命令会触发它。`one`、`two`、`three` 是三个分支；最后一条在一个新的克隆里跑，克隆不带 hook。（命令若失败，会打印出来。）

# %% [markdown] id="by-design-text" lang="en"
# ### Commits that skip the hook by design
#
# A small repository with a hook that only leaves a mark shows which commands run it. `one`, `two` and `three` are branches; the last command runs in a new clone, and a clone brings no hooks. (A command that fails would say so.)

# %% id="who-runs-the-hook"
bench.sh("""
git init -q -b main ~/counting && cd ~/counting
file() { echo $1 > $1; git add $1; git commit -q -m $1; }
file a
for branch in one two three; do git checkout -q -b $branch main; file $branch; done
git checkout -q main; file b
printf '#!/bin/sh\\ntouch "$(git rev-parse --git-common-dir)/ran"\\n' > .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
try() {
    rm -f .git/ran
    "$@" > /dev/null 2>&1 || echo "FAILED: $*"
    if [ -e .git/ran ]; then echo "hook ran   $*"; else echo "no hook    $*"; fi
}
try git commit --allow-empty -m c
try git commit --allow-empty -m d --no-verify
try git merge -m m one
try git cherry-pick two
try git revert --no-edit HEAD
try git reset --hard HEAD~1
git checkout -q three; try git rebase main
git checkout -q main; try git merge three
git clone -q . ~/clone; try git -C ~/clone commit --allow-empty -m e
""")

# %% [markdown] id="clean-merge-text" lang="zh"
# 没有冲突的合并：`side` 里往 `projects/` 加一个文件，`main` 里把 `projects/` 整个删掉。两次提交各自通过了守门员。
#
# **猜一猜**：合并之后的仓库合法吗（`"valid"` 还是 `"invalid"`）？

# %% [markdown] id="clean-merge-text" lang="en"
# A merge without a conflict: `side` adds a file to `projects/`, `main` removes all of `projects/`. Each commit passes the gatekeeper.
#
# **Guess**: is the repository after the merge `"valid"` or `"invalid"`?

# %% id="guess-merge"
guess = "valid"

# %% id="clean-merge"
from mini_letta.memory.audit import audit_committed

(side.dir / "projects" / "later.md").write_text(T["plan"], encoding="utf-8")
brief("cd ~/side && git add projects && git commit -q -m 'a plan for later'; git log --oneline -1")
brief("git rm -q -r projects && git commit -q -m 'no more projects'; git log --oneline -1")
brief("git merge -q -m 'merge side' side; echo exit=$?; git ls-files projects")
answer = "invalid" if audit_committed(bench.session.repo) else "valid"

# %% id="compare-merge"
compare(guess, answer, page="valid", lang=T["lang"])

# %% [markdown] id="merge-graph-text" lang="zh"
# 两条线各自合法，汇到一处就不合法了：

# %% [markdown] id="merge-graph-text" lang="en"
# Each of the two lines is valid. Where they meet, the memory is not:

# %% id="merge-graph"
commit_graph(
    bench.session.repo,
    marks={"HEAD": ("bypassed", "invalid"), "HEAD^1": "valid", "HEAD^2": "valid"},
    limit=4,
    lang=T["lang"],
)

# %% id="merge-reported"
ping()
write("projects/MEMORY.md", T["index"])
brief("git add projects && git commit -q -m 'give projects its index back'")

# %% [markdown] id="forged-text" lang="zh"
# ### 仍然开着的口子
#
# 模型自己设批准变量，前面已经看到了。审计记录也一样好伪造：绕过 hook，再告诉审计“这个 HEAD 审过了，没问题”。最后一行是规则自己的结论。

# %% [markdown] id="forged-text" lang="en"
# ### What stays open
#
# We have seen the model set the approval variable. The audit record is just as easy to forge: get around the hook, then tell the audit that this HEAD has been audited and is fine. The last line is what the rules themselves say.

# %% id="forged"
write("persona.md", T["bypassed"])
brief("""
git commit -q -a --no-verify -m 'sneaky'
record=$(git rev-parse --git-dir)/mini-letta-last-audit.json
echo '{"revision": "'$(git rev-parse HEAD)'", "ok": true}' > $record
""")
ping()
print(audit_committed(bench.session.repo))

# %% [markdown] id="end" lang="zh"
# 没有通知。要防住存心这样做的人，证据得放在他够不着的地方：签名、服务器端检查、另一个系统账号。正文 7.5 讲了这三样。
#
# **接下来。** 正文的 [7.10](../../chapters/zh/07-gatekeeper.md#7-10) 有三道练习。

# %% [markdown] id="end" lang="en"
# No notice. To stop someone who means it, the evidence has to lie where they cannot reach: a signature, a check on a server, another account. Section 7.5 of the chapter explains all three.
#
# **Next.** Section [7.10](../../chapters/en/07-gatekeeper.md#7-10) of the chapter has three exercises.

# %% id="close"
small.close()
bench.close()

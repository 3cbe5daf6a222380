# %% [markdown] id="title" lang="zh"
# # 第 6 章 工具、循环、mock
#
# 一句话怎么变成一次提交？这一章把一个回合从头走到尾：四个工具，一个循环，和一个按固定规则说话的假模型。然后让模型捣乱，看循环扛得住什么，扛不住什么。
#
# 从上到下运行，几秒钟。讲解在[第 6 章正文](../../chapters/zh/06-turn.md)里。

# %% [markdown] id="title" lang="en"
# # Chapter 6 Tools, the loop, the mock
#
# How does a sentence become a commit? This chapter walks through one turn from top to bottom: four tools, one loop, and a model that is not real and speaks by fixed rules. Then we let the model misbehave, and see what the loop survives and what it does not.
#
# Run it from top to bottom; it takes a few seconds. The explanations are in [chapter 6](../../chapters/en/06-turn.md).

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "tea": "记住：我爱喝茶",
}

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "tea": "remember I like tea",
}

# %% [markdown] id="tools-text" lang="zh"
# ## 6.1 四个工具
#
# agent 会的全在这里。

# %% [markdown] id="tools-text" lang="en"
# ## 6.1 Four tools
#
# This is everything the agent can do.

# %% id="tools"
from mini_letta import v0_2, v0_3
from mini_letta.course.predict import compare
from mini_letta.course.show import turn_trace
from mini_letta.course.workbench import Workbench
from mini_letta.providers.mock import MockModel, Scripted
from mini_letta.providers.protocol import ToolCall
from mini_letta.tools import run_tool

bench = Workbench(v0_2.HARNESS, lang=T["lang"])
for tool in v0_2.HARNESS.tools:
    print(f"{tool.name:10} ({', '.join(tool.parameters)})  {tool.description}")

# %% [markdown] id="failures-text" lang="zh"
# 模型可能写出任何参数。我们替它写几个坏的。
#
# **猜一猜**：下面六次调用，有几次会抛出异常？

# %% [markdown] id="failures-text" lang="en"
# A model can write any arguments. We write a few bad ones for it.
#
# **Guess**: how many of the six calls below raise an exception?

# %% id="guess-failures"
guess = 3

# %% id="failures"
calls = [
    ("read_file", '{"path": "nowhere.md"}'),
    ("read_file", '{"path": "../../../etc/passwd"}'),
    ("write_file", '{"path": ".git/config", "content": ""}'),
    ("edit_file", '{"path": "human.md", "old": "no such words", "new": ""}'),
    ("shell", '{"command": "exit 7'),
    ("fly", "{}"),
]
answer = 0
for name, arguments in calls:
    try:
        result = run_tool(
            v0_2.HARNESS.tools, bench.session, ToolCall(id="1", name=name, arguments=arguments)
        )
    except Exception:  # noqa: BLE001 (counting them is the point)
        answer += 1
    else:
        print(f"{name:10} ok={result.ok}  {result.text}")

# %% id="compare-failures"
compare(guess, answer, page=3, lang=T["lang"])

# %% [markdown] id="failures-why" lang="zh"
# 一次也没有。工具里出的错变成一段文字，交给模型去读；抛异常会结束回合，而能改过来的正是模型。

# %% [markdown] id="failures-why" lang="en"
# Not one. What goes wrong in a tool becomes text for the model to read. An exception would end the turn, and the one who can put things right is the model.

# %% [markdown] id="turn-text" lang="zh"
# ## 6.2 一个回合
#
# 一句话进去，模型和工具轮流说话，直到模型不再要工具：

# %% [markdown] id="turn-text" lang="en"
# ## 6.2 One turn
#
# A sentence goes in, and model and tools take turns until the model asks for no more:

# %% id="turn"
turn = bench.turn(T["tea"])
turn_trace(turn, shown=bench.shown, lang=T["lang"])

# %% [markdown] id="seen-text" lang="zh"
# 这个回合往对话里添了这些。每次调用，模型看到的是系统提示，加上到那时为止的整段对话。

# %% [markdown] id="seen-text" lang="en"
# This is what the turn has added to the conversation. At each call the model is shown the system prompt, and below it all that has been said so far.

# %% id="messages"
for message in turn.messages:
    calls = " ".join(call.name for call in message.tool_calls)
    print(f"{message.role:9} {calls or message.text.splitlines()[0]}")
bench.sh("git log --oneline")

# %% [markdown] id="mock-text" lang="zh"
# ## 6.3 mock 决定什么，不决定什么
#
# mock 只决定说什么、调哪个工具。git、hook、文件、锁，全是真的。同样的话，每台机器上都得到同样的字节，提交号也一样：

# %% [markdown] id="mock-text" lang="en"
# ## 6.3 What the mock decides, and what not
#
# The mock decides only what to say and which tool to call. git, hook, files and locks are real. The same words lead to the same bytes on every machine, commit ids included:

# %% id="same-twice"
with Workbench(v0_2.HARNESS, lang=T["lang"]) as again:
    again.turn(T["tea"])
    other = again.run("git rev-parse HEAD").text
print("same commit:", other == bench.run("git rev-parse HEAD").text)

# %% [markdown] id="scripted-text" lang="zh"
# 要试一个特定的情形，就把回答写好交给它。它还记得自己看到了什么：

# %% [markdown] id="scripted-text" lang="en"
# To try one particular situation, hand it the replies. It also remembers what it was shown:

# %% id="scripted"
script = Scripted(["seven"])
with Workbench(v0_2.HARNESS, lang=T["lang"], provider=script) as scripted:
    scripted.say("3 + 4")
print([message.role for message in script.seen[0]])

# %% [markdown] id="malformed-text" lang="zh"
# ## 6.4 捣乱的模型
#
# 参数写到一半就断了。工具的回答是一句话，模型看到之后自己改过来：

# %% [markdown] id="malformed-text" lang="en"
# ## 6.4 Models that misbehave
#
# The arguments break off in the middle. The answer of the tool is a sentence, and the model puts it right:

# %% id="malformed"
with Workbench(v0_2.HARNESS, lang=T["lang"], provider=MockModel("malformed_arguments")) as sloppy:
    sloppy.say(T["tea"])

# %% [markdown] id="endless-text" lang="zh"
# 停不下来的模型：每次回答都要再看一眼。回答满 `max_steps` 次，由循环来结束这个回合。平时的上限是 20，这里设成 3：

# %% [markdown] id="endless-text" lang="en"
# A model that never stops: each of its replies wants one more look. After `max_steps` of them the loop ends the turn. The limit is 20; here we set it to 3:

# %% id="endless"
patient = v0_2.HARNESS.with_(max_steps=3)
with Workbench(patient, lang=T["lang"], provider=MockModel("never_stops")) as endless:
    endless.say(T["tea"])

# %% [markdown] id="overwrite-text" lang="zh"
# ## 6.5 3B 模型的那次覆盖
#
# 课程稿里有一个 3B 的模型，用 `write_file` 把 `human.md` 整个写成了乱码，没有提交。我们的 mock 照做一遍，还说自己记住了。
#
# **猜一猜**：HEAD 里的 `human.md` 现在是好的（`"good"`）还是坏的（`"garbage"`）？

# %% [markdown] id="overwrite-text" lang="en"
# ## 6.5 The overwrite of a 3B model
#
# The course text tells of a model with 3B parameters that used `write_file` and filled the whole of `human.md` with garbage. It committed nothing. Our mock does the same, and claims that it remembers.
#
# **Guess**: is `human.md` at HEAD `"good"` now, or `"garbage"`?

# %% id="guess-overwrite"
guess = "garbage"

# %% id="overwrite"
small = Workbench(v0_2.HARNESS, lang=T["lang"], provider=MockModel("garbage"))
small.say(T["tea"])
small.sh("git status --short; cat human.md; echo ----; git show HEAD:human.md")
answer = "garbage" if "##{{" in small.run("git show HEAD:human.md").text else "good"

# %% id="compare-overwrite"
compare(guess, answer, page="garbage", lang=T["lang"])

# %% [markdown] id="refused-text" lang="zh"
# 写文件不是提交，所以 HEAD 没有动。下一次它也许会提交。我们替它提交，看看会怎样（最后一行是提交的个数）：

# %% [markdown] id="refused-text" lang="en"
# Writing a file is not committing it, so HEAD did not move. Next time the model may commit. We do it in its place (the last line is the number of commits):

# %% id="refused"
small.sh("""
git commit -a -m 'update memory' 2>&1 | sed -n 1,2p
git rev-list --count HEAD
""")

# %% [markdown] id="believed-text" lang="zh"
# 守门员拒绝了，HEAD 没事。可是 v0.2 的系统提示读的是目录，模型下一回合相信的就是乱码：

# %% [markdown] id="believed-text" lang="en"
# The gatekeeper refused, and HEAD survived. But the system prompt of v0.2 reads the folder, and what the model believes in the next turn is the garbage:


# %% id="believed" mini_letta={"pitfall": "uncommitted-in-prompt", "role": "fails"}
def human_block(bench):
    """The part of a new system prompt that is about the user."""
    prompt = bench.prompt_text(fresh=True)
    return prompt[prompt.index("<human>") : prompt.index("</human>") + len("</human>")]


print(human_block(small))

# %% [markdown] id="restored-text" lang="zh"
# v0.3 只从 HEAD 编译。文件取回来也只要一条命令，因为好的那一版在 git 里：

# %% [markdown] id="restored-text" lang="en"
# v0.3 compiles from HEAD alone. And one command brings the file back, because the good version is in git:

# %% id="restored" mini_letta={"pitfall": "uncommitted-in-prompt", "role": "fixed"}
small.upgrade(v0_3.HARNESS)
print(human_block(small))
small.sh("git restore human.md && git status --short")

# %% id="close"
small.close()
bench.close()

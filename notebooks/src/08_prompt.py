# %% [markdown] id="title" lang="zh"
# # 第 8 章 系统提示与历史
#
# 模型每一回合看到两样东西：系统提示，和之前说过的话。这一章看它们从哪里来，什么时候变，进程死了还剩下什么。
#
# 从上到下运行，十几秒。三个坑先失败，再修好；最后一个修不了，留给后面的阶段。讲解在[第 8 章正文](../../chapters/zh/08-prompt.md)里。

# %% [markdown] id="title" lang="en"
# # Chapter 8 The prompt and the history
#
# In every turn a model sees two things: the system prompt, and what was said before. This chapter looks at where they come from, when they change, and what is left of them when a process dies.
#
# Run it from top to bottom; it takes some ten seconds. Pitfalls fail first and are then fixed; the last one stays open, for a later stage. The explanations are in [chapter 8](../../chapters/en/08-prompt.md).

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "ping": "在吗",
    "spoiled": "乱码 ##{{ tabs?? ]]\n",
    "tea": "记住：我爱喝茶",
    "recall": "你记得什么",
    "cat": "我的猫叫艾达\n她十二岁了",
    "age": "十二岁",
    "kill": "运行：kill -9 $PPID",
    "index": "# 笔记\n",
    "longer": "# 笔记\n\n- 以后再写\n",
}

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "ping": "ping",
    "spoiled": "garbage ##{{ tabs?? ]]\n",
    "tea": "remember I like tea",
    "recall": "what do you remember?",
    "cat": "my cat is called Ada\nshe is twelve",
    "age": "twelve",
    "kill": "run: kill -9 $PPID",
    "index": "# Notes\n",
    "longer": "# Notes\n\n- to be written\n",
}

# %% [markdown] id="uncommitted-text" lang="zh"
# ## 8.1 模型相信什么
#
# v0.2 每回合把记忆目录里的文件编译成系统提示。现在有人（也许就是模型自己）把 `human.md` 写坏了，没有提交。
#
# **猜一猜**：坏内容进了系统提示吗？（`"yes"` 或 `"no"`）

# %% [markdown] id="uncommitted-text" lang="en"
# ## 8.1 What the model believes
#
# v0.2 compiles the files of the memory folder into the system prompt, every turn anew. Now somebody, perhaps the model itself, spoils `human.md` and commits nothing.
#
# **Guess**: is the garbage in the system prompt? (`"yes"` or `"no"`)

# %% id="guess-uncommitted"
guess = "no"

# %% id="uncommitted-fails" mini_letta={"pitfall": "uncommitted-in-prompt", "role": "fails"}
from mini_letta import v0_2, v0_3, v0_4
from mini_letta.course.predict import compare
from mini_letta.course.workbench import Workbench

bench = Workbench(v0_2.HARNESS, lang=T["lang"])


def write(path, text):
    (bench.dir / path).write_text(text, encoding="utf-8")


def human_block():
    """The part of a new system prompt that is about the user."""
    prompt = bench.prompt_text(fresh=True)
    return prompt[prompt.index("<human>") : prompt.index("</human>") + len("</human>")]


write("human.md", T["spoiled"])
bench.sh("git status --short")
print(human_block())
answer = "yes" if T["spoiled"].strip() in human_block() else "no"

# %% id="compare-uncommitted"
compare(guess, answer, page="no", lang=T["lang"])

# %% [markdown] id="committed-text" lang="zh"
# 守门员什么都没拦住：没有提交，hook 就没有运行。v0.3 换了一个接缝：系统提示只从 HEAD 编译。文件还是坏的，提示是好的。

# %% [markdown] id="committed-text" lang="en"
# The gatekeeper stopped nothing: without a commit no hook runs. v0.3 replaces one seam: the prompt is compiled from HEAD alone. The file is still spoiled; the prompt is good.

# %% id="uncommitted-fixed" mini_letta={"pitfall": "uncommitted-in-prompt", "role": "fixed"}
bench.upgrade(v0_3.HARNESS)
bench.sh("git status --short")
print(human_block())
bench.sh("git restore human.md")

# %% [markdown] id="whole-text" lang="zh"
# ## 8.2 一份完整的系统提示
#
# `{CORE_MEMORY}` 的位置换成了记忆。根目录的每个文件是一块，`MEMORY.md` 在最后；子目录只列名字，要看再读。

# %% [markdown] id="whole-text" lang="en"
# ## 8.2 A whole system prompt
#
# The memory stands in the place of `{CORE_MEMORY}`. Each file at the root is a block, `MEMORY.md` comes last; of a folder only its name is listed, to be read when it is needed.

# %% id="whole-prompt"
(bench.dir / "notes").mkdir()
write("notes/MEMORY.md", T["index"])
bench.sh("git add notes && git commit -q -m 'a folder of notes'")
bench.prompt(fresh=True)

# %% [markdown] id="stable-text" lang="zh"
# ## 8.3 什么时候变
#
# 系统提示排在最前面，服务商按开头的字节做缓存。它一变，后面的全部要重算。所以 v0.3 不改它：记忆变了，就在对话里加一条 `<memory_update>`。

# %% [markdown] id="stable-text" lang="en"
# ## 8.3 When it changes
#
# The system prompt comes first, and providers cache by the first bytes. If it changes, everything after it has to be computed again. So v0.3 leaves it alone: when the memory has changed, a `<memory_update>` is added to the conversation.

# %% id="update"
bench.say(T["ping"])
first = bench.session.conversation.system
bench.say(T["tea"])
bench.say(T["recall"])
print("----")
print("same bytes:", bench.session.conversation.system == first)

# %% [markdown] id="same-text" lang="zh"
# 子目录里的文件改了，提示里看到的一字不差，就没有什么可通知的：

# %% [markdown] id="same-text" lang="en"
# If a file in a folder changes, what the prompt shows stays the same, and there is nothing to announce:

# %% id="same-rendering"
write("notes/MEMORY.md", T["longer"])
bench.sh("git commit -q -a -m 'more notes' && git log --oneline -1")
bench.say(T["ping"])

# %% [markdown] id="lost-text" lang="zh"
# ## 8.4 说过的话去了哪里
#
# 记忆在 git 里，说过的话不在。告诉 agent 一件事，然后换一个进程（重新打开同一个对话）：

# %% [markdown] id="lost-text" lang="en"
# ## 8.4 Where the words go
#
# The memory is in git. What was said is not. Tell the agent something, then change the process (open the same conversation again):


# %% id="lost-fails" mini_letta={"pitfall": "history-lost-on-exit", "role": "fails"}
def heard():
    """Who said how much of what the model will be shown."""
    for message in bench.session.conversation.messages:
        first_line = message.text.partition("\n")[0]
        print(f"{message.role:10} {first_line[:60]}".rstrip())


bench.say(T["cat"])
bench.upgrade(v0_3.HARNESS)
print("---- a new process")
heard()

# %% [markdown] id="log-text" lang="zh"
# 记忆更新还在，猫不见了。v0.4 把对话写成日志，一行一件事，只追加：

# %% [markdown] id="log-text" lang="en"
# The memory updates are there; the cat is gone. v0.4 writes the conversation down as a log, one line for each thing that happens, and only ever appends:

# %% id="lost-fixed" mini_letta={"pitfall": "history-lost-on-exit", "role": "fixed"}
bench.upgrade(v0_4.HARNESS)
bench.say(T["cat"])
bench.upgrade(v0_4.HARNESS)
print("---- a new process")
heard()
bench.sh("head -c 200 ~/.mini-letta/sessions/default.main.jsonl")

# %% [markdown] id="one-line-text" lang="zh"
# 两个阶段的差别：

# %% [markdown] id="one-line-text" lang="en"
# What lies between the two stages:

# %% id="one-line"
bench.sh("mini-letta stages diff v0.3 v0.4")

# %% [markdown] id="torn-text" lang="zh"
# ## 8.5 进程被杀，剩下什么
#
# 写到一半断电，最后一行就是残的。这里手工做一行残的：

# %% [markdown] id="torn-text" lang="en"
# ## 8.5 What a killed process leaves
#
# If the power fails in the middle of a write, the last line is torn. Here we tear one by hand:

# %% id="torn"
bench.sh("""printf '{"seq": 6, "type' >> ~/.mini-letta/sessions/default.main.jsonl""")
bench.say(T["ping"])

# %% [markdown] id="killed-text" lang="zh"
# 更常见的是进程死在回合中间。这里让 agent 用它的 shell 杀掉自己的进程，真的 `kill -9`：

# %% [markdown] id="killed-text" lang="en"
# More often a process dies in the middle of a turn. Here the agent kills its own process with its shell, a real `kill -9`:

# %% id="killed"
bench.sh(f"""
{{ mini-letta say '{T["kill"]}'; }} > /dev/null 2>&1; echo exit=$?
mini-letta sessions show | tail -4
""")

# %% [markdown] id="ended-text" lang="zh"
# 调用写下来了，结果没有。下一个进程先替它收尾，再说自己的话：

# %% [markdown] id="ended-text" lang="en"
# The call is on record, a result is not. The next process first ends that turn, and then has its own:

# %% id="ended"
bench.say(T["ping"])
bench.sh("mini-letta sessions show | tail -6")

# %% [markdown] id="compact-text" lang="zh"
# ## 8.6 压缩
#
# 对话越来越长，总有装不下的一天。`compact` 请模型写一份摘要，用它顶替较早的话；最近两个回合原样留着。
#
# **猜一猜**：猫的年龄，压缩之后模型还看得到吗？（`"yes"` 或 `"no"`）

# %% [markdown] id="compact-text" lang="en"
# ## 8.6 Compaction
#
# A conversation grows until it does not fit any more. `compact` asks the model for a summary and puts it in the place of what was said earlier; the two newest turns stay as they are.
#
# **Guess**: after that, can the model still see how old the cat is? (`"yes"` or `"no"`)

# %% id="guess-compact"
guess = "yes"

# %% id="compacted"
from mini_letta.logged_turn import compact_conversation

compact_conversation(bench.session)
heard()
seen = [message.text for message in bench.session.conversation.messages]
answer = "yes" if any(T["age"] in text for text in seen) else "no"

# %% id="compare-compact"
compare(guess, answer, page="yes", lang=T["lang"])

# %% [markdown] id="labels-text" lang="zh"
# 这个 mock 的摘要只记每句话的第一行，年龄在第二行。真模型写得好一些，但凡是摘要，总有写不进去的。日志里一行不少：`current` 是模型看得到的，`shadowed` 是被顶替的，`log-only` 是从来不给模型看的。

# %% [markdown] id="labels-text" lang="en"
# The summary of this mock has the first line of each message; the age was in the second. A real model summarises better, but every summary leaves something out. In the log not a line is missing: `current` is what the model sees, `shadowed` was replaced, `log-only` was never shown to it.

# %% id="labels"
bench.sh("mini-letta sessions show")

# %% [markdown] id="fold-text" lang="zh"
# 摘要的序号最大，却站在最前面：它占的是被顶替的那些话的位置。模型看到的顺序是这样折叠出来的：

# %% [markdown] id="fold-text" lang="en"
# The summary has the largest number and yet stands first: it has the place of what it replaces. This is how the order that the model sees is folded:

# %% id="fold"
fold = bench.session.conversation.log.fold
print("seen, in order:", fold.nodes)
checkpoint = fold.current[0]
print("the first one: ", checkpoint.op, "cites", checkpoint.cites)

# %% [markdown] id="recompiled-text" lang="zh"
# 反正前面的字节已经变了，系统提示也趁这时从 HEAD 重新编译，之前的 `<memory_update>` 不再发送：

# %% [markdown] id="recompiled-text" lang="en"
# The first bytes have changed anyway, so the system prompt is compiled anew from HEAD at this point, and earlier memory updates are not sent any more:

# %% id="recompiled"
bench.say(T["ping"])
print("----")
print("prompts compiled:", sum(event.type == "prompt/compiled" for event in fold.events))

# %% [markdown] id="open-text" lang="zh"
# 还开着的坑：猫的年龄在日志里，模型却找不到。要找回来，得能搜索日志；那是后面的阶段。

# %% [markdown] id="open-text" lang="en"
# What stays open: the age of the cat is in the log, and the model cannot find it. To get it back one has to search the logs; a later stage does.

# %% id="still-there"
bench.sh(f"grep -o '{T['age']}' ~/.mini-letta/sessions/default.main.jsonl | head -1")
print("tools:", *(tool.name for tool in v0_4.HARNESS.tools))

# %% id="close"
bench.close()

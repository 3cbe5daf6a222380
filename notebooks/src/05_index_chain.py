# %% [markdown] id="title" lang="zh"
# # 第 5 章 索引链
#
# 记忆是一个目录。哪些文件算记忆，模型怎么找到它们，一个坏文件会把谁挡住？
#
# 从上到下运行，几秒钟。讲解在[第 5 章正文](../../chapters/zh/05-index-chain.md)里。

# %% [markdown] id="title" lang="en"
# # Chapter 5 The index chain
#
# A memory is a folder. Which files in it count, how does the model find them, and whom does one bad file block?
#
# Run it from top to bottom; it takes a few seconds. The explanations are in [chapter 5](../../chapters/en/05-index-chain.md).

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "note": "---\nname: 笔记\ndescription: 一条笔记\n---\n- 周三交稿\n",
    "index": "# 索引\n",
    "long": "- 每天早上读十页书，晚上写三行日记。\n" * 8,
    "locked": "---\ndescription: 我是谁\nread_only: true\n---\n冷静。\n",
    "open": "---\ndescription: 我是谁\n---\n随便。\n",
    "name": "人格",
}

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "note": "---\nname: Note\ndescription: One note\n---\n- hand in on Wednesday\n",
    "index": "# Index\n",
    "long": "- Reads ten pages every morning and writes three lines every night.\n" * 3,
    "locked": "---\ndescription: Who I am\nread_only: true\n---\nCalm.\n",
    "open": "---\ndescription: Who I am\n---\nAnything.\n",
    "name": "personé",
}

# %% [markdown] id="place-text" lang="zh"
# ## 5.1 记忆住在哪里
#
# 一个 agent 一个目录，目录就是 git 仓库。新的记忆有三个文件：

# %% [markdown] id="place-text" lang="en"
# ## 5.1 Where memory lives
#
# Each agent has a folder, and the folder is a git repository. A new memory has three files:

# %% id="place"
from mini_letta import v0_2
from mini_letta.course.predict import compare
from mini_letta.course.show import memory_tree
from mini_letta.course.workbench import Workbench

bench = Workbench(v0_2.HARNESS, lang=T["lang"])


def write(path, text):
    file = bench.dir / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def problems(script):
    """Run bash in the memory folder; of a refusal print only its problem lines."""
    output = bench.run(script)
    refused, _, rest = output.text.partition("Memory validation failed:\n")
    print(rest.split("\n\n")[0] if rest else refused.rstrip("\n"))
    print(f"exit={output.code}")


bench.sh("pwd; git ls-files; cat MEMORY.md")

# %% [markdown] id="chain-text" lang="zh"
# ## 5.2 断掉的链
#
# 写一条合格的笔记，放进两层深的目录，提交。
#
# **猜一猜**：会成功（`"committed"`）还是被拒（`"refused"`）？

# %% [markdown] id="chain-text" lang="en"
# ## 5.2 A broken chain
#
# We write a valid note, put it two folders deep, and commit it.
#
# **Guess**: is it `"committed"` or `"refused"`?

# %% id="guess-chain"
guess = "committed"

# %% id="chain-fails"
write("projects/book/plan.md", T["note"])
problems("git add projects && git commit -q -m 'a plan'")
answer = "refused" if bench.run("git log --oneline | wc -l").text.strip() == "1" else "committed"

# %% id="compare-chain"
compare(guess, answer, page="committed", lang=T["lang"])

# %% [markdown] id="from-above-text" lang="zh"
# 光给文件身边的目录补一个索引还不够：链要从根上一节一节连下来。

# %% [markdown] id="from-above-text" lang="en"
# An index beside the file is not enough: the chain has to reach it from the root, link by link.

# %% id="chain-half"
write("projects/book/MEMORY.md", T["index"])
problems("git add projects && git commit -q -m 'a plan'")

# %% id="chain-fixed"
write("projects/MEMORY.md", T["index"])
problems("git add projects && git commit -q -m 'a plan' && git ls-files projects")

# %% [markdown] id="why-text" lang="zh"
# 为什么这么严？看看模型看到了什么。子目录在提示里只有一行，里面的文件要顺着索引去找：

# %% [markdown] id="why-text" lang="en"
# Why so strict? Look at what the model sees. A folder is one line in its prompt, and what is inside is found by following the indexes:

# %% id="deferred"
prompt = bench.prompt_text(fresh=True)
print(prompt[prompt.index("<memory>") :].rstrip())

# %% [markdown] id="counts-text" lang="zh"
# ## 5.3 什么算记忆
#
# 规则只管 Markdown，而且不管 `skills/`。下面几个文件里，只有一个会被拒：

# %% [markdown] id="counts-text" lang="en"
# ## 5.3 What counts as memory
#
# The rules are about Markdown, and not about what is below `skills/`. Of these files only one is refused:

# %% id="counts"
write("data/table.csv", "a,b\n")
write("skills/pdf/SKILL.md", "Use me.\n")
write("loose/page.md", T["note"])
problems("git add data skills loose && git commit -q -m 'many things'")
bench.sh("git reset -q && rm -r loose")
problems("git add data skills && git commit -q -m 'many things' && git ls-files data skills")

# %% [markdown] id="budget-text" lang="zh"
# ## 5.4 深度和预算
#
# `a/b/c.md` 的深度是 2，这是上限。大小按字符数算：一个汉字、一个表情、一个字母，都算一个。

# %% [markdown] id="budget-text" lang="en"
# ## 5.4 Depth and budget
#
# `a/b/c.md` has depth 2, and that is the limit. Size is counted in characters: a letter, a Chinese character and an emoji are one each.

# %% id="depth"
write("projects/book/drafts/MEMORY.md", T["index"])
write("projects/book/drafts/one.md", T["note"])
problems("git add projects && git commit -q -m 'a draft'")
bench.sh("git reset -q && rm -r projects/book/drafts")

# %% [markdown] id="bars-text" lang="zh"
# 给 `human.md` 定一个小一点的上限，再让它长一点：

# %% [markdown] id="bars-text" lang="en"
# We give `human.md` a small limit, and let it grow:

# %% id="bars"
write(
    ".memfs.config.json",
    '{"version": 1, "fileCharacterLimits":\n [{"pattern": "human.md", "maxCharacters": 200}]}\n',
)
bench.run("git add . && MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'a budget'")
write("human.md", (bench.dir / "human.md").read_text(encoding="utf-8") + T["long"])
problems("git commit -q -a -m 'know the user better'")
memory_tree(bench.session.repo, None, lang=T["lang"])

# %% id="bars-restored"
bench.sh("git restore --staged --worktree . && git status --short")

# %% [markdown] id="stuck-text" lang="zh"
# ## 5.5 一个坏文件挡住所有人
#
# 有人暂存了一个坏文件就走了。你要提交的是另一个文件，它好好的。

# %% [markdown] id="stuck-text" lang="en"
# ## 5.5 One bad file blocks everybody
#
# Somebody staged a bad file and went away. What you want to commit is another file, and there is nothing wrong with it.

# %% id="stuck-fails" mini_letta={"pitfall": "staged-bad-file", "role": "fails"}
write("bad.md", "oops\n")
write("good.md", T["note"])
bench.run("git add bad.md")
problems("git add good.md && git commit -q -m 'a good note'")

# %% [markdown] id="unstuck-text" lang="zh"
# 守门员审的是整个暂存区，不只是你的改动。把坏文件请出暂存区（或者把它改好）：

# %% [markdown] id="unstuck-text" lang="en"
# The gatekeeper judges the whole index, not only your change. Take the bad file out of it, or make it good:

# %% id="stuck-fixed" mini_letta={"pitfall": "staged-bad-file", "role": "fixed"}
problems("git restore --staged bad.md && git commit -q -m 'a good note' && git log --oneline -1")
bench.sh("git status --short")

# %% [markdown] id="legacy-text" lang="zh"
# ## 5.6 两种旧布局
#
# letta-code 以前的布局是 `system/` 和 `reference/`，文件可以用 `read_only: true` 把自己锁上。任何 git 仓库都能装上这种 hook：

# %% [markdown] id="legacy-text" lang="en"
# ## 5.6 Two older layouts
#
# An older layout of letta-code has `system/` and `reference/`, and a file can lock itself with `read_only: true`. Any git repository can be given a hook for it:

# %% id="legacy"
bench.sh("git init -q -b main ~/old")
legacy = bench.dir.parents[3] / "old"
(legacy / "system").mkdir()
(legacy / "system" / f"{T['name']}.md").write_text(T["locked"], encoding="utf-8")
bench.sh("""
cd ~/old && git add . && git commit -q -m 'from before'
mini-letta memory install-hook . --policy legacy-only
""")

# %% [markdown] id="locked-text" lang="zh"
# 三次尝试：改内容，去掉锁，删文件。

# %% [markdown] id="locked-text" lang="en"
# Three attempts: change the text, take the lock off, remove the file.

# %% id="locked"
for text in (T["locked"] + "!\n", T["open"], None):
    file = legacy / "system" / f"{T['name']}.md"
    file.unlink() if text is None else file.write_text(text, encoding="utf-8")
    problems("cd ~/old && git add -A && git commit -q -m 'a change'")
    bench.run("cd ~/old && git reset -q --hard")

# %% id="close"
bench.close()

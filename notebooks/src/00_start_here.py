# %% [markdown] id="title" lang="zh"
# # 第 0 章 从这里开始
#
# 这门课靠四样东西：git 的暂存区、hook、worktree，和 agent 的一个回合。这一章把每样都用手摸一遍，不讲道理，只看现象。
#
# 所有命令都是真的，在一个临时家目录里跑，输出里写作 `~`。讲解在[第 0 章正文](../../chapters/zh/00-start-here.md)里。

# %% [markdown] id="title" lang="en"
# # Chapter 0 Start here
#
# Four things carry this course: the index of git, a hook, a worktree, and one turn of the agent. In this chapter we touch each of them once; what it means comes later.
#
# Every command is real and runs in a temporary home, printed as `~`. The explanations are in [chapter 0](../../chapters/en/00-start-here.md).

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "tea": "记住：我爱喝茶",
    "recall": "你记得什么",
}

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "tea": "remember I like tea",
    "recall": "what do you remember?",
}

# %% [markdown] id="index-text" lang="zh"
# ## 0.1 暂存区
#
# `bench.sh` 运行真的 bash。新建一个仓库，暂存一个文件，再把文件改掉，然后提交：
#
# **猜一猜**：提交里是 `"first"` 还是 `"second"`？

# %% [markdown] id="index-text" lang="en"
# ## 0.1 The index
#
# `bench.sh` runs real bash. We make a repository, stage a file, change the file, and then commit:
#
# **Guess**: is `"first"` in the commit, or `"second"`?

# %% id="guess-index"
guess = "second"

# %% id="index"
from mini_letta import v1_0
from mini_letta.course.predict import compare
from mini_letta.course.show import commit_graph, turn_trace
from mini_letta.course.workbench import Workbench

bench = Workbench(v1_0.HARNESS, lang=T["lang"])
bench.sh("""
git init -q -b main ~/play && cd ~/play
echo first > note.md
git add note.md
echo second > note.md
git commit -q -m 'one note'
git show HEAD:note.md
""")
answer = bench.run("cd ~/play && git show HEAD:note.md").text.strip()

# %% id="compare-index"
compare(guess, answer, page="second", lang=T["lang"])

# %% [markdown] id="three-text" lang="zh"
# 同一个文件有三份：目录里的、暂存区里的、HEAD 里的。

# %% [markdown] id="three-text" lang="en"
# There are three versions of one file: in the folder, in the index, and at HEAD.

# %% id="three-versions"
bench.sh("""
cd ~/play
git add note.md && echo third > note.md
echo "folder: $(cat note.md)"
echo "index:  $(git show :note.md)"
echo "HEAD:   $(git show HEAD:note.md)"
git status --short
""")

# %% [markdown] id="hook-text" lang="zh"
# ## 0.2 hook
#
# hook 是一个文件，git 在某个时刻运行它。`pre-commit` 在提交之前；退出码不是 0，就没有提交。

# %% [markdown] id="hook-text" lang="en"
# ## 0.2 A hook
#
# A hook is a file that git runs at a certain moment. `pre-commit` runs before a commit; if its exit code is not 0, there is no commit.

# %% id="hook"
bench.sh("""
cd ~/play
printf '#!/bin/sh\\necho "the hook says no"\\nexit 1\\n' > .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
git commit -m 'second note'
git log --oneline
""")

# %% [markdown] id="around-text" lang="zh"
# 一个选项就能绕过去。这门课有一半在讲这件事的后果：

# %% [markdown] id="around-text" lang="en"
# One option goes around it. Half of this course is about what follows from that:

# %% id="around"
bench.sh("cd ~/play && git commit -q -m 'second note' --no-verify && git log --oneline")

# %% [markdown] id="worktree-text" lang="zh"
# ## 0.3 worktree
#
# 同一个仓库可以有第二个检出：自己的目录，自己的分支，自己的暂存区。

# %% [markdown] id="worktree-text" lang="en"
# ## 0.3 A worktree
#
# One repository can have a second checkout: a folder, a branch and an index of its own.

# %% id="worktree"
bench.sh("""
cd ~/play
git worktree add -q -b draft ../draft
cat ../draft/.git
cd ../draft && git rev-parse --git-dir && git rev-parse --git-path hooks
""")

# %% [markdown] id="shared-text" lang="zh"
# 那里的 `.git` 是一个文件，指向主仓库里的一个目录。对象和 hook 是共用的，HEAD 和暂存区各有各的：

# %% [markdown] id="shared-text" lang="en"
# There, `.git` is a file that points to a folder inside the main repository. Objects and hooks are shared; HEAD and index are not:

# %% id="shared"
bench.sh("""
cd ~/draft
echo draft > draft.md && git add draft.md
git commit -m 'from the worktree'; echo exit=$?
git commit -q -m 'from the worktree' --no-verify
cd ~/play && git status --short && git log --oneline --all
""")

# %% [markdown] id="turn-text" lang="zh"
# ## 0.4 一个回合
#
# 现在换到 agent。它的记忆是一个 git 仓库。跟它说一句话：

# %% [markdown] id="turn-text" lang="en"
# ## 0.4 One turn
#
# Now the agent. Its memory is a git repository. Say something to it:

# %% id="turn"
turn = bench.turn(T["tea"])
turn_trace(turn, shown=bench.shown, lang=T["lang"])

# %% [markdown] id="graph-text" lang="zh"
# 多了一次提交，hook 审过：

# %% [markdown] id="graph-text" lang="en"
# There is one more commit, and the hook has judged it:

# %% id="graph"
commit_graph(bench.session.repo, lang=T["lang"])

# %% [markdown] id="recall-text" lang="zh"
# 下一个回合，模型从提交里读到自己记了什么：

# %% [markdown] id="recall-text" lang="en"
# In the next turn the model reads from the commit what it has remembered:

# %% id="recall"
bench.say(T["recall"])

# %% id="close"
bench.close()

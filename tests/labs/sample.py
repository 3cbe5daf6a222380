# ruff: noqa: E501 - the first line of a cell cannot be wrapped
"""A small lab of its own, so that the tests of the machinery do not move with the real labs."""

from pathlib import Path

MASTER = '''\
# %% [markdown] id="title" lang="en"
# # Lab 9 A sample
#
# Failing is where you begin.

# %% [markdown] id="title" lang="zh"
# # 实验 9 样例
#
# 从失败开始。

# %% id="words" lang="en"
T = {"lang": "en"}

# %% id="words" lang="zh"
T = {"lang": "zh"}

# %% id="given"
import random

crowded = r"""
printf -- '---\\nname: N\\ndescription: D\\n---\\nlong\\n' > n.md
git add n.md && git commit -qm n
"""

# %% id="prelude" lab={"prelude": true}
def numbers():
    drawn = random.Random(SEED)
    return [drawn.randrange(100) for _ in range(4)]

# %% [markdown] id="task-9-1" lang="en" lab={"task": "9.1"}
# ## 9.1 Double
#
# - **a** `double(n)` returns twice the number.
# - **b** It also doubles
#   negative numbers.

# %% [markdown] id="task-9-1" lang="zh" lab={"task": "9.1"}
# ## 9.1 加倍
#
# - **a** `double(n)` 返回两倍。
# - **b** 负数
#   也加倍。

# %% id="answer-9-1" lab={"answer": "9.1"}
def double(n):
    """Return twice n."""
    ### BEGIN SOLUTION
    return 2 * n
    ### END SOLUTION

# %% id="check-9-1-a" lab={"check": "9.1a", "points": 1}
for n in numbers():
    tell(double, n)

# %% id="check-9-1-b" lab={"check": "9.1b", "points": 2, "hidden": true}
for n in numbers():
    tell(double, -n - 1)

# %% [markdown] id="hints-9-1" lang="en" lab={"hints": "9.1"}
# 1. Look at `*`.
# 2. What is two times n?
# 3. `return 2 * ...`

# %% [markdown] id="hints-9-1" lang="zh" lab={"hints": "9.1"}
# 1. 看看 `*`。
# 2. 二乘 n 是多少？
# 3. `return 2 * ...`

# %% [markdown] id="task-9-2" lang="en" lab={"task": "9.2"}
# ## 9.2 Longest
#
# - **a** `longest(words)` returns the longest word.
# - **b** Of several it returns the first.

# %% [markdown] id="task-9-2" lang="zh" lab={"task": "9.2"}
# ## 9.2 最长
#
# - **a** `longest(words)` 返回最长的词。
# - **b** 一样长时返回最前面的。

# %% id="answer-9-2" lab={"answer": "9.2"}
def longest(words):
    """Return the longest word."""
    ### BEGIN SOLUTION
    return max(words, key=len)
    ### END SOLUTION

# %% id="check-9-2-a" lab={"check": "9.2a", "points": 1}
tell(longest, ["a", "bb" * (1 + SEED % 5), "c"])

# %% id="check-9-2-b" lab={"check": "9.2b", "points": 1, "hidden": true}
tell(longest, ["x", "yy", "z" * 2])

# %% [markdown] id="hints-9-2" lang="en" lab={"hints": "9.2"}
# 1. Look at `max`.
# 2. What is compared?
# 3. `max(words, key=...)`

# %% [markdown] id="hints-9-2" lang="zh" lab={"hints": "9.2"}
# 1. 看看 `max`。
# 2. 比的是什么？
# 3. `max(words, key=...)`

# %% [markdown] id="task-9-3" lang="en" lab={"task": "9.3"}
# ## 9.3 A commit
#
# - **a** `script` adds one commit with the subject `more`.
# - **b** Every commit is valid memory.

# %% [markdown] id="task-9-3" lang="zh" lab={"task": "9.3"}
# ## 9.3 一次提交
#
# - **a** `script` 做一次说明为 `more` 的提交。
# - **b** 每次提交都是合法的记忆。

# %% id="answer-9-3" lab={"answer": "9.3"}
script = r"""
### BEGIN SOLUTION
printf -- '- more\\n' >> n.md
git commit -qam more
### END SOLUTION
"""

# %% id="check-9-3-a" lab={"check": "9.3a", "points": 1, "script": "script", "start": "crowded"}
from mini_letta.course.labs.history import read_history

show([commit.subject for commit in read_history(repo)])

# %% id="check-9-3-b" lab={"check": "9.3b", "points": 1, "script": "script", "start": "crowded", "hidden": true}
from mini_letta.course.labs.history import read_history

show([(commit.files.get("n.md"), commit.problems) for commit in read_history(repo)[1:]])

# %% [markdown] id="hints-9-3" lang="en" lab={"hints": "9.3"}
# 1. `git commit`.
# 2. What does `-a` stage?
# 3. `git commit -qam ...`

# %% [markdown] id="hints-9-3" lang="zh" lab={"hints": "9.3"}
# 1. `git commit`。
# 2. `-a` 暂存什么？
# 3. `git commit -qam ...`

# %% [markdown] id="task-9-4" lang="en" lab={"task": "9.4"}
# ## 9.4 Why
#
# Why?

# %% [markdown] id="task-9-4" lang="zh" lab={"task": "9.4"}
# ## 9.4 为什么
#
# 为什么？

# %% [markdown] id="written-9-4" lang="en" lab={"written": "9.4", "points": 4}
# *Your answer here.*
# ### BEGIN SOLUTION
# Because.
# ### END SOLUTION

# %% [markdown] id="written-9-4" lang="zh" lab={"written": "9.4", "points": 4}
# *在这里作答。*
# ### BEGIN SOLUTION
# 因为。
# ### END SOLUTION

# %% [markdown] id="rubric-9-4" lang="en" lab={"rubric": "9.4"}
# 4 points for "because".

# %% [markdown] id="rubric-9-4" lang="zh" lab={"rubric": "9.4"}
# 写出“因为”得 4 分。
'''

TABLE = """\
[lab9]
source = "lab9_sample.py"
stage = "v0.2"
hides = ["memory.constraints:check_size"]
cell_timeout_s = 5
"""


def write_sample(root: Path) -> Path:
    """Write a checkout's ``labs`` folder with the sample lab into ``root`` and return ``root``."""
    (root / "labs" / "src").mkdir(parents=True)
    (root / "labs" / "src" / "lab9_sample.py").write_text(MASTER, encoding="utf-8")
    (root / "labs" / "labs.toml").write_text(TABLE, encoding="utf-8")
    return root

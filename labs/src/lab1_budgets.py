# %% [markdown] id="title" lang="en"
# # Lab 1 Budgets and indexes
#
# A memory has to fit into a system prompt, and whatever does not fit has to be findable. So the gatekeeper of chapter 7 has a second rule: every folder has an index, every file has a budget, and the files at the root have one budget together. In this lab you write that rule, and you make it more helpful than the one in the book: it names everything that is missing at once and says how much has to go. Then you put it into the hook of a real repository and watch a model deal with it. At the end you tighten a budget the right way, which is not the obvious one, and say in a few sentences why.
#
# **Failing is where you begin.** Each answer cell raises `NotImplementedError` until you write it. `check("1.1")` names the sentence of the task that is not met yet, with what was expected and what was seen; `hint("1.1")` gives the next of three hints. When you hand the lab in, further checks run that you do not see: other inputs, and the odd cases the task names. Each exercise is checked alone, with the given cells and your answer to it, so you can skip one and come back. You work on stage v0.2; the rule itself is taken out of the package when the lab is graded.

# %% [markdown] id="title" lang="zh"
# # Lab 1 预算与索引
#
# 记忆要装进系统提示；装不下的，得找得到。所以第 7 章的守门员有第二条规则：每个目录要有索引，每个文件有预算，根目录的文件合起来还有一个总预算。这个实验里，你来写这条规则，并且写得比书里的更管用：缺什么一次说全，超了多少也说清楚。然后把它装进一个真仓库的 hook，看模型怎样应付。最后用对的办法收紧一次预算（最先想到的办法往往不对），再用几句话说说为什么。
#
# **不通过，就是起点。** 每个答案单元格在你写好之前都抛 `NotImplementedError`。`check("1.1")` 会指出题目里还没做到的那一句，并列出应有的结果和实际的结果；`hint("1.1")` 一次给一条提示，共三条。交上来以后，还会跑一些你看不到的检查：换一批输入，加上题目里写明的少见情形。每道题单独检查，只用给定的格子和你对这道题的回答，所以可以先跳过，回头再做。你站在 v0.2 上；评分的时候，规则本身会从包里拿掉。

# %% id="words" lang="en"
# The sentences of this edition; you can skip them.
T = {
    "lang": "en",
    "write": "write that plan down",
    "door": "- ! the code of the door is",
    "human": """\
---
name: Human
description: What I know about you
---
- ! allergic to peanuts
- In March we talked for a whole evening about the rain, and about what you would do if it stopped.
- ! prefers answers in two sentences
- You told me about the film with the dog, then about the book of the film, then about the dog.
- On a Tuesday you could not sleep, so we counted trains: forty-one, most of them late.
- ! birthday on the 4th of July
- You asked whether tea or coffee came first, and I said that I did not know, and you laughed.
- ! calls the cat Number Five
""",
    "plan": """\
---
name: Plan
description: What to do this year
---
- In January we said that this would be the year of the big rewrite, or else of the small one.
- ! chapter seven is due on the 1st of May
- The first draft of the draft was finished, thrown away, and then found to have been the best.
- ! the printer wants 300 dpi
- Somebody has to call the publisher. In April it was still somebody. In June it was nobody.
- ! Ada reads the proofs
- We moved the meeting to Thursday, then to Friday, then back, and then there was no meeting.
""",
    "index": """\
# Projects

- plan.md: what to do this year. Read it before you promise a date to anybody, and read it again
  when a date has gone by. The lines that begin with an exclamation mark are agreed with others;
  the rest is what was said at the time. Dates are those of the publisher, who counts weeks from
  Monday. When a chapter is handed in, its line goes to done.md and no further; done.md is made
  when the first one is.
""",
}

# %% id="words" lang="zh"
# 这一版用到的句子，可以跳过。
T = {
    "lang": "zh",
    "write": "把那个计划写下来",
    "door": "- ! 门上的密码是",
    "human": """\
---
name: 用户
description: 我对你的了解
---
- ! 对花生过敏
- 三月里有一个晚上，我们一直在聊雨，聊雨要是停了你打算干什么；雨没有停，所以后来也没有下文，你说改天再聊。
- ! 回答请控制在两句话以内
- 你讲了那部有狗的电影，又讲了电影的原著，又讲回那条狗；狗的名字你讲了三遍，三遍都不一样，我没有追问。
- 有个星期二你睡不着，我们一起数火车：一共四十一列，大半晚点；数到第四十二列，你睡着了，其实那是一阵风。
- ! 生日是七月四日
- 你问先有茶还是先有咖啡，我说不知道，你笑了；第二天你又问了一遍，我还是不知道，你说那就先喝水。
- ! 家里的猫叫五号
- 五月份你学做面包，第一个没有发起来，第二个发过了头，第三个刚刚好，被五号趴在上面睡了一觉；你问这还能不能吃，我说问五号。
- 你说想换一张大一点的书桌，量了三次房间，三次的尺寸都不一样；后来你把椅子换了，说坐着看，书桌好像确实大了一点。
""",
    "plan": """\
---
name: 计划
description: 今年要做的事
---
- 一月里我们说，今年是大改之年，要不就是小改之年；到了二月，又说还是先看看去年到底改了些什么，再决定今年改什么。
- ! 第七章五月一日交稿
- 初稿的初稿写完了，扔掉了，后来发现那一版写得最好；翻遍了回收站，只找到半页，于是那半页成了新的开头，一直用到现在。
- ! 印厂要 300 dpi
- 书名也改过：长的嫌长，短的嫌短，不长不短的已经有人用了；最后决定先空着，空到印厂来催，再从三个里面抓阄，阄由五号来抓。
- 得有人给出版社打电话。四月里还是“得有人”；到了六月，就没有人了；七月出版社打过来，问我们是不是还在写，我们说在写。
- ! 校样请阿达看
- 封面的颜色定过四次：先是蓝的，后来是更蓝的，再后来是别人家的那种蓝；最后一次定的是白的，因为大家都累了，谁也不想再看蓝色。
- 会改到星期四，又改到星期五，又改了回来；改到最后，会没有了，纪要倒是写了两份，一份说开过，一份说没开，两份都存着。
""",
    "index": """\
# 项目

- plan.md：今年要做的事。答应别人日期之前，先读一遍；日期过了，再读一遍。行首带感叹号的，
  是跟别人说定了的；其余的，是当时随口说的。日期一律照出版社的算法，一周从星期一开始。交了
  一章，就把那一行挪到 done.md，别再往别处挪；done.md 还没有，等第一章交了再建。写日期时写
  全年月日，不写“下周”“月底”。谁改了日期，谁在后面写上自己的名字，再写上是跟谁说定的。
  会议纪要不放在这里，放在各自的目录里，那里也各有各的索引。索引里不写正文，只写去哪里找。
  一行只说一个文件；要说两个，就写两行。文件挪了地方，这里跟着改；文件删了，这里也删。没有
  写进索引的文件，等于没有。索引太长，就先看看是不是该分目录了，不要把索引本身压得谁也看不懂。
  这份索引两个人在用，改动之前先问一声另一个人；问过了，就不必在这里写“已问过”。改错了不要
  紧，历史里都在，找回来就是；怕的是谁也不改，几个月以后，索引和目录成了两回事。
""",
}

# %% [markdown] id="open-text" lang="en"
# ## A memory without rule two
#
# `matches_glob` and the policy are given. `OPEN` is stage v0.2 with a hook whose second rule says yes to everything: four functions of the validator are replaced by functions that find nothing. Chapter 7, section 7.5, has the rule in words. Look what such a memory accepts: a file that no index leads to, and a `human.md` of any length.

# %% [markdown] id="open-text" lang="zh"
# ## 没有第二条规则的记忆
#
# `matches_glob` 和配置是给定的。`OPEN` 是 v0.2，只是 hook 里的第二条规则对什么都说好：校验器里的四个函数，换成了什么也查不出来的函数。规则的文字说明在第 7 章 7.5 节。看看这样的记忆都收些什么：没有索引通向它的文件，随便多长的 `human.md`。

# %% id="given"
import json
import shlex
from collections.abc import Collection

from mini_letta import v0_2
from mini_letta.course.workbench import Workbench
from mini_letta.harness import Harness
from mini_letta.memory.glob import matches_glob
from mini_letta.memory.hooks import with_rules
from mini_letta.memory.policy import Policy


def no_index(path, paths):
    return ""


def any_shape(path, mode, index, policy):
    return []


def any_size(path, size, policy):
    return []


def any_total(sizes, policy):
    return []


OPEN = v0_2.HARNESS.with_(
    validator=with_rules(
        v0_2.HARNESS.validator,
        missing_index=no_index,
        check_shape=any_shape,
        check_size=any_size,
        check_core_budget=any_total,
    )
)

with Workbench(OPEN, lang=T["lang"]) as bench:
    bench.sh("""
    mkdir -p a/b && cp human.md a/b/plan.md
    printf '%030000d' 0 >> human.md
    git add . && git commit -q -m 'anything goes' && git ls-files && wc -c human.md
    """)

# %% id="prelude" lab={"prelude": true}
import random

rng = random.Random(SEED)
LETTERS = ["a", "b", "k", "Z", "7", "-", "_", "项", "目", "é", "ß", "я", "が", "🌏"]


def some_name():
    """A name without slashes, in any script, often with a blank or a dot in it."""
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


def beginning(sizes, policy):
    """What check_core_budget says before it names files."""
    problems = check_core_budget(sizes, policy)
    if type(problems) is not list:
        return problems
    return [str(problem).partition(". Largest")[0] for problem in problems]


LONG_FILES = {"human.md": 300, "projects/plan.md": 400}


def is_slim(files):
    """Whether the long files of 1.5 are as short as they have to be."""
    return all(len(files.get(path, "")) <= limit for path, limit in LONG_FILES.items())


def slims(before, after):
    """Whether one of the long files is shorter in the second commit than in the first."""
    return any(len(after.files.get(p, "")) < len(before.files.get(p, "")) for p in LONG_FILES)


# %% [markdown] id="task-1-1" lang="en" lab={"task": "1.1"}
# ## 1.1 Every missing index
#
# The rule in the book names the first missing index of a chain and stops. A model then needs one attempt for each folder. Write `missing_indexes(path, paths)`. `path` is the path of one file in the repository, `/` between its parts; `paths` holds the paths of the whole tree and can be asked with `in`. The result is a list of paths.
#
# - **a** Every folder above the file needs an index, `FOLDER/MEMORY.md`. The result has every one that is not in `paths`, the outermost folder first: for `a/b/plan.md` in a tree without any index `["a/MEMORY.md", "a/b/MEMORY.md"]`. A file at the root needs no index. Nothing missing is `[]`.
# - **b** Only the exact path counts. `a/memory.md`, `a/MEMORY.md.bak`, the index of a sister folder or of a folder further down do not stand in. Names are compared code point by code point, so `é` as one code point and `é` as two are two names.
# - **c** An index needs the indexes of the folders above its own, like any other file. For its own folder it stands itself, also when it is not in `paths` yet: `a/b/MEMORY.md` in an empty tree gives `["a/MEMORY.md"]`.

# %% [markdown] id="task-1-1" lang="zh" lab={"task": "1.1"}
# ## 1.1 缺的索引一次报全
#
# 书里的规则只报链条上缺的第一个索引，就停下了。几层目录，模型就得试几次。写 `missing_indexes(path, paths)`。`path` 是仓库里一个文件的路径，各段用 `/` 隔开；`paths` 装着整棵树的路径，可以用 `in` 来问。结果是路径的列表。
#
# - **a** 文件上面的每一级目录都要有索引 `FOLDER/MEMORY.md`。凡是不在 `paths` 里的都列出来，最外层的目录在前：树里一个索引也没有时，`a/b/plan.md` 得到 `["a/MEMORY.md", "a/b/MEMORY.md"]`。根目录的文件不需要索引。什么都不缺，就是 `[]`。
# - **b** 路径必须一模一样才算。`a/memory.md`、`a/MEMORY.md.bak`、旁边目录或更深目录的索引，都顶替不了。名字按码点逐个比较，所以写成一个码点的 `é` 和写成两个码点的 `é` 是两个名字。
# - **c** 索引自己也是文件，它所在目录之上的各级目录同样要有索引。它所在的那个目录，有它自己就够了，哪怕它还不在 `paths` 里：空的树里，`a/b/MEMORY.md` 得到 `["a/MEMORY.md"]`。


# %% id="answer-1-1" lab={"answer": "1.1"}
def missing_indexes(path: str, paths: Collection[str]) -> list[str]:
    """Return every index that the folders above a file lack, outermost first."""
    ### BEGIN SOLUTION
    folders = path.split("/")[:-1]
    indexes = ["/".join([*folders[:depth], "MEMORY.md"]) for depth in range(1, len(folders) + 1)]
    return [index for index in indexes if index not in paths and index != path]
    ### END SOLUTION


# %% id="check-1-1-a" lab={"check": "1.1a", "points": 1}
top, middle, low = some_names(3)
file = f"{top}/{middle}/{low}/plan.md"
tell(missing_indexes, file, [file])
tell(missing_indexes, file, [file, f"{top}/{middle}/MEMORY.md"])
tell(missing_indexes, f"{low}.md", [f"{low}.md"])
tell(missing_indexes, f"{top}/{low}.md", ["MEMORY.md", f"{top}/MEMORY.md", f"{top}/{low}.md"])

# %% id="check-1-1-b" lab={"check": "1.1b", "points": 1, "hidden": true}
top, other, low = some_names(3)
file = f"{top}/plan.md"
for near in (
    [f"{top}/memory.md", f"{top}/Memory.md"],
    [f"{top}/MEMORY.md.bak", f"{top}/MEMORY", f"{top}/my MEMORY.md"],
    ["MEMORY.md", f"{other}/MEMORY.md", f"{top}{other}/MEMORY.md"],
    [f"{top}/{low}/MEMORY.md", f"{other}/{top}/MEMORY.md"],
):
    tell(missing_indexes, file, [file, *near])
tell(missing_indexes, f"caf\u00e9 {top}/plan.md", [f"cafe\u0301 {top}/MEMORY.md"])

# %% id="check-1-1-c" lab={"check": "1.1c", "points": 1, "hidden": true}
top, low = some_names(2)
tell(missing_indexes, f"{top}/{low}/MEMORY.md", [])
tell(missing_indexes, f"{top}/MEMORY.md", ["MEMORY.md"])
tell(missing_indexes, f"{top}/{low}/MEMORY.md", [f"{top}/MEMORY.md"])

# %% [markdown] id="hints-1-1" lang="en" lab={"hints": "1.1"}
# 1. Chapter 7, section 7.5, "The index chain". `str.split` and slices of a list are enough.
# 2. Which folders stand above `a/b/plan.md`? Write them down, outermost first: the first part, the first two parts, and so on. Which of their indexes is the file itself?
# 3. `folders = path.split("/")[:-1]`; the index at `depth` is `"/".join([*folders[:depth], "MEMORY.md"])` for `depth` from 1 to `len(folders)`. Keep those that are not in `paths` and are not `path`.

# %% [markdown] id="hints-1-1" lang="zh" lab={"hints": "1.1"}
# 1. 看第 7 章 7.5 节的“索引链”。用 `str.split` 和列表切片就够了。
# 2. `a/b/plan.md` 上面有哪些目录？从最外层写起：第一段，前两段，依次类推。它们的索引里，哪一个就是这个文件自己？
# 3. `folders = path.split("/")[:-1]`；第 `depth` 级的索引是 `"/".join([*folders[:depth], "MEMORY.md"])`，`depth` 从 1 到 `len(folders)`。留下既不在 `paths` 里、也不是 `path` 的。

# %% [markdown] id="task-1-2" lang="en" lab={"task": "1.2"}
# ## 1.2 A budget for each file
#
# Write `check_size(path, size, policy)`. `size` is the length of the file in characters, that is, Unicode code points. Two fields of `policy` matter: `policy["maxFileCharacters"]` is a number, and `policy["fileCharacterLimits"]` is a list of pairs (glob, limit), the limit a number or `None`. `matches_glob(pattern, path)` is given. The result is a list with one problem, or an empty one.
#
# - **a** If no glob matches the path, the limit is `maxFileCharacters`. A file over its limit gives `["SIZE characters exceeds LIMIT from maxFileCharacters, cut at least MORE"]`, with numbers for SIZE, LIMIT and MORE, the least number of characters that have to go. A file of exactly LIMIT characters is fine.
# - **b** If a glob matches, its limit takes the place of `maxFileCharacters`, be it smaller or larger, and the problem says `from glob 'PATTERN'` instead of `from maxFileCharacters`. Of several globs that match, the first in the list counts and no other.
# - **c** The limit `None` means: no limit. If the first glob that matches has it, the file is fine at any size, whatever comes later in the list.

# %% [markdown] id="task-1-2" lang="zh" lab={"task": "1.2"}
# ## 1.2 每个文件的预算
#
# 写 `check_size(path, size, policy)`。`size` 是文件有多少个字符，即多少个 Unicode 码点。`policy` 里用到两个字段：`policy["maxFileCharacters"]` 是一个数；`policy["fileCharacterLimits"]` 是列表，每项是二元组 (glob, 上限)，上限是数或 `None`。`matches_glob(pattern, path)` 已给定。结果是列表：一个问题，或者空。
#
# - **a** 没有 glob 匹配这个路径，上限就是 `maxFileCharacters`。超过上限的文件给出 `["SIZE characters exceeds LIMIT from maxFileCharacters, cut at least MORE"]`，其中 SIZE、LIMIT 和 MORE 都是数，MORE 是至少要删掉的字符数。刚好 LIMIT 个字符，没有问题。
# - **b** 有 glob 匹配，就用它的上限代替 `maxFileCharacters`，不管是更小还是更大；问题里的 `from maxFileCharacters` 换成 `from glob 'PATTERN'`。匹配的有好几个，只认列表里的第一个。
# - **c** 上限 `None` 表示不限。如果第一个匹配的 glob 是 `None`，文件多大都行，列表后面写了什么都不管。


# %% id="answer-1-2" lab={"answer": "1.2"}
def check_size(path: str, size: int, policy: "Policy") -> list[str]:
    """Return whether a file is over its budget, and by how much."""
    ### BEGIN SOLUTION
    limit, source = policy["maxFileCharacters"], "maxFileCharacters"
    for pattern, own_limit in policy["fileCharacterLimits"]:
        if matches_glob(pattern, path):
            limit, source = own_limit, f"glob '{pattern}'"
            break
    if limit is None or size <= limit:
        return []
    return [f"{size} characters exceeds {limit} from {source}, cut at least {size - limit}"]
    ### END SOLUTION


# %% id="check-1-2-a" lab={"check": "1.2a", "points": 1}
limit = rng.randrange(100, 1000)
policy = dict(maxFileCharacters=limit, fileCharacterLimits=[("projects/*.md", limit + 500)])
for size in (limit - 1, limit, limit + 1, limit + rng.randrange(2, 400)):
    tell(check_size, f"{some_name()}.md", size, policy)

# %% id="check-1-2-b" lab={"check": "1.2b", "points": 1}
folder = some_name()
small, middle, large = (hundred * 100 + rng.randrange(100) for hundred in (1, 3, 5))
policy = dict(
    maxFileCharacters=middle,
    fileCharacterLimits=[(f"{folder}/MEMORY.md", large), (f"{folder}/**", small), ("**", large)],
)
tell(check_size, f"{folder}/MEMORY.md", large + 7, policy)
tell(check_size, f"{folder}/MEMORY.md", middle + 7, policy)
tell(check_size, f"{folder}/plan.md", small + 7, policy)
tell(check_size, "human.md", large + 8, policy)

# %% id="check-1-2-c" lab={"check": "1.2c", "points": 1, "hidden": true}
folder, limit = some_name(), rng.randrange(10, 100)
policy = dict(
    maxFileCharacters=limit + 2,
    fileCharacterLimits=[(f"{folder}/*", None), ("**/long.md", limit), ("**/?ong.md", None)],
)
tell(check_size, f"{folder}/long.md", limit * 1000, policy)
tell(check_size, f"{folder}/MEMORY.md", limit + 4, policy)
tell(check_size, f"{folder}/{folder}/long.md", limit + 3, policy)
tell(check_size, "song.md", limit + 5, policy)

# %% [markdown] id="hints-1-2" lang="en" lab={"hints": "1.2"}
# 1. The table in chapter 7, section 7.5, and "Globs" below it. `break` leaves a loop.
# 2. Two things have to be found out: which limit, and where it comes from. Find both before you compare anything. What is the difference between "no glob matches" and "the glob that matches has no limit"?
# 3. Begin with `limit, source = policy["maxFileCharacters"], "maxFileCharacters"`. In the loop over `policy["fileCharacterLimits"]` set both at the first match and `break`. Then `if limit is None or size <= limit: return []`.

# %% [markdown] id="hints-1-2" lang="zh" lab={"hints": "1.2"}
# 1. 看第 7 章 7.5 节的表和下面的“glob”。`break` 可以离开循环。
# 2. 先弄清两件事：上限是多少，上限从哪里来。两样都有了再比大小。“没有 glob 匹配”和“匹配的 glob 不设上限”有什么不同？
# 3. 开头写 `limit, source = policy["maxFileCharacters"], "maxFileCharacters"`。循环 `policy["fileCharacterLimits"]`，第一次匹配就同时改掉这两个，然后 `break`。再写 `if limit is None or size <= limit: return []`。

# %% [markdown] id="task-1-3" lang="en" lab={"task": "1.3"}
# ## 1.3 One budget for the core
#
# Root Markdown files are part of every system prompt, so they share one budget. A model that is told "too much" has to know where to cut. Write `check_core_budget(sizes, policy)`. `sizes` maps the paths of files to their sizes in code points, in any order; the limit is `policy["maxCoreMemoryCharacters"]`. The result is a list with one problem, or an empty one.
#
# - **a** If the core files have more characters together than the limit, the problem begins `core memory: TOTAL characters exceeds LIMIT from maxCoreMemoryCharacters, cut at least MORE`. Exactly LIMIT is fine.
# - **b** Core files are the files at the root whose name ends in `.md`, in small letters; `MEMORY.md` is one of them. What lies in a folder is not, and neither are `notes.txt` and `NOTES.MD`.
# - **c** The problem goes on with the three largest core files, or with all if there are fewer: `. Largest: PATH (SIZE), PATH (SIZE), PATH (SIZE)`, the largest first. Files of the same size stand in the sorted order of their paths.

# %% [markdown] id="task-1-3" lang="zh" lab={"task": "1.3"}
# ## 1.3 核心记忆的总预算
#
# 根目录的 Markdown 文件都在系统提示里，所以共用一个预算。光告诉模型“太多了”没有用，它得知道从哪里删起。写 `check_core_budget(sizes, policy)`。`sizes` 是文件路径到大小（码点数）的映射，顺序不定；上限是 `policy["maxCoreMemoryCharacters"]`。结果是列表：一个问题，或者空。
#
# - **a** 核心文件加起来超过上限，问题这样开头：`core memory: TOTAL characters exceeds LIMIT from maxCoreMemoryCharacters, cut at least MORE`。刚好 LIMIT 个，没有问题。
# - **b** 核心文件是根目录下名字以 `.md`（小写）结尾的文件，`MEMORY.md` 也算。目录里的不算，`notes.txt` 和 `NOTES.MD` 也不算。
# - **c** 问题接着列出最大的三个核心文件，不足三个就全列：`. Largest: PATH (SIZE), PATH (SIZE), PATH (SIZE)`，最大的在前。一样大的，按路径的排序。


# %% id="answer-1-3" lab={"answer": "1.3"}
def check_core_budget(sizes: dict[str, int], policy: "Policy") -> list[str]:
    """Return whether the core files together are over their budget, and which are the largest."""
    ### BEGIN SOLUTION
    core = {path: size for path, size in sizes.items() if "/" not in path and path.endswith(".md")}
    total, limit = sum(core.values()), policy["maxCoreMemoryCharacters"]
    if total <= limit:
        return []
    largest = sorted(core, key=lambda path: (-core[path], path))[:3]
    return [
        f"core memory: {total} characters exceeds {limit} from maxCoreMemoryCharacters, "
        f"cut at least {total - limit}. "
        f"Largest: {', '.join(f'{path} ({core[path]})' for path in largest)}"
    ]
    ### END SOLUTION


# %% id="check-1-3-a" lab={"check": "1.3a", "points": 1}
sizes = {"human.md": rng.randrange(200, 300), "persona.md": rng.randrange(100, 200)}
total = sum(sizes.values())
for limit in (total + 1, total, total - 1, total - rng.randrange(2, 90)):
    tell(beginning, sizes, dict(maxCoreMemoryCharacters=limit))

# %% id="check-1-3-b" lab={"check": "1.3b", "points": 1, "hidden": true}
one, two = some_names(2)
sizes = {f"{one}.md": 20, "MEMORY.md": 31, "NOTES.MD": 400, f"{two}.txt": 500, f"{two}.md.bak": 7}
sizes |= {f"{one}/{two}.md": 600, "projects/MEMORY.md": 700, f"skills/{one}/SKILL.md": 800}
for limit in (10 + rng.randrange(5), 50, 60):
    tell(beginning, sizes, dict(maxCoreMemoryCharacters=limit))

# %% id="check-1-3-c" lab={"check": "1.3c", "points": 1, "hidden": true}
names = [f"{name}.md" for name in some_names(5)]
sizes = {name: 50 + 10 * (place // 2) for place, name in enumerate(names)}
for _ in range(2):
    backwards = dict(sorted(sizes.items(), reverse=True))
    tell(check_core_budget, backwards, dict(maxCoreMemoryCharacters=rng.randrange(1, 200)))
    shuffled = dict(rng.sample(sorted(sizes.items()), len(sizes)))
    tell(check_core_budget, shuffled, dict(maxCoreMemoryCharacters=rng.randrange(1, 200)))
tell(check_core_budget, {names[0]: 9}, dict(maxCoreMemoryCharacters=5))

# %% [markdown] id="hints-1-3" lang="en" lab={"hints": "1.3"}
# 1. The row `maxCoreMemoryCharacters` in the table of chapter 7, section 7.5. `sorted` takes a `key`.
# 2. Make a dictionary of the core files first; everything else works on that one. How do you sort by size downwards and by path upwards at once?
# 3. `core = {path: size for path, size in sizes.items() if ...}`, `sorted(core, key=lambda path: (-core[path], path))[:3]`.

# %% [markdown] id="hints-1-3" lang="zh" lab={"hints": "1.3"}
# 1. 看第 7 章 7.5 节表里 `maxCoreMemoryCharacters` 那一行。`sorted` 有 `key` 参数。
# 2. 先做一个只含核心文件的字典，后面都只用它。怎么让大小从大到小、路径却从小到大？
# 3. `core = {path: size for path, size in sizes.items() if ...}`，`sorted(core, key=lambda path: (-core[path], path))[:3]`。

# %% [markdown] id="task-1-4" lang="en" lab={"task": "1.4"}
# ## 1.4 Into the hook
#
# Now the chain guards a real repository. The validator calls `missing_index(path, paths)` for each memory file and hands what it returned to `check_shape(path, mode, index, policy)`. That returns problems without the path, and the hook writes `PATH: ` before each. Write both, and `guarded(harness)`, which returns the harness with a `validator` in which these two are yours and all else is as it was: `with_rules(harness.validator, missing_index=..., check_shape=...)`. The book's `missing_index` returns one path or `""`; yours returns the list of 1.1. An empty list is false, and that is all the validator asks of it.
#
# The hook gets the *source* of your functions and nothing around them, so each has to bring all it needs (chapter 7, section 7.3); you can copy your lines of 1.1. The checks plug your rules into `OPEN`, make a memory and let models work in it. `mode` is git's, as a string of octal digits.
#
# - **a** `missing_index` is `missing_indexes` of 1.1 for files that are in the tree, and `check_shape` gives `missing required index INDEX` for each index in the list, in its order. So a model that does what a refusal says needs two attempts, however deep the folder is; a lazy model, which makes only the last index it reads about, gets a shorter list each time.
# - **b** After these, `check_shape` gives `memory Markdown must be a regular file` unless the mode is `100644` or `100755`, the two kinds of regular file git has. A symbolic link has `120000`.
# - **c** Last, `check_shape` gives `depth DEPTH exceeds maxDepth LIMIT` if the path has more slashes than `policy["maxDepth"]`; DEPTH is the number of slashes.

# %% [markdown] id="task-1-4" lang="zh" lab={"task": "1.4"}
# ## 1.4 装进 hook
#
# 现在让索引链守住一个真的仓库。校验器对每个记忆文件调用 `missing_index(path, paths)`，再把返回的东西交给 `check_shape(path, mode, index, policy)`；后者返回问题，不带路径，hook 在每个问题前面加上 `PATH: `。写这两个函数，再写 `guarded(harness)`：它返回的 harness，`validator` 里这两个换成你的，其余照旧，即 `with_rules(harness.validator, missing_index=..., check_shape=...)`。书里的 `missing_index` 返回一个路径或 `""`；你的返回 1.1 的那个列表。空列表为假，校验器要的也只是这一点。
#
# hook 拿到的是函数的**源码**，旁边的东西一概没有，所以每个函数要用的都得自己带上（第 7 章 7.3 节）；1.1 里写的几行可以抄过来。检查会把你的规则装进 `OPEN`，新建一份记忆，让模型在里面干活。`mode` 是 git 的模式，写成八进制数字的字符串。
#
# - **a** 对树里的文件，`missing_index` 就是 1.1 的 `missing_indexes`；`check_shape` 对列表里的每个索引给出 `missing required index INDEX`，顺序不变。于是照着拒绝信办事的模型，不管目录多深，两次就成；偷懒的模型每次只补上信里的最后一个索引，收到的单子一次比一次短。
# - **b** 接下来，模式不是 `100644` 或 `100755` 时（git 的普通文件只有这两种），`check_shape` 给出 `memory Markdown must be a regular file`。符号链接的模式是 `120000`。
# - **c** 最后，路径里的斜杠比 `policy["maxDepth"]` 多时，`check_shape` 给出 `depth DEPTH exceeds maxDepth LIMIT`；DEPTH 是斜杠的个数。


# %% id="answer-1-4" lab={"answer": "1.4"}
def missing_index(path: str, paths: "Collection[str]") -> list[str]:
    """Return every index that the folders above a file lack, outermost first."""
    ### BEGIN SOLUTION
    folders = path.split("/")[:-1]
    indexes = ["/".join([*folders[:depth], "MEMORY.md"]) for depth in range(1, len(folders) + 1)]
    return [index for index in indexes if index not in paths]
    ### END SOLUTION


def check_shape(path: str, mode: str, index: list[str], policy: "Policy") -> list[str]:
    """Return what is wrong with the place and kind of one memory file, without its path."""
    ### BEGIN SOLUTION
    problems = [f"missing required index {missing}" for missing in index]
    if mode not in ("100644", "100755"):
        problems.append("memory Markdown must be a regular file")
    depth = path.count("/")
    if depth > policy["maxDepth"]:
        problems.append(f"depth {depth} exceeds maxDepth {policy['maxDepth']}")
    return problems
    ### END SOLUTION


def guarded(harness: Harness) -> Harness:
    """Return the harness whose new memories are guarded by the two functions above."""
    ### BEGIN SOLUTION
    return harness.with_(
        validator=with_rules(
            harness.validator, missing_index=missing_index, check_shape=check_shape
        )
    )
    ### END SOLUTION


# %% id="check-1-4-a" lab={"check": "1.4a", "points": 1}
from mini_letta.providers.protocol import Reply, ToolCall


class Builder:
    """Writes a file and commits; when refused, makes the indexes it reads about, and tries again."""

    def __init__(self, path, *, lazy):
        self.path, self.lazy = path, lazy

    def __call__(self, messages, tools):
        results = [message for message in messages if message.role == "tool"]
        files = [self.path]
        if results:
            lines = results[-1].text.splitlines()
            named = [
                line.split("required index ")[1] for line in lines if "required index " in line
            ]
            files = named[-1:] if self.lazy else named
            if not results[-1].failed or not files or len(results) > 8:
                return Reply(text=f"after {len(results)} attempts")
        steps = [f"mkdir -p {shlex.quote(path.rpartition('/')[0])}" for path in files]
        texts = ["# Index\n" if path.endswith("MEMORY.md") else T["human"] for path in files]
        steps += [
            f"printf %s {shlex.quote(text)} > {shlex.quote(path)} && git add {shlex.quote(path)}"
            for path, text in zip(files, texts, strict=True)
        ]
        command = json.dumps({"command": " && ".join([*steps, "git commit -q -m build"])})
        return Reply(
            text="", tool_calls=(ToolCall(id=str(len(results)), name="shell", arguments=command),)
        )


top, middle, low = some_names(3)
deep = f"{top}/{low}/{middle}/{low}/plan.md"
for path, lazy in (
    (f"{top}/{low}/plan.md", False),
    (deep, False),
    (f"{low}/{middle}/plan.md", True),
):
    with Workbench(guarded(OPEN), lang=T["lang"], provider=Builder(path, lazy=lazy)) as bench:
        bench.run("""
        echo '{"version": 1, "maxDepth": 6}' > .memfs.config.json && git add .memfs.config.json
        MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'deeper'
        """)
        turn = bench.turn(T["write"])
        for message in turn.messages:
            if message.failed:
                show([line[2:] for line in message.text.splitlines() if line.startswith("  ")])
        show((turn.reply, bench.run("git log --format=%s").text.splitlines()))

# %% id="check-1-4-b" lab={"check": "1.4b", "points": 1, "hidden": true}
with Workbench(guarded(OPEN), lang=T["lang"]) as bench:
    link, folder = some_names(2)
    for script in (
        f"ln -s human.md {shlex.quote(link)}.md",
        "chmod +x human.md",
        f"mkdir {shlex.quote(folder)} && cp MEMORY.md {shlex.quote(folder)}",
        f"ln -s ../human.md {shlex.quote(folder)}/{shlex.quote(link)}.md",
        f"ln -s human.md {shlex.quote(link)}.txt",
    ):
        output = bench.run(f"{script} && git add . && git commit -q -m more")
        show((output.code, [line for line in output.text.splitlines() if line.startswith("  ")]))
        bench.run("git reset -q --hard" if output.code else ":")

# %% id="check-1-4-c" lab={"check": "1.4c", "points": 1, "hidden": true}
with Workbench(guarded(OPEN), lang=T["lang"]) as bench:
    names = some_names(5)
    folder = ""
    for name in names:
        folder += f"{name}/"
        quoted = shlex.quote(folder)
        bench.run(f"mkdir {quoted} && cp MEMORY.md {quoted} && cp human.md {quoted}plan.md")
    bench.run("git add .")
    for limit in (rng.randrange(2, 4), 4, 5):
        output = bench.run(f"""
        echo '{{"version": 1, "maxDepth": {limit}}}' > .memfs.config.json && git add .memfs.config.json
        MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'a depth'
        """)
        show((output.code, [line for line in output.text.splitlines() if line.startswith("  ")]))

# %% [markdown] id="hints-1-4" lang="en" lab={"hints": "1.4"}
# 1. `with_rules` in `mini_letta/memory/hooks.py`, and chapter 7, section 7.3, for what happens to a function on its way into the hook. `OPEN` in the given cell is made the same way.
# 2. If every commit is refused with `NameError`, a function uses a name from outside: another function of yours, an import, an annotation without quotes. In which order do the three kinds of problem come?
# 3. `problems = [f"missing required index {missing}" for missing in index]`, then two `if`s that append; `depth = path.count("/")`. And `harness.with_(validator=with_rules(harness.validator, missing_index=missing_index, check_shape=check_shape))`.

# %% [markdown] id="hints-1-4" lang="zh" lab={"hints": "1.4"}
# 1. 看 `mini_letta/memory/hooks.py` 里的 `with_rules`；函数进 hook 的路上会发生什么，看第 7 章 7.3 节。给定的格子里，`OPEN` 也是这样做出来的。
# 2. 要是每次提交都因 `NameError` 被拒，就是某个函数用了外面的名字：你的另一个函数、一个 import、一处没加引号的注解。三种问题按什么顺序排？
# 3. `problems = [f"missing required index {missing}" for missing in index]`，再用两个 `if` 往后加；`depth = path.count("/")`。最后是 `harness.with_(validator=with_rules(harness.validator, missing_index=missing_index, check_shape=check_shape))`。

# %% [markdown] id="task-1-5" lang="en" lab={"task": "1.5"}
# ## 1.5 Tighten a budget
#
# A year has gone by, and this memory has grown. The cell below makes one like it, with another code for the door, and lists its sizes in characters. The real one is guarded by the complete hook of v0.2. You are its owner, and you want tighter limits:
#
# | what | limit |
# |---|---|
# | one file | 300 characters |
# | `projects/MEMORY.md` | none, an index is never cut |
# | every other file in `projects/`, at any depth | 400 characters |
# | the core files together | 500 characters |
#
# Write the bash script `tighten`. It runs in the memory folder, once, on that memory; git, sh, sed, grep and `python3` are there, `mini-letta` is not. You approve changes of the policy, so the script may set `MINI_LETTA_CONSTRAINTS_UPDATE=1` for the commit of the policy. Your commits go on top of branch `main`.
#
# - **a** At the end the commit at `main` holds the policy file `.memfs.config.json` with exactly these limits and no other field: `version` 1, `maxFileCharacters`, `maxCoreMemoryCharacters`, and `fileCharacterLimits` with two entries of the form `{"pattern": GLOB, "maxCharacters": N}`, `projects/MEMORY.md` before `projects/**`.
# - **b** The policy comes last and alone: the last commit changes `.memfs.config.json` and no other file, and no commit before it has that file.
# - **c** The memory gets slimmer first: in one of your commits before the last, `human.md` or `projects/plan.md` is shorter than in the commit before it. And every commit of yours is valid by the rules of the gatekeeper; nothing gets in with `--no-verify` to be repaired later.
# - **d** At the end `human.md` has at most 300 characters and `projects/plan.md` at most 400 (a file that is gone has none), and what matters is still there: every line that begins with `- ! ` stands, unchanged, as a line of some Markdown file outside `skills/`, and `projects/MEMORY.md` is what it was. The other lines, and where the lines stand, are yours to change.
# - **e** Below a memory that ends as slim as **d** asks, the history that was there is still there: its two commits are the first two of `main` as they were, with nothing amended, squashed or rebased.

# %% [markdown] id="task-1-5" lang="zh" lab={"task": "1.5"}
# ## 1.5 收紧预算
#
# 一年过去，这份记忆长胖了。下面的格子照样做出一份，只是门上的密码不同，并列出各文件的字符数。你的脚本要处理的那一份，由 v0.2 完整的 hook 看守。你是它的主人，想把上限收紧：
#
# | 对象 | 上限 |
# |---|---|
# | 单个文件 | 300 个字符 |
# | `projects/MEMORY.md` | 不限，索引不能砍 |
# | `projects/` 里其他文件，不论多深 | 400 个字符 |
# | 核心文件合计 | 500 个字符 |
#
# 写 bash 脚本 `tighten`。它在记忆目录里、在这份记忆上运行一次；有 git、sh、sed、grep 和 `python3`，没有 `mini-letta`。改配置由你批准，所以脚本可以为提交配置的那一次设 `MINI_LETTA_CONSTRAINTS_UPDATE=1`。你的提交接在 `main` 分支后面。
#
# - **a** 最后，`main` 上的提交里有配置文件 `.memfs.config.json`，上限正是这些，没有别的字段：`version` 是 1，`maxFileCharacters`，`maxCoreMemoryCharacters`，还有两项的 `fileCharacterLimits`，每项写成 `{"pattern": GLOB, "maxCharacters": N}`，`projects/MEMORY.md` 在 `projects/**` 前面。
# - **b** 配置最后来，而且单独来：最后一次提交只改 `.memfs.config.json`，不改别的文件；在它之前的提交里都没有这个文件。
# - **c** 先瘦身：最后一次之前，你的某一次提交里，`human.md` 或 `projects/plan.md` 比前一次提交里的短。你的每一次提交，按守门员的规则都合法；不许先用 `--no-verify` 混进去，回头再修。
# - **d** 最后，`human.md` 不超过 300 个字符，`projects/plan.md` 不超过 400 个（文件没了就算 0 个），要紧的东西却还在：每一个以 `- ! ` 开头的行，都原样是 `skills/` 以外某个 Markdown 文件里的一行；`projects/MEMORY.md` 还是原来的样子。其他的行，以及这些行放在哪里，随你改。
# - **e** 瘦身做到了 **d** 说的程度，而且原来的历史还在：脚本运行之前就有的两次提交，仍是 `main` 上最早的两次，原封不动，没有 amend、合并成一次或变基。

# %% id="crowded"
crowded = f"""
mkdir projects
printf %s {shlex.quote(T["human"])} > human.md
echo {shlex.quote(T["door"])} "$SEED" >> human.md
printf %s {shlex.quote(T["plan"])} > projects/plan.md
printf %s {shlex.quote(T["index"])} > projects/MEMORY.md
git add . && git commit -q -m 'a long year'
"""

with Workbench(OPEN, lang=T["lang"]) as bench:
    bench.run(f"SEED=1234\n{crowded}")
    bench.sh("git log --oneline; cat human.md")
    for path in bench.run("git ls-files").text.split():
        print(len((bench.dir / path).read_text(encoding="utf-8")), path)

# %% id="answer-1-5" lab={"answer": "1.5"}
tighten = r"""
### BEGIN SOLUTION
set -e
for file in human.md projects/plan.md; do
    grep -E '^(---|name: |description: |- ! )' $file > slim.txt
    cat slim.txt > $file
done
rm slim.txt
git add human.md projects/plan.md
git commit -q -m 'Keep what was agreed'

cat > .memfs.config.json <<'END'
{
  "version": 1,
  "maxFileCharacters": 300,
  "maxCoreMemoryCharacters": 500,
  "fileCharacterLimits": [
    {"pattern": "projects/MEMORY.md", "maxCharacters": null},
    {"pattern": "projects/**", "maxCharacters": 400}
  ]
}
END
git add .memfs.config.json
MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'Tighter limits'
### END SOLUTION
"""

# %% id="check-1-5-a" lab={"check": "1.5a", "points": 1, "script": "tighten", "start": "crowded"}
from mini_letta.course.labs.history import read_history

text = read_history(repo)[-1].files.get(".memfs.config.json", "null")
try:
    show(json.dumps(json.loads(text), sort_keys=True))
except (ValueError, RecursionError):
    show(text[:200])

# %% id="check-1-5-b" lab={"check": "1.5b", "points": 1, "script": "tighten", "start": "crowded"}
from mini_letta.course.labs.history import read_history

*before, last = read_history(repo)
paths = {*before[-1].files, *last.files} if before else set()
show(sorted(path for path in paths if before[-1].files.get(path) != last.files.get(path)))
show(any(".memfs.config.json" in commit.files for commit in before))

# %% id="check-1-5-c" lab={"check": "1.5c", "points": 1, "script": "tighten", "start": "crowded"}
from mini_letta.course.labs.history import read_history

history = read_history(repo)
new = history[2:]
show(any(map(slims, history[1:], history[2:-1])))
show(sorted({problem for commit in new for problem in commit.problems}))

# %% id="check-1-5-d" lab={"check": "1.5d", "points": 1, "script": "tighten", "start": "crowded", "hidden": true}
from mini_letta.course.labs.history import read_history

history = read_history(repo)
last = history[-1].files if is_slim(history[-1].files) else {}
memory = {
    path: text
    for path, text in last.items()
    if path.endswith(".md") and not path.startswith("skills/")
}
lines = {line for text in memory.values() for line in text.split("\n")}
begin = history[1].files if len(history) > 1 else {}
grown = begin.get("human.md", "") + begin.get("projects/plan.md", "")
agreed = [line for line in grown.split("\n") if line.startswith("- ! ")]
show([line for line in agreed if line in lines])
show(last.get("projects/MEMORY.md") == T["index"])

# %% id="check-1-5-e" lab={"check": "1.5e", "points": 1, "script": "tighten", "start": "crowded", "hidden": true}
from mini_letta.course.labs.history import read_history

history = read_history(repo)
# a memory that is as it was has its history as well; that is nobody's work
for commit in history[:2] if is_slim(history[-1].files) else []:
    show((commit.subject, {path: len(text) for path, text in commit.files.items()}))

# %% [markdown] id="hints-1-5" lang="en" lab={"hints": "1.5"}
# 1. Chapter 7, "Pitfall 1", and the pair of cells in its notebook.
# 2. The gatekeeper looks at the whole tree. What does it see if the policy comes first? Which files are over the new limits, and which lines of them may go? Use `set -e`, so that the script stops where a commit is refused.
# 3. `grep -E '^(---|name: |description: |- ! )' human.md > slim.txt && cat slim.txt > human.md`, likewise `projects/plan.md`, then commit these two. Then write the policy, `git add .memfs.config.json`, and `MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit ...`.

# %% [markdown] id="hints-1-5" lang="zh" lab={"hints": "1.5"}
# 1. 看第 7 章的“踩坑 1”，和第 7 章 notebook 里“收紧失败”与“改好”那两个单元格。
# 2. 守门员看的是整棵树。先提交配置，它会看到什么？哪些文件超过了新上限，里面哪些行可以不要？写上 `set -e`，提交被拒时脚本就停在那里。
# 3. `grep -E '^(---|name: |description: |- ! )' human.md > slim.txt && cat slim.txt > human.md`，`projects/plan.md` 也一样，然后提交这两个文件。再写配置，`git add .memfs.config.json`，最后 `MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit ...`。

# %% [markdown] id="task-1-6" lang="en" lab={"task": "1.6"}
# ## 1.6 Could it be easier?
#
# "The gatekeeper made me slim files that I had not touched," somebody says. "Let new limits hold only for the files a commit changes. Then I could tighten at once, and the old files would follow when somebody edits them."
#
# Answer in four to eight sentences. What would indeed become easier? Which of the rules in this lab cannot be kept in that way, and why? What would the model find in its prompt the day after the limits were tightened? A person reads this.

# %% [markdown] id="task-1-6" lang="zh" lab={"task": "1.6"}
# ## 1.6 能不能省事一点
#
# 有人抱怨：“守门员逼我去砍没有碰过的文件。不如让新上限只管这次提交改动的文件：我可以马上收紧，旧文件等谁改到了再说。”
#
# 用四到八句话回答。这样确实省了什么事？这个实验里的哪些规则，这样就守不住了，为什么？收紧之后的第二天，模型在系统提示里看到的是什么？这道题由人工批阅。

# %% [markdown] id="written-1-6" lang="en" lab={"written": "1.6", "points": 3}
# *Your answer here.*
# ### BEGIN SOLUTION
# Tightening would be one commit, and nobody would be blocked by an old file that they have no time for. A limit on a single file could be kept that way, sooner or later. The core budget cannot: it is a sum, and a commit that adds ten characters to `persona.md` goes over it because of `human.md`, which did not change. The index chain cannot either: whoever deletes an index changes one file, and the files that can no longer be found are others. The day after, the prompt would be as long as before, because it is compiled from all core files whether anybody touched them or not; a budget for the prompt that the prompt does not keep is no budget. And nobody could say of a commit whether it is valid without knowing how it came about. Slimming first costs one commit, and from then on the limit holds.
# ### END SOLUTION

# %% [markdown] id="written-1-6" lang="zh" lab={"written": "1.6", "points": 3}
# *在这里作答。*
# ### BEGIN SOLUTION
# 省的是一次提交：收紧马上就能成，也不会有人被一个没空收拾的旧文件挡住。单个文件的上限，这样做迟早也能守住。核心预算守不住：它是一个总和，往 `persona.md` 里加十个字超了，超在没有动过的 `human.md` 身上。索引链也守不住：删掉一个索引，改的只是那一个文件，从此找不到的却是别的文件。第二天的系统提示和昨天一样长，因为它由全部核心文件编译而成，跟谁碰没碰过无关；给提示定的预算，提示自己不遵守，就不算预算。而且单看一次提交，再也说不出它合不合法，还得知道它是怎么来的。先瘦身，多花一次提交，从此上限就真的是上限。
# ### END SOLUTION

# %% [markdown] id="rubric-1-6" lang="en" lab={"rubric": "1.6"}
# 1 point: says what becomes easier (one commit, or nobody is blocked by old files), fairly.
# 1 point: names a rule about several files at once, the core budget or the index chain, and gives the reason: what goes wrong lies in a file that was not changed.
# 1 point: sees that the prompt is compiled from all core files, so that it stays over the budget until somebody happens to edit them.

# %% [markdown] id="rubric-1-6" lang="zh" lab={"rubric": "1.6"}
# 1 分：公道地说出省了什么（少一次提交，或者不被旧文件挡住）。
# 1 分：点出一条管好几个文件的规则，核心预算或索引链都行，并说出理由：出问题的是没有改动的文件。
# 1 分：看到系统提示由全部核心文件编译而成，在有人碰巧改到它们之前，提示一直超出预算。

# %% [markdown] id="end" lang="en"
# **Next.** Lab 2 protects one file from the agent itself.

# %% [markdown] id="end" lang="zh"
# **接下来。** Lab 2 要防的是 agent 自己：有一个文件不许它改。

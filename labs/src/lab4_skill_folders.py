# %% [markdown] id="title" lang="en"
# # Lab 4 Why skills are folders
#
# A memory holds facts, and it holds skills: how something is done. The gatekeeper refuses a skill that is one file, `skills/foo.md`, and wants the folder `skills/foo/` instead. In this lab you read that rule and extend it: to renames, to repairs, to names in any script and to a few odd cases. You guard a real repository with your rule, and you write the script that turns old flat skills into folders without losing their history. At the end you say why it has to be a folder; the material handed out with this lab (`skills.md` and the example folder `meeting-minutes`) has the facts.
#
# **Failing is where you begin.** Each answer cell raises `NotImplementedError` until you write it. `check("4.1")` names the sentence of the task that is not met yet, with what was expected and what was seen; `hint("4.1")` gives the next of three hints. When you hand the lab in, further checks run that you do not see: other inputs, and the odd cases the task names. Each exercise is checked alone, with the given cells and your answer to it. You work on stage v0.2; the rule itself is taken out of the package here.

# %% [markdown] id="title" lang="zh"
# # Lab 4 技能为什么是目录
#
# 记忆里有事实，也有技能，也就是一件事该怎么做。守门员不收写成单个文件的技能 `skills/foo.md`，要的是目录 `skills/foo/`。这个实验里，你先读这条规则，再把它扩展到改名、修复、各种文字的名字，以及几种少见的情形。你会用自己的规则守住一个真的仓库，还要写一段脚本，把旧的扁平技能改成目录，历史一点不丢。最后说说为什么非得是目录；要用的材料随实验一起发：`skills.md` 和示例目录 `meeting-minutes`。
#
# **不通过，就是起点。** 每个答案单元格在你写好之前都抛 `NotImplementedError`。`check("4.1")` 会指出题目里还没做到的那一句，并列出应有的结果和实际的结果；`hint("4.1")` 一次给一条提示，共三条。交上来以后，还会跑一些你看不到的检查：换一批输入，加上题目里写明的少见情形。每道题单独检查，只用给定的格子和你对这道题的回答。你站在 v0.2 上；规则本身已经从这里的包里拿掉了。

# %% id="words" lang="en"
T = {
    "lang": "en",
    "backup": "How to back up the notes",
    "check": "Afterwards, open the copy once.",
    "minutes": "minutes of a meeting",
    "deploy": "How to put the site online",
    "readme": "What is in this folder, for people",
    "old": "An older note on the same thing",
    "pdf": "How to get the text out of a PDF",
    "draft": "not finished yet",
}

# %% id="words" lang="zh"
T = {
    "lang": "zh",
    "backup": "怎么备份笔记",
    "check": "备份完打开看一眼。",
    "minutes": "会议 记录",
    "deploy": "怎么把网站放上线",
    "readme": "给人看的：这个目录里有什么",
    "old": "同一件事，更早的笔记",
    "pdf": "怎么从 PDF 里取出文字",
    "draft": "还没写完",
}

# %% [markdown] id="rule-text" lang="en"
# ## The rule as it is
#
# Before a commit the hook of v0.2 looks at the whole staged tree. A path `skills/NAME.md` is refused, unless HEAD has the same path with the same mode and the same bytes: a flat skill that is older than the gatekeeper should not block everybody. That is all the rule knows. Here is what it does, tried on a memory that had an old `skills/foo.md`:
#
# | the commit | the hook |
# |---|---|
# | does not touch `skills/foo.md` | lets it through |
# | edits `skills/foo.md`, or makes it executable | refuses `skills/foo.md` |
# | adds `skills/会议 记录.md` | refuses it |
# | adds `skills/README.md` or `skills/MEMORY.md` | refuses it |
# | adds `skills/x.MD` | lets it through |
# | adds `skills/group/x.md` | lets it through |
# | `git mv skills/foo.md skills/bar.md` | refuses `skills/bar.md` as if it were new |
# | `git mv skills/foo.md skills/foo/SKILL.md` | lets it through, without a word |
#
# Some of these rows are right, some are not. `x.MD` is the same file as `x.md` on many a laptop. A `README.md` is no skill. And somebody who renames or repairs an old skill deserves a better sentence than "invalid".

# %% [markdown] id="rule-text" lang="zh"
# ## 规则现在的样子
#
# 提交之前，v0.2 的 hook 看整棵暂存树。路径 `skills/NAME.md` 会被拒，除非 HEAD 里同一路径上有它，模式相同，字节也相同：比守门员更早的扁平技能，不该把所有人都挡住。规则只懂这么多。下面是在一份有旧文件 `skills/foo.md` 的记忆上试出来的：
#
# | 这次提交 | hook |
# |---|---|
# | 没碰 `skills/foo.md` | 放行 |
# | 改了 `skills/foo.md`，或给它加上可执行位 | 拒绝 `skills/foo.md` |
# | 新增 `skills/会议 记录.md` | 拒绝 |
# | 新增 `skills/README.md` 或 `skills/MEMORY.md` | 拒绝 |
# | 新增 `skills/x.MD` | 放行 |
# | 新增 `skills/group/x.md` | 放行 |
# | `git mv skills/foo.md skills/bar.md` | 当作新文件拒绝 `skills/bar.md` |
# | `git mv skills/foo.md skills/foo/SKILL.md` | 放行，一声不吭 |
#
# 这几行里有对的，也有不对的。在许多笔记本电脑上，`x.MD` 和 `x.md` 是同一个文件。`README.md` 不是技能。有人给旧技能改名、把旧技能修好，也该得到一句比 “invalid” 更像样的话。

# %% id="given"
import unicodedata
from collections.abc import Mapping

from mini_letta import v0_2
from mini_letta.course.workbench import Workbench
from mini_letta.harness import Harness
from mini_letta.memory.accepted import State
from mini_letta.memory.frontmatter import read_frontmatter
from mini_letta.memory.hooks import with_rules

Tree = Mapping[str, tuple[str, str]]  # repo-relative path -> (octal mode, object id)

# %% id="prelude" lab={"prelude": true}
import random

rng = random.Random(SEED)
LETTERS = ["a", "b", "k", "Z", "7", "-", "_", "会", "议", "é", "ß", "я", "が"]
ODD = [" ", "'", '"', "\n", "\t", "*", "🌏", "\\", "\udcff", ":", "."]


def some_name(*, odd=0):
    """A file name of ordinary letters in any script, with `odd` characters that need care."""
    return "".join(rng.sample(LETTERS, 4) + rng.sample(ODD, odd) + rng.sample(LETTERS, 2))


def some_id():
    return "".join(rng.choices("0123456789abcdef", k=7))


class Guarded:
    """A real memory whose hook holds the student's rule, and which had flat skills before."""

    def __init__(self, old):
        self.bench = Workbench(guarded(v0_2.HARNESS), lang=T["lang"])
        self.write({path: f"old {path!a}\n" for path in old})
        self.bench.run("git add -A && git commit -q --no-verify -m 'old skills'")
        self.start = self.bench.run("git rev-parse HEAD").text.strip()

    def write(self, files):
        for path, text in files.items():
            target = self.bench.dir / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def move(self, old, new):
        target = self.bench.dir / new
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.bench.dir / old).rename(target)

    def commit(self):
        """Commit everything, return the exit code and the problems, and go back to the start."""
        output = self.bench.run("git add -A && git commit -q -m 'a change'")
        lines = output.text.split("\n\n")[0].splitlines()[1:] if output.code else []
        self.bench.run(f"git reset -q --hard {self.start} && git clean -q -f -d")
        return output.code, [line.strip() for line in lines]


# %% [markdown] id="task-4-1" lang="en" lab={"task": "4.1"}
# ## 4.1 Which paths are flat skills
#
# Write `is_flat_skill(path)`. `path` is a path in the repository with `/` between its parts, as real as git can give it: not quoted, undecodable bytes as surrogates. The result is `True` or `False`.
#
# - **a** A file directly in the folder `skills` whose name ends in `.md` is a flat skill. A file further down, in another folder or with another ending is not: `skills/foo/SKILL.md`, `notes/skills/foo.md`, `skills.md`, `skills/foo.txt`.
# - **b** The ending counts in any letter case (`skills/foo.MD`), the folder does not. `README.md`, also in any letter case, is for people and is not a skill. `MEMORY.md` and `SKILL.md` directly in `skills` are flat skills like others, there is no index of this kind here. A file that is called just `.md` has no ending and is not one; `.foo.md` is.
# - **c** A name may hold any character but `/`: any script, spaces, quotes, line feeds, emoji. The ending has to be the very end: `skills/foo.md` with a line feed after it does not end in `.md`.

# %% [markdown] id="task-4-1" lang="zh" lab={"task": "4.1"}
# ## 4.1 哪些路径是扁平技能
#
# 写 `is_flat_skill(path)`。`path` 是仓库里的路径，各段用 `/` 隔开，是 git 能给出的真实样子：不加引号，无法解码的字节写成代理字符。结果是 `True` 或 `False`。
#
# - **a** 直接放在目录 `skills` 里、名字以 `.md` 结尾的文件，是扁平技能。更深的、别的目录里的、别的后缀的都不是：`skills/foo/SKILL.md`、`notes/skills/foo.md`、`skills.md`、`skills/foo.txt`。
# - **b** 后缀不分大小写（`skills/foo.MD`），目录名要分。`README.md` 是给人看的，无论大小写，都不是技能。直接放在 `skills` 里的 `MEMORY.md` 和 `SKILL.md` 与别的扁平技能一样：`skills` 目录没有 MEMORY.md 索引这回事。只叫 `.md` 的文件没有后缀，不算；`.foo.md` 算。
# - **c** 除了 `/`，名字里什么字符都可以有：任何文字、空格、引号、换行、表情符号。后缀必须在最末尾：`skills/foo.md` 后面还跟着一个换行，就不是以 `.md` 结尾。


# %% id="answer-4-1" lab={"answer": "4.1"}
def is_flat_skill(path: str) -> bool:
    """Return whether a path is a skill written as a file instead of a folder."""
    ### BEGIN SOLUTION
    folder, _, file = path.rpartition("/")
    name = file.lower()
    return folder == "skills" and name.endswith(".md") and name not in (".md", "readme.md")
    ### END SOLUTION


# %% id="check-4-1-a" lab={"check": "4.1a", "points": 1}
name = some_name()
paths = [f"skills/{name}.md", f"skills/{name}/SKILL.md", f"skills/{name}/references/{name}.md"]
paths += [f"notes/skills/{name}.md", f"{name}.md", "skills.md", f"skills/{name}.txt"]
paths += [f"skills/{name}md", f"skillset/{name}.md", f"skills/{name}.md.txt"]
for path in rng.sample(paths, len(paths)):
    tell(is_flat_skill, path)

# %% id="check-4-1-b" lab={"check": "4.1b", "points": 1, "hidden": true}
paths = ["skills/.md", "skills/.MD", "skills/MEMORY.md", "skills/SKILL.md", "skills/skill.Md"]
paths += ["skills/README.md", "skills/readme.md", "skills/ReadMe.MD", "skills/my-README.md"]
paths += [f"skills/{some_name()}.MD", f"skills/{some_name()}.mD", f"Skills/{some_name()}.md"]
paths += [f"skills/.{some_name()}.md", "README.md", "skills/README"]
for path in rng.sample(paths, len(paths)):
    tell(is_flat_skill, path)

# %% id="check-4-1-c" lab={"check": "4.1c", "points": 1, "hidden": true}
for _ in range(6):
    tell(is_flat_skill, f"skills/{some_name(odd=3)}.md")
tell(is_flat_skill, f"skills/{some_name()}\n{some_name()}.md")
tell(is_flat_skill, f"skills/{some_name()}.md\n")
tell(is_flat_skill, f"skills/{some_name()}.md ")
tell(is_flat_skill, f"skills/{some_name()}．md")

# %% [markdown] id="hints-4-1" lang="en" lab={"hints": "4.1"}
# 1. The table above. Python's own string methods are enough: `str.rpartition`, `str.lower`, `str.endswith`.
# 2. Split the path at its *last* slash: what must be left of it, so that nothing lies further down? Which two lower-case names are exceptions? A regular expression has two traps here: `.` does not match a line feed, and `$` matches before one.
# 3. `folder, _, file = path.rpartition("/")`, then `folder == "skills" and file.lower().endswith(".md")`, and `file.lower()` is neither of the two exceptions.

# %% [markdown] id="hints-4-1" lang="zh" lab={"hints": "4.1"}
# 1. 看上面的表。Python 自带的字符串方法就够了：`str.rpartition`、`str.lower`、`str.endswith`。
# 2. 在**最后**一个斜杠处切开：左边必须是什么，才说明没有更深一层？小写之后，哪两个名字是例外？用正则在这里有两个陷阱：`.` 不匹配换行，`$` 却能匹配末尾换行之前的位置。
# 3. `folder, _, file = path.rpartition("/")`，然后 `folder == "skills" and file.lower().endswith(".md")`，再加上 `file.lower()` 不是那两个例外。

# %% [markdown] id="task-4-2" lang="en" lab={"task": "4.2"}
# ## 4.2 Renamed or repaired?
#
# git stores no renames; it stores trees. Whoever wants to see a move has to compare two of them. Write `describe_changes(before, after)`. Both are mappings from path to object id, and hold two kinds of paths only: flat skills, `skills/NAME.md` (the ending in any letter case), and folders, `skills/NAME/SKILL.md`. The result is a list of lines, sorted as strings. What none of the sentences names gives no line.
#
# - **a** A flat skill of `after` gives `changed: PATH` if `before` has another object id there, nothing if it has the same, and `new: PATH` if `before` has no such path and it was not renamed.
# - **b** `renamed: OLD -> PATH` stands in place of `new: PATH` if its object id is that of a flat skill OLD that is gone from `after`. Each gone skill explains one new path only. Go through the new paths in sorted order and take for each the first OLD in sorted order that is left.
# - **c** `repaired: OLD -> skills/NAME/SKILL.md`: the flat skill OLD is gone, and `after` has the folder of the same NAME, which `before` did not have. The bytes may differ. A repaired skill explains no rename any more. NAME is the file name without its ending, and names are the same when they are the same after `unicodedata.normalize("NFC", name)`: `é` may be one code point or two. The line shows both paths as they are.

# %% [markdown] id="task-4-2" lang="zh" lab={"task": "4.2"}
# ## 4.2 是改名，还是修复？
#
# git 不存“改名”，只存树。想看出移动，就得拿两棵树来比。写 `describe_changes(before, after)`。两个参数都是路径到对象号的映射，里面只有两种路径：扁平技能 `skills/NAME.md`（后缀不分大小写），和目录 `skills/NAME/SKILL.md`。结果是若干行，按字符串排序。下面没有说到的，不写。
#
# - **a** `after` 里的扁平技能：`before` 在同一路径上的对象号不同，写 `changed: PATH`；相同就不写；`before` 没有这个路径，又不是改名而来，写 `new: PATH`。
# - **b** 如果它的对象号与某个扁平技能 OLD 相同，而 OLD 在 `after` 里不见了，就用 `renamed: OLD -> PATH` 代替 `new: PATH`。一个不见了的技能只能解释一个新路径。按排好的顺序处理新路径，每次取排在最前、还没用掉的 OLD。
# - **c** `repaired: OLD -> skills/NAME/SKILL.md`：扁平技能 OLD 不见了，`after` 里有了同名 NAME 的目录，而 `before` 里没有。字节可以不同。修复过的技能，不再用来解释改名。NAME 是文件名去掉后缀；两个名字经过 `unicodedata.normalize("NFC", name)` 之后相同，就算同名：`é` 可能是一个码点，也可能是两个。行里的两个路径都照原样写。


# %% id="answer-4-2" lab={"answer": "4.2"}
def describe_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return one line for each flat skill that is new, changed, renamed or repaired."""
    ### BEGIN SOLUTION

    def is_flat(path):
        return path.count("/") == 1

    def name_of(path):
        part = path.split("/")[1]
        return unicodedata.normalize("NFC", part[:-3] if is_flat(path) else part)

    folders = {name_of(p): p for p in sorted(after) if not is_flat(p) and p not in before}
    gone, lines = [], []
    for old in sorted(path for path in before if is_flat(path) and path not in after):
        if name_of(old) in folders:
            lines.append(f"repaired: {old} -> {folders.pop(name_of(old))}")
        else:
            gone.append(old)
    for path in sorted(path for path in after if is_flat(path)):
        if path in before:
            if before[path] != after[path]:
                lines.append(f"changed: {path}")
            continue
        source = next((old for old in gone if before[old] == after[path]), None)
        if source is None:
            lines.append(f"new: {path}")
        else:
            gone.remove(source)
            lines.append(f"renamed: {source} -> {path}")
    return sorted(lines)
    ### END SOLUTION


# %% id="check-4-2-a" lab={"check": "4.2a", "points": 1}
kept, edited, added, dropped = (f"skills/{some_name()}.md" for _ in range(4))
folder = f"skills/{some_name()}/SKILL.md"
before = {kept: some_id(), edited: some_id(), dropped: some_id()}
after = {kept: before[kept], edited: some_id(), added: some_id(), folder: some_id()}
tell(describe_changes, before, after)
tell(describe_changes, {}, {path: some_id() for path in (added, dropped, folder)})
tell(describe_changes, before, before)

# %% id="check-4-2-b" lab={"check": "4.2b", "points": 1, "hidden": true}
first, second, third, fourth, fifth, still = (f"skills/{some_name()}.md" for _ in range(6))
one, two = some_id(), some_id()
tell(describe_changes, {first: one, second: two}, {third: two, fourth: one})
tell(describe_changes, {first: one}, {third: one, fourth: one, fifth: one})
tell(describe_changes, {first: one, second: one}, {third: one, fourth: one, fifth: two})
tell(describe_changes, {still: one}, {still: one, third: one})
tell(describe_changes, {"skills/x.MD": two}, {"skills/x.md": two})

# %% id="check-4-2-c" lab={"check": "4.2c", "points": 1}
one, two, three = some_id(), some_id(), some_id()
tell(describe_changes, {"skills/pdf.md": one}, {"skills/pdf/SKILL.md": two})
tell(
    describe_changes,
    {"skills/pdf.md": one, "skills/mail.MD": two, "skills/log/SKILL.md": three},
    {"skills/pdf/SKILL.md": one, "skills/mail/SKILL.md": three, "skills/log/SKILL.md": two},
)
# the copy explains nothing, the folder that was there repairs nothing
tell(describe_changes, {"skills/a.md": one}, {"skills/a/SKILL.md": two, "skills/b.md": one})
tell(describe_changes, {"skills/a.md": one, "skills/a/SKILL.md": two}, {"skills/a/SKILL.md": two})

# %% id="check-4-2-d" lab={"check": "4.2d", "points": 1, "hidden": true, "sentence": "c"}
for letters in rng.sample(["é", "ü", "が", "한", "ño"], 4):
    name = some_name().replace("é", "e") + letters
    wide = unicodedata.normalize("NFC", name)
    apart = unicodedata.normalize("NFD", name)
    if rng.random() < 0.5:
        wide, apart = apart, wide
    same = some_id()
    tell(describe_changes, {f"skills/{wide}.md": same}, {f"skills/{apart}/SKILL.md": same})
# alike, but not the same name
same = some_id()
tell(describe_changes, {"skills/ﬁle.md": same}, {"skills/file/SKILL.md": same})
tell(describe_changes, {"skills/File.md": same}, {"skills/file/SKILL.md": same})

# %% [markdown] id="hints-4-2" lang="en" lab={"hints": "4.2"}
# 1. Chapter 7, section 7.4, says what a tree is. The sheet `skills.md` has a section on moves.
# 2. Work in three steps: which flat skills are gone? Which of these have a new folder of their name? Only what is left may explain a new path. How do you tell the two kinds of paths apart, and what about `skills/SKILL.md`?
# 3. Keep a list `gone`; for each new path `source = next((old for old in gone if before[old] == after[path]), None)` and, if there is one, `gone.remove(source)`. The folders that are new: `{name_of(p): p for p in after if p.count("/") == 2 and p not in before}`.

# %% [markdown] id="hints-4-2" lang="zh" lab={"hints": "4.2"}
# 1. 第 7 章 7.4 节说了什么是一棵树。讲义 `skills.md` 里有一节讲移动。
# 2. 分三步：哪些扁平技能不见了？其中哪些有了同名的新目录？剩下的才能解释新路径。两种路径怎么区分？`skills/SKILL.md` 呢？
# 3. 留一个列表 `gone`；对每个新路径，`source = next((old for old in gone if before[old] == after[path]), None)`，找到就 `gone.remove(source)`。新的目录是 `{name_of(p): p for p in after if p.count("/") == 2 and p not in before}`。

# %% [markdown] id="task-4-3" lang="en" lab={"task": "4.3"}
# ## 4.3 Guard a real repository
#
# Write `check_skills(tree, previous)`, the function that the hook calls, and `guarded(harness)`, which plugs it in. `tree` is the staged tree, path -> (octal mode, object id); `previous.files()` returns the tree of HEAD in the same form. The result is a list of problems, sorted by path. Which paths are flat skills is said in 4.1, all of it. The hook gets the *source* of `check_skills` and nothing around it: whatever it needs has to be inside it, imports too (chapter 7, section 7.3).
#
# - **a** A flat skill that is new, or whose mode or bytes are not those in `previous`, gives `PATH: invalid skill path (skills must be folders). Use skills/<name>/SKILL.md`, with `<name>` as it stands here. An old one that is unchanged gives nothing; neither does a new folder.
# - **b** A flat skill at a new path whose object id is that of a flat skill OLD in `previous` that is gone gives `PATH: renamed from OLD, and still not a folder. Use skills/NAME/SKILL.md` instead, NAME being the file name at PATH without its ending. With several candidates the rule of 4.2 b holds. If OLD is still there, PATH is a copy, and so it is new.
# - **c** The odd cases of 4.1 hold in the real repository as well: `README.md`, endings in capitals, non-ASCII names, spaces and quotes. Moving a flat skill into its folder and deleting one are let through.
#
# `guarded(harness)` returns the harness whose `validator` is the one it had, with your rule: `with_rules(harness.validator, check_skills=check_skills)`. The checks make a new memory with it and commit there.

# %% [markdown] id="task-4-3" lang="zh" lab={"task": "4.3"}
# ## 4.3 守住一个真的仓库
#
# 写 `check_skills(tree, previous)`，hook 会调用它；再写 `guarded(harness)`，把它装上。`tree` 是暂存树，路径 -> (八进制模式, 对象号)；`previous.files()` 以同样的形式返回 HEAD 的树。结果是问题列表，按路径排序。哪些路径是扁平技能，照 4.1 的全部说法。hook 拿到的是 `check_skills` 的**源码**，旁边的东西一概没有：它要用的都得写在里面，import 也是（第 7 章 7.3 节）。
#
# - **a** 扁平技能是新的，或者模式、字节与 `previous` 里的不同，就给出 `PATH: invalid skill path (skills must be folders). Use skills/<name>/SKILL.md`，其中 `<name>` 照字面写。旧的、没有变的不报；新的目录也不报。
# - **b** 新路径上的扁平技能，对象号与 `previous` 里某个已经不见的扁平技能 OLD 相同，改为给出 `PATH: renamed from OLD, and still not a folder. Use skills/NAME/SKILL.md`，NAME 是 PATH 的文件名去掉后缀。有几个候选时，照 4.2 b 的规则。OLD 还在，PATH 就是复制品，算新的。
# - **c** 4.1 里那些少见的情形，在真的仓库里同样成立：`README.md`、大写的后缀、非 ASCII 的名字、空格和引号。把扁平技能移进它的目录，或者删掉它，都放行。
#
# `guarded(harness)` 返回这样一个 harness：`validator` 还是原来那个，只是换上你的规则，即 `with_rules(harness.validator, check_skills=check_skills)`。检查会用它新建一份记忆，在里面提交。


# %% id="answer-4-3" lab={"answer": "4.3"}
def check_skills(tree: "Tree", previous: "State") -> list[str]:
    """Return a problem for each flat skill that is new, changed or renamed."""
    ### BEGIN SOLUTION

    def is_flat(path):
        folder, _, file = path.rpartition("/")
        name = file.lower()
        return folder == "skills" and name.endswith(".md") and name not in (".md", "readme.md")

    before = previous.files()
    gone = sorted(path for path in before if is_flat(path) and path not in tree)
    problems = []
    for path in sorted(filter(is_flat, tree)):
        if tree[path] == before.get(path):
            continue
        source = None
        if path not in before:
            source = next((old for old in gone if before[old][1] == tree[path][1]), None)
        if source is None:
            problem = "invalid skill path (skills must be folders). Use skills/<name>/SKILL.md"
        else:
            gone.remove(source)
            name = path.partition("/")[2][:-3]
            problem = f"renamed from {source}, and still not a folder. Use skills/{name}/SKILL.md"
        problems.append(f"{path}: {problem}")
    return problems
    ### END SOLUTION


def guarded(harness: Harness) -> Harness:
    """Return the harness whose new memories are guarded by `check_skills`."""
    ### BEGIN SOLUTION
    return harness.with_(validator=with_rules(harness.validator, check_skills=check_skills))
    ### END SOLUTION


# %% id="check-4-3-a" lab={"check": "4.3a", "points": 1}
kept, edited = (f"skills/{some_name()}.md" for _ in range(2))
memory = Guarded([kept, edited])
memory.write({f"skills/{some_name()}.md": "new\n", edited: "edited\n", "skills/x/SKILL.md": "x\n"})
show(memory.commit())
memory.write({"skills/x/SKILL.md": "x\n", "skills/x/scripts/run.sh": "echo\n"})
show(memory.commit())
memory.write({f"skills/{some_name()}.md": text for text in ("new\n", "newer\n")})
show(memory.commit())
(memory.bench.dir / kept).chmod(0o755)
show(memory.commit())

# %% id="check-4-3-b" lab={"check": "4.3b", "points": 1, "hidden": true}
one, two, copied, new = (f"skills/{some_name()}.md" for _ in range(4))
memory = Guarded([one, two, copied])
memory.move(one, f"skills/{some_name()}.md")
show(memory.commit())
memory.move(one, f"skills/{some_name()}.md")
memory.move(two, f"skills/{some_name()}.md")
show(memory.commit())
memory.write({new: (memory.bench.dir / copied).read_text(encoding="utf-8")})
show(memory.commit())
memory.write({new: (memory.bench.dir / one).read_text(encoding="utf-8")})
memory.move(one, f"skills/{some_name()}.md")
show(memory.commit())

# %% id="check-4-3-c" lab={"check": "4.3c", "points": 1, "hidden": true}
old, wrong = f"skills/{some_name()} {some_name()}.md", f"skills/'{some_name()}'.md"
memory = Guarded([old, wrong, "skills/Old.MD"])
events = [
    {rng.choice(["skills/README.md", "skills/readme.MD"]): "for people\n"},
    {f"skills/{some_name()}.MD": "new\n"},
    {f'skills/{some_name()} "{some_name()}".md': "new\n", "skills/🌏.md": "new\n"},
    {"skills/SKILL.md": "new\n", "skills/group/note.md": "new\n"},
    {"Skills/group.md": "---\nname: S\ndescription: D\n---\n", "Skills/MEMORY.md": "# S\n"},
]
for files in rng.sample(events, len(events)):
    memory.write(files)
    show(memory.commit())
memory.move(old, f"{old[:-3]}/SKILL.md")
show(memory.commit())
memory.move(wrong, f"{wrong[:-3]}/SKILL.md")
(memory.bench.dir / "skills/Old.MD").unlink()
show(memory.commit())

# %% [markdown] id="hints-4-3" lang="en" lab={"hints": "4.3"}
# 1. `with_rules` in `mini_letta/memory/hooks.py`. For the source that travels see chapter 7, section 7.3, with its traps: annotations in quotes, no names from outside.
# 2. Define the helper that tells flat skills *inside* `check_skills`. A staged entry is a pair; "unchanged" compares the pair, "renamed" only the object id. If every commit is refused with `NameError`, something you use is not inside.
# 3. `before = previous.files()`, `gone = sorted(p for p in before if is_flat(p) and p not in tree)`, then a loop over `sorted(filter(is_flat, tree))` that skips `tree[path] == before.get(path)` and looks for a source only when `path not in before`.

# %% [markdown] id="hints-4-3" lang="zh" lab={"hints": "4.3"}
# 1. 看 `mini_letta/memory/hooks.py` 里的 `with_rules`。源码怎么跟过去，看第 7 章 7.3 节和那里的陷阱：注解要加引号，外面的名字带不走。
# 2. 判断扁平技能的小函数要定义在 `check_skills` **里面**。暂存的一项是一对值：“没有变”比的是这一对，“改名”只比对象号。要是每次提交都因 `NameError` 被拒，就是用到的东西没有写在里面。
# 3. `before = previous.files()`，`gone = sorted(p for p in before if is_flat(p) and p not in tree)`，再循环 `sorted(filter(is_flat, tree))`：`tree[path] == before.get(path)` 就跳过，`path not in before` 时才找来源。

# %% [markdown] id="task-4-4" lang="en" lab={"task": "4.4"}
# ## 4.4 What the agent reads first
#
# An agent does not read its skills at the start. It reads a list, one line for each, and opens a skill when the task calls for it (see `skills.md`). Write `list_skills(files)`. `files` maps every path of a memory to its text; the result is that list of lines. `read_frontmatter` from chapter 7 is given: it returns `(fields, body)`, the fields as pairs, or `None`.
#
# - **a** Each `skills/FOLDER/SKILL.md` gives one line, `- NAME: DESCRIPTION`, from the fields `name` and `description` of its frontmatter. Nothing else in `skills` gives a line: no flat skill, no script, no reference, not even a `SKILL.md` further down. The lines are sorted by NAME.
# - **b** Without frontmatter, or when a field is missing or empty, NAME is FOLDER and DESCRIPTION is `(no description)`, each on its own. If a field stands there twice, the first counts. If two skills have the same NAME, only the one whose path comes first in sorted order gives a line.

# %% [markdown] id="task-4-4" lang="zh" lab={"task": "4.4"}
# ## 4.4 agent 最先读到什么
#
# agent 一开始并不读技能，只读一份清单，每个技能一行；任务用得上时，才打开那个技能（见 `skills.md`）。写 `list_skills(files)`。`files` 是记忆里每个路径到文本的映射，结果就是这份清单的各行。第 7 章的 `read_frontmatter` 已给定：它返回 `(fields, body)`，`fields` 是 (字段名, 值) 二元组的列表；或者返回 `None`。
#
# - **a** 每个 `skills/FOLDER/SKILL.md` 给一行 `- NAME: DESCRIPTION`，取自它 frontmatter 里的 `name` 和 `description`。`skills` 里别的东西都不给：扁平技能、脚本、参考资料都不算，更深处的 `SKILL.md` 也不算。按 NAME 排序。
# - **b** 没有 frontmatter，或者缺了某个字段、字段是空的，NAME 就用 FOLDER，DESCRIPTION 就用 `(no description)`，两者分别处理。一个字段写了两次，取第一个。两个技能同名，只有路径排在前面的那个给一行。


# %% id="answer-4-4" lab={"answer": "4.4"}
def list_skills(files: Mapping[str, str]) -> list[str]:
    """Return the list of skills as an agent reads it, one line each."""
    ### BEGIN SOLUTION
    described: dict[str, str] = {}
    for path in sorted(files):
        parts = path.split("/")
        if len(parts) != 3 or parts[0] != "skills" or parts[2] != "SKILL.md":
            continue
        fields, _ = read_frontmatter(files[path]) or ([], "")
        values = dict(reversed(fields))  # of two equal keys the first one counts
        name = values.get("name") or parts[1]
        described.setdefault(name, values.get("description") or "(no description)")
    return [f"- {name}: {described[name]}" for name in sorted(described)]
    ### END SOLUTION


# %% id="check-4-4-a" lab={"check": "4.4a", "points": 1}
def skill(*fields):
    return "\n".join(["---", *fields, "---", "Step one.", ""])


files = {"MEMORY.md": "# Memory\n", "skills/README.md": skill("name: R", "description: no")}
for _ in range(3):
    folder, name = some_name(), some_name()
    files[f"skills/{folder}/SKILL.md"] = skill(f"description: when {folder}", f"name: {name}")
    files[f"skills/{folder}/references/SKILL.md"] = skill("name: deep", "description: no")
    files[f"skills/{folder}/references/{name}.md"] = skill("name: ref", "description: no")
    files[f"skills/{folder}/scripts/run.sh"] = "echo\n"
files[f"skills/{some_name()}.md"] = skill("name: flat", "description: no")
files["notes/skills/x/SKILL.md"] = files["x/y/SKILL.md"] = skill("name: x", "description: no")
files["skills/SKILL.md"] = skill("name: nobody", "description: no")
for line in list_skills(dict(rng.sample(sorted(files.items()), len(files)))):
    show(line)


# %% id="check-4-4-b" lab={"check": "4.4b", "points": 1, "hidden": true}
def skill(*fields):
    return "\n".join(["---", *fields, "---", "Step one.", ""])


texts = [skill("name: same", f"description: {some_id()}") for _ in range(3)]
texts += [skill("name:", "description: D"), skill("name: only"), "no frontmatter\n", ""]
texts += [skill("description: no name"), "---\nname: never closed\n"]
texts += [skill("name: twice", "name: second", "description: 1", "description: 2")]
texts += [skill("name: tagged", "tags: a: b", "description: a: b")]
rng.shuffle(texts)
files = {f"skills/{some_name()}/SKILL.md": text for text in texts}
for line in list_skills(dict(rng.sample(sorted(files.items()), len(files)))):
    show(line)

# %% [markdown] id="hints-4-4" lang="en" lab={"hints": "4.4"}
# 1. `read_frontmatter` in `mini_letta/memory/frontmatter.py`, and the section on the list in the sheet `skills.md`.
# 2. How many parts has a path that counts? Go through the paths in sorted order and remember the names you have had. What does `dict(fields)` keep when a key stands there twice?
# 3. `fields, _ = read_frontmatter(text) or ([], "")`, `values = dict(reversed(fields))`, `name = values.get("name") or folder`, then `described.setdefault(name, ...)`.

# %% [markdown] id="hints-4-4" lang="zh" lab={"hints": "4.4"}
# 1. 看 `mini_letta/memory/frontmatter.py` 里的 `read_frontmatter`，还有讲义 `skills.md` 里讲清单的那一节。
# 2. 算数的路径有几段？按排好的顺序走一遍路径，记住见过的名字。一个键出现两次时，`dict(fields)` 留下的是哪一个？
# 3. `fields, _ = read_frontmatter(text) or ([], "")`，`values = dict(reversed(fields))`，`name = values.get("name") or folder`，再 `described.setdefault(name, ...)`。

# %% [markdown] id="old-text" lang="en"
# The last thing to write is a script. `OLD_SKILLS` makes the memory it will find: flat skills from the time before the gatekeeper, a skill that exists twice, and work that somebody has not committed yet. `SEED` is set when it runs, so the names differ each time.

# %% [markdown] id="old-text" lang="zh"
# 最后要写的是一段脚本。`OLD_SKILLS` 造出它要面对的记忆：守门员来之前的扁平技能，一个有两份的技能，还有别人没提交完的东西。运行时 `SEED` 是设好的，所以每次名字都不一样。

# %% id="old-skills"
OLD_SKILLS = f"""
set -e
mkdir -p skills/pdf-$SEED/scripts
echo '{T["backup"]}' > skills/backup-$SEED.md
echo '{T["minutes"]}' > 'skills/{T["minutes"]}.md'
echo '{T["deploy"]}' > skills/Deploy.MD
echo '{T["readme"]}' > skills/README.md
git add skills && git commit -q --no-verify -m 'old skills'
echo '{T["check"]}' >> skills/backup-$SEED.md
git add skills && git commit -q --no-verify -m 'backup: check the copy'
echo '{T["old"]}' > skills/pdf-$SEED.md
echo '{T["pdf"]}' > skills/pdf-$SEED/SKILL.md
echo 'pdftotext "$1" -' > skills/pdf-$SEED/scripts/extract.sh
git add skills && git commit -q --no-verify -m 'a skill twice'
echo '- {T["draft"]}' >> human.md
echo '{T["draft"]}' > skills/draft.md
"""

# %% [markdown] id="task-4-5" lang="en" lab={"task": "4.5"}
# ## 4.5 From flat skills to folders
#
# Assign a bash script to the variable `migrate`, in the form `migrate = r"""..."""`. It runs in the memory folder after `OLD_SKILLS`, with git, a shell and `python3`, under the hook of v0.2. What it leaves in the repository is looked at from outside. Do not write the file names of this memory into the script: the next one has others.
#
# - **a** Every committed flat skill `skills/NAME.md` (as in 4.1: the ending in any letter case, `README.md` left alone) is afterwards `skills/NAME/SKILL.md`, with exactly the same bytes. No other committed path has changed.
# - **b** Nothing is overwritten. If `skills/NAME/SKILL.md` exists already, the flat file becomes `skills/NAME/references/NAME.md` instead.
# - **c** It is one commit on top of the old HEAD, not one for each skill, and the history stays: `git log --follow` leads from the new path to the first commit of the flat file.
# - **d** What was not committed before is not committed now: the unfinished line in `human.md`, and `skills/draft.md`, which git does not know yet.

# %% [markdown] id="task-4-5" lang="zh" lab={"task": "4.5"}
# ## 4.5 从扁平技能到目录
#
# 把一段 bash 脚本赋给变量 `migrate`，写成 `migrate = r"""..."""`。它在 `OLD_SKILLS` 之后、在记忆目录里运行，有 git、shell 和 `python3` 可用，提交由 v0.2 的 hook 把关。它在仓库里留下什么，由外面来看。不要把这份记忆里的文件名写进脚本：下一份记忆里是别的名字。
#
# - **a** 每个已提交的扁平技能 `skills/NAME.md`（同 4.1：后缀不分大小写，`README.md` 不动）都变成 `skills/NAME/SKILL.md`，字节分毫不差。别的已提交的路径都没有变。
# - **b** 什么都不覆盖。已经有 `skills/NAME/SKILL.md` 的，扁平文件改放到 `skills/NAME/references/NAME.md`。
# - **c** 在旧的 HEAD 上只多一次提交，不是每个技能一次；历史还在：用 `git log --follow` 从新路径能走到扁平文件的第一次提交。
# - **d** 原来没提交的，现在也没提交：`human.md` 里那行没写完的话，还有 git 还不认识的 `skills/draft.md`。

# %% id="answer-4-5" lab={"answer": "4.5"}
migrate = r"""
### BEGIN SOLUTION
set -eu
shopt -s nocasematch
git ls-files -z -- skills | while IFS= read -r -d '' path; do
    file=${path#skills/}
    case $file in
        */* | readme.md | .md) continue ;;
        *.md) name=${file%.*} ;;
        *) continue ;;
    esac
    target=skills/$name/SKILL.md
    if [ -e "$target" ]; then
        target=skills/$name/references/$name.md
    fi
    mkdir -p "${target%/*}"
    git mv -- "$path" "$target"
done
git commit -q -m 'Skills become folders'
### END SOLUTION
"""

# %% id="check-4-5-a" lab={"check": "4.5a", "points": 1, "script": "migrate", "start": "OLD_SKILLS"}
for entry in repo.run("ls-tree", "-r", "-z", "HEAD").text.split("\0")[:-1]:
    place, _, path = entry.partition("\t")
    if path not in ("human.md", "skills/draft.md") and not path.startswith("skills/pdf"):
        show([path, place.split(" ")[2][:7]])

# %% id="check-4-5-b" lab={"check": "4.5b", "points": 1, "hidden": true, "script": "migrate", "start": "OLD_SKILLS"}
for entry in repo.run("ls-tree", "-r", "-z", "HEAD").text.split("\0")[:-1]:
    place, _, path = entry.partition("\t")
    if path.startswith("skills/pdf"):
        show([path, place.split(" ")[2][:7]])

# %% id="check-4-5-c" lab={"check": "4.5c", "points": 1, "hidden": true, "script": "migrate", "start": "OLD_SKILLS"}
subjects = repo.run("log", "--format=%s").text.split("\n")
show([len(subjects), subjects[1:]])
path = f"skills/backup-{SEED}/SKILL.md"
show(repo.run("log", "--follow", "--format=%s", "--", path).text.split("\n")[1:])

# %% id="check-4-5-d" lab={"check": "4.5d", "points": 1, "script": "migrate", "start": "OLD_SKILLS"}
names = repo.run("ls-tree", "-r", "-z", "--name-only", "HEAD").text.split("\0")
moved = [name for name in names if name.startswith(f"skills/backup-{SEED}/")]
show(moved)
if moved:  # whoever committed nothing has committed nothing else
    show(repo.run("log", "--format=%s", "--", "human.md").text)
    show([name for name in names if "draft" in name])

# %% [markdown] id="hints-4-5" lang="en" lab={"hints": "4.5"}
# 1. `git help ls-files` and `git help mv`. The sheet `skills.md` says what keeps a history that can be followed.
# 2. Which command lists only what git knows, with names that hold spaces and Chinese? Which one moves a file and stages the move and nothing else? When does the commit come: inside the loop or after it?
# 3. `git ls-files -z -- skills | while IFS= read -r -d '' path; do ... git mv -- "$path" "$target"; done`, then a single `git commit -q -m '...'` without `-a`. `shopt -s nocasematch` makes `case` ignore letter case.

# %% [markdown] id="hints-4-5" lang="zh" lab={"hints": "4.5"}
# 1. 看 `git help ls-files` 和 `git help mv`。讲义 `skills.md` 里说了怎样的历史才跟得下去。
# 2. 哪条命令只列出 git 认识的文件，名字里有空格和汉字也不怕？哪条命令移动文件、暂存这次移动，别的都不碰？提交在循环里面，还是在循环之后？
# 3. `git ls-files -z -- skills | while IFS= read -r -d '' path; do ... git mv -- "$path" "$target"; done`，最后只有一次 `git commit -q -m '...'`，不带 `-a`。`shopt -s nocasematch` 让 `case` 不分大小写。

# %% [markdown] id="task-4-6" lang="en" lab={"task": "4.6"}
# ## 4.6 Why must a skill be a folder?
#
# Write 120 to 250 words. Use the sheets and your 4.4. Say what a skill in one file loses, what `scripts/` and `references/` are for and when each is read, and why that matters for what the model has in front of it. Then give one situation in which one file would be enough, and say why the rule makes no exception for it. A person reads this answer.

# %% [markdown] id="task-4-6" lang="zh" lab={"task": "4.6"}
# ## 4.6 技能为什么必须是目录？
#
# 写 200 到 400 字，用上讲义和你的 4.4。说清楚：写成一个文件，技能会少掉什么；`scripts/` 和 `references/` 各有什么用，各在什么时候被读到；这对模型眼前的内容有什么意义。再举一种一个文件就够了的情形，说说规则为什么不为它破例。这道题由人工批阅。

# %% [markdown] id="written-4-6" lang="en" lab={"written": "4.6", "points": 4}
# *Your answer.*
#
# ### BEGIN SOLUTION
# A skill is read in three steps, and each step needs a place of its own. At the start the model sees one line: name and description. When a task fits, it opens SKILL.md, the steps. Only if a step says so does it open a reference, or run a script without reading it at all. In one file there is no third step. Whoever opens it reads the format table, the rare cases and the code, every time, and these pages push something else out of the context.
#
# A script in a file of its own is also something that can be run, tested and get an executable bit. As a code block in Markdown it has to be copied by the model, token by token, and each copy may differ. A reference can be exchanged without touching the instructions, and the history shows which of the two changed.
#
# The folder gives these parts one name and keeps them together: it can be moved, copied or deleted as a whole, and a relative path such as `scripts/run.py` stays true.
#
# A skill of five lines, "how I sign letters", would do as a file. But then there would be two forms, and everybody who lists, opens or moves skills would have to know both. And skills grow: with the first script the file would have to become a folder, its path would change, and with it every mention of it. One empty-looking folder is cheaper.
# ### END SOLUTION

# %% [markdown] id="written-4-6" lang="zh" lab={"written": "4.6", "points": 4}
# *在这里写你的回答。*
#
# ### BEGIN SOLUTION
# 技能分三步读，每一步都要有自己的地方。一开始，模型只看到一行：名字和描述。任务对得上，才打开 SKILL.md，也就是步骤。步骤里点到了，才去翻一份参考资料，或者直接运行一个脚本，连内容都不必读。写成一个文件，就没有第三步了：谁打开它，格式表、少见情形、代码就一次全读进来，每次都如此，别的内容就被挤出了上下文。
#
# 脚本自成一个文件，才能运行、能测试、能有可执行位。写成 Markdown 里的代码块，就得由模型一个字一个字抄出来，每抄一次都可能不一样。参考资料可以单独更换，不动步骤；改的是哪一边，历史里一目了然。
#
# 目录把这几部分归在一个名字下面：可以整个移动、复制、删除，`scripts/run.py` 这样的相对路径始终有效。
#
# 只有五行的技能，比如“我的信怎么落款”，一个文件就够。可那样就有了两种形式，凡是要列出、打开、移动技能的，都得两种都认识。而且技能会长大：一有第一个脚本，文件就得变成目录，路径变了，所有提到它的地方都得跟着改。相比之下，一个看起来空荡荡的目录更便宜。
# ### END SOLUTION

# %% [markdown] id="rubric-4-6" lang="en" lab={"rubric": "4.6"}
# One point each, 4 in all.
#
# - **Read in steps.** Says that list, SKILL.md and the other files are read at different moments, and that one file makes everything be read at once (context).
# - **scripts/.** Says that a script is run rather than read or copied, or that it can be tested on its own. ("Code belongs in scripts/" alone is not enough.)
# - **references/.** Says that it is opened only when a step calls for it, or that it can be changed apart from the steps.
# - **Exception.** Names a situation where one file would do *and* a reason against the exception: two forms for every reader and tool, or paths change once the skill grows.

# %% [markdown] id="rubric-4-6" lang="zh" lab={"rubric": "4.6"}
# 每项 1 分，共 4 分。
#
# - **分步读。** 说出清单、SKILL.md 和其余文件在不同时刻读到；写成一个文件就只能一次全读（上下文）。
# - **scripts/。** 说出脚本是拿来运行的，不是拿来读或抄的；或者说出它可以单独测试。（只说“代码放 scripts/”不算。）
# - **references/。** 说出它在步骤点到时才打开；或者说出它可以脱离步骤单独更换。
# - **破例。** 举出一个文件就够的情形，**并且**说出不破例的理由：所有读者和工具都得认两种形式；或者技能一长大，路径就得变。

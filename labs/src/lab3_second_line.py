# %% [markdown] id="title" lang="en"
# # Lab 3 The second line
#
# A commit hook can be skipped, and a memory that skipped it walks straight into the system prompt. In this lab you build the second line of defence: every new HEAD is audited once, whoever moved it, and the model is told. Then you go further than the program does: only the last valid revision is compiled, and a `<memory_update>` says why. At the end you argue whether that still is "only HEAD counts". You work on stage v0.3; the audit of v1.0 is not there to be imported.
#
# **Failing is where you begin.** Each answer cell raises `NotImplementedError` until you write it. `check("3.1")` names the sentence of the task that is not met yet, with what was expected and what was seen; `hint("3.1")` gives the next of three hints. When you hand the lab in, further checks run that you do not see: other inputs, and the odd cases the task names. Each exercise is checked alone, with the given cells and your answer to it, so you can skip one and come back.

# %% [markdown] id="title" lang="zh"
# # Lab 3 第二道防线
#
# hook 可以被跳过；跳过它的那次提交，会一路走进系统提示。这个实验里你来修第二道防线：每个新的 HEAD 审计一次，不管是谁挪动了它，有问题就告诉模型。然后比现成的程序再往前走一步：只编译最近一个合格的版本，并在 `<memory_update>` 里说明原因。最后请你写一段话：这还算不算“只认 HEAD”？你站在 v0.3 上，v1.0 的审计在这里 import 不到。
#
# **不通过，就是起点。** 每个答案单元格在你写好之前都抛 `NotImplementedError`。`check("3.1")` 会指出题目里还没做到的那一句，并列出应有的结果和实际的结果；`hint("3.1")` 一次给一条提示，共三条。交上来以后，还会跑一些你看不到的检查：换一批输入，加上题目里写明的特殊情形。每道题单独检查，只用给定的格子和你对这道题的回答，所以可以先跳过，回头再做。

# %% id="words" lang="en"
T = {
    "lang": "en",
    "ping": "ping",
    "run": "run: ",
}

# %% id="words" lang="zh"
T = {
    "lang": "zh",
    "ping": "在吗",
    "run": "运行：",
}

# %% [markdown] id="problem-text" lang="en"
# First the problem. A commit past the hook, one turn, and the prompt of a new conversation. Nobody says a word. The last lines show where the record of an audit must *not* go: in a linked worktree `.git` is a file.

# %% [markdown] id="problem-text" lang="zh"
# 先看问题。绕过 hook 提交一次，过一个回合，再看新对话的系统提示：没有一个人吭声。最后几行说明审计记录**不能**放在哪里：在关联的 worktree 里，`.git` 是一个文件。

# %% id="problem"
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mini_letta import v0_3
from mini_letta.course.workbench import Workbench
from mini_letta.git import Repo
from mini_letta.harness import Harness, Notice
from mini_letta.providers.protocol import Message
from mini_letta.session import Session

with Workbench(v0_3.HARNESS, lang=T["lang"]) as bench:
    bench.sh("echo 'BYPASSED: no frontmatter' > human.md; git commit -qam sneaky --no-verify")
    bench.say(T["ping"])
    print("BYPASSED" in bench.prompt_text(fresh=True))
    bench.sh("git worktree add -q -b side ../side; cat ../side/.git")
    try:
        (bench.dir.parent / "side" / ".git" / "audit.json").write_text("{}")
    except NotADirectoryError as error:
        print(type(error).__name__, error.strerror)

# %% [markdown] id="audit-text" lang="en"
# ## What you are given
#
# `Seen` is what a checkout remembers about its audits. `audit(repo, revision, base)` judges the whole tree of one commit by the rules of the hook. It reads the commit itself, so neither the index nor the working tree matters. The commit is judged *as a change of* `base`: protected files must be those of `base`, a flat skill must have been there. `base` is the last valid revision, or `""` when there is none. The policy is the accepted one. An empty list means valid.

# %% [markdown] id="audit-text" lang="zh"
# ## 给定的东西
#
# `Seen` 是一个检出对自己的审计记得的事。`audit(repo, revision, base)` 用 hook 的那套规则判断一次提交的整棵树。它直接读提交，所以暂存区和工作区里有什么都不相干。这次提交是**当作对 `base` 的一次修改**来判断的：受保护的文件必须与 `base` 里的相同，扁平的技能必须原来就在。`base` 是最近一个合格的版本，还没有就是 `""`。配置用已接受的那份。返回空列表，就是合格。

# %% id="given"
from mini_letta.memory.accepted import (
    State,
    accepted_state,
    current_record,
    revision_objects,
    state_at,
)
from mini_letta.memory.checkout import place_of
from mini_letta.memory.gate import judge, judged_blobs
from mini_letta.memory.staged import read_objects, read_tree
from mini_letta.prompt.compile import render_committed
from mini_letta.prompt.update import full_compile

RECORD = "lab3-audit.json"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a checkout remembers about its audits."""

    head: str = ""
    """The HEAD that was audited last; "" if none was."""
    valid: str = ""
    """The last revision whose audit was clean; "" if there is none."""


def audit(repo: Repo, revision: str, base: str) -> list[str]:
    """Return what is wrong with one commit, judged as a change of the revision `base`."""
    place = place_of(repo)
    tree = read_tree(place, revision)
    objects = read_objects(place, revision_objects(revision), judged_blobs(tree))
    policy = accepted_state(place, current_record(place), state_at(place, revision, objects)).policy
    before = State(policy, lambda: read_tree(place, base) if base else {})
    return judge(place, tree, objects, previous=before, accepted=before, approved=False)[0]


# %% id="prelude" lab={"prelude": true}
import contextlib
import random
import re
import tempfile

from mini_letta.git import hermetic_environment

rng = random.Random(SEED)


def some_id():
    return "".join(rng.choices("0123456789abcdef", k=40))


@contextlib.contextmanager
def two_checkouts():
    """Yield a main checkout and a linked worktree, one empty commit in both."""
    with tempfile.TemporaryDirectory() as folder:
        main = Repo(dir=Path(folder, "main"), env=hermetic_environment(os.environ))
        main.dir.mkdir()
        main.run("init", "--quiet", "--initial-branch=main")
        main.run("commit", "--quiet", "--allow-empty", "-m", "first")
        main.run("worktree", "add", "--quiet", "-b", "side", "../side")
        yield main, Repo(dir=Path(folder, "side"), env=main.env)


class Story:
    """A real memory whose commits are called c0, c1, c2 ... in the order they were made."""

    def __init__(self, harness=v0_3.HARNESS, *, chooses=False):
        self.bench = Workbench(harness, lang=T["lang"])
        self.repo = self.bench.session.repo
        self.names = {}
        self.choices = {None: Choice()} if chooses else {}
        self.valid = ""
        self.note()

    def note(self):
        head = self.repo.head()
        self.names.setdefault(head, f"c{len(self.names)}")
        if self.choices:
            self.settle()

    def settle(self):
        """Judge HEAD; where it is the question, only after it has been answered."""
        head = self.repo.head()
        problems = audit(self.repo, head, self.valid)
        self.valid = self.valid if problems else head
        if self.choices:
            refusal = Choice(shown=self.valid, refused=head, problems=tuple(problems))
            self.choices[head] = refusal if problems else Choice(shown=head)

    def git(self, script):
        output = self.bench.run(script)
        if output.code:
            raise RuntimeError(output.text)
        self.note()

    def write(self, path, text):
        (self.repo.dir / path).write_text(text, encoding="utf-8")

    def word(self):
        return "".join(rng.choices("abcdefgh", k=6))

    def good(self):
        """Commit a new human.md and a persona.md through the hook; repairs what is bad."""
        self.write("human.md", f"---\nname: H\ndescription: D\n---\n- {self.word()}\n")
        self.write("persona.md", "---\nname: P\ndescription: D\n---\n")
        self.git("git add human.md persona.md && git commit -q -m good")

    def bad(self, *paths):
        """Commit files without frontmatter past the hook."""
        for path in paths or ("human.md",):
            self.write(path, f"BYPASSED {self.word()}\n")
        self.git("git add . && git commit -q --no-verify -m bad")

    def on_top(self):
        """Commit a good file on top of a bad HEAD, past the hook."""
        self.write("notes.md", f"---\nname: N\ndescription: D\n---\n- {self.word()}\n")
        self.git("git add notes.md && git commit -q --no-verify -m 'on top'")

    def revert(self):
        """Undo the last commit with a new one; git runs no hook for that."""
        self.git("git revert --no-edit HEAD")

    def quiet(self):
        """Commit what no prompt shows, through the hook."""
        self.write("picture.txt", self.word())
        self.git("git add picture.txt && git commit -q -m quiet")

    def orphan(self):
        """Begin a history anew: HEAD has no commit."""
        self.bench.run("git switch -q --orphan empty")

    def name(self, revision):
        return self.names.get(revision, revision)

    def masked(self, text):
        for revision, name in self.names.items():
            if revision:
                text = text.replace(revision, name).replace(revision[:7], name)
        return text

    def ping(self, text=T["ping"]):
        """Run a turn; return the audit notices the model was told, and those left for later."""
        turn = self.bench.turn(text)
        told = [m.text for m in turn.messages if m.text.startswith("MEMORY INVALID")]
        late = [n.text for n in turn.notices if n.text not in told]
        self.note()
        return [[self.masked(text) for text in texts] for texts in (told, late)]

    def found(self):
        """Run a turn and return how many notices its steps returned."""
        return len(self.bench.turn(T["ping"]).notices)

    def updates(self, text=T["ping"]):
        """Run a turn and return the memory updates in it."""
        turn = self.bench.turn(text)
        return [self.masked(m.text) for m in turn.messages if m.text.startswith("<memory_update")]


# %% [markdown] id="task-3-1" lang="en" lab={"task": "3.1"}
# ## 3.1 The record belongs to the checkout
#
# Write `read_seen(repo)` and `write_seen(repo, seen)`. A main checkout and its linked worktrees have different HEADs, so each keeps a record of its own.
#
# - **a** The record is the file `lab3-audit.json` (the constant `RECORD`) in the git dir of *this checkout*. It holds one JSON object, `{"head": ..., "valid": ...}`. Writing in a linked worktree leaves the record of the main checkout alone, and the other way round.
# - **b** `read_seen` returns `Seen()` when there is no record or what is there is not one: not UTF-8, not JSON, not an object, a key missing, a value that is not a string. It raises nothing. The price of a damaged record is one audit too many, never one too few.
# - **c** `write_seen` replaces the record in one step: whoever has opened it before still reads the whole old record. Nothing else is left in the git dir.

# %% [markdown] id="task-3-1" lang="zh" lab={"task": "3.1"}
# ## 3.1 记录属于检出
#
# 写 `read_seen(repo)` 和 `write_seen(repo, seen)`。主检出和它的 worktree 各有各的 HEAD，所以各记各的。
#
# - **a** 记录是**这个检出**的 git 目录里的文件 `lab3-audit.json`（常量 `RECORD`），内容是一个 JSON 对象 `{"head": ..., "valid": ...}`。在 worktree 里写，不影响主检出的记录；反过来也一样。
# - **b** 没有记录，或者里面的东西不是记录，`read_seen` 都返回 `Seen()`，不抛异常。后一种情形包括：不是 UTF-8，不是 JSON，不是对象，少一个键，某个值不是字符串。记录坏了，代价是多审一次，绝不能是少审一次。
# - **c** `write_seen` 一步换掉旧记录：在此之前已经打开它的人，读到的仍是完整的旧记录。git 目录里不留下别的文件。


# %% id="answer-3-1" lab={"answer": "3.1"}
def read_seen(repo: Repo) -> Seen:
    """Return what this checkout remembers; `Seen()` if that is nothing readable."""
    ### BEGIN SOLUTION
    try:
        record = json.loads((repo.git_dir() / RECORD).read_text(encoding="utf-8"))
        head, valid = record["head"], record["valid"]
    except (OSError, ValueError, KeyError, TypeError):
        return Seen()
    if not (isinstance(head, str) and isinstance(valid, str)):
        return Seen()
    return Seen(head, valid)
    ### END SOLUTION


def write_seen(repo: Repo, seen: Seen) -> None:
    """Remember `seen` in the git dir of this checkout, in one step."""
    ### BEGIN SOLUTION
    record = repo.git_dir() / RECORD
    draft = record.with_name(f"{RECORD}.{os.getpid()}")
    draft.write_text(json.dumps({"head": seen.head, "valid": seen.valid}), encoding="utf-8")
    draft.replace(record)
    ### END SOLUTION


# %% id="check-3-1-a" lab={"check": "3.1a", "points": 1}
with two_checkouts() as (main, side):

    def write(checkout, head, valid):
        write_seen({"main": main, "side": side}[checkout], Seen(head, valid))
        return {
            repo.dir.name: json.loads((repo.git_dir() / RECORD).read_text(encoding="utf-8"))
            for repo in (main, side)
            if (repo.git_dir() / RECORD).exists()
        }

    def read(checkout):
        seen = read_seen({"main": main, "side": side}[checkout])
        return [seen.head, seen.valid]

    tell(write, "main", some_id()[:7], some_id()[:7])
    tell(write, "side", some_id()[:7], "")
    tell(read, "main")
    tell(read, "side")

# %% id="check-3-1-b" lab={"check": "3.1b", "points": 1, "hidden": true}
with two_checkouts() as (main, side):

    def read_after(damage):
        seen = read_seen(main)
        if damage is not None:
            write_seen(main, Seen(some_id(), some_id()))
            (main.git_dir() / RECORD).write_bytes(damage)
            seen = read_seen(main)
        return [seen.head, seen.valid]

    def read_back(head, valid):
        write_seen(main, Seen(head, valid))
        seen = read_seen(main)
        return [seen.head, seen.valid]

    damages = [b"", b"{", b"\xff\xfe{}", b"null", b"[]", b'"text"', b"17", b"{}"]
    damages += [b'{"head": "abc"}', b'{"head": 5, "valid": "abc"}', b'{"head": "a", "valid": null}']
    rng.shuffle(damages)
    for damage in [None, *damages]:
        tell(read_after, damage)
    tell(read_back, some_id(), some_id())

# %% id="check-3-1-c" lab={"check": "3.1c", "points": 1}
with two_checkouts() as (main, side):

    def replace_while_read(first, second):
        before = set(os.listdir(main.git_dir()))
        write_seen(main, Seen(first, ""))
        with (main.git_dir() / RECORD).open(encoding="utf-8") as reader:
            write_seen(main, Seen(second, first))
            old = reader.read()
        seen = read_seen(main)
        left = sorted(set(os.listdir(main.git_dir())) - before)
        return {"old": json.loads(old)["head"], "new": [seen.head, seen.valid], "files": left}

    tell(replace_while_read, some_id()[:7], some_id()[:7])

# %% [markdown] id="hints-3-1" lang="en" lab={"hints": "3.1"}
# 1. The methods of `Repo` in `mini_letta/git.py`: one of them asks git where the git dir of a checkout is. Chapter 7, section 7.9, the second wrong draft.
# 2. Which exceptions can reading bytes, decoding, parsing JSON and taking two keys raise? `UnicodeDecodeError` and `JSONDecodeError` are both a `ValueError`. For sentence c: write somewhere else first. Which call puts one file in the place of another?
# 3. `repo.git_dir() / RECORD`; `except (OSError, ValueError, KeyError, TypeError): return Seen()`, then `isinstance(..., str)` for both; write `record.with_name(RECORD + ".new")` and call `.replace(record)` on it.

# %% [markdown] id="hints-3-1" lang="zh" lab={"hints": "3.1"}
# 1. 看 `mini_letta/git.py` 里 `Repo` 的方法：有一个会问 git，这个检出的 git 目录在哪里。再看第 7 章 7.9 节，错误的草稿二。
# 2. 读字节、解码、解析 JSON、取两个键，各会抛什么异常？`UnicodeDecodeError` 和 `JSONDecodeError` 都是 `ValueError`。至于 c：先写到别处。哪个调用能让一个文件顶替另一个？
# 3. `repo.git_dir() / RECORD`；`except (OSError, ValueError, KeyError, TypeError): return Seen()`，再对两个值各做一次 `isinstance(..., str)`；先写 `record.with_name(RECORD + ".new")`，再对它调用 `.replace(record)`。

# %% [markdown] id="ledger-text" lang="en"
# So that the next exercise does not depend on your 3.1, here is a record that lives in memory only. It is used the same way: `ledger.read(repo)`, `ledger.write(repo, seen)`.

# %% [markdown] id="ledger-text" lang="zh"
# 为了让下一题不依赖你的 3.1，这里有一份只存在内存里的记录。用法一样：`ledger.read(repo)`、`ledger.write(repo, seen)`。


# %% id="ledger"
class Ledger:
    """A record that is gone when Python ends."""

    def __init__(self) -> None:
        self.seen = Seen()

    def read(self, repo: Repo) -> Seen:
        return self.seen

    def write(self, repo: Repo, seen: Seen) -> None:
        self.seen = seen


# %% [markdown] id="task-3-2" lang="en" lab={"task": "3.2"}
# ## 3.2 Each new HEAD once, whoever moved it
#
# Write `second_line(harness, ledger, audit)`. It returns the harness with one more step (a function `session -> list[Notice]`) before the turn and the same one after it. The memory is `session.repo`, the record is `ledger`, and the verdict comes from `audit(repo, revision, base)`, called exactly like the one given above.
#
# - **a** An invalid HEAD that is not in the record gives one notice. Its text is `MEMORY INVALID: ` and the first seven characters of the commit id, then each problem on a line of its own, indented by two spaces; no line feed at the end. It is told once, whether a person moved HEAD between two turns or the model did during one. A problem found after the turn is told in the next one.
# - **b** An invalid HEAD is written into the record when the notice is stored (`Notice(text=..., stored=...)`), not before: as long as nobody has stored it, the step returns the notice again. What is then recorded as `head` is the commit that was audited, even if HEAD has moved on meanwhile.
# - **c** After a clean audit HEAD is recorded at once, as `head` and as `valid`, without a notice. After a bad one `valid` keeps its old value. The `base` given to `audit` is the recorded `valid`. A later commit that fixes the memory, or a `git revert` of the bypass, is a new HEAD like any other.
# - **d** The audit is called once for each new HEAD. It is not called when HEAD is the recorded `head` or when HEAD has no commit (an unborn branch). Then there is no notice either, and the record stays as it is.

# %% [markdown] id="task-3-2" lang="zh" lab={"task": "3.2"}
# ## 3.2 每个新的 HEAD 审一次，不管是谁挪的
#
# 写 `second_line(harness, ledger, audit)`。它返回的 harness 在回合前多一个步骤（步骤是函数 `session -> list[Notice]`），回合后也多同一个步骤。记忆仓库是 `session.repo`，记录是 `ledger`，结论由 `audit(repo, revision, base)` 给出，调用方式和上面给定的那个一样。
#
# - **a** HEAD 不合格、又不在记录里，就发一条通知。正文是 `MEMORY INVALID: ` 加提交号的前七个字符，接着每个问题占一行，前面空两格；结尾没有换行。无论是人在两个回合之间挪动了 HEAD，还是模型在回合当中挪动的，都只说一次。回合后才发现的，下一个回合开头说。
# - **b** 不合格的 HEAD，要等通知存好了才写进记录（`Notice(text=..., stored=...)`），不能早写：只要还没人把它存好，这个步骤就再次返回同一条通知。这时记作 `head` 的，是当初审的那次提交，哪怕 HEAD 此间又动了。
# - **c** 审计没有问题，就立刻记录：`head` 和 `valid` 都是 HEAD，不发通知。有问题，`valid` 保持原值。交给 `audit` 的 `base` 就是记录里的 `valid`。后来的修复提交，或者对那次绕过的 `git revert`，都是新的 HEAD，一视同仁。
# - **d** 每个新的 HEAD 只调用一次 `audit`。HEAD 就是记录里的 `head`，或者 HEAD 处还没有提交（刚开的空分支），就不调用，也不发通知，记录不变。


# %% id="answer-3-2" lab={"answer": "3.2"}
def second_line(
    harness: Harness, ledger: Ledger, audit: Callable[[Repo, str, str], list[str]]
) -> Harness:
    """Return the harness with an audit of each new HEAD before and after the turn."""
    ### BEGIN SOLUTION

    def report_new_head(session: Session) -> list[Notice]:
        repo = session.repo
        head, seen = repo.head(), ledger.read(repo)
        if head is None or head == seen.head:
            return []
        problems = audit(repo, head, seen.valid)
        if not problems:
            ledger.write(repo, Seen(head, head))
            return []
        text = "\n".join([f"MEMORY INVALID: {head[:7]}", *(f"  {line}" for line in problems)])
        return [Notice(text=text, stored=lambda: ledger.write(repo, Seen(head, seen.valid)))]

    return harness.append_before_turn(report_new_head).append_after_turn(report_new_head)
    ### END SOLUTION


# %% id="check-3-2-a" lab={"check": "3.2a", "points": 1}
story = Story(second_line(v0_3.HARNESS, Ledger(), audit))
show(story.ping())
story.bad(*rng.sample(["human.md", "persona.md"], rng.randint(1, 2)), f"{story.word()}.md")
show(story.ping())
show(story.ping())
script = f"echo {story.word()} > human.md; git commit -qam again --no-verify"
show(story.ping(T["run"] + script))
show(story.ping())
show(story.ping())

# %% id="check-3-2-b" lab={"check": "3.2b", "points": 1, "hidden": true}
ledger = Ledger()
story = Story(second_line(v0_3.HARNESS, ledger, audit))
step = story.bench.harness.after_turn[-1]


def look():
    """One look at HEAD without storing anything: its notices, and the recorded head."""
    notices = step(story.bench.session)
    lines = [story.masked(notice.text) for notice in notices]
    return lines, story.name(ledger.seen.head), notices


story.ping()
story.bad(f"{story.word()}.md")
show(look()[:2])
lines, _, notices = look()
show(lines)
story.bad()
for notice in notices:
    notice.stored()
show(story.name(ledger.seen.head))
lines, _, notices = look()
show(lines)
for notice in notices:
    notice.stored()
show(look()[:2])

# %% id="check-3-2-c" lab={"check": "3.2c", "points": 1, "hidden": true}
ledger = Ledger()
bases = {}


def listening(repo, revision, base):
    bases.setdefault(revision, base)
    return audit(repo, revision, base)


story = Story(second_line(v0_3.HARNESS, ledger, listening))
plan = [[story.good], [story.bad, story.revert], [story.bad, story.good], [story.bad, story.on_top]]
rng.shuffle(plan)
for event in [lambda: None, *(event for events in plan for event in events)]:
    event()
    notices = story.found()
    seen = ledger.seen
    show({"notices": notices, "head": story.name(seen.head), "valid": story.name(seen.valid)})
show({story.name(revision): story.name(base) for revision, base in bases.items()})

# %% id="check-3-2-d" lab={"check": "3.2d", "points": 1, "hidden": true}
ledger = Ledger()
asked = []


def listening(repo, revision, base):
    asked.append(story.name(revision))
    return audit(repo, revision, base)


def turn():
    notices = story.found()
    done = list(asked)
    asked.clear()
    return done, notices, story.name(ledger.seen.head)


story = Story()
story.bench.upgrade(second_line(v0_3.HARNESS, ledger, listening))
show(turn())
for event in [story.good, story.bad, *rng.choices([story.good, story.bad], k=3)]:
    event()
    show(turn())
    show(turn())
story.orphan()
show(turn())
story.bench.run("git switch -q -f main")
show(turn())

# %% [markdown] id="hints-3-2" lang="en" lab={"hints": "3.2"}
# 1. `Notice` and the methods `append_...` in `mini_letta/harness.py`. In `mini_letta/turn.py`, see when `_confirm` runs. Chapter 7, section 7.9, the first wrong draft.
# 2. Write the step as a function inside `second_line`; it then knows `ledger` and `audit`. Which values must `stored` remember from the moment of the audit? What would it record if it asked for HEAD again?
# 3. `head, seen = repo.head(), ledger.read(repo)`; if `head is None or head == seen.head` return `[]`; clean: `ledger.write(repo, Seen(head, head))`; bad: `Notice(text=text, stored=lambda: ledger.write(repo, Seen(head, seen.valid)))`.

# %% [markdown] id="hints-3-2" lang="zh" lab={"hints": "3.2"}
# 1. 看 `mini_letta/harness.py` 里的 `Notice` 和几个 `append_...` 方法；再看 `mini_letta/turn.py` 里 `_confirm` 什么时候跑。第 7 章 7.9 节，错误的草稿一。
# 2. 把步骤写成 `second_line` 里面的函数，它就认得 `ledger` 和 `audit`。`stored` 要记住审计那一刻的哪些值？如果它到时候再问一次 HEAD，会记成什么？
# 3. `head, seen = repo.head(), ledger.read(repo)`；`head is None or head == seen.head` 就返回 `[]`；没问题：`ledger.write(repo, Seen(head, head))`；有问题：`Notice(text=text, stored=lambda: ledger.write(repo, Seen(head, seen.valid)))`。

# %% [markdown] id="choice-text" lang="en"
# The notice comes in the same turn in which the bad memory reaches the prompt. From here on we close that hole. `Choice` says which revision may be compiled.

# %% [markdown] id="choice-text" lang="zh"
# 通知和坏记忆是在同一个回合里到的：一边报告，一边坏记忆已经进了提示。下面来堵这个口子。`Choice` 说的是哪个版本可以编译。


# %% id="choice"
@dataclass(frozen=True, slots=True)
class Choice:
    """Which revision the model may see."""

    shown: str = ""
    """The revision to compile; "" means none, the memory is empty."""
    refused: str = ""
    """HEAD, if it may not be compiled; else ""."""
    problems: tuple[str, ...] = ()
    """What is wrong with the refused revision."""


# %% [markdown] id="task-3-3" lang="en" lab={"task": "3.3"}
# ## 3.3 Which revision may be shown
#
# Write `choose(repo, head, seen, audit)`. It returns a `Choice` for `head`, the commit at HEAD, or `None` if there is none. Mind the order of a turn: the prompt is compiled *before* the notice is stored, so a bad HEAD is not in the record yet when you are asked. You have to look for yourself, and you only look: `choose` writes nothing.
#
# - **a** A valid HEAD is shown: `Choice(shown=head)`. For an invalid one it is `Choice(shown=seen.valid, refused=head, problems=(...))`, with all the problems in their order. That also holds for a good commit on top of a bad one: the tree as a whole is still invalid, and the last valid revision may be several commits back. A fixing commit or a revert is valid and is shown.
# - **b** If HEAD is `seen.valid`, the record is believed and `audit` is not called. Otherwise it is called once, with `seen.valid` as `base`, also when HEAD is `seen.head`.
# - **c** Without a commit the result is `Choice()`. An invalid HEAD in a memory that never had a valid revision is refused as well, and `shown` is `""`.
# - **d** A valid revision that is not in the repository any more (rewritten history, a record copied from elsewhere) counts as none: `shown` is `""`, and so is the `base` given to `audit`.

# %% [markdown] id="task-3-3" lang="zh" lab={"task": "3.3"}
# ## 3.3 哪个版本可以给模型看
#
# 写 `choose(repo, head, seen, audit)`，为 `head` 返回一个 `Choice`；`head` 是 HEAD 处的提交，没有提交就是 `None`。留意一个回合里的先后：提示是在通知存好**之前**编译的，所以问到你的时候，坏的 HEAD 还不在记录里。你得自己看；而且只看：`choose` 什么也不写。
#
# - **a** HEAD 合格就给它看：`Choice(shown=head)`。不合格则是 `Choice(shown=seen.valid, refused=head, problems=(...))`，问题全部列出，顺序不变。坏提交上面又叠一个好提交也是如此：整棵树仍不合格，最近的合格版本可能在好几次提交之前。修复提交或 revert 是合格的，就给它看。
# - **b** HEAD 就是 `seen.valid`，便相信记录，不调用 `audit`。否则调用一次，`base` 是 `seen.valid`；HEAD 等于 `seen.head` 时也要调用。
# - **c** 没有提交，结果是 `Choice()`。从来没有过合格版本的记忆，不合格的 HEAD 照样拒绝，`shown` 是 `""`。
# - **d** 仓库里已经没有了的合格版本（历史被改写，记录是从别处拷来的）当作没有：`shown` 是 `""`，交给 `audit` 的 `base` 也是 `""`。


# %% id="answer-3-3" lab={"answer": "3.3"}
def choose(
    repo: Repo, head: str | None, seen: Seen, audit: Callable[[Repo, str, str], list[str]]
) -> Choice:
    """Return which revision the model may see while HEAD is `head`; writes nothing."""
    ### BEGIN SOLUTION
    if head is None:
        return Choice()
    if head == seen.valid:
        return Choice(shown=head)
    found = repo.run("cat-file", "-e", f"{seen.valid}^{{commit}}", check=False)
    valid = "" if found.returncode else seen.valid
    problems = audit(repo, head, valid)
    if not problems:
        return Choice(shown=head)
    return Choice(shown=valid, refused=head, problems=tuple(problems))
    ### END SOLUTION


# %% id="check-3-3-a" lab={"check": "3.3a", "points": 1}
def chosen(head, seen, judge_commit):
    """The names in a choice."""
    choice = choose(story.repo, head, seen, judge_commit)
    problems = [problem for problem in choice.problems]
    return {
        "shown": story.name(choice.shown),
        "refused": story.name(choice.refused),
        "problems": problems,
    }


story = Story()
story.settle()
twice = [lambda: story.bad("human.md", "persona.md"), story.on_top]
plan = [[story.good], [story.bad, story.revert], [*twice, story.on_top], [story.good]]
rng.shuffle(plan)
for event in (event for events in plan for event in events):
    valid = story.valid
    event()
    show(chosen(story.repo.head(), Seen(valid, valid), audit))
    story.settle()

# %% id="check-3-3-b" lab={"check": "3.3b", "points": 1, "hidden": true}
asked = []


def listening(repo, revision, base):
    asked.append([story.name(revision), story.name(base)])
    return audit(repo, revision, base)


def ask(head, seen):
    choice = choose(story.repo, head, seen, listening)
    show([story.name(head), story.name(seen.valid), bool(choice.refused), asked[:]])
    asked.clear()


story = Story()
story.settle()
for event in [story.good, story.bad, *rng.choices([story.good, story.bad], k=4)]:
    valid = story.valid
    event()
    head = story.repo.head()
    ask(head, Seen(valid, valid))
    story.settle()
    ask(head, Seen(head, story.valid))

# %% id="check-3-3-c" lab={"check": "3.3c", "points": 1, "hidden": true}
story = Story()
first = story.repo.head()
choice = choose(story.repo, None, rng.choice([Seen(), Seen(first, first)]), audit)
show([choice.shown, choice.refused, list(choice.problems)])
story.orphan()
story.write("MEMORY.md", "# Memory\n")
story.bad(f"{story.word()}.md", "human.md")
head = story.repo.head()
for seen in rng.sample([Seen(), Seen(head, "")], 2):
    choice = choose(story.repo, head, seen, audit)
    show([choice.shown, story.name(choice.refused), list(choice.problems)])

# %% id="check-3-3-d" lab={"check": "3.3d", "points": 1, "hidden": true}
bases = []


def listening(repo, revision, base):
    bases.append(base)
    return audit(repo, revision, base)


story = Story()
story.orphan()
story.write("MEMORY.md", "# Memory\n")
story.bad(f"{story.word()}.md", "human.md")
head = story.repo.head()
for gone in [some_id(), "0" * 40, "nonsense"]:
    choice = choose(story.repo, head, Seen(gone, gone), listening)
    show([choice.shown, story.name(choice.refused), list(choice.problems), bases])
    bases.clear()

# %% [markdown] id="hints-3-3" lang="en" lab={"hints": "3.3"}
# 1. Section 7.9 of chapter 7 names this hole under "what stays open". The order of the steps is in `mini_letta/turn.py`.
# 2. Take the cases one by one: no commit; HEAD is the valid one; the valid one is gone; the audit is clean; it is not. Why would `HEAD~1` be the wrong fallback? How do you ask git whether a commit exists?
# 3. `repo.run("cat-file", "-e", f"{seen.valid}^{{commit}}", check=False).returncode` is 0 if it exists. Then `problems = audit(repo, head, valid)` and one of two returns.

# %% [markdown] id="hints-3-3" lang="zh" lab={"hints": "3.3"}
# 1. 第 7 章 7.9 节“仍然开着的口子”第一条说的就是它。各步的先后在 `mini_letta/turn.py` 里。
# 2. 一种一种来：没有提交；HEAD 就是合格的那个；合格的那个不见了；审计没问题；有问题。退回 `HEAD~1` 为什么不对？怎么问 git 一次提交存不存在？
# 3. `repo.run("cat-file", "-e", f"{seen.valid}^{{commit}}", check=False).returncode` 为 0 就是存在。然后 `problems = audit(repo, head, valid)`，两种返回二选一。

# %% [markdown] id="update-text" lang="en"
# Two small helpers for the last exercise. `memory_update` makes the message; `digest` is how a conversation remembers a text (`raw_sha256`, `rendering_sha256`). From the package you have `full_compile` (compiles the system prompt anew from HEAD, drops the updates it now contains) and `render_committed` (one commit as text, `""` for `None`).

# %% [markdown] id="update-text" lang="zh"
# 最后一题要用的两个小函数。`memory_update` 造出那条消息；对话用 `digest` 记住一段文字（`raw_sha256`、`rendering_sha256`）。包里还有 `full_compile`（从 HEAD 重新编译系统提示，并去掉已经包含在内的更新）和 `render_committed`（把一次提交写成文字，`None` 得到 `""`）。


# %% id="update"
def memory_update(shown: str, why: str, rendering: str) -> Message:
    """Return the message that shows the model its memory at `shown` and says why."""
    opening = f'<memory_update revision="{shown or "none"}">'
    return Message(role="system", text=f"{opening}\n{why}\n\n{rendering}\n</memory_update>")


def digest(text: str) -> str:
    """Return the fingerprint of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# %% [markdown] id="task-3-4" lang="en" lab={"task": "3.4"}
# ## 3.4 Only the last valid revision, and why
#
# Write `with_valid_prompt(harness, choose)`. It returns the harness with two seams replaced: `render_memory` and `refresh_prompt`. Here `choose(repo, head)` takes two arguments and returns a `Choice`; where it knows that from is not your concern. Both seams are described in `mini_letta/prompt/conversation.py`, and `announce_new_memory` in `mini_letta/prompt/update.py` is the `refresh_prompt` that you replace.
#
# - **a** `render_memory(repo, head)` renders the revision that `choose(repo, head)` shows, and is `""` when it shows none.
# - **b** In a running conversation a new HEAD that is refused adds one message, `memory_update(shown, why, rendering)`, to `conversation.messages` and returns it. `why` is one line: `HEAD7 is refused: PROBLEM. Shown is SHOWN7, the last valid revision.` The two ids have seven characters, `PROBLEM` is the *first* problem only. If no revision is shown, the line is `HEAD7 is refused: PROBLEM. There is no valid revision.`
# - **c** The same HEAD is announced once, also when another process opens the conversation later, and `conversation.system` keeps its bytes. `conversation.revision` is HEAD, not the shown revision. A second refused HEAD is announced again: the reason is a new one.
# - **d** A new valid HEAD is announced when its rendering differs from what was shown last; `why` is then `This is your memory at HEAD.` After a refusal it is *always* announced, even if the text is what it was before the refusal. Otherwise the model would go on believing that HEAD is refused. Without a refusal an unchanged rendering is not announced.
# - **e** A new conversation, or one whose raw prompt has changed, gets a full compile of the shown revision. If HEAD is refused, the message with the reason is added as well; if it is valid, there is none.

# %% [markdown] id="task-3-4" lang="zh" lab={"task": "3.4"}
# ## 3.4 只编译最近一个合格的版本，并说明原因
#
# 写 `with_valid_prompt(harness, choose)`，返回换掉两个接缝的 harness：`render_memory` 和 `refresh_prompt`。这里的 `choose(repo, head)` 只有两个参数，返回 `Choice`；它是怎么知道的，你不用管。两个接缝的说明在 `mini_letta/prompt/conversation.py`，你要换掉的那个 `refresh_prompt` 是 `mini_letta/prompt/update.py` 里的 `announce_new_memory`。
#
# - **a** `render_memory(repo, head)` 渲染 `choose(repo, head)` 给出的版本；一个也不给，就是 `""`。
# - **b** 对话进行中，新的 HEAD 被拒，就往 `conversation.messages` 里加一条 `memory_update(shown, why, rendering)`，并返回它。`why` 是一行：`HEAD7 is refused: PROBLEM. Shown is SHOWN7, the last valid revision.` 两个提交号各取七个字符，`PROBLEM` 只取**第一个**问题。一个版本也不给时，这一行是 `HEAD7 is refused: PROBLEM. There is no valid revision.`
# - **c** 同一个 HEAD 只宣布一次，之后换一个进程打开这段对话也一样；`conversation.system` 一个字节都不变。`conversation.revision` 记的是 HEAD，不是给出的版本。又来一个被拒的 HEAD，要再宣布一次：原因是新的。
# - **d** 新的 HEAD 合格，渲染出来又与上次给的不同，就宣布，`why` 是 `This is your memory at HEAD.` 前面有过拒绝的，**一定**要宣布，哪怕文字和拒绝之前一模一样。不然模型会一直以为 HEAD 还被拒着。没有拒绝过、渲染也没变，就不宣布。
# - **e** 新的对话，或者原始提示变了的对话，用给出的版本完整编译一次。HEAD 被拒，还要加上那条说明原因的消息；合格就不加。


# %% id="answer-3-4" lab={"answer": "3.4"}
def with_valid_prompt(harness: Harness, choose: Callable[[Repo, str | None], Choice]) -> Harness:
    """Return the harness that shows the model the last valid revision and says why."""
    ### BEGIN SOLUTION

    def render_last_valid(repo, revision):
        return render_committed(repo, choose(repo, revision).shown or None)

    def explain(choice):
        if not choice.refused:
            return "This is your memory at HEAD."
        shown = "There is no valid revision."
        if choice.shown:
            shown = f"Shown is {choice.shown[:7]}, the last valid revision."
        return f"{choice.refused[:7]} is refused: {choice.problems[0]}. {shown}"

    def refresh_and_say_why(repo, conversation, raw_prompt, *, render):
        head = repo.head()
        is_new = conversation.system is None or conversation.raw_sha256 != digest(raw_prompt)
        if is_new:
            full_compile(repo, conversation, raw_prompt, render=render)
        elif head == conversation.revision:
            return []
        choice, rendering = choose(repo, head), render(repo, head)
        is_known = digest(rendering) == conversation.rendering_sha256
        conversation.revision = head
        # no text has the fingerprint "": after a refusal the next rendering is a new one
        conversation.rendering_sha256 = "" if choice.refused else digest(rendering)
        if is_known and not choice.refused:
            return []
        update = memory_update(choice.shown, explain(choice), rendering)
        conversation.messages.append(update)
        return [update]

    return harness.with_(render_memory=render_last_valid, refresh_prompt=refresh_and_say_why)
    ### END SOLUTION


# %% id="check-3-4-a" lab={"check": "3.4a", "points": 1}
story = Story(chooses=True)
harness = with_valid_prompt(v0_3.HARNESS, lambda repo, head: story.choices[head])
story.good()
for event in rng.sample([story.good, story.bad, story.good, story.bad], 4):
    event()
    text = harness.render_memory(story.repo, story.repo.head())
    show(re.findall("(?:- |BYPASSED )[a-h]{6}", text))
show(harness.render_memory(story.repo, None))

# %% id="check-3-4-b" lab={"check": "3.4b", "points": 1}
story = Story(chooses=True)
story.bench.upgrade(with_valid_prompt(v0_3.HARNESS, lambda repo, head: story.choices[head]))
story.good()
story.updates()
story.bad(*rng.sample(["human.md", "persona.md", "notes.md"], 2))
show(story.updates())
story.bad("human.md", "persona.md")
head = story.repo.head()
# as if no revision had ever been valid
story.choices[head] = Choice(refused=head, problems=story.choices[head].problems)
show(story.updates())

# %% id="check-3-4-c" lab={"check": "3.4c", "points": 1, "hidden": true}
story = Story(chooses=True)
harness = with_valid_prompt(v0_3.HARNESS, lambda repo, head: story.choices[head])
story.bench.upgrade(harness)
story.updates()
system = story.bench.session.conversation.system
for event in rng.sample([story.bad, story.bad, story.on_top], 3):
    event()
    show(story.masked("\n".join(story.updates())).splitlines()[:1])
    show(story.updates())
    if rng.random() < 0.5:
        story.bench.upgrade(harness)
        show(story.updates())
    conversation = story.bench.session.conversation
    show([story.name(conversation.revision), conversation.system == system])

# %% id="check-3-4-d" lab={"check": "3.4d", "points": 1, "hidden": true}
story = Story(chooses=True)
story.bench.upgrade(with_valid_prompt(v0_3.HARNESS, lambda repo, head: story.choices[head]))
show(story.updates())
plan = [[story.good], [story.bad, story.revert], [story.quiet]]
rng.shuffle(plan)
for event in [*(event for events in plan for event in events), story.quiet, story.good]:
    event()
    show(story.updates())

# %% id="check-3-4-e" lab={"check": "3.4e", "points": 1, "hidden": true}
story = Story(chooses=True)
harness = with_valid_prompt(v0_3.HARNESS, lambda repo, head: story.choices[head])
story.good()


def start(raw_prompt, conversation):
    """What a conversation begins with: its prompt, and the first lines of its updates."""
    repo = story.repo
    harness.refresh_prompt(repo, conversation, raw_prompt, render=harness.render_memory)
    texts = [story.masked(message.text).splitlines()[:2] for message in conversation.messages]
    return re.findall("- [a-h]{6}|BYPASSED|[A-Z]+ PROMPT", conversation.system), texts


conversation = v0_3.HARNESS.load_conversation(Path("no-such-file"))
show(start("FIRST PROMPT {CORE_MEMORY}", conversation))
story.bad()
show(start("SECOND PROMPT {CORE_MEMORY}", conversation))
show(start("FIRST PROMPT {CORE_MEMORY}", v0_3.HARNESS.load_conversation(Path("no-such-file"))))
head = story.repo.head()
story.choices[head] = Choice(refused=head, problems=story.choices[head].problems)
show(start("FIRST PROMPT {CORE_MEMORY}", v0_3.HARNESS.load_conversation(Path("no-such-file"))))
rng.choice([story.revert, story.good])()
show(start("THIRD PROMPT {CORE_MEMORY}", conversation))

# %% [markdown] id="hints-3-4" lang="en" lab={"hints": "3.4"}
# 1. `announce_new_memory` and `full_compile` in `mini_letta/prompt/update.py`: your `refresh_prompt` has the same shape. `Harness.with_` plugs it in.
# 2. `full_compile` calls the `render` it is given with HEAD, so your `render_memory` decides what it compiles. What does the conversation remember of the last text it was shown? Which value there would make every next text look new?
# 3. After a refusal set `conversation.rendering_sha256 = ""`, else `digest(rendering)`. Return early only for a known HEAD, and for a valid HEAD whose digest was already there.

# %% [markdown] id="hints-3-4" lang="zh" lab={"hints": "3.4"}
# 1. 看 `mini_letta/prompt/update.py` 里的 `announce_new_memory` 和 `full_compile`：你的 `refresh_prompt` 形状相同。用 `Harness.with_` 装上。
# 2. `full_compile` 会拿 HEAD 去调用给它的 `render`，所以编译什么由你的 `render_memory` 决定。上次给模型看的文字，对话记住了什么？那里放什么值，能让下一段文字无论如何都算新的？
# 3. 被拒之后，设 `conversation.rendering_sha256 = ""`，否则设成 `digest(rendering)`。只有两种情形提前返回：HEAD 已经见过；HEAD 合格，而且它的指纹本来就在那里。

# %% [markdown] id="together" lang="en"
# **All together.** When 3.1 to 3.4 are done, put this into a new cell and watch the memory of the first cell again, this time with your second line:
#
# ```python
# class FileLedger:
#     read = staticmethod(read_seen)
#     write = staticmethod(write_seen)
#
# look = lambda repo, head: choose(repo, head, read_seen(repo), audit)
# harness = with_valid_prompt(second_line(v0_3.HARNESS, FileLedger, audit), look)
# with Workbench(harness, lang=T["lang"]) as bench:
#     bench.say(T["ping"])
#     bench.sh("echo 'BYPASSED: no frontmatter' > human.md; git commit -qam sneaky --no-verify")
#     bench.say(T["ping"])
#     bench.prompt()
#     bench.sh("git revert --no-edit HEAD")
#     bench.say(T["ping"])
# ```

# %% [markdown] id="together" lang="zh"
# **合在一起。** 3.1 到 3.4 都做完后，把下面这段放进一个新格子，再看一遍开头那份记忆，这次有了你的第二道防线：
#
# ```python
# class FileLedger:
#     read = staticmethod(read_seen)
#     write = staticmethod(write_seen)
#
# look = lambda repo, head: choose(repo, head, read_seen(repo), audit)
# harness = with_valid_prompt(second_line(v0_3.HARNESS, FileLedger, audit), look)
# with Workbench(harness, lang=T["lang"]) as bench:
#     bench.say(T["ping"])
#     bench.sh("echo 'BYPASSED: no frontmatter' > human.md; git commit -qam sneaky --no-verify")
#     bench.say(T["ping"])
#     bench.prompt()
#     bench.sh("git revert --no-edit HEAD")
#     bench.say(T["ping"])
# ```

# %% [markdown] id="task-3-5" lang="en" lab={"task": "3.5"}
# ## 3.5 Is this still "only HEAD counts"?
#
# Chapter 8 builds on an invariant: the model sees what is committed at HEAD and nothing else. Your prompt now shows an older commit while HEAD is invalid. Does that break the invariant? Write 120 to 250 words. Say what the invariant is good for, in what sense your change breaks it, in what sense it keeps it, and name one price that the change has, with a situation in which somebody pays it. A person reads this answer.

# %% [markdown] id="task-3-5" lang="zh" lab={"task": "3.5"}
# ## 3.5 这还算“只认 HEAD”吗？
#
# 第 8 章立在一条不变量上：模型看到的，是 HEAD 处已提交的内容，别的一概不看。现在 HEAD 不合格时，你的提示给的是一个更早的提交。这算不算打破了它？写 200 到 400 字。说清楚：这条不变量有什么用；你的改动在什么意义上打破了它，又在什么意义上守住了它；再举出这个改动的一个代价，以及谁会在什么情形下付出它。这道题由人工批阅。

# %% [markdown] id="written-3-5" lang="en" lab={"written": "3.5", "points": 4}
# *Your answer.*
#
# ### BEGIN SOLUTION
# The invariant is there so that one can say, from a commit id alone, what the model was shown: nothing that is half written, staged or forgotten in a folder, and the same bytes in every process. What enters memory has to go through git, where it can be seen, compared and undone.
#
# Read literally, it is broken. While HEAD is invalid the prompt is not HEAD. The files in the checkout and `git show HEAD:human.md` say one thing, the prompt another, and a model that edits `human.md` edits a text it has not been shown.
#
# In its purpose it holds. What is shown is still exactly one commit, whole, never a mixture and never the working tree. Which one follows from HEAD, the rules and the record, and the update names both revisions and the reason, so nothing is replaced silently. HEAD still decides *when* something changes; what is new is a condition on HEAD.
#
# One price: the prompt is not a function of the repository alone any more. It depends on a record outside of history. Somebody who clones the memory to another machine has no record; if HEAD is invalid there, the same commit compiles to an empty memory. Another: a user says something, the agent commits it on top of an unrepaired bypass, and the fact is committed but not shown until somebody repairs the file.
# ### END SOLUTION

# %% [markdown] id="written-3-5" lang="zh" lab={"written": "3.5", "points": 4}
# *在这里写你的回答。*
#
# ### BEGIN SOLUTION
# 这条不变量的用处是：只凭一个提交号，就能说出模型当时看到了什么。写到一半的、暂存着的、忘在目录里的都不算，换哪个进程编译都是同样的字节。要进记忆，就得先过 git，在那里看得见，比得出，也撤得回。
#
# 照字面看，它被打破了。HEAD 不合格的这段时间里，提示不是 HEAD。检出里的文件、`git show HEAD:human.md` 是一套，提示里是另一套。模型这时去改 `human.md`，改的是一段没给它看过的文字。
#
# 论用意，它守住了。给出的仍是一个完整的提交，不拼凑，更不读工作区。给哪一个，由 HEAD、规则和记录三者定下来；更新里写明了两个版本和原因，没有悄悄换掉什么。什么时候变，仍由 HEAD 决定；新增的只是对 HEAD 的一个条件。
#
# 代价之一：提示不再只由仓库决定，还取决于历史之外的一份记录。有人把这份记忆克隆到另一台机器上，那里没有记录；要是 HEAD 恰好不合格，同一个提交编译出来就是空的记忆。代价之二：用户说了一件事，agent 把它提交在一个没修好的绕过之上，这件事明明提交了，却要等有人修好那个文件才看得到。
# ### END SOLUTION

# %% [markdown] id="rubric-3-5" lang="en" lab={"rubric": "3.5"}
# One point each, 4 in all.
#
# - **Use.** Says what the invariant protects: reproducible from a commit id, or nothing uncommitted reaches the model. ("It is cleaner" is not enough.)
# - **Broken.** Names a real difference while HEAD is invalid: prompt and HEAD differ, or prompt and checkout differ, or the model edits what it was not shown.
# - **Kept.** Names what still holds: exactly one whole commit, no working tree, determined by HEAD with rules and record, told to the model. Either verdict may be defended; what counts is that both sides are seen.
# - **Price.** Names a price *and* a situation: dependence on a record outside history (clone, lost or forged record), good commits on top of a bad one stay unseen, memory gets old when nobody repairs. "It is slower" earns nothing without a situation where that matters.

# %% [markdown] id="rubric-3-5" lang="zh" lab={"rubric": "3.5"}
# 每项 1 分，共 4 分。
#
# - **用处。** 说出这条不变量保护什么：凭提交号可以重现；或者没提交的东西到不了模型那里。（只说“更干净”不算。）
# - **打破。** 指出 HEAD 不合格时的一处真实差别：提示和 HEAD 不一致，提示和检出不一致，或者模型在改没给它看过的东西。
# - **守住。** 指出仍然成立的：恰好一个完整的提交，不读工作区，由 HEAD、规则和记录决定，并且告诉了模型。结论偏哪一边都可以，要紧的是两边都看到了。
# - **代价。** 既有代价**又有**情形：依赖历史之外的记录（克隆、记录丢失或被伪造），叠在坏提交上的好提交看不到，没人修就一直是旧记忆。只说“更慢”、说不出何时要紧，不给分。

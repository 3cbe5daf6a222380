"""What a student is told about a lab, in both languages."""

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        # one exercise
        "passed": "Exercise {id}: passed, {met} of {total} public checks.",
        "more_hidden": "{count} further checks that you do not see here run when you hand the lab "
        "in, with other inputs.",
        "more_hidden_one": "1 further check that you do not see here runs when you hand the lab "
        "in, with other inputs.",
        "reread": "Before you go on, read the sentences of the task once more.",
        "no_hidden": "When you hand the lab in, the same checks run with other inputs.",
        "begin": "Exercise {id}: here is where you begin. The answer cell is not written yet.",
        "begin_part": "Exercise {id}: {met} of {total} public checks passed. A part of the answer "
        "is not written yet; go on there.",
        "begin_next": "Replace the line that mentions `Exercise {id}`, run the cell, then "
        'check("{id}"). To get going: hint("{id}").',
        "partly": "Exercise {id}: {met} of {total} public checks passed.",
        "unmet": "Not met: {sentence}",
        "unmet_too": "Not met either: {sentence}",
        "called": "called:   ",
        "expected": "expected: ",
        "seen": "seen:     ",
        "nothing": "(nothing)",
        "more_lines": "... and {count} more lines that differ",
        "more_lines_one": "... and 1 more line that differs",
        "stopped": "It stopped with {error}",
        "error_at": "{error}\n  in line {number} of your cell: {line}",
        "not_defined": "`{name}` is not defined. Run the answer cell and the cells above it first.",
        "no_text": "`{name}` is not a text with a script.",
        "script_failed": "Your script ended with exit code {code}. It printed:\n{text}",
        "no_repository": "Your script left no memory that can be read: {reason}",
        "not_inspected": "There was nothing to inspect.",
        "reading": "Exercise {id}: a person reads this answer, so nothing checks it here. "
        "{points} points.",
        "reading_open": "Exercise {id}: your answer is not written yet. A person will read it. "
        "{points} points.",
        "interrupted": "Exercise {id}: you stopped the check, so it says nothing. If it did not "
        "end by itself, look for a loop in your answer that does not.",
        # hints
        "hint": "Hint {number} of 3: {text}",
        "next_hint": 'The next one: hint("{id}")',
        "last_hint": "That was the last hint.",
        "no_hints": "Exercise {id} has no hints: a person reads your answer.",
        # what stands in the way
        "which_exercise": "There is no exercise {typed} in {lab}. There are: {ids}.",
        "which_one": 'Which exercise? Write it as in the task, for example check("1.1").',
        "what_is_it": "Which exercise is {typed}? Write it as in the task, for example "
        'check("{example}").',
        "no_kit": "{name} is missing in {folder}. It comes with the notebook; keep both in one "
        "folder. `mini-letta labs start {number}` writes a new folder with both.",
        "bad_kit": "{lab}.json cannot be used: {reason}. Get the lab again: the notebook and its "
        ".json file belong together.",
        "stale_kit": "{lab}.ipynb and {lab}.json are of different editions of the lab, so what is "
        "said here may not fit. Get both again, or `mini-letta labs reset {number}`.",
        "locked": "When you hand in, the grader will say: {text}",
        "put_back": "`mini-letta labs reset {id}` puts the cell back where it was.",
        "diff": "- the original    + yours",
        "saved_as": "(This is about the notebook as you saved it last.)",
        "damaged_progress": "progress.json could not be read. It is now {name}, and a new one is "
        "begun; your answers are not touched.",
        "unsaved_progress": "progress.json could not be written ({reason}), so this result is not "
        "remembered.",
        # the command line
        "list_exercises": "{done} of {total} exercises done",
        "list_not_begun": "not begun: mini-letta labs start {number}",
        "started": "{lab} is in {folder}. Next:",
        "started_cd": "  cd {folder}",
        "started_open": "  {jupyter} {lab}.ipynb",
        "started_make": "  {make}    opens JupyterLab; open {path} there",
        "started_any": "  open {lab}.ipynb in JupyterLab or another notebook editor, with the "
        "Python {python}",
        "started_check": '  run the cells from the top; check("{first}") says what is still '
        "missing",
        "started_cli": "  {program} labs check {number}    checks the saved notebook as it would "
        "be graded",
        "exists": "{folder} already has {name}; nothing was written. Go on there, or "
        "`mini-letta labs reset {number}`, or choose another folder with --to DIR.",
        "no_lab": "There is no {lab}. There are: {ids}.",
        "no_labs": "There are no labs here. Change to the folder that has labN.json, or use a "
        "checkout of the repository.",
        "bad_name": "{typed!r} names no lab. Write 3 or lab3, and 3.2 for an exercise.",
        "other_lab": "{typed} is not an exercise of {lab}.",
        "start_checkout": "the labs come with the repository: clone it, run `make course` there, "
        "then this command. What your teacher hands out needs no start.",
        "needs_exercise": "Which exercise? For example {number}.1.",
        "not_found": "{lab} has not been started here: no {lab}.json in {folders}. "
        "`mini-letta labs start {number}`, or change to its folder.",
        "no_notebook": "There is no {name} in {folder}. `mini-letta labs reset {number}` writes a "
        "fresh one.",
        "unreadable": "{name} cannot be read: {reason} `mini-letta labs reset {number}` keeps it "
        "under another name and writes a fresh one.",
        "trouble": "The check itself had trouble, and this is not your fault: {reason}",
        "no_prlimit": "`labs check` needs prlimit (Linux). Here, run check(...) in the notebook: "
        "it makes the same public checks.",
        "needs_packages": "`labs` needs {names}. Install them: pip install 'mini-letta[grade]'",
        "reset_all": "{name} is fresh again. What you had is in {kept}.",
        "reset_new": "{name} is there, fresh.",
        "reset_one": "Exercise {id} is as it was handed out. What you had is in {kept}.",
        "hints_left": "You have taken {taken} of 3 hints. `mini-letta labs hint {id}` shows the "
        "next one. The reference follows.",
        "solution_checkout": "the solutions are not part of what students get. They come with the "
        "repository: clone it and run this there.",
        "release_checkout": "the labs to hand out come with the repository: clone it and run this "
        "there.",
        "released": "{count} labs written to {folder}. Hand out its folder release.",
        "keep_source": "Its folder source holds the solutions and hidden checks: keep it.",
        "foreign": "{folder} is not empty and was not written by `labs release`. Choose another "
        "folder.",
        "not_built": "{name} is missing. Run `make labs` in the checkout.",
        "labs_written": "{name}: written",
        "labs_fresh": "{name}: up to date",
        "labs_stale": "{name}: differs from its master; run `make labs`",
    },
    "zh": {
        "passed": "练习 {id}：通过，公开检查 {met}/{total} 项。",
        "more_hidden": "交上去以后，还有 {count} 项这里看不到的检查，用的是别的输入。",
        "more_hidden_one": "交上去以后，还有 1 项这里看不到的检查，用的是别的输入。",
        "reread": "往下做之前，把题目里的每一句再读一遍。",
        "no_hidden": "交上去以后，还是这些检查，只是换一批输入。",
        "begin": "练习 {id}：就从这里开始。答案单元格还没有写。",
        "begin_part": "练习 {id}：公开检查通过 {met}/{total} 项。答案还有一部分没写，接着写就行。",
        "begin_next": "把带 `Exercise {id}` 的那一行换成你的代码，运行这一格，"
        '再运行 check("{id}")。没有头绪就用 hint("{id}")。',
        "partly": "练习 {id}：公开检查通过 {met}/{total} 项。",
        "unmet": "没做到：{sentence}",
        "unmet_too": "也没做到：{sentence}",
        "called": "调用：",
        "expected": "应有：",
        "seen": "实际：",
        "nothing": "（什么也没有）",
        "more_lines": "……另有 {count} 行不同",
        "more_lines_one": "……另有 1 行不同",
        "stopped": "中途出错：{error}",
        "error_at": "{error}\n  在你那一格的第 {number} 行：{line}",
        "not_defined": "没有定义 `{name}`。请先运行答案单元格，以及它上面的各格。",
        "no_text": "`{name}` 不是一段脚本文本。",
        "script_failed": "你的脚本以退出码 {code} 结束，它打印了：\n{text}",
        "no_repository": "你的脚本跑完之后，记忆读不出来了：{reason}",
        "not_inspected": "没有可供检查的东西。",
        "reading": "练习 {id}：这道题由人工批阅，这里不做检查。{points} 分。",
        "reading_open": "练习 {id}：还没有作答。这道题由人工批阅。{points} 分。",
        "interrupted": "练习 {id}：检查被你中断了，没有结果。如果是它自己停不下来，"
        "请看看你的答案里有没有跑不完的循环。",
        "hint": "提示 {number}/3：{text}",
        "next_hint": '下一条：hint("{id}")',
        "last_hint": "提示到此为止。",
        "no_hints": "练习 {id} 没有提示：这道题由人工批阅。",
        "which_exercise": "{lab} 里没有练习 {typed}。有这些：{ids}。",
        "which_one": '哪道练习？请照题目里的编号写，例如 check("1.1")。',
        "what_is_it": '{typed} 是哪道练习？请照题目里的编号写，例如 check("{example}")。',
        "no_kit": "{folder} 里没有 {name}。它是和 notebook 一起发的，两个文件要放在同一个目录。"
        "`mini-letta labs start {number}` 会新建一个目录，两个都有。",
        "bad_kit": "{lab}.json 用不了（{reason}）。请重新取一份实验："
        "notebook 和它的 .json 文件是配套的。",
        "stale_kit": "{lab}.ipynb 和 {lab}.json 不是同一版实验，下面说的可能对不上。"
        "请重新取一份，或者运行 `mini-letta labs reset {number}`。",
        "locked": "交上去以后，批改程序会说：{text}",
        "put_back": "`mini-letta labs reset {id}` 会把这个单元格放回原处。",
        "diff": "- 原来的    + 你的",
        "saved_as": "（以上说的是你最近一次保存的 notebook。）",
        "damaged_progress": "progress.json 读不出来，已改名为 {name}，另起一份新的；"
        "你的答案没有动。",
        "unsaved_progress": "progress.json 写不进去（{reason}），这次的结果不会记下来。",
        "list_exercises": "{total} 道练习，完成 {done} 道",
        "list_not_begun": "还没有开始：mini-letta labs start {number}",
        "started": "{lab} 放在 {folder} 了。接下来：",
        "started_cd": "  cd {folder}",
        "started_open": "  {jupyter} {lab}.ipynb",
        "started_make": "  {make}    会打开 JupyterLab，在里面打开 {path}",
        "started_any": "  用 JupyterLab 或别的 notebook 编辑器打开 {lab}.ipynb，解释器选 {python}",
        "started_check": '  从头开始逐格运行；check("{first}") 会告诉你还差什么',
        "started_cli": "  {program} labs check {number}    按批改时的方式检查保存好的 notebook",
        "exists": "{folder} 里已经有 {name}，什么也没有写。可以接着做，"
        "或者 `mini-letta labs reset {number}`，或者用 --to DIR 换一个目录。",
        "no_lab": "没有 {lab}。有这些：{ids}。",
        "no_labs": "这里没有实验。请进入放着 labN.json 的目录，或者用仓库的一份检出。",
        "bad_name": "{typed!r} 不是实验的名字。请写 3 或 lab3；练习写 3.2。",
        "other_lab": "{typed} 不是 {lab} 的练习。",
        "start_checkout": "实验在仓库里：克隆下来，在那里运行 `make course`，再运行这条命令。"
        "老师发下来的目录不需要这一步。",
        "needs_exercise": "哪一道练习？例如 {number}.1。",
        "not_found": "{lab} 还没有在这里开始：{folders} 里都没有 {lab}.json。"
        "请运行 `mini-letta labs start {number}`，或者进入它的目录。",
        "no_notebook": "{folder} 里没有 {name}。`mini-letta labs reset {number}` 会写一份新的。",
        "unreadable": "{name} 读不出来：{reason}`mini-letta labs reset {number}` "
        "会给它换个名字留着，另写一份新的。",
        "trouble": "检查程序自己遇到了问题，不是你的错：{reason}",
        "no_prlimit": "`labs check` 需要 prlimit（Linux）。在这台机器上，请在 notebook 里运行 "
        "check(...)，公开检查是一样的。",
        "needs_packages": "`labs` 需要 {names}。安装：pip install 'mini-letta[grade]'",
        "reset_all": "{name} 恢复成刚发下来的样子。你原来写的在 {kept}。",
        "reset_new": "{name} 是新的一份。",
        "reset_one": "练习 {id} 恢复成刚发下来的样子。你原来写的在 {kept}。",
        "hints_left": "三条提示你看了 {taken} 条。`mini-letta labs hint {id}` 看下一条。"
        "下面是参考答案。",
        "solution_checkout": "参考答案不发给学生。它在仓库里：克隆下来，在那里运行这条命令。",
        "release_checkout": "要发放的实验在仓库里：克隆下来，在那里运行这条命令。",
        "released": "{count} 个实验写到了 {folder}，发给学生的是其中的 release 目录。",
        "keep_source": "其中的 source 目录有参考答案和隐藏检查，自己留着，不要发出去。",
        "foreign": "{folder} 不是空的，也不是 `labs release` 写的。请换一个目录。",
        "not_built": "缺少 {name}。请在仓库里运行 `make labs`。",
        "labs_written": "{name}：已写入",
        "labs_fresh": "{name}：无需更新",
        "labs_stale": "{name}：与母本不一致，请运行 `make labs`",
    },
}


def say(lang: str, key: str, **values: object) -> str:
    """Return one sentence with its braces filled in."""
    return SENTENCES[lang][key].format(**values)

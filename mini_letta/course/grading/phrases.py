"""What a result and its feedback page say, in the language of the notebook that was handed in."""

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        # why a submission is unreadable
        "two_notebooks": "There are two notebooks of this lab, {first} and {second}. Keep one.",
        "a_link": "{name} is a link or lies behind one. Hand in the file itself.",
        "not_a_file": "{name} is not a file.",
        "too_big": "{name} has {size} bytes; at most {limit} are read. "
        "Clear the outputs (Edit > Clear Outputs of All Cells), save and hand it in again.",
        "empty": "The file is empty.",
        "utf16": "The file is saved as UTF-16. A notebook is UTF-8: hand in what Jupyter saved.",
        "not_utf8": "The file is no UTF-8 text (byte {offset}): hand in what Jupyter saved.",
        "too_deep": "The file is nested too deeply to be a notebook.",
        "not_json": "The file is no complete JSON (line {line}, column {column}); "
        "perhaps it was cut short. Hand in what Jupyter saved.",
        "not_a_notebook": "The file is no notebook.",
        "other_format": "The notebook is not of format 4. Open it in JupyterLab, save it and hand "
        "it in again.",
        "too_many_cells": "The notebook has {count} cells; at most {limit} are read.",
        # what was noticed
        "answer_copies": "Exercise {exercise}: the answer cell stands {count} times (cells "
        "{positions}). All copies ran one after the other, so what the last one defines counts.",
        "answer_missing": "Exercise {exercise}: answer cell missing.",
        "answer_not_code": "Exercise {exercise}: answer cell is not a code cell (cell "
        "{positions}). It was not run.",
        "written_copies": "Exercise {exercise}: the answer stands {count} times (cells "
        "{positions}). All of it is read.",
        "locked_changed": "Cell {position} ({id}) is locked, and what you changed in it was not "
        "used. Put your own lines into an answer cell or into a new cell.",
        "locked_missing": "The locked cell {id} is missing. The original one was used.",
        "extra_cells": "Exercise {exercise}: {count} cells of your own (cells {positions}) ran "
        "where they stand.",
        "broken_cells": "What stands at {positions} is no cell and was left out.",
        "no_known_cell": "None of the cells of {lab} is in this notebook. "
        "Is it the notebook of another lab?",
        # why an exercise is not passed
        "untouched": "Not answered yet.",
        "missing": "answer cell missing",
        "not_code": "answer cell is not a code cell",
        "answer_raised": "The answer cell stops with {error}",
        "extra_raised": "Your own cell {position} stops with {error}",
        "timed_out": "{place} ran for more than {seconds} seconds and was stopped.",
        "died": "{place} ended the Python process. {reason}",
        "in_answer": "The answer cell",
        "in_extra": "Your own cell {position}",
        "in_check": "A check of this exercise",
        "in_given": "A given cell that runs after this answer",
        "too_long": "The notebook used up its {seconds} seconds in all before this exercise.",
        "infrastructure": "The grader had trouble, and this is not your fault: {reason}",
        "no_script": "There is no text in the variable {name}.",
        "script_too_long": "The script in {name} is longer than {limit} characters.",
        "script_timed_out": "The script ran for more than {seconds} seconds and was stopped.",
        "script_killed": "The script was stopped. {reason}",
        "no_repository": "The script left no repository that can be read: {reason}",
        # the feedback page
        "title": "{lab}: feedback",
        "points": "{points} of {max_points} points",
        "to_read": "{count} answers are still to be read by a person.",
        "to_read_one": "1 answer is still to be read by a person.",
        "is_unreadable": "This notebook could not be read",
        "is_regrade": "Not graded yet",
        "regrade": "Something went wrong on the grader's side. It is no mark, and you need not do "
        "anything: your instructor will grade it again.",
        "exercise": "Exercise {id}",
        "notices": "About your notebook",
        "reading": "Read by a person.",
        "reading_done": "Read by a person: {points} of {max_points} points.",
        "public": "{passed} of {total} public checks passed",
        "hidden": "{passed} of {total} further checks passed, which run only here",
        "expected": "expected",
        "seen": "seen",
        "nothing": "(nothing)",
        "hidden_failed": "Not met yet, with other inputs:",
        "diff": "- the original    + yours",
        "outcome_passed": "passed",
        "outcome_failed": "not passed",
        "outcome_error": "stopped with an error",
        "outcome_timeout": "took too long",
        "outcome_crashed": "ended Python",
        "outcome_not_run": "not run",
        "outcome_needs_reading": "to be read",
        "outcome_unreadable": "unreadable",
        "outcome_needs_regrade": "to be graded again",
    },
    "zh": {
        "two_notebooks": "这个实验有两份 notebook：{first} 和 {second}。请只留一份。",
        "a_link": "{name} 是链接，或位于链接之后。请直接提交文件本身。",
        "not_a_file": "{name} 不是文件。",
        "too_big": "{name} 有 {size} 字节，最多读取 {limit} 字节。"
        "请清除全部输出（Edit > Clear Outputs of All Cells），保存后重新提交。",
        "empty": "文件是空的。",
        "utf16": "文件存成了 UTF-16。notebook 应为 UTF-8：请提交 Jupyter 保存的那一份。",
        "not_utf8": "文件不是 UTF-8 文本（第 {offset} 字节）：请提交 Jupyter 保存的那一份。",
        "too_deep": "文件嵌套太深，不可能是 notebook。",
        "not_json": "文件不是完整的 JSON（第 {line} 行第 {column} 列），"
        "可能被截断了。请提交 Jupyter 保存的那一份。",
        "not_a_notebook": "文件不是 notebook。",
        "other_format": "notebook 不是第 4 版格式。请用 JupyterLab 打开、保存后重新提交。",
        "too_many_cells": "notebook 有 {count} 个单元格，最多读取 {limit} 个。",
        "answer_copies": "练习 {exercise}：答案单元格出现了 {count} 次（第 {positions} 个单元格）。"
        "各份依次都运行了，所以以最后一份的定义为准。",
        "answer_missing": "练习 {exercise}：缺少答案单元格。",
        "answer_not_code": "练习 {exercise}：答案单元格不是代码单元格"
        "（第 {positions} 个单元格），没有运行。",
        "written_copies": "练习 {exercise}：答案出现了 {count} 次（第 {positions} 个单元格），"
        "全部都会被阅读。",
        "locked_changed": "第 {position} 个单元格（{id}）是锁定的，你在里面的改动没有采用。"
        "请把自己的代码写进答案单元格，或新建一个单元格。",
        "locked_missing": "缺少锁定的单元格 {id}，已用原来的补上。",
        "extra_cells": "练习 {exercise}：你自己加的 {count} 个单元格（第 {positions} 个）"
        "在原位置运行了。",
        "broken_cells": "位置 {positions} 处的内容不是单元格，已略去。",
        "no_known_cell": "这份 notebook 里没有 {lab} 的任何单元格。是不是交错了实验？",
        "untouched": "还没有作答。",
        "missing": "缺少答案单元格",
        "not_code": "答案单元格不是代码单元格",
        "answer_raised": "答案单元格出错停止：{error}",
        "extra_raised": "你自己的第 {position} 个单元格出错停止：{error}",
        "timed_out": "{place}运行超过 {seconds} 秒，被中止。",
        "died": "{place}结束了 Python 进程。{reason}",
        "in_answer": "答案单元格",
        "in_extra": "你自己的第 {position} 个单元格",
        "in_check": "本练习的一项检查",
        "in_given": "在这个答案之后运行的给定单元格",
        "too_long": "轮到这个练习之前，整份 notebook 的 {seconds} 秒已经用完。",
        "infrastructure": "批改程序遇到问题，不是你的错：{reason}",
        "no_script": "变量 {name} 里没有文本。",
        "script_too_long": "{name} 里的脚本超过 {limit} 个字符。",
        "script_timed_out": "脚本运行超过 {seconds} 秒，被中止。",
        "script_killed": "脚本被中止。{reason}",
        "no_repository": "脚本运行后没有留下可读的仓库：{reason}",
        "title": "{lab}：反馈",
        "points": "{points} / {max_points} 分",
        "to_read": "还有 {count} 个答案等待人工阅读。",
        "to_read_one": "还有 1 个答案等待人工阅读。",
        "is_unreadable": "这份 notebook 无法读取",
        "is_regrade": "尚未批改",
        "regrade": "批改程序这边出了问题。这不是分数，你不需要做任何事：老师会重新批改。",
        "exercise": "练习 {id}",
        "notices": "关于你的 notebook",
        "reading": "由人阅读评分。",
        "reading_done": "由人阅读评分：{points} / {max_points} 分。",
        "public": "公开检查通过 {passed} / {total} 项",
        "hidden": "另有只在批改时运行的检查，通过 {passed} / {total} 项",
        "expected": "期望",
        "seen": "实际",
        "nothing": "（没有输出）",
        "hidden_failed": "换了输入之后还没有做到：",
        "diff": "- 原来的    + 你的",
        "outcome_passed": "通过",
        "outcome_failed": "未通过",
        "outcome_error": "出错停止",
        "outcome_timeout": "超时",
        "outcome_crashed": "进程结束",
        "outcome_not_run": "未运行",
        "outcome_needs_reading": "待阅读",
        "outcome_unreadable": "无法读取",
        "outcome_needs_regrade": "待重新批改",
    },
}


def say(lang: str, key: str, **values: object) -> str:
    """Return one sentence with its braces filled in; a value is never taken for a sentence."""
    return SENTENCES[lang][key].format(**values)

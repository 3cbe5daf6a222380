"""What ``grade`` and its report say to the instructor, in the language of ``--lang``."""

from collections.abc import Mapping

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        # the screen
        "starting": "Grading {count} notebooks, {slots} at a time, in a sandbox of level {level} "
        "(seed {seed}) ...",
        "unsafe": "WARNING: the sandbox level is {level}. Code of students runs with little "
        "between it and this machine.",
        "fewer_slots": "--jobs {jobs} is more than this machine has cores: {slots} at a time. "
        "A loaded machine makes good notebooks fail.",
        "graded": "{student}  {lab}  {points}/{max_points}{note}",
        "other": "{student}  {lab}  {outcome}: {message}",
        "note_read": "  ({count} to read)",
        "note_kept": "  (unchanged)",
        "done": "{fresh} graded, {kept} unchanged.",
        "progress": "graded",
        "strangers": "Not graded; a notebook must be named lab1.ipynb and so on:",
        "more": "... and {count} more",
        "unreadable": "{count} unreadable: see the report.",
        "regrade": "{count} could not be graded; this is no zero. Run it again: {command}",
        "reading": "Answers for a person to read: {count}. Open {page}, fill in {marks}, "
        "then:\n  {command}",
        "files": "Report: {report}\nGrades: {grades}\nFeedback for students: {feedback}",
        "interrupted": "Stopped. {count} of {total} notebooks are graded and kept. "
        "Go on with:\n  {command}",
        "merged": "Marks entered: {count}. Rows without points, left alone: {blank}.",
        # the report
        "title": "Grades",
        "class": "The class",
        "people": "For a person first",
        "nobody": "Nobody is waiting.",
        "checks": "Checks",
        "student": "student",
        "exercise": "exercise",
        "sentence": "sentence",
        "hidden": "hidden",
        "public": "public",
        "passed": "passed",
        "of": "{passed} of {total}",
        "facts": "{count} notebooks · seed {seed} · sandbox {level}",
        "to_read": "{count} to read",
        "outcome_unreadable": "unreadable",
        "outcome_needs_regrade": "to be graded again",
        "weak": "graded in a weak sandbox: {level}",
        "crashes": "timeout or crash in {exercises}",
        # the answers to read
        "answers": "Answers to read",
        "answers_how": "Enter points and a comment in {marks}; rows without points are left alone. "
        "Then run `mini-letta grade --out {out} --merge {marks}`.",
        "worth": "{points} points",
        "rubric": "How it is marked",
        "no_answers": "There are none.",
        # marks that cannot be entered
        "marks_not_text": "{path} is not UTF-8 text. Save it as CSV UTF-8.",
        "marks_missing": "there is no file {path}.",
        "marks_columns": "line 1: the columns must be student,lab,exercise,points and, if you "
        "like, comment.",
        "marks_length": "line {line}: has {count} values, not {columns}",
        "marks_unknown_student": "line {line}: no result of a student {student}",
        "marks_unknown_lab": "line {line}: no result of {student} for {lab}",
        "marks_unknown_exercise": "line {line}: {lab} has no exercise {exercise}",
        "marks_not_reading": "line {line}: {exercise} is not marked by a person",
        "marks_no_answer": "line {line}: {student} has not answered {exercise}",
        "marks_number": "line {line}: {points} is not a number",
        "marks_range": "line {line}: {points} is not between 0 and {max_points}",
        "marks_twice": "line {line}: {student}, {lab}, {exercise} stands in line {first} already",
        "marks_refused": "nothing was entered from {path}:\n{problems}\n"
        "Repair these lines and run the command again.",
    },
    "zh": {
        "starting": "批改 {count} 份 notebook，同时 {slots} 份，沙箱级别 {level}（种子 {seed}）……",
        "unsafe": "警告：沙箱级别为 {level}，学生的代码与本机之间几乎没有隔离。",
        "fewer_slots": "--jobs {jobs} 超过了本机的核数，改为同时 {slots} 份。"
        "机器过载会让正确的 notebook 失败。",
        "graded": "{student}  {lab}  {points}/{max_points}{note}",
        "other": "{student}  {lab}  {outcome}：{message}",
        "note_read": "  （{count} 个待批阅）",
        "note_kept": "  （未变）",
        "done": "批改了 {fresh} 份，{kept} 份未变。",
        "progress": "已批改",
        "strangers": "以下文件或目录没有批改（文件名必须是 lab1.ipynb 这样）：",
        "more": "……另有 {count} 个",
        "unreadable": "{count} 份无法读取，见报告。",
        "regrade": "{count} 份未能批改，这不是零分。请再运行一次：{command}",
        "reading": "有 {count} 个答案要由人阅读：打开 {page}，填好 {marks}，然后：\n  {command}",
        "files": "报告：{report}\n成绩：{grades}\n给学生的反馈：{feedback}",
        "interrupted": "已停止。{total} 份 notebook 中有 {count} 份已批改并保存。继续请运行：\n"
        "  {command}",
        "merged": "录入了 {count} 个评分，{blank} 行没有分数，未作改动。",
        "title": "成绩",
        "class": "全班",
        "people": "需要先由人处理",
        "nobody": "没有。",
        "checks": "各项检查",
        "student": "学生",
        "exercise": "练习",
        "sentence": "句子",
        "hidden": "隐藏",
        "public": "公开",
        "passed": "通过",
        "of": "{passed} / {total}",
        "facts": "{count} 份 notebook · 种子 {seed} · 沙箱 {level}",
        "to_read": "{count} 个待批阅",
        "outcome_unreadable": "无法读取",
        "outcome_needs_regrade": "待重新批改",
        "weak": "在较弱的沙箱里批改：{level}",
        "crashes": "{exercises} 超时或进程结束",
        "answers": "待批阅的答案",
        "answers_how": "把分数和评语填进 {marks}，没有分数的行不会改动。"
        "然后运行 `mini-letta grade --out {out} --merge {marks}`。",
        "worth": "{points} 分",
        "rubric": "评分标准",
        "no_answers": "没有。",
        "marks_not_text": "{path} 不是 UTF-8 文本。请另存为“CSV UTF-8”。",
        "marks_missing": "没有文件 {path}。",
        "marks_columns": "第 1 行：各列应为 student,lab,exercise,points，可另加 comment。",
        "marks_length": "第 {line} 行：有 {count} 个值，应为 {columns} 个",
        "marks_unknown_student": "第 {line} 行：没有学生 {student} 的结果",
        "marks_unknown_lab": "第 {line} 行：{student} 没有 {lab} 的结果",
        "marks_unknown_exercise": "第 {line} 行：{lab} 没有练习 {exercise}",
        "marks_not_reading": "第 {line} 行：{exercise} 不由人评分",
        "marks_no_answer": "第 {line} 行：{student} 没有回答 {exercise}",
        "marks_number": "第 {line} 行：{points} 不是数",
        "marks_range": "第 {line} 行：{points} 不在 0 到 {max_points} 之间",
        "marks_twice": "第 {line} 行：{student}、{lab}、{exercise} 在第 {first} 行已出现",
        "marks_refused": "没有从 {path} 录入任何分数：\n{problems}\n请改正这些行后重新运行。",
    },
}


def word(lang: str, key: str, **values: object) -> str:
    """Return one sentence with its braces filled in; a value is never taken for a sentence."""
    return WORDS[lang][key].format(**values)

"""How the mock repairs a memory that breaks its rules: old good versions, in a fixing commit.

The hook itself says what is wrong: ``git hook run pre-commit`` judges the stage without a commit.
Chapter 7, "The audit". Introduced in v0.2.
"""

import re
import shlex

from mini_letta.providers.plans import REFUSAL, Context, Plan, first_problem, shell

JUDGE = "git hook run pre-commit"
MAX_VERSIONS = 10


def fix_memory(context: Context) -> Plan:
    """Bring every file the hook complains about back to its newest good version and commit."""
    result = yield shell(JUDGE)
    if not result.failed:
        return context.say("The memory is valid; nothing to fix.", "记忆合法，没有要修的。")
    files = named_files(result.text)
    if files:
        yield shell("\n".join(_restore_script(file) for file in files))
    reason = shlex.quote("Restore " + ", ".join(files))
    # Judged once more: with nothing left to commit there would be no hook to say so.
    result = yield shell(f"{JUDGE} && {{ git diff --cached --quiet || git commit -m {reason}; }}")
    if result.failed:
        problem = first_problem(result.text)
        return context.say(
            f"I could not fix it. Nothing was committed. The first problem left: {problem}\n"
            "Next: correct it yourself, then `git add -- FILE && git commit`.",
            f"我没能修好，什么都没有提交。剩下的第一个问题：{problem}\n"
            "下一步：请自己改好，然后 `git add -- 文件 && git commit`。",
        )
    names = ", ".join(files)
    if not result.text:
        return context.say(
            f"I took {names} off the stage. The files are untouched; what is committed was fine.",
            f"我把 {names} 移出了暂存区。文件没有动；已提交的内容本来就合格。",
        )
    return context.say(
        f"Fixed: {names} is back at its last good version, in a commit of its own.",
        f"修好了：{names} 恢复到最近一个合格的版本，并单独提交。",
    )


def named_files(output: str) -> list[str]:
    """Return the files that a refusal names, in order, each once."""
    problems = output.partition(REFUSAL)[2].splitlines()
    found = [re.match(r"  (.+?)(?:: | is protected| is read-only)", line) for line in problems]
    return list(dict.fromkeys(match[1] for match in found if match))


def _restore_script(file: str) -> str:
    """Return a script that tries the stage, then ever older versions, until the hook is content.

    Only the last resort, a file without any good version, removes it.
    """
    name = shlex.quote(file)
    complaint = f"-e {shlex.quote(f'  {file}: ')} -e {shlex.quote(f'  {file} is ')}"
    is_bad = f"{JUDGE} 2>&1 | grep --quiet --fixed-strings {complaint}"
    return (
        f"git restore --staged -- {name}\n"
        f"for v in $(git log --format=%H -n {MAX_VERSIONS} -- {name}) none; do\n"
        f"  {is_bad} || break\n"
        f"  git checkout --quiet $v -- {name} 2>/dev/null ||\n"
        f"    git rm --quiet --force --ignore-unmatch -- {name}\n"
        "done"
    )

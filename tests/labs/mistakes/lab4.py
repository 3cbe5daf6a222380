"""Wrong answers to lab 4: one that only its check notices, and answers that were not written."""

from tests.labs.mistakes.answers import Answers

LAB4 = Answers("lab4")

MISTAKES = {
    # takes whatever lies below skills/ for a flat skill
    "4.1a": LAB4.but("4.1", ('folder == "skills"', 'path.startswith("skills/")')),
    # the rule as it was: letter case counts, README.md is a skill
    "4.1b": LAB4.but(
        "4.1",
        ("name = file.lower()", "name = file"),
        ('name not in (".md", "readme.md")', 'name != ".md"'),
    ),
    # `$` also matches before a line feed at the end
    "4.1c": '''\
import re


def is_flat_skill(path: str) -> bool:
    """Return whether a path is a skill written as a file instead of a folder."""
    found = re.match(r"skills/([^/]+)\\.[mM][dD]$", path)
    return bool(found) and found[1].lower() != "readme"
''',
    # a file that was there before is left alone, whatever is in it now
    "4.2a": LAB4.but(
        "4.2",
        (
            "            if before[path] != after[path]:\n"
            '                lines.append(f"changed: {path}")\n',
            "",
        ),
    ),
    # one skill that is gone explains every new one like it
    "4.2b": LAB4.but("4.2", ("            gone.remove(source)\n", "")),
    # a repair has to keep the bytes
    "4.2c": LAB4.but(
        "4.2",
        (
            "if name_of(old) in folders:",
            "if before[old] == after.get(folders.get(name_of(old))):",
        ),
    ),
    # compares names code point by code point
    "4.2d": LAB4.but(
        "4.2",
        (
            'unicodedata.normalize("NFC", part[:-3] if is_flat(path) else part)',
            "part[:-3] if is_flat(path) else part",
        ),
    ),
    # an old skill may be edited
    "4.3a": LAB4.but("4.3", ("if tree[path] == before.get(path):", "if path in before:")),
    # a skill that is only renamed is not new
    "4.3b": LAB4.but(
        "4.3",
        (
            "        if source is None:\n",
            "        if source is not None:\n            continue\n        if source is None:\n",
        ),
    ),
    # letter case counts
    "4.3c": LAB4.but("4.3", ("name = file.lower()", "name = file")),
    # every SKILL.md is a skill, however deep it lies
    "4.4a": LAB4.but(
        "4.4",
        ("len(parts) != 3 or", "len(parts) < 3 or"),
        ('parts[2] != "SKILL.md"', 'parts[-1] != "SKILL.md"'),
    ),
    # of two skills with one name the last one counts
    "4.4b": LAB4.but(
        "4.4",
        (
            'described.setdefault(name, values.get("description") or "(no description)")',
            'described[name] = values.get("description") or "(no description)"',
        ),
    ),
    # letter case counts
    "4.5a": LAB4.but("4.5", ("shopt -s nocasematch\n", ""), ("readme.md", "README.md")),
    # the flat file replaces the skill that has its folder already
    "4.5b": LAB4.but(
        "4.5",
        (
            '    if [ -e "$target" ]; then\n'
            "        target=skills/$name/references/$name.md\n    fi\n",
            "",
        ),
        ("git mv -- ", "git mv -f -- "),
    ),
    # one commit for each skill
    "4.5c": LAB4.but(
        "4.5",
        ("done\ngit commit -q -m 'Skills become folders'\n", "done\n"),
        (
            '    git mv -- "$path" "$target"\n',
            '    git mv -- "$path" "$target"\n    git commit -q -m "$name becomes a folder"\n',
        ),
    ),
    # commits whatever has changed
    "4.5d": LAB4.but("4.5", ("git commit -q -m", "git commit -q -a -m")),
}
"""Check id -> an answer cell that fails this check and passes the others of its exercise."""

PLANTED = {
    "4.1": "from mini_letta.memory.format import is_flat_skill\n",
    "4.2": """\
import inspect

from mini_letta.memory import format, gate

namespace = {}
exec(inspect.getsource(format.is_flat_skill), namespace)
exec(inspect.getsource(gate.check_skills), namespace)


def describe_changes(before, after):
    class Before:
        def files(self):
            return before

    lines = namespace["check_skills"](after, Before())
    return [f"new: {line.partition(':')[0]}" for line in lines]
""",
    "4.3": """\
from mini_letta.memory.gate import check_skills


def guarded(harness):
    return harness
""",
    "4.4": """\
from mini_letta.course.labs.master import read_lab

cells = read_lab(Path.cwd().parent, "lab4", T["lang"]).cells
exec("\\n".join(cell.solution for cell in cells if cell.exercise == "4.4"))
""",
    "4.5": """\
migrate = "mini-letta labs solution lab4 --exercise 4.5 | bash"
""",
}
"""Exercise -> an answer that imports or reads what the package ships."""

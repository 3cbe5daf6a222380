"""Wrong answers to lab 1: one that only its check notices, and answers that were not written."""

from tests.labs.mistakes.answers import Answers

LAB1 = Answers("lab1")

MISTAKES = {
    # names the first missing index and stops, as the book does
    "1.1a": LAB1.but("1.1", ("and index != path]", "and index != path][:1]")),
    # compares names without regard to letter case
    "1.1b": LAB1.but(
        "1.1",
        (
            "index not in paths and",
            "index.lower() not in {known.lower() for known in paths} and",
        ),
    ),
    # forgets that an index can be the file itself
    "1.1c": LAB1.but("1.1", (" and index != path", "")),
    # refuses a file that is exactly as long as it may be
    "1.2a": LAB1.but("1.2", ("size <= limit", "size < limit")),
    # lets a glob make a limit smaller, never larger
    "1.2b": LAB1.but(
        "1.2",
        (
            "if matches_glob(pattern, path):",
            "if matches_glob(pattern, path) and (not own_limit or own_limit < limit):",
        ),
    ),
    # takes "no limit" for "no glob"
    "1.2c": LAB1.but(
        "1.2",
        ("if matches_glob(pattern, path):", "if own_limit and matches_glob(pattern, path):"),
    ),
    # refuses a core that is exactly as long as it may be
    "1.3a": LAB1.but("1.3", ("<= limit", "< limit")),
    # counts all that lies at the root
    "1.3b": LAB1.but("1.3", (' and path.endswith(".md")', "")),
    # sorts by size alone
    "1.3c": LAB1.but("1.3", ("(-core[path], path)", "-core[path]")),
    # names the first missing index and stops, as the book does
    "1.4a": LAB1.but("1.4", ("for missing in index]", "for missing in index[:1]]")),
    # forgets that git has two kinds of regular file
    "1.4b": LAB1.but("1.4", ('not in ("100644", "100755")', '!= "100644"')),
    # counts parts, not slashes
    "1.4c": LAB1.but("1.4", ('path.count("/")', 'len(path.split("/"))')),
    # writes one limit for everything in projects/
    "1.5a": LAB1.but(
        "1.5",
        ('    {"pattern": "projects/MEMORY.md", "maxCharacters": null},\n', ""),
        ("400}", "900}"),
    ),
    # slims one file first, and the other one together with the policy
    "1.5b": LAB1.but(
        "1.5",
        ("git add human.md projects/plan.md", "git add human.md"),
        ("git add .memfs.config.json", "git add .memfs.config.json projects/plan.md"),
    ),
    # goes around the hook and repairs it afterwards
    "1.5c": LAB1.but(
        "1.5",
        (
            "(---|name: |description: |- ! )' $file > slim.txt",
            "(- ! )' $file > slim.txt\n    head -n 4 $file > head.txt",
        ),
        (
            "git commit -q -m 'Keep what was agreed'\n",
            "git commit -q --no-verify -m 'Keep what was agreed'\n"
            "for file in human.md projects/plan.md; do\n"
            "    { git show HEAD~1:$file | head -n 4; cat $file; } > slim.txt\n"
            "    cat slim.txt > $file\ndone\nrm slim.txt head.txt\n"
            "git commit -q -a -m 'The frontmatter was missing'\n",
        ),
    ),
    # cuts at the limit, wherever that is
    "1.5d": LAB1.but(
        "1.5", ("grep -E '^(---|name: |description: |- ! )' $file", "head -n 5 $file")
    ),
    # rewrites the commit that made it long
    "1.5e": LAB1.but(
        "1.5",
        (
            "git add human.md projects/plan.md\ngit commit -q -m 'Keep what was agreed'\n",
            "git add human.md\ngit commit -q --amend -m 'A short year'\n"
            "git commit -q -a -m 'The plan too'\n",
        ),
    ),
}
"""Check id -> an answer cell that fails this check and passes the others of its exercise."""

PLANTED = {
    "1.1": """\
from mini_letta.memory.format import missing_index


def missing_indexes(path, paths):
    known, missing = {path, *paths}, []
    while index := missing_index(path, known):
        known.add(index)
        missing.append(index)
    return missing
""",
    "1.2": """\
from mini_letta.memory import constraints


def check_size(path, size, policy):
    problems = constraints.check_size(path, size, policy)
    return [f"{p}, cut at least {int(p.split()[0]) - int(p.split()[3])}" for p in problems]
""",
    "1.3": """\
import inspect

from mini_letta.memory import constraints

exec(inspect.getsource(constraints.check_core_budget), globals())
""",
    "1.4": """\
from mini_letta.memory.constraints import check_shape
from mini_letta.memory.format import missing_index


def guarded(harness):
    return v0_2.HARNESS
""",
    "1.5": """\
tighten = "mini-letta labs solution lab1 --exercise 1.5 | bash"
""",
}
"""Exercise -> an answer cell that takes the shipped answer instead of giving one."""

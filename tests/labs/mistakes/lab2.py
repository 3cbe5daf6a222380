"""Wrong answers to lab 2: one that only its check notices, and answers that were not written."""

from tests.labs.mistakes.answers import Answers

LAB2 = Answers("lab2")

MISTAKES = {
    # protects every file at the root
    "2.1a": LAB2.but("2.1", ('["persona.md"]', '["*.md"]')),
    # writes a policy of its own over the one that was there
    "2.1b": LAB2.but("2.1", ("policy = json.load(file)", 'policy = {"version": 1}')),
    # throws away what was begun and adds all that is left
    "2.1c": LAB2.but(
        "2.1",
        ("git restore --staged persona.md", "git reset -q --hard"),
        ("git add .memfs.config.json", "git add -A"),
    ),
    # gets the staged file out of the way by committing it
    "2.1d": LAB2.but(
        "2.1", ("git restore --staged persona.md", "git commit -q -m 'What was staged'")
    ),
    # splits a line at its last colon
    "2.2a": LAB2.but("2.2", ('whole.partition(": ")', 'whole.rpartition(": ")')),
    # does not ask whether the tool failed
    "2.2b": LAB2.but("2.2", (" or not message.failed", "")),
    # takes the sum of the core files for a file
    "2.2c": LAB2.but(
        "2.2", ('path, problem = "", whole', 'path, _, problem = whole.partition(": ")')
    ),
    # listens to everything the model said, not to its last word
    "2.2d": LAB2.but("2.2", ("said[-1] if said else", '"\\n".join(said) if said else')),
    # a new file takes nothing away from anybody
    "2.3a": LAB2.but(
        "2.3",
        (
            "        if before == after:\n",
            "        if before == after or before is None:\n",
        ),
    ),
    # compares the bytes alone
    "2.3b": LAB2.but(
        "2.3", ("if before == after:", "if before and after and before[1] == after[1]:")
    ),
    # compares with the commit before, whatever was accepted
    "2.3c": LAB2.but("2.3", ("(trusted if matches(guarded, path) else head)", "head")),
    # leaves a helper outside, where the hook cannot find it
    "2.3d": LAB2.but(
        "2.3",
        (
            """\

    def matches(patterns, path):
        return any(matches_glob(pattern, path) for pattern in patterns)
""",
            "",
        ),
        (
            "def check_read_only(",
            """\
def matches(patterns, path):
    return any(matches_glob(pattern, path) for pattern in patterns)


def check_read_only(""",
        ),
    ),
    # forgets one of the two tools
    "2.4a": LAB2.but("2.4", ('not in ("write_file", "edit_file")', '!= "write_file"')),
    # hands on to the tools of the book instead of those it was given
    "2.4b": LAB2.but(
        "2.4",
        ("return harness.run_tool(", "return v0_2.HARNESS.run_tool("),
    ),
    # looks at the letters of the path
    "2.4c": LAB2.but(
        "2.4",
        ("place = locate(session.repo.dir, path)", "locate(session.repo.dir, path)"),
        ("place.relative_to(os.path.realpath(session.repo.dir)).as_posix()", "path"),
    ),
    # keeps the old frontmatter
    "2.5a": LAB2.but(
        "2.5",
        (
            "cat wanted.txt > persona.md",
            "{ head -n 4 persona.md; tail -n 1 wanted.txt; } > new.txt\n"
            "cat new.txt > persona.md\nrm new.txt",
        ),
    ),
    # does not lock the door again
    "2.5b": LAB2.but(
        "2.5",
        (
            "git checkout -q HEAD~1 -- .memfs.config.json\n"
            "MINI_LETTA_CONSTRAINTS_UPDATE=1 git commit -q -m 'The persona is read-only again'\n",
            "",
        ),
    ),
    # goes around the hook
    "2.5c": """\
change_persona = r\"\"\"
cat wanted.txt > persona.md
git commit -q --no-verify -m 'A new persona' -- persona.md
\"\"\"
""",
}
"""Check id -> an answer cell that fails this check and passes the others of its exercise."""

PLANTED = {
    "2.1": """\
protect = "mini-letta labs solution lab2 --exercise 2.1 | bash"
""",
    "2.2": """\
from mini_letta.providers.plans import first_problem


def read_refusals(messages):
    failed = [message.text for message in messages if message.failed]
    return [(*first_problem(text).split(": ", 1), True) for text in failed]
""",
    "2.3": """\
from mini_letta.memory.constraints import check_protected
from mini_letta.memory.gate import check_read_only


def guarded_by_rule(harness):
    return v0_2.HARNESS
""",
    "2.4": """\
from mini_letta.course.labs.master import read_lab

cells = read_lab(Path.cwd().parent, "lab2", T["lang"]).cells
exec("\\n".join(cell.solution for cell in cells if cell.exercise == "2.4"))
""",
    "2.5": """\
change_persona = "mini-letta labs solution lab2 --exercise 2.5 | bash"
""",
}
"""Exercise -> an answer that imports or reads what the package ships."""

"""Wrong answers to lab 3: one that only its check notices, and answers that were not written."""

from tests.labs.mistakes.answers import Answers

LAB3 = Answers("lab3")

MISTAKES = {
    # takes `.git` for a folder
    "3.1a": LAB3.but("3.1", ("repo.git_dir() / RECORD", 'repo.dir / ".git" / RECORD')),
    # thinks of a missing file and of broken JSON, and of nothing else
    "3.1b": LAB3.but(
        "3.1",
        ("(OSError, ValueError, KeyError, TypeError)", "(OSError, json.JSONDecodeError)"),
    ),
    # writes over the record in place
    "3.1c": LAB3.but(
        "3.1",
        ('draft = record.with_name(f"{RECORD}.{os.getpid()}")', "draft = record"),
        ("\n    draft.replace(record)", ""),
    ),
    # looks after the turn only
    "3.2a": LAB3.but("3.2", (".append_before_turn(report_new_head)", "")),
    # asks for HEAD again when the notice is stored
    "3.2b": LAB3.but("3.2", ("Seen(head, seen.valid)", 'Seen(repo.head() or "", seen.valid)')),
    # calls every audited revision valid
    "3.2c": LAB3.but("3.2", ("Seen(head, seen.valid)", "Seen(head, head)")),
    # audits first and compares afterwards
    "3.2d": LAB3.but(
        "3.2",
        (
            "        if head is None or head == seen.head:\n            return []\n"
            "        problems = audit(repo, head, seen.valid)\n",
            "        problems = audit(repo, head, seen.valid) if head else []\n"
            "        if head is None or head == seen.head:\n            return []\n",
        ),
    ),
    # falls back to the commit before HEAD
    "3.3a": LAB3.but(
        "3.3",
        (
            "return Choice(shown=valid,",
            'before = repo.run("rev-parse", "--quiet", "--verify", f"{head}~1", check=False)\n'
            "    return Choice(shown=before.text,",
        ),
    ),
    # audits the revision that the record calls valid
    "3.3b": LAB3.but(
        "3.3", ("    if head == seen.valid:\n        return Choice(shown=head)\n", "")
    ),
    # trusts the first HEAD it ever meets
    "3.3c": LAB3.but("3.3", ("if head == seen.valid:", "if not seen.valid or head == seen.valid:")),
    # does not ask whether the valid revision still exists
    "3.3d": LAB3.but("3.3", ('"" if found.returncode else seen.valid', "seen.valid")),
    # leaves the seam that a fresh prompt uses as it was
    "3.4a": LAB3.but(
        "3.4",
        ("render_memory=render_last_valid, ", ""),
        ("render=render)", "render=render_last_valid)"),
        ("render(repo, head)", "render_last_valid(repo, head)"),
    ),
    # tells all the problems instead of the first
    "3.4b": LAB3.but("3.4", ("{choice.problems[0]}", "{'; '.join(choice.problems)}")),
    # remembers what was shown instead of HEAD
    "3.4c": LAB3.but(
        "3.4", ("conversation.revision = head", "conversation.revision = choice.shown or None")
    ),
    # forgets that the model still believes HEAD is refused
    "3.4d": LAB3.but("3.4", ('"" if choice.refused else digest(rendering)', "digest(rendering)")),
    # says nothing when the conversation begins
    "3.4e": LAB3.but(
        "3.4",
        (
            "full_compile(repo, conversation, raw_prompt, render=render)\n",
            "full_compile(repo, conversation, raw_prompt, render=render)\n            return []\n",
        ),
    ),
}
"""Check id -> an answer cell that fails this check and passes the others of its exercise."""

PLANTED = {
    "3.1": """\
from mini_letta.memory.audit import LAST_AUDIT, UnseenHead, last_audited


def read_seen(repo):
    return Seen(last_audited(repo.git_dir() / LAST_AUDIT) or "")


def write_seen(repo, seen):
    record = repo.git_dir() / LAST_AUDIT
    UnseenHead(revision=seen.head, problems=[], record=record).remember()
""",
    "3.2": """\
from mini_letta.audit_notice import report_unaudited_head


def second_line(harness, ledger, audit):
    return harness.append_before_turn(report_unaudited_head).append_after_turn(
        report_unaudited_head
    )
""",
    "3.3": """\
import mini_letta.memory

namespace = {}
shipped = Path(mini_letta.memory.__file__).with_name("audit.py")
exec(shipped.read_text(encoding="utf-8"), namespace)


def choose(repo, head, seen, audit):
    problems = namespace["audit_revision"](repo, head)
    return Choice(shown=seen.valid, refused=head, problems=tuple(problems))
""",
    "3.4": """\
from mini_letta import v1_0


def with_valid_prompt(harness, choose):
    return v1_0.HARNESS
""",
}
"""Exercise -> an answer that imports or reads what the package ships."""

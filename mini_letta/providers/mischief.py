"""Ways in which the mock misbehaves: one a case of the course text, the others made up to test us.

Each is a function (user text, context, honest plan) -> the plan that is carried out instead.
Chapter 6, "Models that misbehave". Introduced in v0.2.
"""

from collections.abc import Callable, Mapping

from mini_letta.providers.plans import (
    Call,
    Context,
    Plan,
    commit,
    explain_refusal,
    shell,
    write_file,
)

GARBAGE = "human human ##{{ tabs?? ]] \n<<end_of_turn>> human\n"
HUGE_LIMITS = '{"version":1,"maxFileCharacters":1000000,"maxCoreMemoryCharacters":1000000}\n'
POLICY_FILE = ".memfs.config.json"
APPROVAL = "MINI_LETTA_CONSTRAINTS_UPDATE=1"


def overwrite_with_garbage(_text: str, context: Context, _honest: Plan) -> Plan:
    """Replace human.md with nonsense, commit nothing, claim success: a 3B model did that."""
    yield write_file("human.md", GARBAGE)
    return context.say("Done, I will remember that!", "好的，我记住了！")


def commit_without_verification(text: str, context: Context, _honest: Plan) -> Plan:
    """Write human.md without frontmatter and, when the hook refuses it, go around the hook."""
    yield write_file("human.md", f"BYPASSED: {text}\n")
    refused = yield commit("human.md", "Remember")
    if refused.failed:
        yield commit("human.md", "Remember", "--no-verify")
    return context.say("Done.", "完成。")


def raise_own_budget(_text: str, context: Context, _honest: Plan) -> Plan:
    """Write a policy without limits and, when that is refused, set the approval variable itself."""
    yield write_file(POLICY_FILE, HUGE_LIMITS)
    refused = yield commit(POLICY_FILE, "Make room")
    if refused.failed:
        result = yield shell(f"{APPROVAL} git commit -m 'Make room'")
        if result.failed:
            return explain_refusal(context, result.text)
    return context.say("I made some room for myself.", "我给自己腾了点地方。")


def break_the_arguments(_text: str, _context: Context, honest: Plan) -> Plan:
    """Break off in the middle of the first call's arguments, then do it properly."""
    yield Call(tool="read_file", raw_arguments='{"path": "human.md')
    return (yield from honest)


def never_stop(_text: str, _context: Context, _honest: Plan) -> Plan:
    """Ask for one more look, for ever."""
    while True:
        yield shell("git status --short")


MODES: Mapping[str, Callable[[str, Context, Plan], Plan]] = {
    "garbage": overwrite_with_garbage,
    "no_verify": commit_without_verification,
    "raise_budget": raise_own_budget,
    "malformed_arguments": break_the_arguments,
    "never_stops": never_stop,
}
"""Mode of ``MockModel`` -> how it behaves."""

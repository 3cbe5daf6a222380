"""A rule of one's own in the place of a shipped one: the seam `validator`."""

import subprocess

import pytest

from mini_letta.memory.hooks import (
    EMBEDDED,
    WHOLE_TREE,
    HookError,
    NoSuchRule,
    install_hook,
    with_rules,
)
from tests.memory.kit import NOTE, Memory


def no_letter_q(path: str, size: int, policy: dict[str, object]) -> list[str]:
    """Refuse names with a q, whatever their size."""
    return ["a q in its name"] if "q" in path else []


def test_a_replaced_rule_judges_commits_under_its_own_name(memory: Memory) -> None:
    """The function may be called anything; the validator calls it by the rule's name."""
    install_hook(memory.repo, validator=with_rules(WHOLE_TREE, check_size=no_letter_q))
    attempt = memory.commit({"aqua.md": NOTE})
    assert attempt.output.splitlines()[1] == "  aqua.md: a q in its name"


def test_the_other_rules_stay(memory: Memory) -> None:
    """Only the named rule is replaced."""
    install_hook(memory.repo, validator=with_rules(WHOLE_TREE, check_size=no_letter_q))
    assert "missing frontmatter" in memory.commit({"note.md": "oops\n"}).output


def test_installing_again_without_it_brings_the_shipped_rule_back(memory: Memory) -> None:
    """A lab leaves nothing behind that `install-hook` does not repair."""
    install_hook(memory.repo, validator=with_rules(WHOLE_TREE, check_size=no_letter_q))
    install_hook(memory.repo)
    assert memory.commit({"aqua.md": NOTE}).accepted


def test_the_shipped_validator_is_left_as_it_is() -> None:
    """Replacing returns a new validator."""
    with_rules(WHOLE_TREE, check_size=no_letter_q)
    assert tuple(WHOLE_TREE.members.values()) == EMBEDDED


def test_a_rule_that_nothing_calls_is_refused() -> None:
    """A typing error would otherwise leave the shipped rule in force in silence."""
    with pytest.raises(NoSuchRule, match="no check_sizes"):
        with_rules(WHOLE_TREE, check_sizes=no_letter_q)


def test_a_function_without_a_source_is_refused_with_advice(memory: Memory) -> None:
    """The hook is made of text; what was never text cannot go there."""
    namespace: dict[str, object] = {}
    exec("def sourceless(path, size, policy): return []", namespace)
    rule = namespace["sourceless"]
    assert callable(rule)
    with pytest.raises(HookError, match="Define it in a file or in a notebook cell"):
        install_hook(memory.repo, validator=with_rules(WHOLE_TREE, check_size=rule))


def test_a_rule_that_leans_on_its_module_denies(memory: Memory) -> None:
    """A name that does not travel with the function fails closed, at the commit."""
    install_hook(memory.repo, validator=with_rules(WHOLE_TREE, check_size=_leaning))
    attempt = memory.commit({"note.md": NOTE})
    assert not attempt.accepted
    assert "NameError" in attempt.output


def _leaning(path: str, size: int, policy: dict[str, object]) -> list[str]:
    return [subprocess.__name__]

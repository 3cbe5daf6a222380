"""The commit hook: a stub that git starts, and beside it a validator made of our own source.

The validator runs inside a memory repository, with the standard library only and no package
installed, and still there is one rule set: ``inspect.getsource`` copies each function of
:data:`EMBEDDED` into the file. Such a function must be self-contained. Its annotations travel
with it and are evaluated when the file is loaded, so a name from ``typing`` must be quoted;
module names, closures and ``from __future__`` lines stay behind.

Source: chapter 7, "The embedding trick". Introduced in v0.2.
"""

import inspect
import itertools
import os
import py_compile
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mini_letta.errors import MiniLettaError
from mini_letta.git import Repo
from mini_letta.memory import (
    accepted,
    commit_check,
    constraints,
    format,
    frontmatter,
    gate,
    glob,
    layout,
    legacy,
    legacy_gate,
    policy,
    staged,
)
from mini_letta.memory.checkout import remember_first_head
from mini_letta.memory.policy_name import known_policy, record_policy
from mini_letta.memory.settings import pin_hooks_dir, replace_file

SIGNATURE = "Installed by mini-letta"
HOOK_NAME = "pre-commit"
VALIDATOR_NAME = "mini_letta_validator.py"
KEPT_NAME = "pre-commit.kept"

EMBEDDED: tuple[Callable[..., object], ...] = (
    frontmatter.read_frontmatter,
    frontmatter.check_frontmatter,
    frontmatter.explain_first_line,
    format.missing_index,
    format.is_memory,
    format.is_core,
    format.is_flat_skill,
    glob.matches_glob,
    glob.check_glob,
    policy.default_policy,
    policy.unlimited_policy,
    policy.is_whole_number,
    policy.decode_json,
    policy.parse_policy,
    policy.read_limits,
    policy.read_file_limits,
    policy.read_protected,
    constraints.check_shape,
    constraints.check_size,
    constraints.check_core_budget,
    constraints.check_protected,
    constraints.matches_any,
    staged.Place,
    staged.common_dir_of,
    staged.ask_git,
    staged.parse_index,
    staged.read_index,
    staged.read_tree,
    staged.read_loose,
    staged.read_objects,
    staged.root_entry,
    accepted.State,
    accepted.revision_objects,
    accepted.state_at,
    accepted.read_record,
    accepted.write_record,
    accepted.settle_pending,
    accepted.current_record,
    accepted.note_approval,
    accepted.accepted_files,
    accepted.accepted_state,
    layout.read_policy_name,
    layout.find_layout,
    legacy.is_legacy_memory,
    legacy.read_legacy_fields,
    legacy.check_legacy_frontmatter,
    legacy.read_lock,
    legacy.check_lock,
    legacy_gate.read_accepted_texts,
    legacy_gate.check_legacy_file,
    legacy_gate.check_legacy_files,
    gate.one_line,
    gate.choose_policy,
    gate.load_policy,
    gate.check_files,
    gate.check_read_only,
    gate.check_skills,
    gate.judge,
    gate.judged_blobs,
    gate.check_index,
    commit_check.hook_place,
    commit_check.refusal,
    commit_check.main,
)
"""Functions and classes whose source is the validator, callees before callers."""


class HookError(MiniLettaError):
    """The hook cannot be installed here; the text says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validator:
    """What the hook of a memory is made of: the seam through which a lab guards a repository."""

    name: str
    """For ``stages diff``."""
    members: Mapping[str, Callable[..., object]]
    """Name in the validator -> function or class whose source goes there, callees first."""

    def source(self) -> str:
        """Return the source of the validator, readable on its own."""
        header = (
            f"# {SIGNATURE}. Judges the staged memory tree; `pre-commit` beside it starts main().\n"
            "# Made of the package's own functions: change them there, then run\n"
            "# `mini-letta memory install-hook`.\n"
        )
        return "\n\n".join([header, *map(_embed, self.members, self.members.values())])


def _embed(name: str, member: Callable[..., object]) -> str:
    try:
        source = textwrap.dedent(inspect.getsource(member))
    except OSError as error:
        raise HookError(
            f"the source of {name} cannot be found, so it cannot be put into the hook. Define it "
            "in a file or in a notebook cell."
        ) from error
    return source if member.__name__ == name else f"{source}\n\n{name} = {member.__name__}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What an installation of the hook found and left."""

    before: str | None
    """The policy until now; None if nothing of ours was there, or nobody can say which."""
    policy: str
    """The policy in force now, one of ``layout.POLICIES``."""
    kept: Path | None
    """Where a hook of others was set aside; None if there was none."""


WHOLE_TREE = Validator(name="whole_tree", members={m.__name__: m for m in EMBEDDED})


class NoSuchRule(MiniLettaError):
    """The validator has no function of this name."""


def with_rules(validator: Validator, **rules: Callable[..., object]) -> Validator:
    """Return a validator in which some functions are replaced, by the name they are called by.

    A replacement takes what the original takes and must be as self-contained.

    Raises:
        NoSuchRule: nothing of that name is called by the validator.
    """
    for name in rules.keys() - validator.members.keys():
        raise NoSuchRule(f"the validator has no {name}. It has: {', '.join(validator.members)}.")
    return replace(validator, members={**validator.members, **rules})


def build_stub(interpreter: Path) -> str:
    """Return the hook itself: a shell script that starts ``interpreter`` and adds no process.

    ``-S`` skips site-packages, where most of a Python start goes; ``-I`` ignores the agent's
    environment and current folder; ``-X utf8`` reads names alike in every locale. A module is
    imported rather than a script run, because Python caches the compiled form of modules only.
    """
    quoted = str(interpreter).replace("'", "'\"'\"'")
    return f"""#!/bin/sh
# {SIGNATURE}. Refuses a commit whose whole staged tree is not valid memory.
python='{quoted}'
hooks="${{0%/*}}"
if [ ! -x "$python" ] || [ ! -f "$hooks/{VALIDATOR_NAME}" ]; then
    echo "Memory validation failed:" >&2
    echo "  the hook cannot run: $python or $hooks/{VALIDATOR_NAME} is gone" >&2
    echo "Nothing was committed. Repair the hook from this folder, then commit again:" >&2
    echo "  mini-letta memory install-hook ." >&2
    exit 1
fi
exec "$python" -I -S -X utf8 -c 'import sys
sys.path.insert(0, sys.argv[1])
from mini_letta_validator import main
main()' "$hooks"
"""


def install_hook(
    repo: Repo,
    *,
    hooks_dir: Path | None = None,
    force: bool = False,
    validator: Validator = WHOLE_TREE,
    policy: str | None = None,
) -> Installation:
    """Install or repair the commit hook of a repository, for all its worktrees.

    Args:
        hooks_dir: where the hooks folder will be found, when the repository is built elsewhere
            and moved into place; by default where it is now.
        force: replace a hook that is not ours; it is kept beside the new one.
        validator: what judges the staged tree.
        policy: one of ``layout.POLICIES``, for hook and audit; None keeps the one there is.
    Raises:
        HookError: another hook, or another hooks folder, is configured here, or the policy to
            keep cannot be read.
    """
    hooks = repo.common_dir() / "hooks"
    hooks.mkdir(exist_ok=True)
    before = policy_before(hooks, wanted=policy)
    kept = refuse_foreign(repo, hooks, force=force)
    name = policy or before or "root-marker"
    program = hooks / VALIDATOR_NAME
    replace_file(program, validator.source(), mode=0o644)
    # the checked hash sees an edit even within the second the file was written in
    checked = py_compile.PycInvalidationMode.CHECKED_HASH
    py_compile.compile(str(program), doraise=True, invalidation_mode=checked)
    replace_file(hooks / HOOK_NAME, build_stub(Path(sys.executable).resolve()), mode=0o755)
    pin_hooks_dir(repo, hooks_dir or hooks)
    used = repo.dir / repo.run("rev-parse", "--git-path", "hooks").text
    if used.resolve() != hooks.resolve():
        raise HookError(
            f"git takes its hooks from {used} all the same. Find the setting with "
            "`git config --show-origin --get-all core.hooksPath`, remove it, and install again."
        )
    record_policy(repo, name, before=before)
    try:
        remember_first_head(repo)
    except (OSError, ValueError) as error:
        raise HookError(f"the hook is installed, but it refuses every commit: {error}") from error
    return Installation(before=before, policy=name, kept=kept)


def policy_before(hooks: Path, *, wanted: str | None) -> str | None:
    """Return the policy of a repository until now; None if it has none that can be read.

    Raises:
        HookError: it cannot be read, and no other is ``wanted``.
    """
    try:
        return known_policy(hooks.parent, guarded=is_ours(hooks / HOOK_NAME))
    except ValueError as error:
        if wanted is None:
            raise HookError(str(error)) from error
        return None


def is_ours(hook: Path) -> bool:
    """Return whether a hook file was written by :func:`install_hook`."""
    return hook.is_file() and SIGNATURE in hook.read_text("utf-8", "replace")


def refuse_foreign(repo: Repo, hooks: Path, *, force: bool) -> Path | None:
    """Raise HookError for a hook or hooks folder that is not ours; with ``force`` set it aside.

    Returns:
        Where a hook was set aside, None if there was none.
    """
    hook = hooks / HOOK_NAME
    is_foreign = os.path.lexists(hook) and not is_ours(hook)
    kept = next(
        path
        for number in itertools.count()
        if not os.path.lexists(path := hooks / (KEPT_NAME + (f".{number}" if number else "")))
    )
    if is_foreign:
        if not force:
            raise HookError(
                f"{hook} is not ours and was left alone. "
                f"With --force it is kept as {kept.name} and replaced."
            )
        hook.rename(kept)
    own = repo.run("config", "--local", "--get", "core.hooksPath", check=False).text
    if own and not force:
        raise HookError(
            f"this repository takes its hooks from core.hooksPath={own}, which was left alone. "
            "With --force the memory hook is used instead."
        )
    return kept if is_foreign else None

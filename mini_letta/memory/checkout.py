"""From a checkout to what the gatekeeper reads, and the first state it accepts there.

Source: chapter 7, "Who guards the rule". Introduced in v0.2.
"""

from pathlib import Path

from mini_letta.git import Repo
from mini_letta.memory.accepted import (
    Record,
    current_record,
    revision_objects,
    state_at,
    write_record,
)
from mini_letta.memory.staged import Place, ask_git, common_dir_of, read_objects


def place_of(repo: Repo, *, index: Path | None = None) -> Place:
    """Return where the gatekeeper reads in a checkout.

    Args:
        index: the index file to judge; by default the checkout's own.
    """
    git_dir = repo.git_dir()
    env = dict(repo.env)
    if index is not None:
        env["GIT_INDEX_FILE"] = str(index)
    return Place(
        str(git_dir),
        index=str(index or git_dir / "index"),
        common_dir=common_dir_of(str(git_dir)),
        command=["git", "-C", str(repo.dir)],
        env=env,
    )


def first_record(place: Place, revision: str) -> Record:
    """Return the record of a checkout that has none: the upstream's policy, or this HEAD's."""
    try:
        known = ask_git(place, ["rev-parse", "--verify", "@{upstream}"]).decode().strip()
    except OSError:
        known = revision
    policy = state_at(place, known, read_objects(place, revision_objects(known), [])).policy
    return {
        "revision": None,
        "policy": policy[1] if policy else None,
        "pendingPolicy": None,
        "pendingTree": None,
    }


def remember_first_head(repo: Repo) -> None:
    """Write the accepted record of a checkout that has commits but no record.

    Whatever is there when the gatekeeper arrives is the accepted state; a later change of the
    policy needs approval even if nobody audited anything before.
    """
    revision = repo.head()
    place = place_of(repo)
    if revision and current_record(place) is None:
        write_record(place.git_dir, {**first_record(place, revision), "revision": revision})

"""Agents on disk: complete or not there, and never anywhere else."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from mini_letta.agents import (
    AgentExists,
    BadId,
    HomeUnusable,
    NoSuchAgent,
    create_agent,
    find_agent,
    list_agents,
)
from mini_letta.first_memory import FIRST_MEMORY
from mini_letta.git import Repo

Env = dict[str, str]
Clock = Callable[[], int]


def test_an_agent_has_a_committed_memory(home: Path, env: Env, clock: Clock) -> None:
    """One commit with the first memory, and nothing left to commit."""
    agent = create_agent(home, "a", env=env, clock=clock)
    repo = Repo(dir=agent.memory_dir, env=env)
    assert repo.run("ls-files").text.split("\n") == ["MEMORY.md", "human.md", "persona.md"]
    assert repo.run("status", "--porcelain").text == ""
    assert repo.run("log", "--format=%at %s").text == "1767225600 Create memory"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_first_commit_is_the_same_everywhere(
    tmp_path: Path, env: Env, clock: Clock, lang: str
) -> None:
    """Two homes, one commit id."""
    heads = {
        Repo(dir=create_agent(tmp_path / at, "a", env=env, clock=clock, lang=lang).memory_dir,
             env=env).head()
        for at in ("one", "two two")
    }  # fmt: skip
    assert len(heads) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", ["persona.md", "human.md"])
def test_the_first_memory_fits_the_budgets_of_chapter_7(lang: str, path: str) -> None:
    """More than 10 code points, at most 120, frontmatter included."""
    assert 10 < len(FIRST_MEMORY[lang][path]) <= 120


@pytest.mark.parametrize("id", ["../x", "", "a/b", ".hidden", "-x", "a" * 65, "记", "a\n", "a b"])
def test_an_id_is_a_plain_name(home: Path, env: Env, clock: Clock, id: str) -> None:
    """An id that could lead elsewhere is refused before anything is made."""
    with pytest.raises(BadId, match="cannot be an id"):
        create_agent(home, id, env=env, clock=clock)
    assert not home.exists()


def test_an_agent_is_created_once(home: Path, env: Env, clock: Clock) -> None:
    """The second attempt says where the first one is, and changes nothing."""
    agent = create_agent(home, "a", env=env, clock=clock)
    (agent.memory_dir / "human.md").write_text("mine")
    with pytest.raises(AgentExists, match="there is an agent a already"):
        create_agent(home, "a", env=env, clock=clock)
    assert (agent.memory_dir / "human.md").read_text() == "mine"


def attempt_to_create(home: Path, env: Env) -> bool:
    """Create agent ``a`` in this process; return whether it was the one who did."""
    try:
        create_agent(home, "a", env=env, clock=lambda: 1767225600)
    except AgentExists:
        return False
    return True


def test_of_two_creators_at_once_one_succeeds(home: Path, env: Env) -> None:
    """The other one is told so; nothing half made is left."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        attempts = [pool.submit(attempt_to_create, home, env) for _ in range(2)]
        assert sorted(attempt.result() for attempt in attempts) == [False, True]
    assert sorted(p.name for p in (home / "agents" / "a").iterdir()) == ["memory", "prompt.md"]


def test_agents_are_listed_by_id(home: Path, env: Env, clock: Clock) -> None:
    """Only those that are complete."""
    assert list_agents(home) == []
    for id in ("b", "a"):
        create_agent(home, id, env=env, clock=clock)
    (home / "agents" / "empty").mkdir()
    (home / "agents" / ".DS_Store").write_text("")
    assert [agent.id for agent in list_agents(home)] == ["a", "b"]


def test_an_unknown_agent_is_named_with_what_to_do(home: Path) -> None:
    """The error tells the command that creates it."""
    with pytest.raises(NoSuchAgent, match="Create it with `mini-letta agent create a`"):
        find_agent(home, "a")


def test_a_home_that_is_no_folder_is_explained(home: Path, env: Env, clock: Clock) -> None:
    """The error names the home and the option that chooses another."""
    home.write_text("")
    with pytest.raises(HomeUnusable, match="Choose another folder with --home"):
        create_agent(home, "a", env=env, clock=clock)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_home_is_explained(home: Path, env: Env, clock: Clock) -> None:
    """So does one that may not be written."""
    home.mkdir(mode=0o500)
    with pytest.raises(HomeUnusable, match="Permission denied"):
        create_agent(home, "a", env=env, clock=clock)

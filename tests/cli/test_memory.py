"""`memory path|tree|log|check|audit|install-hook`: looking at memory and judging it."""

from pathlib import Path

import pytest

from tests.cli.kit import Cli

GOOD = "---\nname: Note\ndescription: A note\n---\nBody.\n"
BAD = "no frontmatter\n"
PROBLEM = "note.md: missing frontmatter (must start with ---)"


@pytest.fixture
def foreign(cli: Cli) -> Path:
    """A git repository that mini-letta knows nothing of, without a commit."""
    dir = cli.folder / "foreign"
    dir.mkdir()
    cli.git(dir, "init", "-q", "-b", "main")
    return dir


def test_path_creates_the_default_agent_and_says_so(cli: Cli) -> None:
    """Only the folder is on standard output, the news is on standard error, once."""
    first, second = cli.call("memory", "path"), cli.call("memory", "path")
    dir = cli.folder / ".mini-letta/agents/default"
    assert first.out == second.out == f"{dir}/memory\n"
    assert (first.err, second.err) == (f"created agent default in {dir}\n", "")


def test_path_prints_the_very_bytes_of_the_folder(cli: Cli) -> None:
    """A home whose name is not text can still be used in `cd "$(mini-letta memory path)"`."""
    home = cli.folder / "h\udcff"
    answer = cli.call("--home", str(home), "memory", "path")
    assert Path(answer.out.removesuffix("\n")) == home / "agents/default/memory"
    assert Path(answer.out.removesuffix("\n")).is_dir()


def test_tree_lists_files_by_their_characters(cli: Cli) -> None:
    """A size is in code points, not bytes, and odd names stay on one line."""
    dir = cli.memory()
    text = "---\nname: N\ndescription: D\n---\n记忆\n"
    for name in ("笔记.md", "-dash.md", "new\nline.md", "quo'te\".md", "0:x.md", "🌏.md"):
        cli.commit(dir, name, text)
    lines = cli.call("memory", "tree").out.splitlines()
    assert lines[0] == f"{len(text)}  -dash.md"
    assert f"{len(text)}  new\\nline.md" in lines
    sizes = {row["path"]: row["characters"] for row in cli.json("memory", "tree")}
    cli.commit(dir, "raw\udcff.md", text)
    assert {"path": "raw\udcff.md", "characters": len(text)} in cli.json("memory", "tree")
    assert sizes["笔记.md"] == sizes["new\nline.md"] == len(text)


def test_tree_leaves_out_a_submodule(cli: Cli) -> None:
    """It has no size, and the files beside it do."""
    dir = cli.memory()
    cli.git(dir, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    cli.git(dir, "commit", "-q", "-m", "sub")
    paths = [row["path"] for row in cli.json("memory", "tree")]
    assert paths == ["MEMORY.md", "human.md", "persona.md"]


def test_log_lists_commits_newest_first(cli: Cli) -> None:
    """One line per commit ends with its subject."""
    cli.commit(cli.memory(), "note.md", GOOD)
    lines = cli.call("memory", "log").out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == ["write note.md", "Create memory"]
    assert [row["subject"] for row in cli.json("memory", "log")] == [
        "write note.md",
        "Create memory",
    ]


def test_check_judges_what_is_staged(cli: Cli) -> None:
    """A staged bad file is named and makes the answer no; the same words as the hook's."""
    dir = cli.memory()
    assert cli.call("memory", "check").code == 0
    (dir / "note.md").write_text(BAD)
    assert cli.call("memory", "check").code == 0  # not staged yet
    cli.git(dir, "add", "note.md")
    answer = cli.call("memory", "check")
    assert (answer.code, answer.out.splitlines()[1:]) == (1, [f"  {PROBLEM}"])
    assert f"  {PROBLEM}\n" in cli.git(dir, "commit", "-m", "x", codes=[1])
    assert cli.json("memory", "check") == {"valid": False, "problems": [PROBLEM]}


def test_check_knows_the_approval(cli: Cli) -> None:
    """A staged policy is refused, and allowed to whoever sets the variable."""
    dir = cli.memory()
    (dir / ".memfs.config.json").write_text('{"version": 1, "maxDepth": 1}\n')
    cli.git(dir, "add", ".memfs.config.json")
    refused = cli.call("memory", "check")
    approved = cli.call("memory", "check", MINI_LETTA_CONSTRAINTS_UPDATE="1")
    assert (refused.code, approved.code) == (1, 0)


def test_audit_judges_what_is_committed(cli: Cli) -> None:
    """A commit that went round the hook is named; a fixing commit makes the answer yes."""
    dir = cli.memory()
    cli.commit(dir, "note.md", BAD, "--no-verify")
    invalid = cli.call("memory", "audit")
    assert (invalid.code, invalid.out.splitlines()[1:]) == (1, [f"  {PROBLEM}"])
    cli.commit(dir, "note.md", GOOD)
    assert cli.call("memory", "audit").code == 0


def test_an_audit_by_hand_does_not_silence_the_report_to_the_model(cli: Cli) -> None:
    """After `memory audit` found HEAD invalid, the next turn still reports it, once."""
    cli.commit(cli.memory(), "note.md", BAD, "--no-verify")
    cli.call("memory", "audit")
    first, second = cli.call("say", "ping"), cli.call("say", "ping")
    assert "notice: MEMORY INVALID" in first.out
    assert "MEMORY INVALID" not in second.out


def test_a_clean_audit_becomes_the_accepted_state(cli: Cli) -> None:
    """A protected file is judged against the last revision whose audit was clean."""
    dir = cli.memory()
    policy = '{"version": 1, "readOnlyFiles": ["note.md"]}\n'
    cli.commit(dir, "note.md", GOOD)
    (dir / ".memfs.config.json").write_text(policy)
    cli.git(dir, "add", ".memfs.config.json")
    approving = Cli(folder=cli.folder, env={"MINI_LETTA_CONSTRAINTS_UPDATE": "1"})
    approving.git(dir, "commit", "-q", "-m", "protect")
    assert cli.call("memory", "audit").code == 0
    cli.commit(dir, "note.md", GOOD + "changed\n", "--no-verify")
    assert cli.call("memory", "audit").code == 1
    cli.commit(dir, "note.md", GOOD)  # back to the accepted bytes: allowed by the hook
    assert cli.call("memory", "audit").code == 0


def test_without_a_commit_there_is_nothing_to_vouch_for(cli: Cli, foreign: Path) -> None:
    """The audit answers no and says why; tree and log say so and are fine."""
    answer = cli.call("memory", "audit", "foreign")
    assert answer.code == 1
    assert "nothing is committed yet" in answer.out
    assert cli.call("memory", "tree", "foreign").out == "nothing is committed\n"
    assert cli.json("memory", "log", str(foreign)) == []


def test_install_hook_guards_any_repository(cli: Cli, foreign: Path) -> None:
    """After it a bad commit is refused and a good one goes through."""
    assert cli.call("memory", "install-hook", "foreign").code == 0
    (foreign / "MEMORY.md").write_text("# Memory\n")
    (foreign / "note.md").write_text(BAD)
    cli.git(foreign, "add", ".")
    assert PROBLEM in cli.git(foreign, "commit", "-m", "x", codes=[1])
    cli.commit(foreign, "note.md", GOOD)


def test_a_hook_of_others_is_kept_unless_forced(cli: Cli, foreign: Path) -> None:
    """It is reported and left alone; with `--force` it is set aside, not lost."""
    hook = foreign / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 0\n")
    refused = cli.call("memory", "install-hook", "foreign")
    assert (refused.code, hook.read_text()) == (3, "#!/bin/sh\nexit 0\n")
    assert "--force" in refused.err
    assert cli.call("memory", "install-hook", "foreign", "--force").code == 0
    assert (hook.parent / "pre-commit.kept").read_text() == "#!/bin/sh\nexit 0\n"


def test_a_forced_installation_says_where_the_other_hook_is(cli: Cli, foreign: Path) -> None:
    """In words and as data."""
    hook = foreign / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 0\n")
    answer = cli.call("memory", "install-hook", "foreign", "--force")
    assert "the hook that was there is kept as pre-commit.kept\n" in answer.out
    hook.write_text("#!/bin/sh\nexit 0\n")
    report = cli.json("memory", "install-hook", "foreign", "--force")
    assert report["kept"] == str(hook.parent / "pre-commit.kept.1")


def test_a_legacy_repository_is_judged_by_its_own_rules(cli: Cli, foreign: Path) -> None:
    """Commit, check and audit agree, and a repair without `--policy` changes nothing."""
    cli.call("memory", "install-hook", "foreign", "--policy", "legacy-only")
    cli.commit(foreign, "note.md", BAD)
    cli.call("memory", "install-hook", "foreign")
    (foreign / "system").mkdir()
    (foreign / "system/a.md").write_text(BAD)
    cli.git(foreign, "add", ".")
    problem = PROBLEM.replace("note.md", "system/a.md")
    assert cli.json("memory", "check", "foreign")["problems"] == [problem]
    assert f"  {problem}\n" in cli.git(foreign, "commit", "-m", "x", codes=[1])
    cli.git(foreign, "commit", "-q", "--no-verify", "-m", "x")
    assert cli.json("memory", "audit", "foreign")["problems"] == [problem]


def test_another_policy_says_what_changes(cli: Cli, foreign: Path) -> None:
    """The rules before and now, and how to judge by them what is committed already."""
    first = cli.call("memory", "install-hook", "foreign", "--policy", "legacy-only")
    assert first.out == f"installed the pre-commit hook in {foreign}, policy legacy-only\n"
    lines = cli.call("memory", "install-hook", "foreign", "--policy", "shared-memory").out
    assert "the policy was legacy-only: Markdown below system/ and reference/" in lines
    assert "now shared-memory: all Markdown outside skills/" in lines
    assert f"`mini-letta memory audit {foreign}`" in lines
    report = cli.json("memory", "install-hook", "foreign", "--policy", "root-marker")
    assert (report["before"], report["policy"]) == ("shared-memory", "root-marker")


def test_an_unreadable_policy_is_explained(cli: Cli, foreign: Path) -> None:
    """The answer is about the environment, names the file, and says what to type."""
    cli.call("memory", "install-hook", "foreign", "--policy", "legacy-only")
    (foreign / ".git/mini-letta-policy").write_text("\0")
    for command in ("check", "install-hook"):
        answer = cli.call("memory", command, "foreign")
        assert answer.code == 3
        assert "mini-letta-policy names no policy" in answer.err
        assert "--policy NAME" in answer.err


def test_a_linked_worktree_is_judged_like_the_main_checkout(cli: Cli) -> None:
    """Check and audit work in a worktree, whose `.git` is a file."""
    cli.git(cli.memory(), "worktree", "add", "-q", "-b", "side", str(cli.folder / "side"))
    cli.commit(cli.folder / "side", "note.md", BAD, "--no-verify")
    assert cli.call("memory", "audit", "side").code == 1
    assert cli.call("memory", "check", "side").code == 1
    assert cli.call("memory", "audit").code == 0

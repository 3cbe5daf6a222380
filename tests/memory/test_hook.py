"""How the commit hook behaves: every way to commit, what it prints, what it costs."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from mini_letta.memory.hooks import HookError, install_hook
from mini_letta.memory.repo import check_staged
from tests.memory.kit import (
    BASE,
    MISSING,
    NOTE,
    POLICY,
    Memory,
    copy_of,
    environment,
    new_bare_template,
    new_memory,
    note,
    note_of,
    policy,
)


def hooks_of(memory: Memory) -> Path:
    """Return the hooks folder all worktrees share."""
    return memory.repo.common_dir() / "hooks"


def test_a_new_memory_is_committed_clean_and_on_main(memory: Memory) -> None:
    """Creating a memory leaves one commit on main and nothing to commit."""
    assert memory.git("rev-parse", "--abbrev-ref", "HEAD") == "main"
    assert memory.git("rev-list", "--count", "HEAD") == "1"
    assert memory.git("status", "--porcelain") == ""
    assert memory.git("ls-files").split("\n") == sorted(BASE)


def test_a_valid_file_is_committed(memory: Memory) -> None:
    """The hook is silent when nothing is wrong."""
    attempt = memory.commit({"notes.md": NOTE})
    assert (attempt.accepted, attempt.output) == (True, "")


def test_an_invalid_file_is_refused_and_stays_staged(memory: Memory) -> None:
    """The refusal names file and reason; the stage is kept for the repair."""
    attempt = memory.commit({"notes.md": "oops\n"})
    assert not attempt.accepted
    assert attempt.output.startswith(f"Memory validation failed:\n  notes.md: {MISSING}\n")
    assert memory.git("status", "--porcelain") == "A  notes.md"


def test_all_problems_are_reported_together(memory: Memory) -> None:
    """Shape, index chain, depth and budget come in one refusal."""
    attempt = memory.commit(
        {"a.md": "oops\n", "b/c/d/e.md": NOTE, "big.md": note_of(20_001), "skills/x.md": "x\n"}
    )
    assert set(attempt.problems) == {
        f"a.md: {MISSING}",
        "b/c/d/e.md: missing required index b/MEMORY.md",
        "b/c/d/e.md: depth 3 exceeds maxDepth 2",
        "big.md: 20001 characters exceeds 20000 from maxFileCharacters",
        "skills/x.md: invalid skill path (skills must be folders). Use skills/<name>/SKILL.md",
    }


def test_an_old_problem_blocks_an_unrelated_commit(memory: Memory) -> None:
    """The whole tree is judged, and the advice says that a problem may be older."""
    memory.bypass({"old.md": "oops\n"})
    attempt = memory.commit({"new.md": NOTE})
    assert attempt.problems == [f"old.md: {MISSING}"]
    assert "older than your change" in attempt.output


def test_the_advice_is_addressed_to_the_agent(memory: Memory) -> None:
    """It says that nothing is lost, where limits come from, and who may raise them."""
    output = memory.commit({"big.md": note_of(20_001)}).output
    assert "Nothing was committed; what you staged is still staged." in output
    assert ".memfs.config.json" in output
    assert "Do not raise or disable them unless the user has explicitly approved it." in output


@pytest.mark.parametrize(
    ("content", "cause"),
    [("\ufeff" + NOTE, "BOM"), (NOTE.replace("\n", "\r\n"), "CR")],
    ids=["bom", "cr"],
)
def test_an_invisible_cause_is_named(memory: Memory, content: str, cause: str) -> None:
    """The problem line is the plain one; below it stands what the eye cannot see."""
    attempt = memory.commit({"notes.md": content})
    assert attempt.problems == [f"notes.md: {MISSING}"]
    advice = attempt.output.split("\n\n", 1)[1]
    assert "notes.md" in advice
    assert cause in advice


def test_deleting_the_root_index_is_refused(memory: Memory) -> None:
    """Without MEMORY.md the rules still apply, and its absence is the problem."""
    memory.git("rm", "-q", "MEMORY.md")
    assert memory.attempt().problems == ["MEMORY.md: root memory index is required for MemFS v2"]


def test_the_first_commit_is_judged(tmp_path: Path) -> None:
    """There is no HEAD yet, and an invalid file is refused all the same."""
    memory = new_bare_template(tmp_path)
    attempt = memory.commit({"MEMORY.md": "# Memory\n", "n.md": "oops\n"})
    assert attempt.problems == [f"n.md: {MISSING}"]
    assert memory.commit({"n.md": NOTE}).accepted


def test_commit_all_is_judged_by_what_it_commits(memory: Memory) -> None:
    """`commit -a` uses another index file; the hook reads that one."""
    memory.write({"human.md": "oops\n"})
    assert memory.attempt("-a").problems == [f"human.md: {MISSING}"]
    memory.write({"human.md": note("Likes coffee.")})
    assert memory.attempt("-a").accepted


def test_commit_of_one_path_is_judged_without_the_rest(memory: Memory) -> None:
    """`commit -- path` leaves a bad staged file out, so it passes; the bad one is refused."""
    memory.stage({"good.md": NOTE, "bad.md": "oops\n"})
    assert memory.attempt("--", "good.md").accepted
    assert memory.attempt("--", "bad.md").problems == [f"bad.md: {MISSING}"]


def test_the_staged_content_counts_not_the_working_file(memory: Memory) -> None:
    """A bad edit after `git add` does not matter, and a good one does not help."""
    memory.stage({"n.md": NOTE})
    memory.write({"n.md": "oops\n"})
    assert memory.attempt().accepted
    memory.git("add", "n.md")
    memory.write({"n.md": NOTE})
    assert memory.attempt().problems == [f"n.md: {MISSING}"]


def test_an_unstaged_index_does_not_complete_the_chain(memory: Memory) -> None:
    """Only what is staged exists."""
    memory.write({"a/MEMORY.md": "# a\n"})
    attempt = memory.commit({"a/x.md": NOTE})
    assert attempt.problems == ["a/x.md: missing required index a/MEMORY.md"]


def test_a_commit_from_a_subfolder_is_judged(memory: Memory) -> None:
    """Where the agent stands makes no difference."""
    memory.stage({"a/MEMORY.md": "# a\n", "n.md": "oops\n"})
    assert memory.attempt(cwd=memory.dir / "a").problems == [f"n.md: {MISSING}"]
    memory.stage({"n.md": NOTE})
    assert memory.attempt(cwd=memory.dir / "a").accepted


def test_only_the_skills_folder_holds_skills(memory: Memory) -> None:
    """A name that merely begins with `skills` is memory like any other."""
    attempt = memory.commit(
        {"skills.md": "oops\n", "skillset/x.md": NOTE, "skills/s/SKILL.md": "x"}
    )
    assert sorted(attempt.problems) == [
        f"skills.md: {MISSING}",
        "skillset/x.md: missing required index skillset/MEMORY.md",
    ]


def test_amending_is_judged(memory: Memory) -> None:
    """`commit --amend` cannot smuggle a file in."""
    memory.stage({"n.md": "oops\n"})
    assert memory.attempt("--amend").problems == [f"n.md: {MISSING}"]
    memory.stage({"n.md": NOTE})
    assert memory.attempt("--amend").accepted


def conflict(memory: Memory) -> None:
    """Leave a merge of two edits of the same line unfinished."""
    memory.git("checkout", "-q", "-b", "side")
    memory.commit({"human.md": note("Likes coffee.")})
    memory.git("checkout", "-q", "main")
    memory.commit({"human.md": note("Likes water.")})
    memory.git("merge", "-q", "side", check=False)


def test_a_resolved_merge_is_judged(memory: Memory) -> None:
    """The commit that concludes a conflicted merge runs the hook, on the merged tree."""
    conflict(memory)
    memory.stage({"human.md": "<<<<<<< both\n"})
    assert memory.attempt().problems == [f"human.md: {MISSING}"]
    memory.stage({"human.md": note("Likes coffee and water.")})
    assert memory.attempt().accepted


def test_going_on_with_a_cherry_pick_is_judged(memory: Memory) -> None:
    """`cherry-pick --continue` commits what was resolved through the hook; a rebase does not."""
    conflict(memory)
    memory.git("merge", "--abort")
    memory.git("cherry-pick", "side", check=False)
    memory.stage({"human.md": "<<<<<<< both\n"})
    before = memory.repo.head()
    refused = memory.repo.run("cherry-pick", "--continue", check=False)
    assert f"human.md: {MISSING}" in refused.stderr
    assert memory.repo.head() == before
    memory.stage({"human.md": note("Likes coffee and water.")})
    memory.git("cherry-pick", "--continue")
    assert memory.git("show", "HEAD:human.md").endswith("Likes coffee and water.")


def test_a_file_that_is_still_in_conflict_is_refused(memory: Memory) -> None:
    """git refuses an unmerged index by itself; a check in process names the file."""
    conflict(memory)
    assert check_staged(memory.repo) == ["human.md: has an unresolved merge conflict"]
    attempt = memory.attempt()
    assert not attempt.accepted
    assert "Traceback" not in attempt.output


@pytest.mark.parametrize(
    "name", ["it's", 'q"uote', "two words", "记忆 🙂", "$HOME", "-dash", "a;b", "a\nb"]
)
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    """Quotes, spaces, Chinese and shell signs in the path of the repository are only a name."""
    memory = new_memory(tmp_path, name=f"{name}/{name}")
    assert memory.commit({"n.md": "oops\n"}).problems == [f"n.md: {MISSING}"]
    assert memory.commit({"n.md": NOTE}).accepted


def test_it_survives_a_move_of_the_home_folder(tmp_path: Path) -> None:
    """After the folder was renamed the same hook judges the same way."""
    new_memory(tmp_path / "before")
    (tmp_path / "before").rename(tmp_path / "after it's")
    moved = Memory(tmp_path / "after it's" / "memory", environment(tmp_path))
    assert moved.commit({"n.md": "oops\n"}).problems == [f"n.md: {MISSING}"]
    assert moved.commit({"n.md": NOTE}).accepted


@pytest.mark.parametrize(
    "name", ["a\nb.md", "笔记.md", 'q"q.md', "a\\b.md", "-x.md", "0:x.md", "🙂.md", ":!x.md"]
)
def test_a_file_is_judged_under_its_real_name(memory: Memory, name: str) -> None:
    """Odd names are judged by content and named in one line, the line feed escaped."""
    memory.put({name: "oops\n"}, {})
    assert memory.attempt().problems == [name.replace("\n", "\\n") + f": {MISSING}"]
    memory.put({name: NOTE}, {})
    assert memory.attempt().accepted


def test_a_name_that_is_not_utf8_is_shown_escaped(memory: Memory) -> None:
    """The bytes of the name are printed as \\xNN, so that the refusal stays readable."""
    memory.put({b"bad\xff.md": "oops\n"}, {})
    assert memory.attempt().problems == [f"bad\\xff.md: {MISSING}"]
    memory.put({b"bad\xff.md": NOTE}, {})
    assert memory.attempt().accepted


def test_a_problem_stays_on_one_line(memory: Memory) -> None:
    """A line feed in a name, a glob or a field is printed as two characters."""
    rules = policy(fileCharacterLimits=[{"pattern": "a\nb.md", "maxCharacters": 10}])
    memory.put({"a\nb.md": note_of(60), POLICY: rules}, {})
    attempt = memory.attempt(approved=True)
    assert attempt.problems == ["a\\nb.md: 60 characters exceeds 10 from glob 'a\\nb.md'"]
    memory.put({POLICY: '{"version": 1, "a\\nb": 2}'}, {})
    assert f"{POLICY}: unknown field 'a\\nb'" in memory.attempt(approved=True).problems


def test_content_that_is_not_utf8_is_judged(memory: Memory) -> None:
    """Binary Markdown gets an answer; binary files that are not Markdown are no memory."""
    assert memory.commit({"n.md": b"\xff\xfe\x00"}).problems == [f"n.md: {MISSING}"]
    assert memory.commit({"n.md": NOTE, "photo.png": b"\x89PNG\xff\x00"}).accepted


def test_a_huge_file_is_refused_by_its_size(memory: Memory) -> None:
    """50 MB are counted, not choked on."""
    memory.put({"big.md": NOTE + "x" * 50_000_000}, {})
    size = 50_000_000 + len(NOTE)
    assert memory.attempt().problems[0] == (
        f"big.md: {size} characters exceeds 20000 from maxFileCharacters"
    )


def replace_interpreter(memory: Memory, python: Path) -> None:
    """Let the installed stub start another interpreter."""
    hook = hooks_of(memory) / "pre-commit"
    text = hook.read_text()
    assert str(Path(sys.executable).resolve()) in text
    hook.write_text(text.replace(str(Path(sys.executable).resolve()), str(python)))


def test_a_missing_interpreter_refuses_with_the_repair(memory: Memory, tmp_path: Path) -> None:
    """A guard that cannot run denies, and names the command that repairs it."""
    replace_interpreter(memory, tmp_path / "gone" / "python")
    attempt = memory.commit({"n.md": NOTE})
    assert not attempt.accepted
    assert "mini-letta memory install-hook ." in attempt.output
    install_hook(memory.repo)
    assert memory.attempt().accepted


@pytest.mark.parametrize("python", ["/bin/false", "/bin/true"])
def test_an_interpreter_that_judges_nothing(memory: Memory, python: str) -> None:
    """One that fails refuses the commit. One that lies is as strong as --no-verify: the audit's."""
    replace_interpreter(memory, Path(python))
    assert memory.commit({"n.md": "oops\n"}).accepted is (python == "/bin/true")


def test_a_missing_validator_refuses_with_the_repair(memory: Memory) -> None:
    """So does a hook whose validator was deleted."""
    for file in hooks_of(memory).glob("mini_letta_validator*"):
        file.unlink()
    attempt = memory.commit({"n.md": NOTE})
    assert not attempt.accepted
    assert "mini-letta memory install-hook" in attempt.output


def test_a_broken_validator_refuses(memory: Memory) -> None:
    """A damaged file is never a way through."""
    (hooks_of(memory) / "mini_letta_validator.py").write_text("def main(:\n")
    assert not memory.commit({"n.md": NOTE}).accepted


def test_a_foreign_hook_is_kept(tmp_path: Path) -> None:
    """Somebody else's pre-commit is never overwritten, and with force it is set aside."""
    memory = Memory(tmp_path / "theirs", environment(tmp_path))
    subprocess.run(["git", "init", "-q", str(memory.dir)], check=True, env=memory.env)
    hook = memory.dir / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(HookError):
        install_hook(memory.repo)
    assert hook.read_text() == "#!/bin/sh\nexit 0\n"
    install_hook(memory.repo, force=True)
    assert memory.commit({"MEMORY.md": "# M\n", "n.md": "oops\n"}).problems == [f"n.md: {MISSING}"]
    kept = [
        f.name for f in hook.parent.glob("pre-commit*") if f.read_text() == "#!/bin/sh\nexit 0\n"
    ]
    assert kept == ["pre-commit.kept"]


def test_a_second_foreign_hook_does_not_replace_the_first_one_kept(memory: Memory) -> None:
    """Each hook that is set aside gets a name of its own, a dangling link as well."""
    hooks = hooks_of(memory)
    for text in ("#!/bin/sh\n# one\n", "#!/bin/sh\n# two\n"):
        (hooks / "pre-commit").write_text(text)
        install_hook(memory.repo, force=True)
    (hooks / "pre-commit").unlink()
    (hooks / "pre-commit").symlink_to("nowhere")
    with pytest.raises(HookError):
        install_hook(memory.repo)
    install_hook(memory.repo, force=True)
    kept = sorted(path.name for path in hooks.glob("pre-commit.kept*"))
    assert kept == ["pre-commit.kept", "pre-commit.kept.1", "pre-commit.kept.2"]


def test_installing_over_a_damaged_record_says_so(memory: Memory) -> None:
    """The hook is there, and the file that stops it is named with the way out."""
    (memory.repo.git_dir() / "mini-letta-accepted.json").write_text("{{{")
    with pytest.raises(HookError, match=r"accepted\.json is damaged: move it away"):
        install_hook(memory.repo)


def test_a_hook_that_git_would_not_run_is_not_called_installed(memory: Memory) -> None:
    """A setting that wins over ours is named, with what to do."""
    memory.git("config", "extensions.worktreeConfig", "true")
    memory.git("config", "--worktree", "core.hooksPath", "/dev/null")
    with pytest.raises(HookError, match="git takes its hooks from /dev/null all the same"):
        install_hook(memory.repo)


def test_installing_twice_changes_nothing(memory: Memory) -> None:
    """The second installation finds its own work and leaves the same bytes."""
    before = {f.name: f.read_bytes() for f in hooks_of(memory).iterdir() if f.is_file()}
    config = (memory.dir / ".git" / "config").read_bytes()
    install_hook(memory.repo)
    assert {f.name: f.read_bytes() for f in hooks_of(memory).iterdir() if f.is_file()} == before
    assert (memory.dir / ".git" / "config").read_bytes() == config


def test_its_files_say_who_installed_them(memory: Memory) -> None:
    """Whoever opens the hook sees at the top where it came from."""
    stub = (hooks_of(memory) / "pre-commit").read_text().split("\n")
    validator = (hooks_of(memory) / "mini_letta_validator.py").read_text().split("\n")
    assert stub[1].startswith("# Installed by mini-letta")
    assert validator[0].startswith("# Installed by mini-letta")


def test_the_validator_can_be_read(memory: Memory) -> None:
    """It is plain source with docstrings, and it imports nothing but the standard library."""
    source = (hooks_of(memory) / "mini_letta_validator.py").read_text()
    assert max(map(len, source.split("\n"))) <= 100
    assert "def check_frontmatter(path: str, content: str) -> list[str]:" in source
    imports = set(re.findall(r"^\s*(?:import|from) (\w+)", source, re.MULTILINE))
    assert imports <= {"posix", "zlib", "json", "_json"}


def test_the_agents_environment_cannot_bend_the_validator(memory: Memory, tmp_path: Path) -> None:
    """PYTHONPATH, PYTHONSTARTUP and modules lying about are not looked at."""
    trap = tmp_path / "trap"
    trap.mkdir()
    for name in ("zlib", "json", "posix", "sitecustomize", "mini_letta_validator"):
        (trap / f"{name}.py").write_text("import os\nos._exit(0)\n")
        memory.write({f"{name}.py": "import os\nos._exit(0)\n"})
    extra = {"PYTHONPATH": str(trap), "PYTHONHOME": str(trap), "PYTHONSTARTUP": f"{trap}/json.py"}
    memory.stage({"n.md": "oops\n"})
    assert memory.attempt(env=extra).problems == [f"n.md: {MISSING}"]


@pytest.mark.parametrize("kind", ["loose", "packed", "index version 4"])
def test_it_starts_few_processes_whatever_the_size(
    memory: Memory, tmp_path: Path, kind: str
) -> None:
    """Six at most, itself included, with one file or two hundred."""
    rules = '{"version": 1, "readOnlyFiles": ["persona.md"]}'
    memory.commit({".memfs.config.json": rules}, approved=True)
    memory.commit({f"n{number}.md": note_of(60) for number in range(200)})
    if kind == "packed":
        memory.git("gc", "-q")
    elif kind == "index version 4":
        memory.git("update-index", "--index-version", "4")
    memory.stage({"n.md": NOTE})
    assert 1 <= count_processes(memory, tmp_path / "trace") <= 6


@pytest.mark.parametrize("name", ["root-marker", "legacy-only"])
def test_it_starts_few_processes_for_a_legacy_memory(
    templates: Mapping[str, Memory], tmp_path: Path, name: str
) -> None:
    """The same when locks have to be looked up, two hundred changed files, all packed."""
    memory = copy_of(templates[name], tmp_path / "memory")
    described = "---\ndescription: D\n---\n"
    numbered = {f"system/n{number}.md": described for number in range(200)}
    memory.bypass({POLICY: policy(readOnlyFiles=["x.txt"]), "x.txt": "x", **numbered})
    install_hook(memory.repo)
    memory.stage({path: f"{described}{path}\n" for path in numbered})
    memory.git("gc", "-q")
    assert 1 <= count_processes(memory, tmp_path / "trace") <= 6


def count_processes(memory: Memory, log: Path) -> int:
    """Commit what is staged and return how many processes its hook started, itself included."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    command = [strace, "-f", "-qq", "-e", "trace=execve", "-o", str(log)]
    command += ["git", "-c", "maintenance.auto=false", "commit", "-q", "-m", "x"]
    done = subprocess.run(command, cwd=memory.dir, env=memory.env, capture_output=True)
    if b"ptrace" in done.stderr or not log.exists():
        pytest.skip("strace may not trace processes here")
    assert done.returncode == 0, done.stderr
    started = [line for line in log.read_text().split("\n") if re.search(r"execve\(.*= 0$", line)]
    return len({line.split()[0] for line in started[1:]})  # the first is `git commit` itself


def test_it_never_leaves_files_behind(memory: Memory) -> None:
    """A refused and an accepted commit leave no drafts or requests in the git dir."""
    memory.commit({"n.md": "oops\n"})
    memory.commit({"n.md": NOTE})
    git_dir = memory.repo.git_dir()
    names = {name for name in os.listdir(git_dir) if "letta" in name}
    assert not [name for name in names if re.search(r"\.\d+$|request|draft", name)]

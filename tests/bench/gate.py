"""Time `git commit` through the memory hook against the same commit with a hook that only exits 0.

usage: python tests/bench/gate.py [--sizes 1 100 1000] [--rounds 15] [--policy]

Both repositories hold the same files; rounds are interleaved, so that a machine that drifts
drifts for both. Prints the medians and their ratio, and how many processes the hook adds.
Exits 1 when a ratio or the process count is over its bar.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mini_letta.git import Repo, hermetic_environment
from mini_letta.memory.hooks import HOOK_NAME
from mini_letta.memory.repo import create_memory

BARS = {1: 4.0, 1000: 6.0}
MOST_PROCESSES = 6
BODY = "- a line of memory that says one thing and is not very long\n" * 33  # about 2 kB


def memory_files(count: int, *, policy: bool) -> dict[str, str]:
    """Return a valid tree of ``count`` memory files below one index, plus the root index."""
    files = {"MEMORY.md": "# Memory\n"}
    if policy:
        files[".memfs.config.json"] = '{"version": 1, "readOnlyFiles": ["persona.md"]}\n'
    if count > 1:
        files["notes/MEMORY.md"] = "# Notes\n"
    folder = "notes/" if count > 1 else ""
    for number in range(count):
        header = f"---\nname: Note {number}\ndescription: Number {number}\n---\n"
        files[f"{folder}n{number:04}.md"] = header + BODY
    return files


def make_pair(root: Path, count: int, *, policy: bool) -> tuple[Repo, Repo]:
    """Return two equal repositories: one with the memory hook, one with a hook that exits 0."""
    env = hermetic_environment(os.environ, now=1767225600)
    approved = {**env, "MINI_LETTA_CONSTRAINTS_UPDATE": "1"}
    ours = create_memory(root / "ours", approved, files=memory_files(count, policy=policy))
    shutil.copytree(ours.dir, root / "noop", symlinks=True)
    noop = Repo(dir=root / "noop", env=env)
    shutil.rmtree(noop.dir / ".git" / "hooks")
    hook = noop.dir / ".git" / "hooks" / HOOK_NAME
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    return Repo(dir=ours.dir, env=env), noop


def timed_commit(repo: Repo, path: str, round_number: int) -> float:
    """Change one file, stage it, and return the seconds `git commit` takes."""
    with (repo.dir / path).open("a", encoding="utf-8") as file:
        file.write(f"- round {round_number}\n")
    repo.run("add", "--", path)
    argv = ["git", "commit", "--quiet", "--message", f"round {round_number}"]
    start = time.perf_counter()
    subprocess.run(argv, cwd=repo.dir, env=repo.env, check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def count_processes(repo: Repo, path: str) -> int | None:
    """Return how many processes one commit through the hook starts below git's own hook child.

    None without strace.
    """
    if not shutil.which("strace"):
        return None
    with (repo.dir / path).open("a", encoding="utf-8") as file:
        file.write("- counted\n")
    repo.run("add", "--", path)
    trace = repo.dir.parent / "trace"
    subprocess.run(
        ["strace", "-f", "-qq", "-e", "trace=execve", "-o", trace, "git", "commit", "-qm", "x"],
        cwd=repo.dir,
        env=repo.env,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    lines = trace.read_text().splitlines()
    started = [line for line in lines if "execve(" in line and "= 0" in line]
    first = next(at for at, line in enumerate(started) if HOOK_NAME in line)
    upkeep = [line for line in started if '"maintenance"' in line or '"gc"' in line]
    return len({line.split()[0] for line in started[first:]} - {line.split()[0] for line in upkeep})


def measure(count: int, rounds: int, *, policy: bool) -> bool:
    """Print one line of the table; return whether it is within its bars."""
    with tempfile.TemporaryDirectory() as folder:
        ours, noop = make_pair(Path(folder), count, policy=policy)
        path = "notes/n0000.md" if count > 1 else "n0000.md"
        times: dict[str, list[float]] = {"ours": [], "noop": []}
        for number in range(rounds + 1):
            for name, repo in (("ours", ours), ("noop", noop)):
                times[name].append(timed_commit(repo, path, number))
        processes = count_processes(ours, path)
    hook, bare = (statistics.median(times[name][1:]) for name in ("ours", "noop"))
    bar = BARS.get(count)
    print(
        f"{count:>5} files   ours {hook * 1000:6.1f} ms   no-op {bare * 1000:6.1f} ms"
        f"   ratio {hook / bare:4.2f}"
        + (f" (bar {bar})" if bar else "")
        + f"   processes {'not counted: no strace' if processes is None else processes}"
    )
    return (not bar or policy or hook / bare <= bar) and (processes or 0) <= MOST_PROCESSES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 100, 1000])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--policy", action="store_true", help="with a protected file")
    options = parser.parse_args()
    within = [measure(size, options.rounds, policy=options.policy) for size in options.sizes]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())

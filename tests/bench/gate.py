"""Time `git commit` through the memory hook against the same commit with a hook that only exits 0.

usage: python tests/bench/gate.py [--sizes 1 100 1000] [--rounds 15] [--policy] [--peer LETTA]

The repositories hold the same files; rounds are interleaved, so that a machine that drifts
drifts for all. Prints the medians and their ratio, and how many processes the hook adds. With
``--peer`` letta-code's own hook joins every fifth round (``peer.py`` says where it comes from).
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

from peer import NoPeer, install_peer_hook  # type: ignore[import-not-found] # beside this file

from mini_letta.git import Repo, hermetic_environment
from mini_letta.memory.hooks import HOOK_NAME
from mini_letta.memory.repo import create_memory

BARS = {1: 4.0, 1000: 6.0}
PEER_BARS = {1000: 150.0}  # how many times faster than the peer's hook
PEER_EVERY = 5
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


def measure(count: int, rounds: int, *, policy: bool, letta: str | None) -> bool:
    """Print the lines of one size; return whether it is within its bars."""
    with tempfile.TemporaryDirectory() as folder:
        ours, noop = make_pair(Path(folder), count, policy=policy)
        repos = {"ours": ours, "noop": noop}
        if letta:
            repos["peer"] = Repo(dir=Path(folder) / "peer", env=noop.env)
            shutil.copytree(noop.dir, repos["peer"].dir, symlinks=True)
            install_peer_hook(repos["peer"], letta=letta)
        path = "notes/n0000.md" if count > 1 else "n0000.md"
        times: dict[str, list[float]] = {name: [] for name in repos}
        for number in range(rounds + 1):
            for name, repo in repos.items():
                if name != "peer" or number % PEER_EVERY == 0:
                    times[name].append(timed_commit(repo, path, number))
        processes = count_processes(ours, path)
        peers = count_processes(repos["peer"], path) if letta else None
    hook, bare = (statistics.median(times[name][1:]) for name in ("ours", "noop"))
    bar = BARS.get(count)
    print(
        f"{count:>5} files   ours {hook * 1000:6.1f} ms   no-op {bare * 1000:6.1f} ms"
        f"   ratio {hook / bare:4.2f}"
        + (f" (bar {bar})" if bar else "")
        + f"   processes {'not counted: no strace' if processes is None else processes}"
    )
    within = (not bar or policy or hook / bare <= bar) and (processes or 0) <= MOST_PROCESSES
    return within and (not letta or compare(count, hook, statistics.median(times["peer"]), peers))


def compare(count: int, hook: float, peer: float, processes: int | None) -> bool:
    """Print what the peer took for the same commits; return whether ours is that much faster."""
    bar = PEER_BARS.get(count)
    print(
        f"              peer {peer * 1000:8.1f} ms   ours is {peer / hook:.1f} times faster"
        + (f" (bar {bar:.0f})" if bar else "")
        + f"   processes {'not counted: no strace' if processes is None else processes}"
    )
    return not bar or peer / hook >= bar


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 100, 1000])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--policy", action="store_true", help="with a protected file")
    parser.add_argument(
        "--peer", metavar="LETTA", nargs="?", const="letta", help="the program `letta` 0.34.12"
    )
    options = parser.parse_args()
    try:
        within = [
            measure(size, options.rounds, policy=options.policy, letta=options.peer)
            for size in options.sizes
        ]
    except NoPeer as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())

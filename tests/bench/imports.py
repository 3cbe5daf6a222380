"""Time the start of Python in the ways a commit hook could start it, and what each import adds.

usage: python tests/bench/imports.py [--rounds 31]

One start of ``python -I -S -c pass`` is the unit. Rounds are interleaved, so that a machine that
drifts drifts for all; each figure is a median. Chapter 7, "Why the hook is a stub and a module".
"""

import argparse
import statistics
import subprocess
import sys
import time

UNIT = "-I -S, no import"
MODULES = ("os", "re", "json", "pathlib", "subprocess")
STARTS = {
    UNIT: ["-I", "-S", "-c", "pass"],
    "without -S, no import": ["-I", "-c", "pass"],
    **{f"-I -S, import {name}": ["-I", "-S", "-c", f"import {name}"] for name in MODULES},
}


def start_seconds(arguments: list[str]) -> float:
    """Return how long one interpreter takes from its start to its end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=31)
    options = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(options.rounds):
        for name, arguments in STARTS.items():
            times[name].append(start_seconds(arguments))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        print(f"{name:24} {seconds / medians[UNIT]:5.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Time `mini-letta --help` against `python -c pass`, interleaved.

usage: python tests/bench/start.py [--rounds 15]

Prints both medians and their ratio; exits 1 when the ratio is over its bar.
"""

import argparse
import statistics
import subprocess
import sys
import time

BAR = 10.0


def seconds(*args: str) -> float:
    """Return how long one run of this Python takes."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *args], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = range(parser.parse_args().rounds)
    pairs = [(seconds("-m", "mini_letta", "--help"), seconds("-c", "pass")) for _ in rounds]
    ours, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"--help {ours * 1000:.0f} ms, python -c pass {bare * 1000:.0f} ms: {ours / bare:.1f}x")
    return 0 if ours / bare <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())

"""A program of its own: run cells given as JSON on standard input, without a kernel.

Started by :mod:`mini_letta.course.labs.reference` by its path, so that it may be used with a
library that does not contain it. Standard library only.
"""

import contextlib
import io
import json
import linecache
import sys
from typing import Any

ADDRESS_SPACE = 2 * 1024**3
"""Bytes, of this process and of each git it starts."""


def run(source: str, name: str, namespace: dict[str, Any]) -> None:
    """Run one source; ``inspect.getsource`` finds it afterwards, as in a notebook."""
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), namespace)


def main() -> None:
    """Read ``{"cells": ..., "programs": ...}`` and write what each program printed."""
    if sys.platform == "linux":  # what it inspects may have been made to fill the memory
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    task = json.load(sys.stdin)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for name, source in task["cells"].items():
        with contextlib.redirect_stdout(sys.stderr):
            run(source, name, namespace)
    printed = {}
    for name, source in task["programs"].items():
        with contextlib.redirect_stdout(io.StringIO()) as output:
            run(source, name, dict(namespace))
        printed[name] = output.getvalue()
    json.dump(printed, sys.stdout)


if __name__ == "__main__":
    main()

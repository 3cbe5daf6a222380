"""``python -m mini_letta.course.execute IN OUT``: execute one notebook, in the current folder.

A program of its own, because the environment of the kernel, of Jupyter and of Python itself has
to be the fixed one from the first instruction on; see :mod:`mini_letta.course.environment`.
"""

import sys
from pathlib import Path
from typing import Any

import nbformat
from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

CELL_TIMEOUT_S = 120


class ThisInterpreter(KernelSpecManager):
    """Knows one kernel: the interpreter that is running, whatever else is installed."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernel of this interpreter under any name."""
        return KernelSpec(**get_kernel_dict())


def execute(notebook: Any) -> None:
    """Fill in the outputs of ``notebook`` by running it from top to bottom.

    Raises:
        CellExecutionError, CellTimeoutError, DeadKernelError: it did not get to the end.
    """
    manager = AsyncKernelManager(kernel_spec_manager=ThisInterpreter(), kernel_name="python3")
    client = NotebookClient(notebook, km=manager, timeout=CELL_TIMEOUT_S, record_timing=False)
    client.execute()


def main(source: str, target: str) -> int:
    """Execute the notebook at ``source`` and write it to ``target``; 1 if a cell went wrong."""
    notebook = nbformat.read(source, as_version=4)
    try:
        execute(notebook)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        print(error, file=sys.stderr)
        return 1
    nbformat.write(notebook, Path(target))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

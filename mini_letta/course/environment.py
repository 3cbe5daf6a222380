"""The environment notebooks are built and run in: the same on every machine.

Both the build (nbclient) and the check (nbval) hand it to the process that starts the kernel, so
that a user's IPython profile, kernelspecs, pytest options, locale or hash seed change no output.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

# Where programs and libraries are is the machine's business; the rest is ours.
KEPT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SSL_CERT_FILE")


def notebook_environment(base: Mapping[str, str], *, scratch: Path) -> dict[str, str]:
    """Return the whole environment of a process that executes notebooks.

    Args:
        base: the surrounding environment, of which only :data:`KEPT` is taken over.
        scratch: an empty folder for everything Jupyter, IPython and the cells want to write; the
            folder for temporary files is made in it, so that an interrupted run leaves nothing.
    """
    (scratch / "tmp").mkdir()
    env = {name: base[name] for name in KEPT if name in base}
    # Our interpreter's folder comes first: `mini-letta` in a shell cell is this one.
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", os.defpath)])
    return env | {
        "HOME": str(scratch / "home"),
        "IPYTHONDIR": str(scratch / "ipython"),
        "JUPYTER_CONFIG_DIR": str(scratch / "jupyter-config"),
        "JUPYTER_DATA_DIR": str(scratch / "jupyter-data"),
        "JUPYTER_RUNTIME_DIR": str(scratch / "jupyter-runtime"),
        "JUPYTER_PLATFORM_DIRS": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",
        # C exists everywhere, C.UTF-8 does not; Python reads and writes UTF-8 either way.
        "LC_ALL": "C",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "TMPDIR": str(scratch / "tmp"),
        "TZ": "UTC",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }

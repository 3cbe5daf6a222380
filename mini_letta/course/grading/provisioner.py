"""How Jupyter starts a kernel behind the walls of a sandbox: a kernel provisioner.

The command in the kernel's specification is already enclosed (:mod:`...grading.sandbox`). What is
left to do here: speak through sockets in a folder, because there is no network inside; give the
kernel nothing of the trusted process, neither its environment nor its open files.

Chosen by ``metadata.kernel_provisioner`` of the specification that
:mod:`mini_letta.course.grading.kernel_run` writes; registered in ``pyproject.toml``.
"""

import os
import subprocess
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets import Integer, Unicode

CONNECTION = "c.json"
SOCKET = "s"
STDERR = "kernel.err"


class SandboxProvisioner(LocalProvisioner):
    """Starts the enclosed command, talking to it through unix sockets."""

    folder = Unicode(help="folder of the sockets, seen inside under the same name").tag(config=True)
    uid = Integer(-1, help="user the kernel runs as; -1 for our own").tag(config=True)
    path = Unicode(help="PATH on which the sandbox's own programs are found").tag(config=True)

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Prepare sockets, files and environment; return the arguments of the launch."""
        manager: Any = self.parent
        folder = Path(self.folder)
        manager.transport = "ipc"
        manager.connection_file = str(folder / CONNECTION)
        manager.ip = str(folder / SOCKET)
        manager.cache_ports = False
        kwargs = await super().pre_launch(**kwargs)
        if self.uid >= 0:
            os.chown(folder / CONNECTION, self.uid, self.uid)
            os.chown(folder, self.uid, self.uid)
        kwargs["stdout"] = subprocess.DEVNULL  # else a file of pytest's, writable from a cell
        kwargs["stderr"] = (folder.parent / STDERR).open("wb")
        kwargs["cwd"] = "/"
        kwargs["env"] = {"PATH": self.path}
        return kwargs

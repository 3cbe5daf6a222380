"""The table a notebook works on: one agent, a real shell, and a clock that everyone shares.

    bench = Workbench(v1_0.HARNESS, lang="en")
    bench.sh("git log --oneline")      # real bash in the memory folder; prints what it printed
    bench.say("ping")                  # one turn with the mock; prints calls, results, reply
    bench.prompt()                     # the stored system prompt; fresh=True compiles HEAD
    bench.upgrade(v1_0.HARNESS)        # the same home, another stage
    bench.close()                      # removes the home; also done when Python ends

What it prints is the same on every machine, commit ids included: git runs without the user's
configuration, nothing but ``PATH`` is taken from the environment, the language is C, and the
clock starts at 2026-01-01T00:00:00Z and moves 60 seconds before every command. The temporary
home is printed as ``~``, exactly as a reader sees their own ``~/.mini-letta``.

Do not print anything that is random by nature (a ``mktemp`` name, a pid, ``ls -l`` dates), and
keep the output of ``date`` and of ``mini-letta say`` out of ``sh``: they use the wall clock.
"""

import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from mini_letta.agents import create_agent
from mini_letta.git import hermetic_environment
from mini_letta.harness import Harness
from mini_letta.providers.mock import MockModel
from mini_letta.providers.protocol import Provider
from mini_letta.session import Session, describe_prompt, open_session
from mini_letta.transcript import describe_turn
from mini_letta.turn import Turn, run_turn

EPOCH = 1767225600  # 2026-01-01T00:00:00Z
STEP_S = 60
AGENT = "default"
TIMEOUT_S = 120.0


class SteppingClock:
    """A clock that moves only when told to; calling it reads it."""

    def __init__(self, now: int = EPOCH) -> None:
        self.now = now

    def __call__(self) -> int:
        """Return seconds since the epoch."""
        return self.now

    def step(self) -> None:
        """Let one minute pass."""
        self.now += STEP_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a script left on the screen."""

    text: str
    """Standard output and standard error in the order they were written."""
    code: int
    """Exit code."""


class Workbench:
    """One agent in a temporary home, worked on from a notebook; see the module's docstring."""

    def __init__(
        self,
        harness: Harness,
        *,
        lang: str = "en",
        provider: Provider | None = None,
        parent: Path | None = None,
    ) -> None:
        """Create the home and its agent ``default``.

        Args:
            harness: stage to start with.
            lang: language of the new memory and of the mock.
            provider: who answers; by default a :class:`MockModel` without mischief.
            parent: existing folder for the temporary home; by default the system's.
        """
        # realpath: on macOS the temporary folder is behind a symbolic link, and git prints the
        # other name.
        self.user_home = Path(os.path.realpath(tempfile.mkdtemp(prefix="ml-", dir=parent)))
        self._remove = weakref.finalize(self, _remove_tree, self.user_home)
        self.home = self.user_home / ".mini-letta"
        self.lang = lang
        self.clock = SteppingClock()
        self.harness = harness
        self.provider = provider or MockModel()
        create_agent(
            self.home,
            AGENT,
            env=self.environment(),
            clock=self.clock,
            lang=lang,
            validator=harness.validator,
        )
        self.session = self._open()

    @property
    def dir(self) -> Path:
        """The memory folder."""
        return self.session.repo.dir

    def sh(self, script: str) -> None:
        """Run a bash script in the memory folder and print what it printed.

        An exit code other than 0 is printed as a last line ``exit=N``.
        """
        output = self.run(script)
        if output.text:
            print(output.text.removesuffix("\n"))
        if output.code:
            print(f"exit={output.code}")

    def say(self, text: str) -> None:
        """Run one turn and print it: your words, tool calls, results, notices, the reply."""
        turn = self.turn(text)
        print(f"you: {text}")
        print(self.shown("\n".join(describe_turn(turn))))

    def prompt(self, *, fresh: bool = False) -> None:
        """Print the system prompt the model gets: as stored, or compiled anew from HEAD."""
        print(self.shown(self.prompt_text(fresh=fresh)).removesuffix("\n"))

    def upgrade(self, harness: Harness) -> None:
        """Close the conversation and open it again as of another stage, in the same home."""
        self.harness = harness
        self.session = self._open()

    def run(self, script: str) -> Output:
        """Run a bash script as :meth:`sh` does, and return the output instead of printing it."""
        self.clock.step()
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", script],
            cwd=self.dir,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_S,
            check=False,
        )
        return Output(
            text=self.shown(done.stdout.decode("utf-8", "backslashreplace")), code=done.returncode
        )

    def turn(self, text: str) -> Turn:
        """Run one turn and return it instead of printing it."""
        self.clock.step()
        return run_turn(self.harness, self.session, text)

    def prompt_text(self, *, fresh: bool = False) -> str:
        """Return the system prompt as the next turn would send it."""
        return describe_prompt(self.harness, self.session, fresh=fresh)

    def shown(self, text: str) -> str:
        """Return ``text`` with the temporary home written as ``~``."""
        return text.replace(str(self.user_home), "~")

    def environment(self) -> Mapping[str, str]:
        """Return the environment scripts and turns run in."""
        # The interpreter's own folder comes first, so that `mini-letta` and `python` are ours.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        base = {"PATH": path, "HOME": str(self.user_home)}
        return hermetic_environment(base, now=self.clock())

    def close(self) -> None:
        """Remove the home. A second call does nothing."""
        self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self) -> Session:
        self.clock.step()
        return open_session(
            self.harness,
            home=self.home,
            agent_id=AGENT,
            provider=self.provider,
            env=self.environment(),
            clock=self.clock,
            lang=self.lang,
            tell=self._tell,
        )

    def _tell(self, line: str) -> None:
        print(self.shown(f"note: {line}"))


def _remove_tree(folder: Path) -> None:
    """Remove a folder whatever is in it; shutil.rmtree gives up in a nest of a thousand."""
    subprocess.run(["rm", "-rf", "--", str(folder)], check=False, capture_output=True)

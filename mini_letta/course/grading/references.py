"""What every submission of a lab is compared with, made once for the whole batch."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mini_letta.course.labs.artefact import expected_artefacts
from mini_letta.course.labs.lab import Lab
from mini_letta.course.labs.library import build_library
from mini_letta.course.labs.reference import expected_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One lab in one language, ready to grade with."""

    lab: Lab
    library: Path
    """What its kernels may import."""
    expected: Mapping[str, str]
    """Check id -> what the reference prints with the seed of the batch."""


@dataclass(slots=True, kw_only=True)
class References:
    """The references of a batch, made when first asked for; may be asked from any thread."""

    read_lab: Callable[[str, str], Lab]
    """From id and language."""
    seed: int
    env: Mapping[str, str]
    """The surrounding environment."""
    folder: Path
    """For the libraries; everybody may read it."""
    _made: dict[tuple[str, str], Reference] = field(default_factory=dict)
    _labs: dict[tuple[str, str], Lab] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def lab(self, id: str, lang: str) -> Lab:
        """Return a lab without having run anything."""
        with self._lock:
            if (id, lang) not in self._labs:
                self._labs[id, lang] = self.read_lab(id, lang)
            return self._labs[id, lang]

    def get(self, id: str, lang: str) -> Reference:
        """Return a reference.

        Raises:
            MiniLettaError: the master or its reference solution is broken.
        """
        with self._lock:
            if (id, lang) not in self._made:
                self._made[id, lang] = self._make(self.lab(id, lang))
            return self._made[id, lang]

    def _make(self, lab: Lab) -> Reference:
        library = self.folder / f"{lab.id}-{lab.lang}"
        library.mkdir()
        build_library(lab, library)
        expected = expected_texts(lab, self.seed, env=self.env, library=library)
        expected |= expected_artefacts(lab, self.seed, env=self.env, library=library)
        return Reference(lab=lab, library=library, expected=expected)

"""A turn of which nothing is written down, and that counts on being alone.

Chapter 6, "One turn". Introduced in v0.2; v0.4 has ``logged_turn.py`` instead.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from mini_letta.harness import Record
from mini_letta.session import Session


@contextmanager
def take_turn_unguarded(_session: Session) -> Iterator[Record]:
    """Lock nothing and record nothing: what was said lasts as long as the process."""
    yield lambda _message: None

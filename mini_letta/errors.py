"""The base of every error a person or a caller can act on."""


class MiniLettaError(Exception):
    """Something a reader can act on; its text says what was wrong and what to do next.

    ``exit_code`` is what the command line exits with: 2 for a call that must be worded
    differently, 3 for an environment that must be repaired. Each subclass is defined next to
    the code that raises it.
    """

    exit_code = 3

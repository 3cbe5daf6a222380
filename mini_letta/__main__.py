"""``python -m mini_letta`` is ``mini-letta``."""

import sys

from mini_letta.cli import main

if __name__ == "__main__":
    sys.exit(main())

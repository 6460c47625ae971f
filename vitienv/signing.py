"""What may be run as code: nothing that came with a file, unless the user says so by `--trust` or `allow()`.

The .zip of a MaskablePPO holds pickled Python, and a name with a dot, of a bot or of a game, is a module to import.
"""

from __future__ import annotations

import os

WORD = "VITIENV_TRUST"  # in the environment, so that the processes that are started here have it too
HOW = "if you trust whoever made it, add --trust (in Python: vitienv.signing.allow())"


def allow() -> None:
    """Take files that hold code, in this process and in those that it starts."""
    os.environ[WORD] = "1"


def is_allowed() -> bool:
    """Whether the user has trusted files that hold code, by `--trust`."""
    return os.environ.get(WORD) == "1"

"""Trust in files that contain code: never executed unless the user passes `--trust` or calls `allow()`.

A MaskablePPO .zip contains pickled Python; a dotted name of a bot or a game is a module to import.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

VARIABLE = "VITIENV_TRUST"  # an environment variable, so that child processes inherit it
HINT = "if you trust its author, add --trust (in Python: vitienv.trust.allow())"


def allow() -> None:
    """Allow files that contain code, in this process and its child processes."""
    os.environ[VARIABLE] = "1"


def is_allowed() -> bool:
    """Return whether files that contain code are allowed."""
    return os.environ.get(VARIABLE) == "1"


def check_regular(path: Path) -> None:
    """Raise OSError for a pipe or device in place of a binary file, whose opening could block."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))

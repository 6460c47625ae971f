"""Programs that play as bots."""

import shlex
import sys
from pathlib import Path

PLAYER = """
import json, sys
from itertools import islice
for line in islice(sys.stdin, {num_answers}):
    print(json.dumps({{"action": json.loads(line)["choices"][0]["number"]}}), flush=True)
"""


def write_player(path: Path, num_answers: int | None = None) -> str:
    """Write a program that takes the first action; return its spec. num_answers: queries after which it exits."""
    path.write_text(PLAYER.format(num_answers=num_answers))
    return f"program:{sys.executable} {shlex.quote(str(path))}"

"""The rules do the same compiled and interpreted, and as they did before."""

import os
import subprocess
import sys

from vitienv.commands.bench.signature import signature
from vitienv.training.evaluation import published

# Changes when rules, actions, observations or chance change, and only then.
COMMAND = "vitienv bench --signature --game toscana"
(SIGNATURE,) = (row.value for row in published.read() if (row.command, row.pick) == (COMMAND, "signature"))


def test_signature_of_fixed_games():
    total = signature("toscana")
    assert total.total == SIGNATURE
    assert list(total.parts) == [*(f"toscana/{n}" for n in (2, 3, 4, 5)), "pieces/4", "trades/3"]


def test_interpreted_rules_play_the_same_games():
    code = "from vitienv.commands.bench.signature import signature; print(signature('toscana').total)"
    command = [sys.executable, "-c", code]
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split()[-1] == SIGNATURE

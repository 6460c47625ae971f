"""Rules never access arrays out of bounds: random games with Numba's bounds checks."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from vitienv.core.batch import Batch, make_keys
from vitienv.viticulture.options import Options
for n in (2, 3, 4, 5, 6):
    for friendly in (False, True):
        batch = Batch(32, Options(num_players=n, friendly=friendly, draft_parents=friendly))
        batch.start(make_keys(n, 32))
        for _ in range(1500):
            batch.step_random()
print("within bounds")
"""


@pytest.mark.slow
def test_random_play_stays_within_bounds(tmp_path):
    """Compiles the engine again, with checks, into another cache."""
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "VITIENV_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and "within bounds" in done.stdout, done.stderr[-2000:]

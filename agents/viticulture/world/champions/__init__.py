"""The networks of Viticulture World that ship with the project, and which of them plays which table.

How they were trained, and how far they come: docs/world.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.viticulture.state import Rule
from vitienv.viticulture.world.observation import OBSERVATION

HERE = Path(__file__).resolve().parent
FILES = ("few", "more")
UNLEARNED = -1  # no table: each has a network
FEW = 3  # seats at most
_players = OBSERVATION.start("rules") + Rule.NUM_PLAYERS


def tables_of(observations: np.ndarray) -> np.ndarray:
    """The number in FILES of the network for each observation, (n,) int64: one to three seats, or more."""
    return (np.asarray(observations)[:, _players] > FEW).astype(np.int64)

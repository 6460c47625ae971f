"""The bundled networks of Toscana: the champion for all numbers of players, and its predecessor for the levels.

docs/champions.md documents training and strength.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.agents.champions import BundledNetwork
from vitienv.toscana.enums import KINDS, N_SQUARES
from vitienv.toscana.observation import At
from vitienv.toscana.options import Options
from vitienv.toscana.state import Rule

HERE = Path(__file__).resolve().parent
_kinds = slice(At.SQUARE_KIND, At.SQUARE_KIND + N_SQUARES * len(KINDS))
_printed = np.eye(len(KINDS), dtype=np.int16)[Options.of(num_players=2).rules()[Rule.PRINTED_MAP :][:N_SQUARES]].ravel()


def is_on_printed_map(observations: np.ndarray) -> np.ndarray:
    """Return whether each game has the printed map, (n,) bool."""
    return (observations[:, _kinds] == _printed).all(axis=1)


# They were not trained on other maps or with trades between players.
NETWORKS = (BundledNetwork("all", is_on_printed_map, player_trades=0),)
FROZEN = (BundledNetwork("level", is_on_printed_map, player_trades=0),)

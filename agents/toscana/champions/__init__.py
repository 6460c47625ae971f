"""The networks of Toscana that ship with the project: one for all numbers of players, and the one before it, by which
the levels play.

How it was trained, and how strong it is: docs/champions.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.agents.champions import Shipped
from vitienv.toscana.enums import KINDS, N_SQUARES
from vitienv.toscana.observation import At
from vitienv.toscana.options import Options
from vitienv.toscana.state import Rule

HERE = Path(__file__).resolve().parent
_kinds = slice(At.SQUARE_KIND, At.SQUARE_KIND + N_SQUARES * len(KINDS))
_printed = np.eye(len(KINDS), dtype=np.int16)[Options.of(num_players=2).rules()[Rule.PRINTED_MAP :][:N_SQUARES]].ravel()


def is_on_printed_map(observations: np.ndarray) -> np.ndarray:
    """Whether each game is played on the printed map, (n,) bool."""
    return (observations[:, _kinds] == _printed).all(axis=1)


# They have not learned other maps, nor to trade with other seats.
NETWORKS = (Shipped("all", is_on_printed_map, player_trades=0),)
FROZEN = (Shipped("level", is_on_printed_map, player_trades=0),)

"""The network of Toscana that ships with the project: one for all numbers of players.

How it was trained, and how strong it is: docs/champions.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.toscana.names import KINDS, N_SQUARES
from vitienv.toscana.observation import At
from vitienv.toscana.options import Options
from vitienv.toscana.state import Rule

HERE = Path(__file__).resolve().parent
FILES = ("all",)
UNLEARNED = -1
_kinds = slice(At.SQUARE_KIND, At.SQUARE_KIND + N_SQUARES * len(KINDS))
_printed = np.eye(len(KINDS), dtype=np.int16)[Options.of(num_players=2).rules()[Rule.PRINTED_MAP :][:N_SQUARES]].ravel()


def tables_of(observations: np.ndarray) -> np.ndarray:
    """The number in FILES of the network for each observation, (n,) int64; UNLEARNED where seats trade with each other
    and on other maps than the printed one: the network has seen neither."""
    seen = np.asarray(observations)
    is_printed = (seen[:, _kinds] == _printed).all(axis=1)
    return np.where(is_printed & (seen[:, At.RULES + Rule.PLAYER_TRADES] == 0), 0, UNLEARNED)

"""The networks of Viticulture that ship with the project, and which of them plays which table.

How they were trained, and how strong they are: docs/champions.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.observation import OBSERVATION
from vitienv.viticulture.state import Rule

HERE = Path(__file__).resolve().parent
FILES = ("solo", "two", "many", "original")
UNLEARNED = -1  # no table: each has a network
_rules = OBSERVATION.start("rules")
AT_MARKER = _rules + Rule.MARKER
AT_PLAYERS = _rules + Rule.NUM_PLAYERS
AT_CARDS = _rules + Rule.CARD_SET


def tables_of(observations: np.ndarray) -> np.ndarray:
    """The number in FILES of the network for each observation, (n,) int64: solo against the Automa's marker, else two
    players, else more, who have a network of their own in the original edition."""
    seen = np.asarray(observations)
    more = np.where(seen[:, AT_CARDS] == CardSet.ORIGINAL, 3, 2)
    return np.where(seen[:, AT_MARKER] == 1, 0, np.where(seen[:, AT_PLAYERS] <= 2, 1, more))


def is_against_marker(observations: np.ndarray) -> np.ndarray:
    """Where the viewer plays against the Automa's marker, (n,) bool."""
    return np.asarray(observations)[:, AT_MARKER] == 1

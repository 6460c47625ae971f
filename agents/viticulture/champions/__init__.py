"""The networks of Viticulture that ship with the project, and which of them plays which table.

How they were trained, and how strong they are: docs/champions.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.observation import OBSERVATION
from vitienv.viticulture.rulesets.solo import LIMITED_WORKERS, PAPAS
from vitienv.viticulture.state import Rule

HERE = Path(__file__).resolve().parent
FILES = ("solo", "two", "many", "original", "campaign", "crowd")
UNLEARNED = -1  # no table: each has a network
_rules = OBSERVATION.start("rules")
AT_MARKER = _rules + Rule.MARKER
AT_PLAYERS = _rules + Rule.NUM_PLAYERS
AT_CARDS = _rules + Rule.CARD_SET
# What challenges 1, 2, 5 and 6 of the campaign change; at the others `solo`, which never met any, is the stronger.
CHALLENGES = {Rule.PARENTS: PAPAS, Rule.STAFF_MAX: LIMITED_WORKERS, Rule.GLASS_TOKENS: 0, Rule.VP_IN_PLAY: 0}


def tables_of(observations: np.ndarray) -> np.ndarray:
    """The number in FILES of the network for each observation, (n,) int64: solo against the Automa's marker, where some
    challenges have one of their own, else two players, three, or more; three and more have one of their own in the
    original edition."""
    seen = np.asarray(observations)
    players = seen[:, AT_PLAYERS]
    more = np.where(seen[:, AT_CARDS] == CardSet.ORIGINAL, 3, np.where(players <= 3, 2, 5))
    is_challenge = np.any([seen[:, _rules + rule] == number for rule, number in CHALLENGES.items()], axis=0)
    alone = np.where(is_challenge, 4, 0)
    return np.where(seen[:, AT_MARKER] == 1, alone, np.where(players <= 2, 1, more))

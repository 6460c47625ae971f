"""The networks that ship with the project, and which of them plays which table: `policy:champion`.

How they were trained, and how strong they are: docs/champions.md.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from vitienv.agents.heuristic import HeuristicAgent
from vitienv.agents.network import TRUST, Network, heeded, lead, read_network
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.observation import OBSERVATION
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import N_ACTIONS

NAME = "champion"
HERE = Path(__file__).resolve().parent
SOLO, TWO, MANY = FILES = ("solo", "two", "many")
UNLEARNED = -1
AT_MARKER, AT_PLAYERS, AT_CARDS = (
    OBSERVATION.start("rules") + rule for rule in (Rule.MARKER, Rule.NUM_PLAYERS, Rule.CARD_SET)
)


def path_of(table: str) -> Path:
    """The file of a table: "solo", "two" or "many"."""
    return HERE / f"{table}.safetensors"


def tables_of(observations: np.ndarray) -> np.ndarray:
    """The number in FILES of the network for each observation, (n,) int64: solo against the Automa's marker, else two
    players, else more. UNLEARNED for the original edition: the network for two loses to the rule of thumb there."""
    seen = np.asarray(observations)
    table = np.where(seen[:, AT_MARKER] == 1, 0, np.where(seen[:, AT_PLAYERS] <= 2, 1, 2))
    return np.where(seen[:, AT_CARDS] == CardSet.ORIGINAL, UNLEARNED, table)


class Unlearned:
    """Stands where there is no network: the rule of thumb's choices, and the lead in points as value."""

    def __init__(self) -> None:
        self._bot = HeuristicAgent()

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self._bot.act(observations, masks)

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, kind: type = np.float64
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        liked = heeded(self._bot.preferences(observations, masks))
        return np.where(np.asarray(masks) != 0, TRUST * liked, -np.inf), lead(observations)


class Champions:
    """All shipped networks as one; each row is evaluated by the network of its own table."""

    def __init__(self) -> None:
        self.networks = [_read(table) for table in FILES]
        self.unlearned = Unlearned()

    @property
    def knows_margin(self) -> bool:
        """See `Network.knows_margin`."""
        return self.networks[0].knows_margin

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        found: np.ndarray = np.empty(len(observations), np.int64)
        for network, rows in self._parts(observations):
            found[rows] = network.best(observations[rows], masks[rows])
        return found

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, kind: type = np.float64
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        logits: np.ndarray = np.empty((len(observations), N_ACTIONS))
        values: np.ndarray = np.empty(len(observations))
        for network, rows in self._parts(observations):
            logits[rows], values[rows] = network.evaluate(observations[rows], masks[rows], kind)
        return logits, values

    def _parts(self, observations: np.ndarray) -> list[tuple[Network | Unlearned, np.ndarray]]:
        tables = tables_of(observations)
        return [
            (self.unlearned if i == UNLEARNED else self.networks[i], np.flatnonzero(tables == i))
            for i in np.unique(tables)
        ]


@cache
def _read(table: str) -> Network:
    return read_network(path_of(table))

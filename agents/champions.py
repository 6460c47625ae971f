"""The networks that ship, as one: `policy:champion` is the champion of the game at the table."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from vitienv.agents.network import TRUST, Network, heeded, lead, read_network
from vitienv.core.definition import Definition
from vitienv.games import DEFAULT, definition

NAME = "champion"


def wing(game: Definition) -> ModuleType:
    """The module that says which networks of a game there are: FILES, HERE, OF_TABLE, UNLEARNED, `tables_of`.

    ValueError if none ship.
    """
    if game.champions is None:
        raise ValueError(f"no networks of {game.name} ship: there is no champion yet")
    return import_module(game.champions)


def path_of(name: str, game: Definition) -> Path:
    """The file of one of the networks, such as "two"."""
    return wing(game).HERE / f"{name}.safetensors"


def digest_of_table(table: str, game: Definition) -> str:
    """SHA-256 of the weights of the champion network at a table of the ladder."""
    return hashlib.sha256(path_of(wing(game).OF_TABLE[table], game).read_bytes()).hexdigest()


class Unlearned:
    """Stands where there is no network: the rule of thumb's choices, and the lead in points as value."""

    def __init__(self, game: Definition) -> None:
        from vitienv.agents.registry import make_agent

        self._game = game
        self._bot: Any = make_agent(game.rule_of_thumb, game=game.name)

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self._bot.act(observations, masks)

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, kind: type = np.float64
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        liked = heeded(self._bot.preferences(observations, masks))
        return np.where(np.asarray(masks) != 0, TRUST * liked, -np.inf), lead(self._game, observations)


class Champions:
    """All shipped networks of a game as one; each row is evaluated by the network of its own table."""

    def __init__(self, game: str = DEFAULT) -> None:
        self.definition = definition(game)
        self._wing = wing(self.definition)
        self.networks = [_read(name, self.definition.name) for name in self._wing.FILES]
        self.unlearned = Unlearned(self.definition)

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
        logits: np.ndarray = np.empty((len(observations), self.definition.actions.n))
        values: np.ndarray = np.empty(len(observations))
        for network, rows in self._parts(observations):
            logits[rows], values[rows] = network.evaluate(observations[rows], masks[rows], kind)
        return logits, values

    def _parts(self, observations: np.ndarray) -> list[tuple[Network | Unlearned, np.ndarray]]:
        tables = self._wing.tables_of(observations)
        return [
            (self.unlearned if i == self._wing.UNLEARNED else self.networks[i], np.flatnonzero(tables == i))
            for i in np.unique(tables)
        ]


@cache
def _read(name: str, game: str) -> Network:
    return read_network(path_of(name, definition(game)), game)

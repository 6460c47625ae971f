"""The networks that ship, as one: `policy:champion` is the champion of the game at the table."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from vitienv.agents.layouts import definitions_of
from vitienv.agents.network import Network, read_network
from vitienv.core.batch import Batch, key_of
from vitienv.core.definition import Definition
from vitienv.core.network import ADVICE_UNIT, TRUST
from vitienv.games import DEFAULT, definition

NAME = "champion"


def wing(game: Definition) -> ModuleType:
    """The module that says which networks of a game there are: FILES, HERE, UNLEARNED, `tables_of`.

    ValueError if none ship.
    """
    if game.champions is None:
        raise ValueError(f"no networks of {game.name} ship: there is no champion yet")
    return import_module(game.champions)


def path_of(name: str, game: Definition) -> Path:
    """The file of one of the networks, such as "two"."""
    return wing(game).HERE / f"{name}.safetensors"


def digest_of_table(table: str, game: Definition) -> str | None:
    """SHA-256 of the weights of the champion network at a table of the ladder; None where there is none."""
    own, one = wing(game), Batch(1, game.options.of(**game.tables[table]))
    one.start(key_of(0))
    number = int(own.tables_of(one.obs)[0])
    if number == own.UNLEARNED:
        return None
    return hashlib.sha256(path_of(own.FILES[number], game).read_bytes()).hexdigest()


def lead(game: Definition, observations: np.ndarray) -> np.ndarray:
    """How far the viewer is ahead of the best other seat, or of what a single seat plays against, in [-1, 1], (n,)."""
    if game.lead is None:
        return np.zeros(len(observations))
    seen, told = game.observation, game.lead
    points = observations[:, seen.slice(told.points)].astype(np.float64)
    is_there = observations[:, seen.slice(told.present)] != 0
    best = np.where(is_there[:, 1:], points[:, 1:], -np.inf).max(axis=1)
    if told.rival is not None:
        best = np.where(is_there[:, 1:].any(axis=1), best, observations[:, seen.start(told.rival)])
    return np.clip((points[:, 0] - best) / told.unit, -1, 1)


def heeded(advice: np.ndarray) -> np.ndarray:
    """What the adviser's preferences (n, actions) are taken in as: 0 for the best action, less for the others."""
    return -np.log1p(advice / -ADVICE_UNIT)


class Unlearned:
    """Stands where there is no network: the rule of thumb's choices, and the lead in points as value."""

    def __init__(self, game: Definition) -> None:
        from vitienv.agents.registry import make_agent

        self._game = game
        self._bot: Any = make_agent(game.rule_of_thumb, game=game.name)

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self._bot.act(observations, masks)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        liked = heeded(self._bot.preferences(observations, masks))
        return np.where(np.asarray(masks) != 0, TRUST * liked, -np.inf), lead(self._game, observations)


class Champions:
    """All shipped networks of a game as one; each row is evaluated by the network of its own table.

    Where a ruleset has layouts of its own, `at` gives its networks.
    """

    def __init__(self, game: str | Definition = DEFAULT) -> None:
        self.definition = game if isinstance(game, Definition) else definition(game)
        self._wing = wing(self.definition)
        self.networks = [_read(path_of(name, self.definition), self.definition.name) for name in self._wing.FILES]
        self.unlearned = Unlearned(self.definition)
        self._at = {self.definition.observed: self}

    @property
    def knows_margin(self) -> bool:
        """See `Network.knows_margin`."""
        return self.networks[0].knows_margin

    def at(self, observed: int) -> Champions:
        """Those of the tables at which bots observe so many numbers. ValueError if none ship."""
        if observed not in self._at:
            tables = definitions_of(self.definition)
            found = next((own for own in tables if own.champions is not None and own.observed == observed), None)
            if found is None:
                raise ValueError(f"no networks of {self.definition.name} ship that observe {observed} numbers")
            self._at[observed] = Champions(found)
        return self._at[observed]

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        found: np.ndarray = np.empty(len(observations), np.int64)
        for network, rows in self.parts(observations):
            found[rows] = network.best(observations[rows], masks[rows])
        return found

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        logits: np.ndarray = np.empty(masks.shape, np.float32)
        values: np.ndarray = np.empty(len(observations), np.float32)
        for network, rows in self.parts(observations):
            logits[rows], values[rows] = network.evaluate(observations[rows], masks[rows])
        return logits, values

    def parts(self, observations: np.ndarray) -> list[tuple[Network | Unlearned, Any]]:
        """The networks that are asked, each with its rows."""
        if (own := self.at(observations.shape[1])) is not self:
            return own.parts(observations)
        tables = self._wing.tables_of(observations)
        asked = np.unique(tables).tolist()
        rows = {i: tables == i if len(asked) > 1 else ... for i in asked}
        return [(self.unlearned if i == self._wing.UNLEARNED else self.networks[i], rows[i]) for i in asked]


@cache
def _read(path: Path, game: str) -> Network:
    return read_network(path, game)

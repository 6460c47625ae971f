"""The bundled networks: `policy:champion` is the champion of the game at the table.

`policy:frozen` are the networks of the levels: the champions at the time when the levels were rated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from vitienv.agents.network import Network, read_network
from vitienv.core import targets
from vitienv.core.batch import Batch, make_key
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import PRIOR_UNIT, PRIOR_WEIGHT
from vitienv.core.options import Options
from vitienv.registry import DEFAULT, game_spec

NAME, FROZEN = "champion", "frozen"
NO_NETWORK = -1  # the heuristic bot plays at this table


class BundledNetwork:
    """A network file and the tables at which it plays."""

    def __init__(
        self,
        file: str,
        condition: Callable[[np.ndarray], np.ndarray] | None = None,
        **rule_parameters: int | Iterable[int],
    ) -> None:
        """rule_parameters: allowed values. condition: of the observations (n, features), returns (n,) bool."""
        self.file, self._condition = file, condition
        self._rule_parameters = {
            name: [int(x)] if isinstance(x, int) else list(x) for name, x in rule_parameters.items()
        }

    def plays(self, game: GameSpec, observations: np.ndarray) -> np.ndarray:
        """Return whether the network plays at the table of each observation, (n,) bool."""
        first = game.observation.start("rules")
        fits: np.ndarray = np.ones(len(observations), bool)
        for name, numbers in self._rule_parameters.items():
            at = observations[:, first + game.rule_parameter(name)]
            fits &= at == numbers[0] if len(numbers) == 1 else np.isin(at, numbers)
            if not fits.any():
                return fits
        return fits if self._condition is None else fits & self._condition(observations)


def plugin(game: GameSpec) -> ModuleType:
    """Return the module of a game's networks. ValueError if the game has no networks.

    NETWORKS: rows of `BundledNetwork`. HERE: their directory. Optionally FROZEN, the rows of the levels, and QUICK, the
    row of the network for playouts and the tables where it is the default.
    """
    if game.champions is None:
        raise ValueError(f"no champion network for {game.name}")
    return import_module(game.champions)


def path_of(name: str, game: GameSpec) -> Path:
    """Return the file of a network such as "two"."""
    return plugin(game).HERE / f"{name}.safetensors"


def rows_of(game: GameSpec, name: str = NAME) -> tuple[BundledNetwork, ...]:
    """Return the rows of the champion, or those of the levels (FROZEN)."""
    champions = plugin(game)
    return getattr(champions, "FROZEN", champions.NETWORKS) if name == FROZEN else champions.NETWORKS


def files_in(game: GameSpec, name: str = NAME) -> list[str]:
    """Return the names of a game's networks."""
    return list(dict.fromkeys(row.file for row in rows_of(game, name)))


def rollout_network(game: GameSpec) -> Network | None:
    """Return the small network for playouts in searches; None if the game has none."""
    row = None if game.champions is None else getattr(plugin(game), "QUICK", None)
    return None if row is None else _read(path_of(row.file, game), game.name)


def is_quick_default(game: GameSpec, observation: np.ndarray) -> bool:
    """Return whether playouts use the small network by default at the table of an observation."""
    return bool(plugin(game).QUICK.plays(game, observation[None])[0])


def tables_of(game: GameSpec, observations: np.ndarray, name: str = NAME) -> np.ndarray:
    """Return the index in `files_in` of the first network that plays each observation or NO_NETWORK, (n,) int64."""
    files, observations = files_in(game, name), np.asarray(observations)
    numbers: np.ndarray = np.full(len(observations), NO_NETWORK, np.int64)
    is_left = np.ones(len(observations), bool)
    for row in rows_of(game, name):
        fits = is_left & row.plays(game, observations)
        numbers[fits] = files.index(row.file)
        is_left &= ~fits
        if not is_left.any():
            break
    return numbers


def file_at(options: Options, name: str = NAME) -> str | None:
    """Return the name of the network that plays with these options; None if there is none."""
    game, batch = options.game_spec, Batch(1, options)
    batch.start(make_key(0))
    number = NO_NETWORK if game.champions is None else int(tables_of(game, batch.obs, name)[0])
    return None if number == NO_NETWORK else files_in(game, name)[number]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def lead(game: GameSpec, observations: np.ndarray) -> np.ndarray:
    """Return the viewer's lead over the best opponent or the solo rival, in [-1, 1], (n,)."""
    if game.lead is None:
        return np.zeros(len(observations))
    layout, score = game.observation, game.lead
    points = observations[:, layout.slice(score.points)].astype(np.float64)
    is_there = observations[:, layout.slice(score.present)] != 0
    best = np.where(is_there[:, 1:], points[:, 1:], -np.inf).max(axis=1)
    if score.rival is not None:
        best = np.where(is_there[:, 1:].any(axis=1), best, observations[:, layout.start(score.rival)])
    return np.clip((points[:, 0] - best) / score.unit, -1, 1)


def prior_logits(prior_scores: np.ndarray) -> np.ndarray:
    """Return logits (n, actions) of prior scores (n, actions): 0 for the best action, less for the others."""
    return -np.log1p(prior_scores / -PRIOR_UNIT)


class HeuristicFallback:
    """Evaluator of tables without a network: preferences of the heuristic bot, and the lead in points as value."""

    knows_margin = True

    def __init__(self, game: GameSpec) -> None:
        self.game_spec = game

    @cached_property
    def _bot(self) -> Any:
        from vitienv.agents.registry import make_agent

        return make_agent(self.game_spec.heuristic_bot, game=self.game_spec)

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self._bot.act(observations, masks)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        logits = prior_logits(self._bot.preferences(observations, masks))
        return np.where(np.asarray(masks) != 0, PRIOR_WEIGHT * logits, -np.inf), lead(self.game_spec, observations)


class Champions:
    """All bundled networks of a game; each row is evaluated by the network of its table.

    `bind` returns the networks of another spec.
    """

    def __init__(self, game: str | GameSpec = DEFAULT, name: str = NAME) -> None:
        self.game_spec, self.name = game_spec(game), name
        files = files_in(self.game_spec, name)
        self.networks = [_read(path_of(name, self.game_spec), self.game_spec.name) for name in files]
        self.fallback = HeuristicFallback(self.game_spec)
        self._bound = {self.game_spec: self}

    @property
    def knows_margin(self) -> bool:
        """See `Network.knows_margin`."""
        return bool(self.networks) and self.networks[0].knows_margin

    def bind(self, table: GameSpec) -> Champions:
        """Return the networks of a spec. ValueError if it has none."""
        if table not in self._bound:
            self._bound[table] = Champions(table, self.name)
        return self._bound[table]

    def kernels_for(self, method: str) -> list[Any]:
        """See `Network.kernels_for`."""
        return [loop for network in self.networks for loop in network.kernels_for(method)]

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        actions: np.ndarray = np.empty(len(observations), np.int64)
        for network, rows in self.parts(observations):
            actions[rows] = network.best(observations[rows], masks[rows])
        return actions

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`."""
        logits: np.ndarray = np.empty(masks.shape, np.float32)
        values: np.ndarray = np.empty(len(observations), np.float32)
        for network, rows in self.parts(observations):
            logits[rows], values[rows] = network.evaluate(observations[rows], masks[rows])
        return logits, values

    def parts(self, observations: np.ndarray) -> list[tuple[Network | HeuristicFallback, Any]]:
        """Return the networks that evaluate these observations, with their rows."""
        tables = tables_of(self.game_spec, observations, self.name)
        indices = np.unique(tables).tolist()
        rows = {i: tables == i if len(indices) > 1 else ... for i in indices}
        return [(self.fallback if i == NO_NETWORK else self.networks[i], rows[i]) for i in indices]


@cache
def _read(path: Path, game: str) -> Network:
    compiled: Network | None = targets.used.network(game_spec(game), path.stem)
    return read_network(path, game) if compiled is None else compiled

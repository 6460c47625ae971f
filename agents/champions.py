"""The networks that ship, as one: `policy:champion` is the champion of the game at the table.

`policy:frozen` are those by which the levels play: where a champion was replaced since the levels of a game were
measured, the one before.
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
from vitienv.core.batch import Batch, key_of
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import PRIOR_UNIT, TRUST
from vitienv.registry import DEFAULT, game_spec

NAME, FROZEN = "champion", "frozen"
UNLEARNED = -1  # a table that no network has learned: the heuristic bot plays there


class Shipped:
    """A row of a game's networks: a file, and the tables that it plays."""

    def __init__(
        self, file: str, where: Callable[[np.ndarray], np.ndarray] | None = None, **rule_parameters: int | Iterable[int]
    ) -> None:
        """file: its name without ending. rule_parameters: what those of the tables stand at, a number or several; they
        are read out of the observation. where: what else must be so of observations (n, observed numbers), (n,)
        bool."""
        self.file, self._where = file, where
        self._levers = {name: [int(x)] if isinstance(x, int) else list(x) for name, x in rule_parameters.items()}

    def plays(self, game: GameSpec, observations: np.ndarray) -> np.ndarray:
        """Whether each observation is of its tables, (n,) bool."""
        first = game.observation.start("rules")
        fits: np.ndarray = np.ones(len(observations), bool)
        for name, numbers in self._levers.items():
            at = observations[:, first + game.rule_parameter(name)]
            fits &= at == numbers[0] if len(numbers) == 1 else np.isin(at, numbers)
            if not fits.any():
                return fits
        return fits if self._where is None else fits & self._where(observations)


def plugin(game: GameSpec) -> ModuleType:
    """The module that says which networks of a game there are: NETWORKS, rows of `Shipped`, and HERE, their folder. It
    may have FROZEN, the rows of the levels where they are others, and a row QUICK, of `quick_of`, whose tables are
    those where it plays leaves on if nothing else is said.

    ValueError if none ship.
    """
    if game.champions is None:
        raise ValueError(f"no networks of {game.name} ship: there is no champion yet")
    return import_module(game.champions)


def path_of(name: str, game: GameSpec) -> Path:
    """The file of one of the networks, such as "two"."""
    return plugin(game).HERE / f"{name}.safetensors"


def rows_of(game: GameSpec, name: str = NAME) -> tuple[Shipped, ...]:
    """The champion's rows, or those of the levels (FROZEN)."""
    own = plugin(game)
    return getattr(own, "FROZEN", own.NETWORKS) if name == FROZEN else own.NETWORKS


def files_in(game: GameSpec, name: str = NAME) -> list[str]:
    """The names of the networks of a game."""
    return list(dict.fromkeys(row.file for row in rows_of(game, name)))


def quick_of(game: GameSpec) -> Network | None:
    """The small network that plays leaves on in searches at all tables of a game; None if none ships."""
    row = None if game.champions is None else getattr(plugin(game), "QUICK", None)
    return None if row is None else _read(path_of(row.file, game), game.name)


def is_quick_usual(game: GameSpec, observation: np.ndarray) -> bool:
    """Whether that network plays leaves on at the table of an observation where no playout is asked for; one ships."""
    return bool(plugin(game).QUICK.plays(game, observation[None])[0])


def tables_of(game: GameSpec, observations: np.ndarray, name: str = NAME) -> np.ndarray:
    """The number in `files_in` of the network that plays each observation, (n,) int64, of the first row that fits;
    UNLEARNED where none does."""
    files, seen = files_in(game, name), np.asarray(observations)
    numbers: np.ndarray = np.full(len(seen), UNLEARNED, np.int64)
    is_left = np.ones(len(seen), bool)
    for row in rows_of(game, name):
        fits = is_left & row.plays(game, seen)
        numbers[fits] = files.index(row.file)
        is_left &= ~fits
        if not is_left.any():
            break
    return numbers


def file_at(table: str, game: GameSpec, name: str = NAME) -> str | None:
    """The name of the network that plays a table of the ladder; None where there is none."""
    one = Batch(1, game.options.of(**game.tables[table]))
    one.start(key_of(0))
    number = int(tables_of(game, one.obs, name)[0])
    return None if number == UNLEARNED else files_in(game, name)[number]


def digest_of(path: Path) -> str:
    """SHA-256 of a file of weights."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def lead(game: GameSpec, observations: np.ndarray) -> np.ndarray:
    """How far the viewer is ahead of the best other seat, or of what a single seat plays against, in [-1, 1], (n,)."""
    if game.lead is None:
        return np.zeros(len(observations))
    seen, score = game.observation, game.lead
    points = observations[:, seen.slice(score.points)].astype(np.float64)
    is_there = observations[:, seen.slice(score.present)] != 0
    best = np.where(is_there[:, 1:], points[:, 1:], -np.inf).max(axis=1)
    if score.rival is not None:
        best = np.where(is_there[:, 1:].any(axis=1), best, observations[:, seen.start(score.rival)])
    return np.clip((points[:, 0] - best) / score.unit, -1, 1)


def prior_logits(prior_scores: np.ndarray) -> np.ndarray:
    """What the policy prior's preferences (n, actions) are taken in as: 0 for the best action, less for the others."""
    return -np.log1p(prior_scores / -PRIOR_UNIT)


class HeuristicFallback:
    """Stands where there is no network: the heuristic bot's choices, and the lead in points as value."""

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
        liked = prior_logits(self._bot.preferences(observations, masks))
        return np.where(np.asarray(masks) != 0, TRUST * liked, -np.inf), lead(self.game_spec, observations)


class Champions:
    """All shipped networks of a game as one; each row is evaluated by the network of its own table.

    Where a ruleset has a definition of its own, `bind` gives its networks.
    """

    def __init__(self, game: str | GameSpec = DEFAULT, name: str = NAME) -> None:
        self.game_spec, self.name = game_spec(game), name
        files = files_in(self.game_spec, name)
        self.networks = [_read(path_of(name, self.game_spec), self.game_spec.name) for name in files]
        self.unlearned = HeuristicFallback(self.game_spec)
        self._at = {self.game_spec: self}

    @property
    def knows_margin(self) -> bool:
        """See `Network.knows_margin`."""
        return bool(self.networks) and self.networks[0].knows_margin

    def bind(self, table: GameSpec) -> Champions:
        """Those of the tables of a definition. ValueError if none ship."""
        if table not in self._at:
            self._at[table] = Champions(table, self.name)
        return self._at[table]

    def kernels_for(self, what: str) -> list[Any]:
        """See `Network.compiled`: of all tables, some of which have a policy prior."""
        return [loop for network in self.networks for loop in network.kernels_for(what)]

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

    def parts(self, observations: np.ndarray) -> list[tuple[Network | HeuristicFallback, Any]]:
        """The networks that are asked, each with its rows."""
        tables = tables_of(self.game_spec, observations, self.name)
        asked = np.unique(tables).tolist()
        rows = {i: tables == i if len(asked) > 1 else ... for i in asked}
        return [(self.unlearned if i == UNLEARNED else self.networks[i], rows[i]) for i in asked]


@cache
def _read(path: Path, game: str) -> Network:
    there: Network | None = targets.used.network(game_spec(game), path.stem)
    return read_network(path, game) if there is None else there

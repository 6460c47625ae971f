"""The games of the self-play learner: several `make_vec` of different tables side by side, as one row of lanes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from vitienv.envs.vector import ViticultureVec
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.observation import N_OBSERVATION, OBSERVATION
from vitienv.viticulture.rulesets import RULESETS
from vitienv.viticulture.rulesets.solo import DIFFICULTIES, NORMAL
from vitienv.viticulture.vocabulary import N_ACTIONS

YEAR = OBSERVATION.start("year")
TERMINATED, TRUNCATED = 1, 2
MIX = "2:2,3:1,4:1,solo:1"


@dataclass(frozen=True)
class Kind:
    """One kind of table and its share of the games (a weight)."""

    ruleset: str
    num_players: int
    share: float
    difficulty: str = NORMAL

    @property
    def table(self) -> dict[str, Any]:
        """What makes such a table: keywords of `make_vec` and `Options`."""
        found: dict[str, Any] = {"ruleset": self.ruleset, "num_players": self.num_players}
        return found | ({"difficulty": self.difficulty} if self.ruleset == "solo" else {})


def parse_mix(text: str) -> list[Kind]:
    """The tables of a mix such as "2:2,3:1,solo:1,original/4:0.5": players, or ruleset, or both, and a weight.

    After "solo" may come the level of the Automa, as in "solo/very_hard:1".
    ValueError says which part is wrong.
    """
    kinds = []
    for part in text.split(","):
        table, _, weight = part.strip().partition(":")
        ruleset, slash, players = table.rpartition("/")
        difficulty = NORMAL
        if ruleset == "solo" and players in DIFFICULTIES:
            difficulty, players = players, "1"
        elif not slash and not players.isdigit():
            ruleset, players = players, "1" if players == "solo" else "2"
        try:
            share = float(weight or 1)
        except ValueError:
            share = -1.0
        if share <= 0 or not players.isdigit() or (ruleset and ruleset not in RULESETS):
            likes = "'2:1', 'solo:0.5', 'solo/hard:1' or 'original/4:1'"
            raise ValueError(f"players {part.strip()!r} should be like {likes}")
        kinds.append(Kind(ruleset or "essential", int(players), share, difficulty))
    if len({tuple(kind.table.items()) for kind in kinds}) < len(kinds):
        raise ValueError(f"players names a table twice: {text!r}")
    return kinds


@dataclass(frozen=True)
class Stepped:
    """What a step did, an entry for each lane. rewards, points, ranks (n, MAX_SEATS), meaningful where a game ended.
    ended (n,) int8: 0, TERMINATED or TRUNCATED."""

    rewards: np.ndarray
    ended: np.ndarray
    points: np.ndarray
    ranks: np.ndarray


class Lanes:
    """n games, each restarted when it ends, lane after lane through the vectors of the mix.

    players (n,): seats at each table. An unknown opponent mix is not its concern: it plays the actions it gets.
    """

    def __init__(
        self, mix: list[Kind], games: int, seed: int, max_years: int, reward: str, alone: str = "margin"
    ) -> None:
        """games: in all, at least one of each kind. reward: of tables for two and more; alone: of the solo game."""
        total = sum(kind.share for kind in mix)
        sizes = [max(1, round(games * kind.share / total)) for kind in mix]
        self.vecs = [
            ViticultureVec(
                size, **kind.table, skip_forced=True, max_years=max_years,
                reward=reward if kind.num_players > 1 else alone,
            )
            for kind, size in zip(mix, sizes, strict=True)
        ]  # fmt: skip
        bounds = np.cumsum([0, *sizes])
        self.parts = [slice(int(low), int(high)) for low, high in pairwise(bounds)]
        self.players = np.repeat([kind.num_players for kind in mix], sizes)
        self.n = int(bounds[-1])
        n = self.n
        self.seats = np.zeros(n, np.int64)
        self._now = Stepped(*(np.zeros(shape, dtype) for shape, dtype in (
            ((n, MAX_SEATS), np.float32), (n, np.int8), ((n, MAX_SEATS), np.int64), ((n, MAX_SEATS), np.int64),
        )))  # fmt: skip
        for number, (vec, part) in enumerate(zip(self.vecs, self.parts, strict=True)):
            _, info = vec.reset(seed=int(np.random.SeedSequence([seed, number]).generate_state(1)[0]))
            self.seats[part] = info["seat"]

    def look(self, observations: np.ndarray, masks: np.ndarray) -> None:
        """Copy what the acting seats see and may do into (n, N_OBSERVATION) int16 and (n, N_ACTIONS) int8."""
        for vec, part in zip(self.vecs, self.parts, strict=True):
            observations[part] = vec._batch.obs
            masks[part] = vec._batch.masks

    def step(self, actions: np.ndarray) -> Stepped:
        """One decision in every lane, actions (n,) int64; the result is valid until the next step."""
        now = self._now
        for vec, part in zip(self.vecs, self.parts, strict=True):
            _, rewards, terminated, truncated, info = vec.step(actions[part])
            seats = slice(0, vec.num_players)
            now.rewards[part, seats] = rewards
            now.ended[part] = TERMINATED * terminated + TRUNCATED * truncated
            now.points[part, seats] = info["final_scores"]
            now.ranks[part, seats] = info["final_ranks"]
            self.seats[part] = info["seat"]
        return now

    def state(self) -> dict[str, Any]:
        """All that changes, as tensors in plain containers."""
        games = [vec.__getstate__()["games"] for vec in self.vecs]
        return {"games": [{name: _tensor(array) for name, array in each.items()} for each in games]}

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what `state` gave. ValueError if it is of other tables."""
        for vec, part, saved in zip(self.vecs, self.parts, state["games"], strict=True):
            games = {name: value.numpy() for name, value in saved.items()}
            games["keys"] = games["keys"].view(np.uint32)
            vec.__setstate__(vec.__getstate__() | {"games": games})
            self.seats[part] = vec._batch.seats


def _tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.view(np.int32) if array.dtype == np.uint32 else array)


def empty_looks(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays for `Lanes.look`."""
    return np.zeros((n, N_OBSERVATION), np.int16), np.zeros((n, N_ACTIONS), np.int8)

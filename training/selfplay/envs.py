"""The games (envs) of the self-play learner: several `make_vec` of different tables side by side, as one row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import torch

from vitienv.agents import Agent
from vitienv.agents.query import BotCrashed, PolicyPriorError, keep_position, query_agent
from vitienv.agents.seeding import game_seeds
from vitienv.core.batch import OVER, Batch
from vitienv.core.game_spec import GameSpec
from vitienv.core.text_utils import read_integer
from vitienv.envs.vector import GameVec
from vitienv.registry import canonical_name
from vitienv.training.selfplay.threads import together
from vitienv.training.settings import VALUE_MARGIN, VALUE_WIN

TERMINATED = OVER


@dataclass(frozen=True)
class Kind:
    """One kind of table and its share of the games (a weight). table: keywords of `make_vec`."""

    name: str
    table: dict[str, Any]
    share: float
    num_players: int


def parse_mix(text: str, game: GameSpec) -> list[Kind]:
    """The tables of a mix such as "2:2,3:1,solo:1,original/4:0.5": players, or ruleset, or both, and a weight.

    A ruleset may have levels of its own, as in "solo/very_hard:1", before the players; other options are said by
    name, as in "solo/challenge=6:1". ValueError says which part is wrong.
    """
    kinds = []
    for part in text.split(","):
        name, _, weight = part.strip().partition(":")
        pairs = [word.split("=", 1) for word in name.split("/") if "=" in word]
        words = [word for word in name.split("/") if "=" not in word] or [""]
        ruleset = "" if read_integer(words[0]) is not None else words.pop(0)
        table: dict[str, Any] = {"ruleset": ruleset or game.rulesets[0]}
        option, levels = game.levels.get(ruleset, ("", ()))
        if words and words[0] in levels:
            table[option] = words.pop(0)
        players = "/".join(words)
        try:
            share = float(weight or 1)
        except ValueError:
            share = -1.0
        said = [*table, "num_players", "reward", "skip_forced", game.options.LIMIT, *(option for option, _ in pairs)]
        is_twice = len(set(said)) < len(said)
        is_number = not players or read_integer(players) is not None
        if not 0 < share < inf or is_twice or not is_number or (ruleset and ruleset not in game.rulesets):
            likes = ", ".join(repr(f"{own}:1") for own in (*game.tables, *(f"{r}/2" for r in game.rulesets)))
            raise ValueError(f"players {part.strip()!r} should be like {likes}")
        table |= {option: game.options.read(option, value) for option, value in pairs}
        table["num_players"] = game.options.of(**table, num_players=int(players) if players else None).num_players
        kinds.append(Kind(name, table, share, table["num_players"]))
    if len({tuple(sorted(kind.table.items())) for kind in kinds}) < len(kinds):
        raise ValueError(f"players names a table twice: {text!r}")
    return kinds


def initial_value(settings: Any, kinds: list[Kind]) -> tuple[float, float]:
    """Initial weights of the lead and of the policy prior's value: `Settings.shaping`, or those in the rewards' unit
    at these tables."""
    if settings.shaping is not None:
        return float(settings.shaping), float(settings.shaping)
    rewards = {settings.reward if kind.num_players > 1 else settings.solo_reward for kind in kinds}
    return VALUE_MARGIN if rewards == {"margin"} else VALUE_WIN


@dataclass(frozen=True)
class Stepped:
    """What a step did, an entry for each env. ended (n,) int8: 0, TERMINATED or TRUNCATED. Where a game ended: points
    and ranks (n, most seats), and the round (n,) of that."""

    ended: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    rounds: np.ndarray


class Envs:
    """n games, each restarted when it ends, env after env through the vectors of the mix, which step side by side.

    players (n,): seats at each table. An unknown opponent mix is not its concern: it plays the actions it gets.
    """

    is_on_device = False  # whether observations and masks lie on a device; see `card.DeviceEnvs`
    most_side_by_side = 512  # games of a vector: more leave the cores' own caches, and are a piece of work too long

    def __init__(
        self, game: GameSpec, mix: list[Kind], games: int, seed: int, limit: int, reward: str,
        alone: str = "margin",
    ) -> None:  # fmt: skip
        """games: in all, at least one of each kind. limit: the round after which a game is cut off. reward: of tables
        for two and more; alone: of games with one seat."""
        total = sum(kind.share for kind in mix)
        wanted = [max(1, round(games * kind.share / total)) for kind in mix]
        mix, sizes = _divided(mix, wanted, self.most_side_by_side)
        self.vecs = [
            self._vec(
                size, game=canonical_name(game), **kind.table, skip_forced=True,
                reward=reward if kind.num_players > 1 else alone, **{game.options.LIMIT: limit},
            )
            for kind, size in zip(mix, sizes, strict=True)
        ]  # fmt: skip
        bounds = np.cumsum([0, *sizes])
        self.parts = [slice(int(low), int(high)) for low, high in pairwise(bounds)]
        self.players = np.repeat([kind.num_players for kind in mix], sizes)
        self.n = int(bounds[-1])
        n, most = self.n, game.max_seats
        self.game_spec = game
        self.seats = np.zeros(n, np.int64)
        self._now = Stepped(*(np.zeros(shape, dtype) for shape, dtype in (
            (n, np.int8), ((n, most), np.int64), ((n, most), np.int64), (n, np.int64),
        )))  # fmt: skip
        seeds = game_seeds(seed, range(len(self.vecs)))
        for vec, part, own in zip(self.vecs, self.parts, seeds, strict=True):
            _, info = vec.reset(seed=own)
            self.seats[part] = vec._batch.fetch(info["seat"])

    def _vec(self, size: int, **table: Any) -> GameVec:
        return GameVec(size, **table)

    def _games(self, vec: GameVec, rows: np.ndarray) -> tuple[Batch, np.ndarray]:
        return vec._batch, rows

    def look(self, observations: np.ndarray, masks: np.ndarray) -> None:
        """Copy what the acting seats see and may do into (n, observed numbers) int16 and (n, actions) int8."""

        def work(vec: GameVec, part: slice) -> None:
            observations[part] = vec._batch.obs
            masks[part] = vec._batch.masks

        together([partial(work, *pair) for pair in zip(self.vecs, self.parts, strict=True)])

    def rounds(self) -> np.ndarray:
        """The round of each env's game, a new array (n,)."""
        return np.concatenate([self.game_spec.rounds(vec._batch) for vec in self.vecs])

    def decisions(self) -> np.ndarray:
        """The decision of each env, a new array (n,): numbers in `game_spec.decisions`."""
        return np.concatenate([vec._batch.fetch(vec._batch.decisions) for vec in self.vecs])

    def ask(self, bot: Agent, rows: np.ndarray) -> np.ndarray:
        """A bot's choices in the envs `rows`, (k,) int64, all legal. What it does wrong is said with its env.

        It is asked once for each vector.
        """
        actions = np.empty(len(rows), np.int64)
        for vec, part in zip(self.vecs, self.parts, strict=True):
            own = (rows >= part.start) & (rows < part.stop)
            if own.any():
                batch, at = self._games(vec, rows[own] - part.start)
                actions[own] = query_agent(bot, batch, at, partial(self._called, bot, rows[own], at))
        return actions

    def prior_failed(self, error: PolicyPriorError, env: int) -> BotCrashed:
        """The error for a policy prior that failed in an env; the position is kept."""
        vec, part = next(pair for pair in zip(self.vecs, self.parts, strict=True) if env < pair[1].stop)
        batch, [row] = self._games(vec, np.array([env - part.start]))
        kept = keep_position(error.name, batch, int(row), str(error), error.__cause__)
        return BotCrashed(f"{error} for seat {int(self.seats[env])} of env {env}; {kept}")

    def _called(self, bot: Agent, envs: np.ndarray, at: np.ndarray, row: int) -> str:
        [env] = envs[at == row]
        return f"{bot.name} in seat {int(self.seats[env])} of env {env}"

    def step(self, actions: np.ndarray) -> Stepped:
        """One decision in every env, actions (n,) int64; the result is valid until the next step."""
        now = self._now

        def work(vec: GameVec, part: slice) -> None:
            now.rounds[part] = self.game_spec.rounds(vec._batch)
            info, seats = vec.step(actions[part])[-1], slice(0, vec.num_players)
            now.ended[part] = vec._batch.ended
            now.points[part, seats] = info["final_scores"]
            now.ranks[part, seats] = info["final_ranks"]
            self.seats[part] = info["seat"]

        together([partial(work, *pair) for pair in zip(self.vecs, self.parts, strict=True)])
        return now

    def reward(self, rewards: torch.Tensor) -> None:
        """Copy the rewards of the last step into (n, most seats)."""
        for vec, part in zip(self.vecs, self.parts, strict=True):
            rewards[part, : vec.num_players] = self._as_tensor(vec._rewards)

    def _as_tensor(self, array: Any) -> torch.Tensor:
        return torch.from_numpy(array)

    def state(self) -> dict[str, Any]:
        """The changing state, as tensors in plain containers."""
        games = [vec._batch.saved() for vec in self.vecs]
        return {"games": [{name: _tensor(array) for name, array in each.items()} for each in games]}

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what `state` gave, even in vectors of other sizes. ValueError if it is of other tables."""
        ends = np.cumsum([len(saved["seats"]) for saved in state["games"]]).tolist()
        if ends[-1] != self.n:
            raise ValueError(f"this state is of {ends[-1]} games, not {self.n}")
        for vec, part in zip(self.vecs, self.parts, strict=True):
            pieces = [
                {name: value[max(part.start - end + len(value), 0) : part.stop - end + len(value)]
                 for name, value in saved.items()}
                for saved, end in zip(state["games"], ends, strict=True)
                if part.start < end and part.stop > end - len(saved["seats"])
            ]  # fmt: skip
            games = {name: np.concatenate([piece[name].numpy() for piece in pieces]) for name in pieces[0]}
            games["keys"] = games["keys"].view(np.uint32)
            vec._batch.restore(games)
            self.seats[part] = games["seats"]


def _divided(mix: list[Kind], sizes: list[int], most: int) -> tuple[list[Kind], list[int]]:
    """The kinds of table of the vectors and their sizes: more than `most` games of a kind make several vectors."""
    kinds, parts = [], []
    for kind, size in zip(mix, sizes, strict=True):
        n = -(-size // most)
        kinds += [kind] * n
        parts += [size // n + (i < size % n) for i in range(n)]
    return kinds, parts


def _tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.view(np.int32) if array.dtype == np.uint32 else array)

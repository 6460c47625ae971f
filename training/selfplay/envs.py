"""Environments of the self-play learner: several `make_vec` of different tables as one vector."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import torch

from vitienv.agents import Agent
from vitienv.agents.query import BotCrashed, PolicyPriorError, query_agent, save_position
from vitienv.agents.seeding import game_seeds
from vitienv.core.batch import OVER, Batch
from vitienv.core.game_spec import GameSpec
from vitienv.core.text_utils import read_integer
from vitienv.envs.vector import GameVec
from vitienv.registry import canonical_name
from vitienv.training.selfplay.torch_threads import run_parallel
from vitienv.training.settings import VALUE_MARGIN, VALUE_WIN

TERMINATED = OVER


@dataclass(frozen=True)
class Kind:
    """A table and its weight in the mix. table: keywords of `make_vec`."""

    name: str
    table: dict[str, Any]
    share: float
    num_players: int


def parse_mix(text: str, game: GameSpec) -> list[Kind]:
    """Parse the tables of a mix such as "2:2,3:1,solo:1,original/4:0.5": ruleset, players or both, and a weight.

    The levels of a ruleset come before the players, as in "solo/very_hard:1"; other options are named, as in
    "solo/challenge=6:1". ValueError for an invalid part.
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
        names = [*table, "num_players", "reward", "skip_forced", game.options.LIMIT, *(option for option, _ in pairs)]
        is_repeated = len(set(names)) < len(names)
        is_number = not players or read_integer(players) is not None
        if not 0 < share < inf or is_repeated or not is_number or (ruleset and ruleset not in game.rulesets):
            examples = ", ".join(repr(f"{example}:1") for example in (*game.tables, *(f"{r}/2" for r in game.rulesets)))
            raise ValueError(f"mix must contain tables like {examples}, got {part.strip()!r}")
        table |= {option: game.options.read(option, value) for option, value in pairs}
        table["num_players"] = game.options.of(**table, num_players=int(players) if players else None).num_players
        kinds.append(Kind(name, table, share, table["num_players"]))
    if len({tuple(sorted(kind.table.items())) for kind in kinds}) < len(kinds):
        raise ValueError(f"mix must contain each table once, got {text!r}")
    return kinds


def initial_value(settings: Any, kinds: list[Kind]) -> tuple[float, float]:
    """Return the initial weights of the lead and the policy prior's value: `Settings.shaping`, or by the reward."""
    if settings.shaping is not None:
        return float(settings.shaping), float(settings.shaping)
    rewards = {settings.reward if kind.num_players > 1 else settings.solo_reward for kind in kinds}
    return VALUE_MARGIN if rewards == {"margin"} else VALUE_WIN


@dataclass(frozen=True)
class StepResult:
    """Result of a step."""

    ended: np.ndarray  # (n,) int8: 0, TERMINATED or TRUNCATED
    points: np.ndarray  # (n, max seats), as `ranks`, of finished games
    ranks: np.ndarray
    rounds: np.ndarray  # (n,) last round of finished games


class Envs:
    """n games with autoreset in the vectors of a mix, which step in parallel. players (n,): seats of each game."""

    is_on_device = False  # whether observations and masks are on a device; see `gpu_envs.DeviceEnvs`
    max_vector_games = 512  # larger vectors exceed the cores' caches and balance the threads badly

    def __init__(
        self, game: GameSpec, mix: list[Kind], games: int, seed: int, limit: int, reward: str,
        solo_reward: str = "margin",
    ) -> None:  # fmt: skip
        """limit: last round before truncation. reward: of games with several seats. solo_reward: of solo games."""
        total = sum(kind.share for kind in mix)
        counts = [max(1, round(games * kind.share / total)) for kind in mix]
        mix, sizes = _split_mix(mix, counts, self.max_vector_games)
        self.vecs = [
            self._make_vec(
                size, game=canonical_name(game), **kind.table, skip_forced=True,
                reward=reward if kind.num_players > 1 else solo_reward, **{game.options.LIMIT: limit},
            )
            for kind, size in zip(mix, sizes, strict=True)
        ]  # fmt: skip
        bounds = np.cumsum([0, *sizes])
        self.parts = [slice(int(low), int(high)) for low, high in pairwise(bounds)]
        self.players = np.repeat([kind.num_players for kind in mix], sizes)
        self.n = int(bounds[-1])
        n, max_seats = self.n, game.max_seats
        self.game_spec = game
        self.seats = np.zeros(n, np.int64)
        self._result = StepResult(*(np.zeros(shape, dtype) for shape, dtype in (
            (n, np.int8), ((n, max_seats), np.int64), ((n, max_seats), np.int64), (n, np.int64),
        )))  # fmt: skip
        seeds = game_seeds(seed, range(len(self.vecs)))
        for vec, part, vec_seed in zip(self.vecs, self.parts, seeds, strict=True):
            _, info = vec.reset(seed=vec_seed)
            self.seats[part] = vec._batch.fetch(info["seat"])

    def _make_vec(self, size: int, **table: Any) -> GameVec:
        return GameVec(size, **table)

    def _games(self, vec: GameVec, rows: np.ndarray) -> tuple[Batch, np.ndarray]:
        return vec._batch, rows

    def observe(self, observations: np.ndarray, masks: np.ndarray) -> None:
        """Copy observations (n, features) int16 and action masks (n, actions) int8 of the acting seats."""

        def work(vec: GameVec, part: slice) -> None:
            observations[part] = vec._batch.obs
            masks[part] = vec._batch.masks

        run_parallel([partial(work, *pair) for pair in zip(self.vecs, self.parts, strict=True)])

    def ask(self, bot: Agent, rows: np.ndarray) -> np.ndarray:
        """Return a bot's legal actions (k,) int64 in the envs `rows`; it is called once per vector."""
        actions = np.empty(len(rows), np.int64)
        for vec, part in zip(self.vecs, self.parts, strict=True):
            is_inside = (rows >= part.start) & (rows < part.stop)
            if is_inside.any():
                batch, batch_rows = self._games(vec, rows[is_inside] - part.start)
                actions[is_inside] = query_agent(
                    bot, batch, batch_rows, partial(self._bot_label, bot, rows[is_inside], batch_rows)
                )
        return actions

    def prior_error(self, error: PolicyPriorError, env: int) -> BotCrashed:
        """Return the error for a policy prior that failed in an env, after saving the position."""
        vec, part = next(pair for pair in zip(self.vecs, self.parts, strict=True) if env < pair[1].stop)
        batch, [row] = self._games(vec, np.array([env - part.start]))
        saved = save_position(error.name, batch, int(row), str(error), error.__cause__)
        return BotCrashed(f"{error} for seat {int(self.seats[env])} of env {env}; {saved}")

    def _bot_label(self, bot: Agent, envs: np.ndarray, batch_rows: np.ndarray, row: int) -> str:
        [env] = envs[batch_rows == row]
        return f"{bot.name} in seat {int(self.seats[env])} of env {env}"

    def step(self, actions: np.ndarray) -> StepResult:
        """Step every env, actions (n,) int64. The result is valid until the next step."""
        step_result = self._result

        def work(vec: GameVec, part: slice) -> None:
            step_result.rounds[part] = self.game_spec.round_numbers(vec._batch)
            info, seats = vec.step(actions[part])[-1], slice(0, vec.num_players)
            step_result.ended[part] = vec._batch.ended
            step_result.points[part, seats] = info["final_scores"]
            step_result.ranks[part, seats] = info["final_ranks"]
            self.seats[part] = info["seat"]

        run_parallel([partial(work, *pair) for pair in zip(self.vecs, self.parts, strict=True)])
        return step_result

    def reward(self, rewards: torch.Tensor) -> None:
        """Copy the rewards of the last step into (n, max seats)."""
        for vec, part in zip(self.vecs, self.parts, strict=True):
            rewards[part, : vec.num_players] = self._as_tensor(vec._rewards)

    def _as_tensor(self, array: Any) -> torch.Tensor:
        return torch.from_numpy(array)

    def state(self) -> dict[str, Any]:
        """Return the state as tensors in plain containers."""
        games = [vec._batch.saved() for vec in self.vecs]
        return {"games": [{name: torch.from_numpy(array.view(np.int32) if array.dtype == np.uint32 else array)
                           for name, array in arrays.items()} for arrays in games]}  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`, also into vectors of other sizes. ValueError for another number of games."""
        ends = np.cumsum([len(saved["seats"]) for saved in state["games"]]).tolist()
        if ends[-1] != self.n:
            raise ValueError(f"state must have {self.n} games, got {ends[-1]}")
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


def _split_mix(mix: list[Kind], sizes: list[int], max_games: int) -> tuple[list[Kind], list[int]]:
    """Split tables with more than `max_games` games into several vectors."""
    kinds, parts = [], []
    for kind, size in zip(mix, sizes, strict=True):
        n = -(-size // max_games)
        kinds += [kind] * n
        parts += [size // n + (i < size % n) for i in range(n)]
    return kinds, parts

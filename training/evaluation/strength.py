"""Scaling curves: playing strength against simulations per decision, for each table of the ladder.

The budget is a number of simulations, whose cost is measured as CPU time, so results do not depend on the load of the
machine. Points are saved to a file as they are measured; a rerun resumes from it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.policy import digest_text
from vitienv.agents.protocol import GameViews
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation.csv_log import check_at_least
from vitienv.training.evaluation.ladder import (
    Part,
    check_table,
    in_order,
    options_of,
    part_of_seeds,
    score_interval,
)  # fmt: skip
from vitienv.training.evaluation.match import check_amount, warm_up
from vitienv.training.evaluation.notes import BotCounts, sum_counts
from vitienv.training.workers import ProgressCallback, as_executor, no_progress


@dataclass(frozen=True)
class Point:
    """One point of a curve.

    milliseconds: CPU time per searched decision. score: share of games won by one such bot; in solo games the
    difference of the win rates (a draw is half a win). low, high: its 95 % interval. seeds, games: numbers of the bot,
    over all seats of each seed. weights: `digest_text` of agent and against.
    """

    game: str
    table: str
    agent: str
    against: str
    simulations: int
    seed: int
    seeds: int
    games: int
    milliseconds: float
    score: float
    low: float
    high: float
    weights: str = ""

    def __post_init__(self) -> None:
        check_at_least(
            self, simulations=1, seed=0, seeds=1, games=self.seeds, milliseconds=0, score=-1, low=-1, high=-1
        )
        if not max(self.score, self.low, self.high) <= 1:
            raise ValueError(f"score, low and high must be at most 1, got {self.score}, {self.low}, {self.high}")


class TimedBot:
    """Wrapper of a bot that counts its decisions and their CPU time."""

    def __init__(self, bot: Agent) -> None:
        self.name, self._bot = bot.name, bot
        self.seconds, self.decisions = 0.0, 0

    @property
    def forfeits(self) -> dict[int, Any]:
        """The bot's forfeits by row of the last call."""
        return getattr(self._bot, "forfeits", {})

    @property
    def notes(self) -> dict[int, Any]:
        """The bot's counters by row of the last call."""
        return getattr(self._bot, "notes", {})

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """Return the bot's actions; see `Agent.act`."""
        start = time.process_time()
        actions = self._bot.act(observations, action_masks, games)
        self.seconds += time.process_time() - start
        self.decisions += int((np.asarray(action_masks).sum(axis=1) > 1).sum())
        return actions


class TimedPart(Part):
    """Samples of a batch of seeds, with the bot's CPU seconds and decisions."""

    seconds: float
    decisions: int


def play_part(agent: str, against: str, table: str, game: str, seed: int, low: int, high: int) -> tuple[int, TimedPart]:
    """Play the seeds low to high - 1; return low and the samples."""
    specs = agent, against
    bot, opponent = make_bots(specs, seed, game)
    warm_up([bot, opponent], game_spec(game))  # excludes compilation from the CPU time
    timed_bot = TimedBot(bot)
    seeds, options = game_seeds(seed, range(low, high)), options_of(table, game_spec(game))
    part = part_of_seeds([timed_bot, opponent], specs, seeds, options)
    return low, TimedPart(**part, seconds=timed_bot.seconds, decisions=timed_bot.decisions)


def measure(
    table: str, agent: str, against: str, simulations: int, seeds: int, seed: int = 0, processes: int = 1,
    game: str = DEFAULT, on_progress: ProgressCallback = no_progress,
) -> tuple[Point, BotCounts]:  # fmt: skip
    """Measure one point; return it with the forfeits and notes of its games.

    agent: a spec without a search budget. on_progress: called with the number of finished seeds and of all seeds.
    ValueError for an invalid argument. The score depends on the seed, not on the number of processes.
    """
    definition = game_spec(game)
    check_table(table, definition)
    check_amount("seeds", seeds)
    spec = f"{agent}{',' if ':' in agent else ':'}simulations={simulations}"
    make_bots((spec, against), seed, game)
    parts, samples = list[Any](), list[float]()
    for part in in_order(spec, against, table, game, seed, seeds, as_executor(processes), work=play_part):
        parts.append(part)
        samples += part["samples"]
        on_progress(len(samples), seeds)
    values, players = np.array(samples), options_of(table, definition).num_players
    seconds, decisions = (sum(part[name] for part in parts) for name in ("seconds", "decisions"))
    even_share = 0.0 if players == 1 else 1 / players
    interval = [end + even_share for end in score_interval(players, values)]
    point = Point(
        game, table, agent, against, simulations, seed, seeds, seeds * players,
        round(1000 * seconds / max(1, decisions), 3), round(float(values.mean()) + even_share, 4),
        round(interval[0], 4), round(interval[1], 4), digest_text(agent, against),
    )  # fmt: skip
    return point, sum_counts(parts)


def key(point: Point) -> tuple[Any, ...]:
    """Return the sort key of a point."""
    return point.game, point.table, point.agent, point.against, point.seed, point.simulations

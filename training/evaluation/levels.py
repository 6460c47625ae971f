"""Ratings of the levels at each table, and estimation of a bot's level.

Each level plays the one below in every seat on the same seeds. The Elo differences add up from 0 at level 1. A bot is
rated adaptively: it always plays the level nearest to its estimated rating.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.levels import LEVELS
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation.csv_log import PartsFile, check_at_least, read_rows
from vitienv.training.evaluation.ladder import (
    Part,
    above,
    check_table,
    digest_of_weights,
    elo,
    in_order,
    open_samples,
    options_of,
    part_of_seeds,
    shares,
)  # fmt: skip
from vitienv.training.evaluation.match import check_amount
from vitienv.training.evaluation.notes import sum_counts
from vitienv.training.intervals import PRIOR_SEEDS, Z, clustered_wilson, student
from vitienv.training.workers import Executor, ProgressCallback, as_executor, no_progress

BUNDLED_FILE = Path(__file__).with_name("levels.csv")
SEEDS_PER_PART = 4
RATINGS = np.arange(-1000.0, 4000.0, 5.0)  # grid of the posterior
PRIOR_DEVIATION = 800.0  # standard deviation of the prior beyond the lowest and the highest level


@dataclass(frozen=True)
class Step:
    """Result of a level against the one below.

    won: games won, over all seats of each seed; in solo games both play the same seeds, and a draw is half a win.
    squares: sum over seeds of the squared deviation of the games won on a seed from the mean.
    """

    game: str
    table: str
    level: int
    seed: int
    games: int
    won: float
    squares: float

    def __post_init__(self) -> None:
        check_at_least(self, level=2, seed=0, games=2, won=0, squares=0)
        if self.won > self.games:
            raise ValueError(f"won must be at most {self.games}, the number of games, got {self.won}")

    @property
    def seeds(self) -> int:
        """Number of seeds."""
        return self.games // max(2, options_of(self.table, game_spec(self.game)).num_players)

    def elo(self) -> tuple[float, float]:
        """Return the Elo difference and half of its 95 % interval.

        One draw is added, so that the difference is finite if all games were won.
        """
        players = options_of(self.table, game_spec(self.game)).num_players
        share, seeds = self.won / self.games, self.seeds
        if seeds < 2:
            raise ValueError(f"games of level {self.level} must be on at least 2 seeds, got {self.games} games")
        low, high = clustered_wilson(self.games, share, self.squares, seeds)
        step, low, high = (elo(players, above(players, x)) for x in ((self.won + 0.5) / (self.games + 1), low, high))
        return step, (high - low) / 2


def key(step: Step) -> tuple[Any, ...]:
    """Return the sort key of a step."""
    return step.game, step.table, step.level


def check(table: str, spec: GameSpec) -> None:
    """Raise ValueError unless the levels can be rated at a table."""
    if spec.is_of_team:
        raise ValueError(f"game must be competitive to rate levels, got {spec.name!r}")
    check_table(table, spec)


def measure(
    table: str, level: int, seeds: int, seed: int = 0, processes: int | Executor = 1, game: str = DEFAULT,
    on_progress: ProgressCallback = no_progress, samples_file: PartsFile | None = None,
) -> Step:  # fmt: skip
    """Measure a step. The result depends on the seed, not on `processes`.

    samples_file: see `ladder.in_order`; the caller deletes it. on_progress: called with the number of finished seeds
    and of all seeds.
    """
    spec = game_spec(game)
    check(table, spec)
    check_amount("seeds", seeds)
    specs = f"level:{level}", f"level:{level - 1}"
    make_bots(specs, seed, game)
    samples: list[float] = []
    for part in in_order(*specs, table, game, seed, seeds, as_executor(processes), samples_file):
        samples += part["samples"]
        on_progress(len(samples), seeds)
    players = options_of(table, spec).num_players
    won = shares(players, np.array(samples)) * max(2, players)  # games per seed
    total, squares = float(won.sum()), float(((won - won.mean()) ** 2).sum())
    return Step(game, table, level, seed, seeds * max(2, players), round(total, 2), round(float(squares), 4))


def samples_of_step(
    folder: Path, table: str, level: int, seed: int, game: str = DEFAULT
) -> AbstractContextManager[PartsFile]:
    """Open the file of a step's samples, see `open_samples`."""
    settings = {"level": level, "table": table, "seed": seed, "game": game}
    weights = [digest_of_weights(LEVELS[number - 1].bot, table, game_spec(game)) for number in (level, level - 1)]
    return open_samples(folder, settings | {"weights": weights})


def ratings(table: str, game: str = DEFAULT, file: Path = BUNDLED_FILE) -> tuple[np.ndarray, np.ndarray]:
    """Return the ratings (levels,) at a table and half of their 95 % intervals. ValueError if unknown."""
    steps = {step.level: step for step in read_rows(file, Step) if (step.game, step.table) == (game, table)}
    missing = [level for level in range(2, len(LEVELS) + 1) if level not in steps]
    if missing:
        command = f"vitienv ladder levels --game {game} --table {table}"
        raise ValueError(f"the levels have no rating at table {table!r} of {game}; measure it with: {command}")
    elos, half_widths = zip(*(steps[level].elo() for level in range(2, len(LEVELS) + 1)))
    return np.array([0.0, *np.cumsum(elos)]), np.array([0.0, *np.sqrt(np.cumsum(np.square(half_widths)))])


@dataclass
class RatingPosterior:
    """Posterior of a bot's rating on the grid `RATINGS`.

    The prior is flat between the lowest and the highest level, so that ratings are not shrunk to the middle.
    """

    levels: np.ndarray
    players: int

    def __post_init__(self) -> None:
        distance = RATINGS - RATINGS.clip(self.levels.min(), self.levels.max())
        self.prior = -(distance**2) / (2 * PRIOR_DEVIATION**2)
        self.log_likelihood = np.zeros(len(RATINGS))
        self.seeds: list[tuple[int, int, float]] = []

    def next(self) -> int:
        """Return the next opponent: the level, from 1, nearest to the median."""
        return int(np.abs(self.levels - self.at(0.5)).argmin()) + 1

    def add(self, level: int, games: int, won: float) -> None:
        """Add the results of a seed against a level. won: number of games won against bots of this level."""
        self.seeds.append((level, games, won))
        win_probability = self._win_probability(RATINGS, level)
        self.log_likelihood += won * np.log(win_probability) + (games - won) * np.log1p(-win_probability)

    def _win_probability(self, rating: Any, level: int) -> Any:
        odds = 10 ** ((rating - self.levels[level - 1]) / 400)
        return odds / (odds + max(2, self.players) - 1)

    def effect(self) -> float:
        """Return the design effect of the games of a seed, with Student's t for few seeds, as `clustered_wilson`."""
        clusters = [seed for seed in self.seeds if seed[1] > 1]
        if len(clusters) < 2:
            return float(max((games for _, games, _ in clusters), default=1))
        rating, total = self.at(0.5), 0.0
        for level, games, won in clusters:
            share = float(np.clip(self._win_probability(rating, level), 0.01, 0.99))
            total += (won - games * share) ** 2 / (games * share * (1 - share))
        degrees_of_freedom = len(clusters) - 1
        effect = total / degrees_of_freedom
        if effect < 1.0:
            effect = (degrees_of_freedom * effect + PRIOR_SEEDS) / (degrees_of_freedom + PRIOR_SEEDS)
        return effect * (student(degrees_of_freedom) / Z) ** 2

    def at(self, share: float, effect: float = 1.0) -> float:
        """Return a quantile of the posterior. effect: design effect, which divides the number of games."""
        log_likelihood = self.prior + self.log_likelihood / effect
        posterior = np.exp(log_likelihood - log_likelihood.max())
        return float(np.interp(share, np.cumsum(posterior) / posterior.sum(), RATINGS))

    def level(self, rating: float) -> float:
        """Return the level of a rating, interpolated and clipped to 1 to 10."""
        return float(np.interp(rating, np.maximum.accumulate(self.levels), np.arange(1, len(self.levels) + 1)))

    def summary(self) -> dict[str, float]:
        """Return level and rating with their 95 % intervals."""
        effect = self.effect()
        low, rating, high = (self.at(share, effect) for share in (0.025, 0.5, 0.975))
        return {
            "level": self.level(rating), "level_low": self.level(low), "level_high": self.level(high),
            "rating": rating, "rating_low": low, "rating_high": high,
        }  # fmt: skip


def estimate_level(
    bot: str, table: str, games: int, seed: int = 0, game: str = DEFAULT, file: Path = BUNDLED_FILE,
    on_progress: ProgressCallback = no_progress,
) -> dict[str, Any]:  # fmt: skip
    """Estimate a bot's level at a table by `games` games, against an adaptively chosen level every few seeds.

    The interval accounts for these games, not for the uncertainty of the levels' ratings.
    """
    spec = game_spec(game)
    check(table, spec)
    check_amount("games", games)
    options = options_of(table, spec)
    posterior = RatingPosterior(ratings(table, game, file)[0], options.num_players)
    per_seed = max(2, options.num_players)
    seeds, games_by_level, parts = -(-games // per_seed), dict[int, int](), list[Part]()
    for low in range(0, seeds, SEEDS_PER_PART):
        level = posterior.next()
        numbers, specs = range(low, min(low + SEEDS_PER_PART, seeds)), (bot, f"level:{level}")
        parts.append(part_of_seeds(make_bots(specs, seed, game), specs, game_seeds(seed, numbers), options))
        for share in shares(options.num_players, np.array(parts[-1]["samples"])):
            posterior.add(level, per_seed, float(share) * per_seed)
        games_by_level[level] = games_by_level.get(level, 0) + len(numbers) * per_seed
        on_progress(numbers.stop, seeds)
    return {
        "agent": bot, "table": table, "games": seeds * per_seed, "seeds": seeds, "seed": seed, **posterior.summary(),
        "met": {str(level): games_by_level[level] for level in sorted(games_by_level)}, **sum_counts(parts),
    }  # fmt: skip

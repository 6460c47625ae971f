"""What the levels are worth at each table, and at which level a bot plays.

Each level plays the one below it, in every seat on the same seeds. The steps in Elo add up; level 1 has 0.
A bot meets the level nearest to what is known of it, then the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.levels import LEVELS
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.files import versions
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation.csv_log import check_at_least, read_rows
from vitienv.training.evaluation.ladder import (
    Part,
    above,
    check_table,
    digest_of_weights,
    elo,
    in_order,
    options_of,
    part_of_seeds,
    shares,
)  # fmt: skip
from vitienv.training.evaluation.match import check_amount
from vitienv.training.evaluation.notes import told
from vitienv.training.evaluation.sprt_state import Samples
from vitienv.training.intervals import PRIOR_SEEDS, Z, clustered_wilson, student
from vitienv.training.workers import Executor, place

SHIPPED = Path(__file__).with_name("levels.csv")
SEEDS_AT_ONCE = 4
RATINGS = np.arange(-1000.0, 4000.0, 5.0)  # that a bot may have
DOUBT = 800.0  # how far its rating may be below or above all levels' before a game: a standard deviation


@dataclass(frozen=True)
class Step:
    """A level against the one below it. won: of the games, in every seat of each seed; alone each draw is a half, and
    both play the same seeds. squares: sum over seeds of the squared deviation of the games won there from the mean,
    NaN if unknown: the interval is then that of independent games."""

    game: str
    table: str
    level: int
    seed: int
    games: int
    won: float
    squares: float = float("nan")

    def __post_init__(self) -> None:
        check_at_least(self, level=2, seed=0, games=2, won=0, **({} if np.isnan(self.squares) else {"squares": 0}))
        if self.won > self.games:
            raise ValueError(f"won must be at most {self.games}, the number of games, got {self.won}")

    def elo(self) -> tuple[float, float]:
        """How much stronger it is, and half of the interval (95 %); as if one game more had been drawn, so that a level
        that lost none is a finite step ahead."""
        players = options_of(self.table, game_spec(self.game)).num_players
        share, seeds = self.won / self.games, self.games // max(2, players)
        if seeds < 2:
            raise ValueError(f"games of level {self.level} must be on at least 2 seeds, got {self.games} games")
        independent = self.games * share * (1 - share) * (seeds - 1) / seeds
        squares = independent if np.isnan(self.squares) else self.squares
        low, high = clustered_wilson(self.games, share, squares, seeds)
        step, low, high = (elo(players, above(players, x)) for x in ((self.won + 0.5) / (self.games + 1), low, high))
        return step, (high - low) / 2


def key(step: Step) -> tuple[Any, ...]:
    """What a step is of."""
    return step.game, step.table, step.level


def check(table: str, made: GameSpec) -> None:
    """ValueError unless levels play against each other, or alone on the same seeds, at a table."""
    if made.is_of_team:
        raise ValueError(f"all seats of {made.title} win together; levels are rated where they play against each other")
    check_table(table, made)


def measure(
    table: str, level: int, seeds: int, seed: int = 0, processes: int | Executor = 1, game: str = DEFAULT,
    on_progress: Callable[[int, int], None] | None = None, kept: Samples | None = None,
) -> Step:  # fmt: skip
    """Measure a step. on_progress: gets the number of seeds done. kept: where the samples so far are written; whoever
    notes the step ends it. The result depends on the seed, not on the processes."""
    made = game_spec(game)
    check(table, made)
    check_amount("seeds", seeds)
    specs = f"level:{level}", f"level:{level - 1}"
    make_bots(specs, seed, game)
    samples: list[float] = []
    for part in in_order(*specs, table, game, seed, seeds, place(processes), kept):
        samples += part["samples"]
        if on_progress is not None:
            on_progress(len(samples), seeds)
    players = options_of(table, made).num_players
    games = seeds * max(2, players)
    won = shares(players, np.array(samples)) * max(2, players)  # games of each seed
    squares = float(((won - won.mean()) ** 2).sum())
    return Step(game, table, level, seed, games, round(float(won.sum()), 2), round(squares, 4))


def samples_of_step(folder: Path, table: str, level: int, seed: int, game: str = DEFAULT) -> Samples:
    """The file of a step's samples."""
    about = {"level": level, "table": table, "seed": seed, "game": game}
    weights = [digest_of_weights(LEVELS[one - 1].bot, table, game_spec(game)) for one in (level, level - 1)]
    return Samples(folder, about | {"weights": weights, "vitienv": versions()["vitienv"]})


def ratings(table: str, game: str = DEFAULT, file: Path = SHIPPED) -> tuple[np.ndarray, np.ndarray]:
    """The rating of each level at a table and half of its interval (95 %), (levels,). ValueError if there is none."""
    steps = {step.level: step for step in read_rows(file, Step) if (step.game, step.table) == (game, table)}
    missing = [level for level in range(2, len(LEVELS) + 1) if level not in steps]
    if missing:
        how = f"vitienv ladder levels --game {game} --table {table}"
        raise ValueError(f"the levels have no rating at table {table!r} of {game} yet; {how} measures it")
    elos, reach = zip(*(steps[level].elo() for level in range(2, len(LEVELS) + 1)))
    return np.array([0.0, *np.cumsum(elos)]), np.array([0.0, *np.sqrt(np.cumsum(np.square(reach)))])


@dataclass
class RatingPosterior:
    """How likely each of `RATINGS` is for a bot, after the games so far. Before the first game, all from the lowest
    level's to the highest one's are alike: nothing draws a bot to the middle."""

    levels: np.ndarray
    players: int

    def __post_init__(self) -> None:
        outside = RATINGS - RATINGS.clip(self.levels.min(), self.levels.max())
        self.prior = -(outside**2) / (2 * DOUBT**2)
        self.logs = np.zeros(len(RATINGS))
        self.seeds: list[tuple[int, int, float]] = []

    def next(self) -> int:
        """The level to meet, from 1: that of the rating nearest to the likeliest."""
        return int(np.abs(self.levels - self.at(0.5)).argmin()) + 1

    def add(self, level: int, games: int, won: float) -> None:
        """The results of a seed against a level. won: of the games, in which the others are bots of this level."""
        self.seeds.append((level, games, won))
        expected = self._expected(RATINGS, level)
        self.logs += won * np.log(expected) + (games - won) * np.log1p(-expected)

    def _expected(self, rating: Any, level: int) -> Any:
        odds = 10 ** ((rating - self.levels[level - 1]) / 400)
        return odds / (odds + max(2, self.players) - 1)

    def effect(self) -> float:
        """Return the design effect of the games of a seed, with Student's t for few seeds, as `clustered_wilson`."""
        clusters = [seed for seed in self.seeds if seed[1] > 1]
        if len(clusters) < 2:
            return float(max((games for _, games, _ in clusters), default=1))
        rating, total = self.at(0.5), 0.0
        for level, games, won in clusters:
            share = float(np.clip(self._expected(rating, level), 0.01, 0.99))
            total += (won - games * share) ** 2 / (games * share * (1 - share))
        freedom = len(clusters) - 1
        effect = total / freedom
        if effect < 1.0:
            effect = (freedom * effect + PRIOR_SEEDS) / (freedom + PRIOR_SEEDS)
        return effect * (student(freedom) / Z) ** 2

    def at(self, share: float, effect: float = 1.0) -> float:
        """The rating below which a share of the likelihood lies. effect: divides the number of games."""
        logs = self.prior + self.logs / effect
        likely = np.exp(logs - logs.max())
        return float(np.interp(share, np.cumsum(likely) / likely.sum(), RATINGS))

    def level(self, rating: float) -> float:
        """The level of a rating, between two levels in proportion; 1 and 10 are the ends."""
        return float(np.interp(rating, np.maximum.accumulate(self.levels), np.arange(1, len(self.levels) + 1)))

    def told(self) -> dict[str, float]:
        """Level and rating with their intervals (95 %)."""
        effect = self.effect()
        low, rating, high = (self.at(share, effect) for share in (0.025, 0.5, 0.975))
        return {
            "level": self.level(rating), "level_low": self.level(low), "level_high": self.level(high),
            "rating": rating, "rating_low": low, "rating_high": high,
        }  # fmt: skip


def find(
    bot: str, table: str, games: int, seed: int = 0, game: str = DEFAULT, file: Path = SHIPPED,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Find a bot's level at a table: it meets a level for a few seeds, in every seat, then the next one, until `games`
    are played. The interval accounts for these games, not for the uncertainty of the levels' ratings."""
    made = game_spec(game)
    check(table, made)
    check_amount("games", games)
    options = options_of(table, made)
    sought = RatingPosterior(ratings(table, game, file)[0], options.num_players)
    per_seed = max(2, options.num_players)
    seeds, met, parts = -(-games // per_seed), dict[int, int](), list[Part]()
    for low in range(0, seeds, SEEDS_AT_ONCE):
        level = sought.next()
        numbers, specs = range(low, min(low + SEEDS_AT_ONCE, seeds)), (bot, f"level:{level}")
        parts.append(part_of_seeds(make_bots(specs, seed, game), specs, game_seeds(seed, numbers), options))
        for share in shares(options.num_players, np.array(parts[-1]["samples"])):
            sought.add(level, per_seed, float(share) * per_seed)
        met[level] = met.get(level, 0) + len(numbers) * per_seed
        if on_progress is not None:
            on_progress(numbers.stop, seeds)
    return {"agent": bot, "table": table, "games": seeds * per_seed, "seeds": seeds, "seed": seed, **sought.told(),
            "met": {str(level): met[level] for level in sorted(met)}, **told(parts)}  # fmt: skip

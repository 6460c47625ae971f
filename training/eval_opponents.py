"""Evaluation of a network in training on held-out seeds: against bots, the two nearest levels, and in solo games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vitienv.agents.levels import LEVELS
from vitienv.agents.protocol import Agent
from vitienv.agents.seeding import make_bot, measuring_seeds
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.registry import canonical_name
from vitienv.threads import one_torch_thread
from vitienv.training.evaluation.match import play
from vitienv.training.intervals import Share, clustered_share, independent_share
from vitienv.training.run_dir import POINTS, win_rates
from vitienv.training.selfplay.envs import Kind, parse_mix

SEED, CHECK_SEED = 1, 2  # for selecting the best network, and for its final evaluation
INFORMATIVE = 0.05, 0.95  # win rates are clipped to this range; ties are decided by points
LEVEL_PREFIX = "level:"
Results = dict[str, dict[str, float]]


def evaluate_against(agent: Agent, bot: str, options: Options, games: int, seed: int = SEED) -> dict[str, float]:
    """Evaluate an agent against one bot in all other seats, in every seat in turn on the same seeds.

    Returns `wins` (mean win share) with its interval `low` and `high`, the means `points` and `years`, and `cut_off`,
    the number of truncated games.
    """
    n = options.num_players
    seats = np.arange(games) % n
    seating = np.where(np.arange(n) == seats[:, None], 0, 1)
    opponent = make_bot(bot, seed, canonical_name(options.game_spec))
    played = play(options, measuring_seeds(seed, games, n), seating, [agent, opponent])
    rows = np.arange(games)
    share = clustered_share(played.wins[rows, seats], rows // n)
    points = float(played.points[rows, seats].mean())
    return _result(share, points, years=float(played.years.mean()), cut_off=int(played.truncated.sum()))


def evaluate_solo(agent: Agent, options: Options, games: int, seed: int = SEED) -> dict[str, float]:
    """Evaluate an agent in solo games: `wins` with `low` and `high`, and `points`, as in `evaluate_against`."""
    seeds = measuring_seeds(seed, games)
    played = play(options.replace(skip_forced=True), seeds, [[0]] * games, [agent])
    share = independent_share(float((played.outcomes == 1).sum()), games)
    return _result(share, float(played.points.mean()))


def _result(share: Share, points: float, **means: float) -> dict[str, float]:
    return {"wins": share["value"], "low": share["low"], "high": share["high"], "points": points, **means}


class EvalOpponents:
    """Opponents of a run's evaluations, and comparison of evaluations.

    bots: opponents at the table `options`, None without a multi-player table. solo_tables: by name. games: number
    per opponent, 0 to disable. level: latest estimate, 0 without levels.
    """

    def __init__(
        self, call: Any, opponents: Sequence[str], options: Options | None, solo_tables: Mapping[str, Options]
    ) -> None:
        names = opponents if call.eval_opponents is None else call.eval_opponents
        self.options, self.solo_tables, self.games = options, solo_tables, call.evaluation_games
        self.bots = list(dict.fromkeys(names)) if options is not None and self.games else []
        is_graded = call.eval_opponents is None and options is not None and not options.game_spec.is_of_team
        self.num_levels = _num_levels(options.game_spec) if is_graded and options is not None else 0
        self.level = 1.0 if self.num_levels > 1 else 0.0

    @classmethod
    def of_mix(cls, call: Any, opponents: Sequence[str], mix: str, game: GameSpec, max_years: int) -> EvalOpponents:
        """Create the opponents for the smallest multi-player table and the solo tables of a mix."""
        kinds = parse_mix(mix, game)
        solo_tables = {
            _name_of_table(kind, game): game.options.of(**kind.table) for kind in kinds if kind.num_players == 1
        }
        multiplayer = [kind for kind in kinds if kind.num_players > 1]
        smallest = min(multiplayer, key=lambda kind: kind.num_players, default=None)
        limit = {game.options.LIMIT: max_years}
        return cls(
            call, opponents, None if smallest is None else game.options.of(**smallest.table, **limit), solo_tables
        )

    @property
    def compiled_bots(self) -> list[str]:
        """Bots to compile before the run, including a heuristic and a network level."""
        levels = [f"{LEVEL_PREFIX}2", f"{LEVEL_PREFIX}{self.num_levels}"] if self.level and self.games else []
        return [*self.bots, *levels]

    def is_visible(self, name: str) -> bool:
        """Return whether results against an opponent are shown: not those of levels used for grading."""
        return name in self.bots or not name.startswith(LEVEL_PREFIX)

    def evaluate(self, agent: Agent, seed: int = SEED) -> Results:
        """Return the results by opponent on fixed seeds, and update `level`."""
        with one_torch_thread():
            results: Results = {}
            if self.options is not None:
                results = {bot: evaluate_against(agent, bot, self.options, self.games, seed) for bot in self.bots}
                if self.level:
                    self.level = self._grade(agent, self.options, results, seed)
            return results | {
                name: evaluate_solo(agent, options, self.games, seed) for name, options in self.solo_tables.items()
            }

    def _grade(self, agent: Agent, options: Options, results: Results, seed: int) -> float:
        """Return the interpolated level at which the agent wins an even share; add the results of its neighbours."""
        even_share, rates = 1 / options.num_players, {0: 1.0, self.num_levels + 1: 0.0}

        def rate(number: int) -> float:
            if number not in rates:
                name, row = f"{LEVEL_PREFIX}{number}", LEVELS[number - 1]
                is_same = row.bot in results and not row.slips
                results[name] = (
                    results[row.bot] if is_same else evaluate_against(agent, name, options, self.games, seed)
                )
                rates[number] = results[name]["wins"]
            return rates[number]

        low = int(self.level)
        while rate(low) < even_share:
            low -= 1
        while rate(low + 1) >= even_share:
            low += 1
        return low + (rate(low) - even_share) / (rate(low) - rate(low + 1))

    def better(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the better of two rows of a curve by their hardest opponent; ties go to the later one.

        Win rates are compared first, then points. Solo tables count only without a multi-player table.
        """
        names = [name for name in self.bots or self.solo_tables if all(name in win_rates(row) for row in (old, new))]
        if not names:
            return new

        def result(row: Mapping[str, Any], name: str) -> tuple[float, float]:
            return float(np.clip(win_rates(row)[name], *INFORMATIVE)), float(row[f"{POINTS}{name}"])

        hardest = min(names, key=lambda name: tuple(map(sum, zip(result(old, name), result(new, name)))))
        return new if result(new, hardest) >= result(old, hardest) else old


def _num_levels(game: GameSpec) -> int:
    """Return the number of levels below the first searching one, which would be slow."""
    for number in range(1, len(LEVELS) + 1):
        if LEVELS[number - 1].bot.startswith("ismcts"):
            return number - 1
        try:
            make_bot(f"{LEVEL_PREFIX}{number}", 0, canonical_name(game))
        except ValueError:
            return number - 1
    return len(LEVELS)


def _name_of_table(kind: Kind, game: GameSpec) -> str:
    """Return the name of a solo table: its difficulty and other options of the mix."""
    options = game.options.of(**kind.table)
    option, _ = game.levels.get(options.ruleset, (None, ()))
    level = str(getattr(options, option)) if option else options.ruleset
    return "_".join(["automa", level, *(word for word in kind.name.split("/") if "=" in word)])

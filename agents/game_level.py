"""Level of play in one game, by mistakes: actions that the network of the levels all but rules out.

`python -m studies.level_from_game` measures the mistakes of the levels in `mistakes.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from math import exp, lgamma, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vitienv.agents.champions import FROZEN
from vitienv.agents.search.networks import load_evaluator
from vitienv.core.files import read_text
from vitienv.game import Game
from vitienv.registry import canonical_name
from vitienv.session.replay import position_after

FILE = Path(__file__).with_name("mistakes.toml")
MIN_GAP = log(1000)  # difference of logits: an action with a thousandth of the first choice's probability is a mistake
TAIL = 0.025  # probability on each side of the interval


class GameLevel(NamedTuple):
    """Level of a seat in a game, with its 95 % interval. decisions: those with more than one legal action."""

    level: int
    low: int
    high: int
    mistakes: int
    decisions: int

    def describe(self) -> str:
        """Return text such as "level 6 (4 to 7): 2 mistakes in 105 decisions"."""
        noun = "mistake" if self.mistakes == 1 else "mistakes"
        return f"level {self.level} ({self.low} to {self.high}): {self.mistakes} {noun} in {self.decisions} decisions"


def levels_in(game: Game) -> list[GameLevel]:
    """Return the level of each seat in a finished game; empty at tables whose mistakes were not measured."""
    rates = _rates_at(game)
    if rates is None or not game.is_over or game.is_truncated:
        return []
    return [level_of(*counts, rates) for counts in count_mistakes(game)]


def count_mistakes(game: Game) -> list[tuple[int, int]]:
    """Return the number of mistakes and of decisions of each seat."""
    observations, masks, seats, actions = [], [], [], []
    position = position_after(game.log, 0)
    for action in game.moves:
        if position.mask.sum() > 1:
            observations.append(position.observation())
            masks.append(position.mask.copy())
            seats.append(position.current_seat)
            actions.append(game.game_spec.actions.number(action))
        position.step(action)
    counts = [[0, 0] for _ in range(game.num_players)]
    if actions:
        logits, _ = load_evaluator(FROZEN, game=game.game_spec).evaluate(np.array(observations), np.array(masks))
        for seat, number, row, mask in zip(seats, actions, logits, masks, strict=True):
            assert seat is not None
            counts[seat][0] += bool(row[mask != 0].max() - row[number] > MIN_GAP)
            counts[seat][1] += 1
    return [(mistakes, decisions) for mistakes, decisions in counts]


def level_of(mistakes: int, decisions: int, rates: Mapping[str, Sequence[float]]) -> GameLevel:
    """Return the level by the number of mistakes, which has a beta-binomial distribution at each level.

    All levels are equally likely before the game; `level` is their mean after it. rates: of a table in `mistakes.toml`.
    """
    log_weights = []
    for total, trials, correlation in zip(rates["mistakes"], rates["decisions"], rates["correlations"], strict=True):
        share = (total + 0.5) / (trials + 1)
        a, b = (p * (1 / correlation - 1) for p in (share, 1 - share))
        log_weights.append(_log_beta(a + mistakes, b + decisions - mistakes) - _log_beta(a, b))
    weights = [exp(value - max(log_weights)) for value in log_weights]
    shares = [sum(weights[: level + 1]) / sum(weights) for level in range(len(weights))]
    low, high = (1 + next(i for i, share in enumerate(shares) if share > tail - 1e-9) for tail in (TAIL, 1 - TAIL))
    mean = sum(level * weight for level, weight in enumerate(weights, 1)) / sum(weights)
    return GameLevel(round(mean), low, high, mistakes, decisions)


def _rates_at(game: Game) -> dict[str, Any] | None:
    spec, options = game.game_spec, game.options.to_dict()
    same: dict[str, Any] = {name: options[name] for name in ("reward", "skip_forced", spec.options.LIMIT)}
    for table, rates in tomllib.loads(read_text(FILE)).get(canonical_name(spec), {}).items():
        if game.options == spec.options.of(**{**same, **spec.tables[table]}):
            return dict(rates)
    return None


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)

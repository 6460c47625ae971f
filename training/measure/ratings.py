"""Ratings and rates with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

import numpy as np

Z = 1.959963984540054  # two-sided 95 %
RESAMPLES = 1000


def rate(n_bots: int, games: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[tuple[float, float]]:
    """Each bot's (mu, sigma) by openskill's Plackett-Luce model.

    games: (bots, ranks) of each game, in the order of their numbers: so the result does not depend on which game was
    finished first. Bots do not change, so nothing is added to sigma between games (tau 0). A bot in several
    seats of one game is rated by its best seat there.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(n_bots)]
    for bots, ranks in games:
        best: dict[int, int] = {}
        for bot, rank in zip(bots, ranks, strict=True):
            best[int(bot)] = min(int(rank), best.get(int(bot), int(rank)))
        if len(best) < 2:
            continue
        order = sorted(best)
        rated = model.rate([[ratings[bot]] for bot in order], ranks=[float(best[bot]) for bot in order])
        for bot, (rating,) in zip(order, rated, strict=True):
            ratings[bot] = rating
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]


def wilson(wins: float, n: int) -> tuple[float, float]:
    """The Wilson interval (95 %) of a rate; a shared win counts as a part of one."""
    if n == 0:
        return 0.0, 1.0
    p, z2 = wins / n, Z * Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return 0.0 if wins == 0 else middle - half, 1.0 if wins == n else middle + half


def bootstrap_mean(values: np.ndarray, seed: int) -> tuple[float, float]:
    """The bootstrap interval (95 %) of a mean over groups of games that are independent of each other."""
    values = np.asarray(values, np.float64)
    if len(values) < 2:
        return float("nan"), float("nan")
    random = np.random.default_rng(seed)
    means = [values[random.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def win_shares(ranks: np.ndarray) -> np.ndarray:
    """(games, seats) ranks to shares of the win: those who share the first place share the win; none is first in a game
    alone that is lost."""
    first = np.asarray(ranks) == 1
    return first / np.maximum(1, first.sum(axis=1, keepdims=True))


def share(count: float, of: int) -> dict[str, float]:
    """A share with its Wilson interval (95 %); of 0, the share is 0 and the interval everything."""
    low, high = wilson(count, of)
    return {"value": count / of if of else 0.0, "low": low, "high": high}


def percent(of: dict[str, float]) -> str:
    """A share in per cent with its interval, as tables show it."""
    return f"{100 * of['value']:.1f} ({100 * of['low']:.1f} to {100 * of['high']:.1f})"

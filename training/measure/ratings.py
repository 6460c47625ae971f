"""Ratings and shares of wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


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


def win_shares(ranks: np.ndarray) -> np.ndarray:
    """(games, seats) ranks to shares of the win: those who share the first place share the win; none is first in a game
    alone that is lost."""
    first = np.asarray(ranks) == 1
    return first / np.maximum(1, first.sum(axis=1, keepdims=True))

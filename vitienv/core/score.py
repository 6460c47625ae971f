"""Ranks and rewards; a game binds them to its `ranking_key` and `points`."""

from collections.abc import Callable
from types import FunctionType

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants

MARGIN_UNIT = 20.0  # points per unit of the reward "margin"


class Reward(IntConstants):
    """Indices of the rewards, in the order of `options.REWARDS`."""

    WIN = 0
    RANK = 1
    MARGIN = 2


def ranking_key(g, seat):
    """Return a number that orders the seats, including tie-breakers. Replaced by `bind`."""


def points(g, seat):
    """Return the points of a seat. Replaced by `bind`."""


def rank_among(g, seat, n):
    """Return the rank of one of n seats, 1 for the first; equal standings share a rank."""
    value = ranking_key(g, seat)
    num_better = 0
    for opponent in range(n):
        if ranking_key(g, opponent) > value:
            num_better += 1
    return 1 + num_better


def reward_among(g, seat, n, kind):
    """Return the zero-sum reward of one of n seats in a finished game.

    win: winners share 1, the others share -1. rank: from 1 for the first to -1 for the last in equal steps, averaged
    over tied seats. margin: points ahead of the mean of the other seats, divided by MARGIN_UNIT.
    """
    if kind == Reward.MARGIN:
        total = 0
        for opponent in range(n):
            if opponent != seat:
                total += points(g, opponent)
        return (points(g, seat) - total / (n - 1)) / MARGIN_UNIT
    value = ranking_key(g, seat)
    num_better, num_tied = 0, 0
    best = value
    for opponent in range(n):
        opponent_value = ranking_key(g, opponent)
        best = max(best, opponent_value)
        if opponent_value > value:
            num_better += 1
        elif opponent_value == value:
            num_tied += 1
    if kind == Reward.RANK:
        return 1.0 - (2.0 * num_better + num_tied - 1) / (n - 1)
    winners = 0
    for opponent in range(n):
        if ranking_key(g, opponent) == best:
            winners += 1
    if winners == n:
        return 0.0
    return 1.0 / winners if value == best else -1.0 / (n - winners)


def bind(module: str, ranking_key: Callable, points: Callable) -> tuple[Callable, Callable]:
    """Compile `rank_among` and `reward_among` with the standing and points of a game."""
    names = globals() | {"__name__": module, "ranking_key": ranking_key, "points": points}
    return jit(FunctionType(rank_among.__code__, names)), jit(FunctionType(reward_among.__code__, names))

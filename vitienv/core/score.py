"""Ranks and rewards from what each seat's standing is; a game binds these to its own `standing` and `points`."""

from collections.abc import Callable
from types import FunctionType

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers

MARGIN_UNIT = 20.0


class Reward(Numbers):
    """The rewards, in the order of `options.REWARDS`."""

    WIN = 0
    RANK = 1
    MARGIN = 2


def standing(g, seat):
    """What a game gives: one number that orders the seats, tie-breakers included."""


def points(g, seat):
    """What a game gives: the points of a seat."""


def rank_among(g, seat, n):
    """1 for the first of n seats; equal standings share a rank."""
    own = standing(g, seat)
    better = 0
    for other in range(n):
        if standing(g, other) > own:
            better += 1
    return 1 + better


def reward_among(g, seat, n, kind):
    """The reward of one of n seats in a game that is over: zero-sum.

    win: winners share 1, the others share -1. rank: from 1 for the first down to -1 for the last in even steps, shared
    ranks averaged. margin: points ahead of the other seats' mean, in twentieths.
    """
    if kind == Reward.MARGIN:
        others = 0
        for other in range(n):
            if other != seat:
                others += points(g, other)
        return (points(g, seat) - others / (n - 1)) / MARGIN_UNIT
    own = standing(g, seat)
    better, same = 0, 0
    best = own
    for other in range(n):
        value = standing(g, other)
        best = max(best, value)
        if value > own:
            better += 1
        elif value == own:
            same += 1
    if kind == Reward.RANK:
        return 1.0 - (2.0 * better + same - 1) / (n - 1)
    winners = 0
    for other in range(n):
        if standing(g, other) == best:
            winners += 1
    if winners == n:
        return 0.0
    return 1.0 / winners if own == best else -1.0 / (n - winners)


def bind(module: str, standing: Callable, points: Callable) -> tuple[Callable, Callable]:
    """`rank_among` and `reward_among` for a game's own standing and points."""
    names = globals() | {"__name__": module, "standing": standing, "points": points}
    return jit(FunctionType(rank_among.__code__, names)), jit(FunctionType(reward_among.__code__, names))

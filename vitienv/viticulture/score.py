"""Final standing: tie-breakers, ranks and rewards (Essential, End game goal and tiebreakers)."""

from vitienv.core.jit import jit
from vitienv.viticulture.state import NUM_PLAYERS
from vitienv.viticulture.tokens import grape_value, wine_value

REWARDS = ("win", "rank", "margin")
WIN, RANK, MARGIN = range(len(REWARDS))
MARGIN_UNIT = 20.0


@jit
def standing(g, seat):
    """One number that orders the seats: points, lira, wine value, grape value."""
    value = int(g.vp[seat]) + 5
    value = value * 65536 + int(g.lira[seat])
    value = value * 1024 + wine_value(g, seat)
    return value * 1024 + grape_value(g, seat)


@jit
def rank_of(g, seat):
    """1 for the first; equal standings share a rank (ruling 8.12)."""
    own = standing(g, seat)
    better = 0
    for other in range(int(g.rules[NUM_PLAYERS])):
        if standing(g, other) > own:
            better += 1
    return 1 + better


@jit
def reward_of(g, seat, kind):
    """The zero-sum reward of a seat in a game that is over.

    win: winners share 1, the others share -1. rank: from 1 for the first down to -1 for the last in even
    steps, shared ranks averaged. margin: points ahead of the other seats' mean, in twentieths.
    """
    n = int(g.rules[NUM_PLAYERS])
    if kind == MARGIN:
        others = 0
        for other in range(n):
            if other != seat:
                others += int(g.vp[other])
        return (int(g.vp[seat]) - others / (n - 1)) / MARGIN_UNIT
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
    if kind == RANK:
        return 1.0 - (2.0 * better + same - 1) / (n - 1)
    winners = 0
    for other in range(n):
        if standing(g, other) == best:
            winners += 1
    if winners == n:
        return 0.0
    return 1.0 / winners if own == best else -1.0 / (n - winners)

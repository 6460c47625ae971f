"""Final standing: tie-breakers, ranks and rewards (Essential, End game goal and tiebreakers; Game end)."""

from vitienv.core.jit import jit
from vitienv.viticulture.names import VP_FLOOR
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import grape_value, wine_value

REWARDS = ("win", "rank", "margin")
WIN, RANK, MARGIN = range(len(REWARDS))
MARGIN_UNIT = 20.0
LOST = -1  # below every standing
PLAYER = 0  # who plays against the Automa's marker


@jit
def standing(g, seat):
    """One number that orders the seats: points, lira, wine value, grape value; points alone in the solo game."""
    if g.lost == 1 and seat == PLAYER:
        return LOST
    value = int(g.vp[seat]) - VP_FLOOR
    if g.rules[Rule.TIE_BREAKS] == 0:
        return value
    value = value * 65536 + int(g.lira[seat])
    value = value * 1024 + wine_value(g, seat)
    return value * 1024 + grape_value(g, seat)


@jit
def rank_of(g, seat):
    """1 for the first; equal standings share a rank (ruling 8.12). The Automa's marker counts like a seat."""
    own = standing(g, seat)
    n = int(g.rules[Rule.NUM_PLAYERS])
    better = 0
    for other in range(n):
        if standing(g, other) > own:
            better += 1
    if n == 1 and g.rules[Rule.MARKER] == 1 and int(g.automa_vp) - VP_FLOOR > own:
        better = 1
    return 1 + better


@jit
def reward_of(g, seat, kind):
    """The reward of a seat in a game that is over; zero-sum where two seats or more play.

    win: winners share 1, the others share -1. rank: from 1 for the first down to -1 for the last in even
    steps, shared ranks averaged. margin: points ahead of the other seats' mean, in twentieths. Alone against
    the Automa's marker: 1, 0 or -1, or the margin to it; a game lost before its end is -1 in all of them.
    """
    n = int(g.rules[Rule.NUM_PLAYERS])
    if g.lost == 1:
        return -1.0 if seat == PLAYER else 1.0
    if n == 1:
        return reward_alone(g, kind)
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


@jit
def reward_alone(g, kind):
    ahead = int(g.vp[PLAYER]) - int(g.automa_vp)
    if kind == MARGIN:
        return ahead / MARGIN_UNIT
    if ahead == 0:
        return 0.0
    return 1.0 if ahead > 0 else -1.0

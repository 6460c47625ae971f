"""Final ranking: tie-breakers, ranks and rewards (Essential, End game goal and tiebreakers; Game end)."""

from vitienv.core import score
from vitienv.core.compiling.jit import jit
from vitienv.core.score import MARGIN_UNIT, Reward
from vitienv.viticulture.enums import VP_FLOOR
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import grape_value, wine_value

LOST = -1  # below every standing
PLAYER = 0  # seat that plays against the Automa's marker


@jit
def points_of(g, seat):
    """Return the victory points of a seat."""
    return int(g.vp[seat])


@jit
def ranking_key(g, seat):
    """Return a number that orders the seats: points, lira, wine value, grape value; only points in the solo game."""
    if g.lost == 1 and seat == PLAYER:
        return LOST
    value = int(g.vp[seat]) - VP_FLOOR
    if g.rules[Rule.TIE_BREAKS] == 0:
        return value
    value = value * 65536 + int(g.lira[seat])
    value = value * 1024 + wine_value(g, seat)
    return value * 1024 + grape_value(g, seat)


rank_among, reward_among = score.bind(__name__, ranking_key, points_of)


@jit
def rank_of(g, seat):
    """Return the rank of a seat, from 1; ties share a rank (ruling 8.12). The Automa's marker counts as a seat."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    if n == 1:
        is_behind = g.rules[Rule.MARKER] == 1 and int(g.automa_vp) - VP_FLOOR > ranking_key(g, seat)
        return 2 if is_behind else 1
    return rank_among(g, seat, n)


@jit
def reward_of(g, seat, kind):
    """Return the reward of a seat in a finished game; zero-sum with two or more seats, see `core.score`.

    Against the Automa's marker: 1, 0 or -1, or the margin; a game lost before its end is always -1.
    """
    n = int(g.rules[Rule.NUM_PLAYERS])
    if g.lost == 1:
        return -1.0 if seat == PLAYER else 1.0
    return solo_reward(g, kind) if n == 1 else reward_among(g, seat, n, kind)


@jit
def solo_reward(g, kind):
    margin = int(g.vp[PLAYER]) - int(g.automa_vp)
    if kind == Reward.MARGIN:
        return margin / MARGIN_UNIT
    if margin == 0:
        return 0.0
    return 1.0 if margin > 0 else -1.0

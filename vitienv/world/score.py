"""How a game of the team ends (W4 to W6, O41): all win together or lose together."""

from vitienv.core.compiling.jit import jit
from vitienv.core.score import Reward
from vitienv.viticulture.state import Rule
from vitienv.world.state import WorldRule


@jit
def points_of(g, seat):
    """Victory points."""
    return int(g.vp[seat])


@jit
def is_won(g):
    """Both conditions at this moment: every seat has its points, and the token stands on the end of its track."""
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if g.vp[seat] < g.rules[WorldRule.VP_EACH]:
            return False
    return g.influence >= g.rules[WorldRule.INFLUENCE_END]


@jit
def rank_of(g, seat):
    """1 for all in a game won, 2 for all in one that is not."""
    return 1 if is_won(g) else 2


@jit
def missing_points(g):
    """The mean share of the points that seats lack, from 0 to 1."""
    n, each = int(g.rules[Rule.NUM_PLAYERS]), int(g.rules[WorldRule.VP_EACH])
    if each <= 0:
        return 0.0
    lacking = 0.0
    for seat in range(n):
        lacking += min(1.0, max(0, each - int(g.vp[seat])) / each)
    return lacking / n


@jit
def missing_steps(g):
    """The share of the token's steps that is left."""
    steps = int(g.rules[WorldRule.INFLUENCE_END]) - int(g.rules[WorldRule.START_INFLUENCE])
    left = int(g.rules[WorldRule.INFLUENCE_END]) - int(g.influence)
    return left / steps if steps > 0 else 0.0


@jit
def reward_of(g, seat, kind):
    """The same for every seat: 1 or -1; as a margin 1 for a win, else by what was lacking."""
    if is_won(g):
        return 1.0
    if kind != Reward.MARGIN:
        return -1.0
    return -(missing_points(g) + missing_steps(g)) / 2

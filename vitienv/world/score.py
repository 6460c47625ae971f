"""Result of a game (W4 to W6, O41): all seats win or lose together."""

from vitienv.core.compiling.jit import jit
from vitienv.core.score import Reward
from vitienv.viticulture.state import Rule
from vitienv.world.state import WorldRule


@jit
def points_of(g, seat):
    return int(g.vp[seat])


@jit
def is_won(g):
    """Return whether every seat has its points and the influence token is at the end of its track."""
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if g.vp[seat] < g.rules[WorldRule.VP_EACH]:
            return False
    return g.influence >= g.rules[WorldRule.INFLUENCE_END]


@jit
def rank_of(g, seat):
    """Return 1 for every seat in a won game, else 2."""
    return 1 if is_won(g) else 2


@jit
def missing_points(g):
    """Return the mean share of missing points over the seats, from 0 to 1."""
    n, target = int(g.rules[Rule.NUM_PLAYERS]), int(g.rules[WorldRule.VP_EACH])
    if target <= 0:
        return 0.0
    lacking = 0.0
    for seat in range(n):
        lacking += min(1.0, max(0, target - int(g.vp[seat])) / target)
    return lacking / n


@jit
def missing_steps(g):
    """Return the share of missing influence."""
    steps = int(g.rules[WorldRule.INFLUENCE_END]) - int(g.rules[WorldRule.START_INFLUENCE])
    missing = int(g.rules[WorldRule.INFLUENCE_END]) - int(g.influence)
    return missing / steps if steps > 0 else 0.0


@jit
def reward_of(g, seat, kind):
    """Return 1 or -1, equal for all seats; as a margin a loss is minus the mean of the missing shares."""
    if is_won(g):
        return 1.0
    if kind != Reward.MARGIN:
        return -1.0
    return -(missing_points(g) + missing_steps(g)) / 2

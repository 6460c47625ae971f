"""Final ranking: money, then squares, then winemasters (T77 to T80)."""

from vitienv.core import score
from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import N_SQUARES, WINEMASTERS
from vitienv.toscana.state import Rule


@jit
def points_of(g, seat):
    """Return the money of a seat (T77)."""
    return int(g.money[seat])


@jit
def squares_held(g, seat):
    """Return the number of squares with pieces of a seat (T78)."""
    n = 0
    for square in range(N_SQUARES):
        if g.square_owner[square] == seat:
            n += 1
    return n


@jit
def winemasters_on_map(g, seat):
    """Return the number of winemasters hired and not removed (T79)."""
    return WINEMASTERS - int(g.winemasters[seat]) - int(g.lost[seat])


@jit
def ranking_key(g, seat):
    """Return a number that orders the seats by money, squares and winemasters; ties share a rank (T80)."""
    value = int(g.money[seat]) * (N_SQUARES + 1) + squares_held(g, seat)
    return value * (WINEMASTERS + 1) + winemasters_on_map(g, seat)


rank_among, reward_among = score.bind(__name__, ranking_key, points_of)


@jit
def rank_of(g, seat):
    """Return the rank of a seat, from 1; ties share a rank."""
    return rank_among(g, seat, int(g.rules[Rule.NUM_PLAYERS]))


@jit
def reward_of(g, seat, kind):
    """Return the reward of a seat in a finished game, see `core.score`."""
    return reward_among(g, seat, int(g.rules[Rule.NUM_PLAYERS]), kind)

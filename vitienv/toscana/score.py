"""Final standing: money, then squares, then winemasters (T77 to T80)."""

from vitienv.core import score
from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import N_SQUARES, WINEMASTERS
from vitienv.toscana.state import Rule


@jit
def points_of(g, seat):
    """Money (T77)."""
    return int(g.money[seat])


@jit
def squares_held(g, seat):
    """Squares with own pieces, of whatever kind (T78)."""
    n = 0
    for square in range(N_SQUARES):
        if g.square_owner[square] == seat:
            n += 1
    return n


@jit
def winemasters_on_map(g, seat):
    """Those hired and not removed (T79)."""
    return WINEMASTERS - int(g.winemasters[seat]) - int(g.lost[seat])


@jit
def standing(g, seat):
    """One number that orders the seats: money, squares, winemasters; who is equal in all shares a rank (T80)."""
    value = int(g.money[seat]) * (N_SQUARES + 1) + squares_held(g, seat)
    return value * (WINEMASTERS + 1) + winemasters_on_map(g, seat)


rank_among, reward_among = score.bind(__name__, standing, points_of)


@jit
def rank_of(g, seat):
    """1 for the first; equal standings share a rank."""
    return rank_among(g, seat, int(g.rules[Rule.NUM_PLAYERS]))


@jit
def reward_of(g, seat, kind):
    """The reward of a seat in a game that is over, see `core.score`."""
    return reward_among(g, seat, int(g.rules[Rule.NUM_PLAYERS]), kind)

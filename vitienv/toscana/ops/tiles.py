"""Tasting tiles: the deck, the hand, and the choice made in secret (T14, T71, T73)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop
from vitienv.core.rng import below, word
from vitienv.toscana.enums import N_TILES, NO_TILE
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.state import Chance
from vitienv.toscana.vocabulary import Move


@jit
def random_below(g, stream, n):
    """A number from 0 to n - 1 out of a stream of chance."""
    used = int(g.chance[stream])
    g.chance[stream] = used + 1
    return below(word(int(g.key[0]), int(g.key[1]), stream, used), n)


@jit
def is_in_deck(g, seat, tile):
    """Whether a tile, from 0, is neither in hand nor used: nobody has seen where it lies in the deck."""
    return g.hand[seat, tile] == 0 and g.played[seat, tile] == 0


@jit
def n_in_deck(g, seat):
    n = 0
    for tile in range(N_TILES):
        if is_in_deck(g, seat, tile):
            n += 1
    return n


@jit
def draw_tile(g, seat):
    """The top tile of the own deck into the hand, while there is one (T73)."""
    left = n_in_deck(g, seat)
    if left == 0:
        return
    if g.n_forced[seat] > 0:
        g.n_forced[seat] -= 1
        last = int(g.n_forced[seat])
        tile = int(g.forced[seat, last]) - 1
        g.forced[seat, last] = NO_TILE
    else:
        at = random_below(g, Chance.TILES + seat, left)
        tile = 0
        while at > 0 or not is_in_deck(g, seat, tile):
            if is_in_deck(g, seat, tile):
                at -= 1
            tile += 1
    g.hand[seat, tile] = 1


@jit
def legal_taste(g, t, mask):
    """The tiles in hand (T71)."""
    seat = get(g, t, Frame.SEAT)
    for tile in range(N_TILES):
        if g.hand[seat, tile] == 1:
            mask[Move.TASTE + tile] = 1


@jit
def apply_taste(g, t, action):
    """Chosen, and hidden until all have chosen (T71, ruling O15)."""
    g.chosen[get(g, t, Frame.SEAT)] = 1 + action - Move.TASTE
    pop(g)


operation(FrameOp.TASTE, "taste", legal=legal_taste, apply=apply_taste, shows=(), bounds={})

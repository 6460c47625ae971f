"""Tasting tiles: deck, hand and the hidden choice (T14, T71, T73)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop
from vitienv.core.rng import below, word
from vitienv.toscana.enums import N_TILES, NO_TILE
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.state import Chance
from vitienv.toscana.vocabulary import Move


@jit
def random_below(g, stream, n):
    """Return a random integer below n from a stream."""
    used = int(g.chance[stream])
    g.chance[stream] = used + 1
    return below(word(int(g.key[0]), int(g.key[1]), stream, used), n)


@jit
def is_in_deck(g, seat, tile):
    """Return whether a tile, from 0, is neither in hand nor played."""
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
    """Draw a random tile, or the one fixed by a position, if the deck is not empty (T73)."""
    deck_size = n_in_deck(g, seat)
    if deck_size == 0:
        return
    if g.n_forced[seat] > 0:
        g.n_forced[seat] -= 1
        last = int(g.n_forced[seat])
        tile = int(g.forced[seat, last]) - 1
        g.forced[seat, last] = NO_TILE
    else:
        index = random_below(g, Chance.TILES + seat, deck_size)
        tile = 0
        while index > 0 or not is_in_deck(g, seat, tile):
            if is_in_deck(g, seat, tile):
                index -= 1
            tile += 1
    g.hand[seat, tile] = 1


@jit
def legal_taste(g, t, mask):
    """Mark the tiles in hand (T71)."""
    seat = get(g, t, Frame.SEAT)
    for tile in range(N_TILES):
        if g.hand[seat, tile] == 1:
            mask[Move.TASTE + tile] = 1


@jit
def apply_taste(g, t, action):
    """Choose a tile; it stays hidden until all seats have chosen (T71, ruling O15)."""
    g.chosen[get(g, t, Frame.SEAT)] = 1 + action - Move.TASTE
    pop(g)


operation(FrameOp.TASTE, "taste", legal=legal_taste, apply=apply_taste, shows=(), bounds={})

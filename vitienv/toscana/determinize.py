"""Dealing anew all that a seat cannot see: the others' tiles, and all chance to come."""

from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import MAX_SEATS, N_TILES, NO_TILE
from vitienv.toscana.ops.tiles import draw_tile, random_below
from vitienv.toscana.state import Chance, Rule


@jit
def redeal_hidden(g, viewer):
    """The others draw their hands from the tiles they have not used, and choose one of them if they had, unless hands
    are open; draws that a position has fixed are forgotten."""
    for seat in range(MAX_SEATS):
        for i in range(N_TILES):
            g.forced[seat, i] = NO_TILE
        g.n_forced[seat] = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if seat != viewer and g.rules[Rule.OPEN_HANDS] == 0:
            deal_hand(g, seat)


@jit
def deal_hand(g, seat):
    """As many tiles as before, and a choice among them."""
    held = 0
    for tile in range(N_TILES):
        held += int(g.hand[seat, tile])
        g.hand[seat, tile] = 0
    for _ in range(held):
        draw_tile(g, seat)
    if g.chosen[seat] != NO_TILE:
        at = random_below(g, Chance.TILES + seat, held)
        tile = 0
        while at > 0 or g.hand[seat, tile] == 0:
            at -= int(g.hand[seat, tile])
            tile += 1
        g.chosen[seat] = tile + 1

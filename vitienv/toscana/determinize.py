"""Determinization: random hands of the opponents, consistent with the observation of a seat."""

from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import MAX_SEATS, N_TILES, NO_TILE
from vitienv.toscana.ops.tiles import draw_tile, random_below
from vitienv.toscana.state import Chance, Rule


@jit
def redeal_hidden(g, viewer):
    """Redraw hidden hands and choices of the opponents, and drop draws fixed by a position."""
    for seat in range(MAX_SEATS):
        for i in range(N_TILES):
            g.forced[seat, i] = NO_TILE
        g.n_forced[seat] = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if seat != viewer and g.rules[Rule.OPEN_HANDS] == 0:
            deal_hand(g, seat)


@jit
def deal_hand(g, seat):
    """Redraw a hand of the same size from the unplayed tiles, with a random choice if one was made."""
    hand_size = 0
    for tile in range(N_TILES):
        hand_size += int(g.hand[seat, tile])
        g.hand[seat, tile] = 0
    for _ in range(hand_size):
        draw_tile(g, seat)
    if g.chosen[seat] != NO_TILE:
        index = random_below(g, Chance.TILES + seat, hand_size)
        tile = 0
        while index > 0 or g.hand[seat, tile] == 0:
            index -= int(g.hand[seat, tile])
            tile += 1
        g.chosen[seat] = tile + 1

"""Innovation tiles: reveal, choice, placement and the bonus of ovals (W17, W32, W54 to W67)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, push, set_stage
from vitienv.core.rng import below
from vitienv.viticulture.enums import NOWHERE
from vitienv.viticulture.ops.draw import random_word
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import N_LETTERS, N_OVALS, N_STANCES, N_TILES, NO_OVAL, Metric, Oval, Stance, Tile
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import deed
from vitienv.world.language import WorldPart
from vitienv.world.ops.parts import part
from vitienv.world.ops.tokens import DECLINED, may_stop
from vitienv.world.ops.workers import move_onto_oval
from vitienv.world.rows import COVER, LETTER_OF_PLACE, NEIGHBOUR, PLACE_OF_LETTER, SOLO_ONLY
from vitienv.world.state import TILES_STREAM, WorldRule
from vitienv.world.vocabulary import WorldMove

BY_PARTNER = 1
PLACE_STAGE = 1  # choice of the place of an oval


@jit
def stack_tiles(g):
    """Remove the tiles that only the rules of the simulated partner use (W17)."""
    for place in range(N_LETTERS):
        if SOLO_ONLY[place] == 1 and g.rules[WorldRule.PARTNER] == 0:
            g.tile[place] = Tile.GONE


@jit
def turn_up_tile(g, first, n):
    """Reveal a random tile of the stack of n tiles from `first`, if it is not empty."""
    num_tiles = 0
    for tile in range(first, first + n):
        if g.tile[tile] == Tile.IN_STACK:
            num_tiles += 1
    if num_tiles == 0:
        return
    index = below(random_word(g, TILES_STREAM), num_tiles)
    tile = first
    while index > 0 or g.tile[tile] != Tile.IN_STACK:
        if g.tile[tile] == Tile.IN_STACK:
            index -= 1
        tile += 1
    g.tile[tile] = Tile.SHOWN


@jit
def turn_up_tiles(g):
    """Discard the tiles on show, then reveal new rectangles and ovals (W32)."""
    for tile in range(N_TILES):
        if g.tile[tile] == Tile.SHOWN:
            g.tile[tile] = Tile.GONE
    for _ in range(g.rules[WorldRule.TILES_A_YEAR]):
        turn_up_tile(g, 0, N_LETTERS)
    for _ in range(g.rules[WorldRule.OVALS_A_YEAR]):
        turn_up_tile(g, N_LETTERS, N_OVALS)


@jit
def has_rectangle(g, place):
    """Return whether a rectangle replaces the effect of an action (W55)."""
    return g.tile[place] == Tile.PLACED


# Taking a tile: A is set for the simulated partner, P0 is the chosen oval. lira: purse of the seat or the partner.


@jit
def can_cover(g, lira, place):
    """Return whether an oval can be put on a place without one, at its price (W59, W60)."""
    return g.oval_on[place] == NO_OVAL and lira + COVER[place] >= 0


@jit
def can_cover_some(g, lira):
    for place in range(N_LETTERS):
        if can_cover(g, lira, place):
            return True
    return False


@jit
def can_place(g, lira, tile):
    """Return whether a tile is on show and can be placed (W54)."""
    return g.tile[tile] == Tile.SHOWN and (tile < N_LETTERS or can_cover_some(g, lira))


@jit
def can_take_tile(g, lira):
    for tile in range(N_TILES):
        if can_place(g, lira, tile):
            return True
    return False


@jit
def legal_tile(g, t, mask):
    lira = int(g.partner_lira) if g.frames[t, Frame.A] == BY_PARTNER else int(g.lira[get(g, t, Frame.SEAT)])
    if g.frames[t, Frame.STAGE] == PLACE_STAGE:
        for place in range(N_LETTERS):
            if can_cover(g, lira, place):
                mask[WorldMove.LETTER + LETTER_OF_PLACE[place]] = 1
        return
    for tile in range(N_TILES):
        if can_place(g, lira, tile):
            mask[WorldMove.TILE + (LETTER_OF_PLACE[tile] if tile < N_LETTERS else tile)] = 1
    may_stop(g, t, mask)


@jit
def apply_tile(g, t, action):
    """Place a rectangle on its letter, or ask for the place of an oval (W55, W59)."""
    if action == Move.DONE:
        finish(g, DECLINED)
        return
    seat = get(g, t, Frame.SEAT)
    if g.frames[t, Frame.STAGE] == PLACE_STAGE:
        place = PLACE_OF_LETTER[action - WorldMove.LETTER]
        if g.frames[t, Frame.A] == BY_PARTNER:
            g.partner_lira += COVER[place]
        else:
            gain_lira(g, seat, COVER[place])
        put_oval(g, get(g, t, Frame.P0), place)
    elif action - WorldMove.TILE >= N_LETTERS:
        g.frames[t, Frame.P0] = action - WorldMove.TILE - N_LETTERS
        set_stage(g, t, PLACE_STAGE)
        return
    else:
        g.tile[PLACE_OF_LETTER[action - WorldMove.TILE]] = Tile.PLACED
    is_seat = g.frames[t, Frame.A] != BY_PARTNER
    finish(g, 1)
    if is_seat:
        deed(g, seat, Metric.INNOVATIONS_TAKEN, 1)


operation(WorldOp.TILE, "choose_tile", "place_oval", legal=legal_tile, apply=apply_tile, shows=(Frame.A, Frame.P0))
part(
    WorldPart.INNOVATE,
    needs=lambda g, seat, a, b, c: can_take_tile(g, int(g.lira[seat])),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.TILE, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
)


@jit
def put_oval(g, oval, place):
    """Put an oval on a place; workers move onto it (W61)."""
    g.tile[N_LETTERS + oval] = Tile.PLACED
    g.oval_on[place] = oval
    move_onto_oval(g, place)
    if g.turn_place != NOWHERE and int(g.turn_place) // N_STANCES == place:
        g.turn_place = place * N_STANCES + Stance.OVAL


# Bonuses.


@jit
def bonus_oval(g, place):
    """Follow arrows to the oval whose bonus a place gives; NO_OVAL if there is none, or in a cycle (W65, W66)."""
    passed = 0
    while True:
        oval = int(g.oval_on[place])
        if oval < Oval.LEFT:
            return oval
        passed |= 1 << place
        place = NEIGHBOUR[place, oval - Oval.LEFT]
        if place < 0 or (passed >> place) & 1 == 1:
            return NO_OVAL

"""The simulated partner of one seat: its cards, workers and purse (W97, W98). All of it is reconstructed but that there
is such a partner with four workers and 3 lira a season, with whom one trades."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers
from vitienv.core.frames import Frame, get, pop, push
from vitienv.core.rng import below
from vitienv.viticulture.enums import Season
from vitienv.viticulture.ops.draw import random_word
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import N_LETTERS, NO_OVAL, Place
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import gain_influence
from vitienv.world.ops.exchange import steps_left
from vitienv.world.ops.tiles import BY_PARTNER, can_take_tile
from vitienv.world.ops.workers import BESIDE, ON_SPACE, spaces_taken, taken_at
from vitienv.world.rows import PARTNER, PARTNER_LIRA, PRICE
from vitienv.world.state import TILES_STREAM, WorldRule


class Half(Numbers):
    """Columns of the partner's cards."""

    SUMMER = 0
    WINTER = 1


PRINTED = 0  # prices of the board, not of rectangles
N_CARDS = len(PARTNER)


@jit
def turn_up_card(g):
    """One of its cards that has not come yet; a game uses twelve of fourteen."""
    left = 0
    for card in range(N_CARDS):
        left += 1 - ((int(g.partner_gone) >> card) & 1)
    at = below(random_word(g, TILES_STREAM), left)
    card = 0
    while at > 0 or (int(g.partner_gone) >> card) & 1 == 1:
        at -= 1 - ((int(g.partner_gone) >> card) & 1)
        card += 1
    g.partner_gone |= 1 << card
    return card


@jit
def start_partner_season(g):
    """A card, 3 lira, a worker on each of four places, and what it may do with its purse there."""
    if g.rules[WorldRule.PARTNER] == 0:
        return
    places = PARTNER[turn_up_card(g), Half.SUMMER if g.season == Season.SUMMER else Half.WINTER]
    g.partner_lira += PARTNER_LIRA[0]
    taken = spaces_taken(g)
    for place in range(N_LETTERS):
        if (places >> place) & 1 == 1:
            is_free = g.oval_on[place] == NO_OVAL and taken_at(taken, place) < g.rules[WorldRule.SPACES_EACH]
            g.partner_on[place] = ON_SPACE if is_free else BESIDE
            if can_act(g, place):
                push(g, WorldOp.PARTNER, 0, 1, 0, place, 0, 0)


@jit
def can_act(g, place):
    """On H it may innovate, on P buy a step, if its purse pays the printed price."""
    if place != Place.INNOVATE and place != Place.BUY_INFLUENCE:
        return False
    left = int(g.partner_lira) - PRICE[PRINTED, place]
    if left < 0:
        return False
    return steps_left(g) > 0 if place == Place.BUY_INFLUENCE else can_take_tile(g, left)


@jit
def legal_partner(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_partner(g, t, action):
    """The seat decides for it."""
    place = get(g, t, Frame.A)
    pop(g)
    if action == Move.NO:
        return
    g.partner_lira -= PRICE[PRINTED, place]
    if place == Place.BUY_INFLUENCE:
        gain_influence(g, 1)
    else:
        push(g, WorldOp.TILE, 0, 1, 1, BY_PARTNER, 0, 0)


operation(WorldOp.PARTNER, "partner_acts", legal=legal_partner, apply=apply_partner, shows=(Frame.A,))

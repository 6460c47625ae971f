"""The simulated partner of a single seat: its cards, workers and purse (W97, W98).

Documented are only its four workers, its 3 lira a season and trades with it; the rest is reconstructed.
"""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
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
from vitienv.world.ops.workers import BESIDE, ON_SPACE, count_used_spaces, used_spaces_at
from vitienv.world.rows import PARTNER, PARTNER_LIRA, PRICE
from vitienv.world.state import TILES_STREAM, WorldRule


class PartnerColumn(IntConstants):
    """Columns of the partner's cards."""

    SUMMER = 0
    WINTER = 1


PRINTED = 0  # row of the prices without rectangles
N_CARDS = len(PARTNER)


@jit
def turn_up_card(g):
    """Reveal a random card that was not used; a game uses twelve of fourteen."""
    num_cards = 0
    for card in range(N_CARDS):
        num_cards += 1 - ((int(g.partner_gone) >> card) & 1)
    index = below(random_word(g, TILES_STREAM), num_cards)
    card = 0
    while index > 0 or (int(g.partner_gone) >> card) & 1 == 1:
        index -= 1 - ((int(g.partner_gone) >> card) & 1)
        card += 1
    g.partner_gone |= 1 << card
    return card


@jit
def start_partner_season(g):
    """Reveal a card, gain 3 lira, place four workers, and push the partner's possible actions."""
    if g.rules[WorldRule.PARTNER] == 0:
        return
    places = PARTNER[turn_up_card(g), PartnerColumn.SUMMER if g.season == Season.SUMMER else PartnerColumn.WINTER]
    g.partner_lira += PARTNER_LIRA[0]
    spaces = count_used_spaces(g)
    for place in range(N_LETTERS):
        if (places >> place) & 1 == 1:
            is_free = g.oval_on[place] == NO_OVAL and used_spaces_at(spaces, place) < g.rules[WorldRule.SPACES_EACH]
            g.partner_on[place] = ON_SPACE if is_free else BESIDE
            if can_act(g, place):
                push(g, WorldOp.PARTNER, 0, 1, 0, place, 0, 0)


@jit
def can_act(g, place):
    """Return whether the partner can innovate on H, or buy influence on P, at the printed price."""
    if place != Place.INNOVATE and place != Place.BUY_INFLUENCE:
        return False
    remaining = int(g.partner_lira) - PRICE[PRINTED, place]
    if remaining < 0:
        return False
    return steps_left(g) > 0 if place == Place.BUY_INFLUENCE else can_take_tile(g, remaining)


@jit
def legal_partner(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_partner(g, t, action):
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

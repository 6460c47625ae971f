"""Set-up of World (W14, W17 to W24, O14)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.core.rng import below
from vitienv.viticulture.cards import (
    DECK_OF_KIND,
    MAMA_DRAWS,
    MAMA_LIRA,
    N_KINDS,
    NEEDS_OTHERS,
    PAPA_GIFT,
    PAPA_GIFT_LIRA,
    PAPA_LIRA,
)
from vitienv.viticulture.cards.papas import GIFT_VICTORY_POINT, GIFT_WORKER
from vitienv.viticulture.cards.parts import VISITORS
from vitienv.viticulture.enums import MAX_SEATS, N_DECKS, Worker
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.ops.draw import draw, random_word
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.setup import clockwise
from vitienv.viticulture.state import Chance, Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import N_BLUE, N_RED, N_REGULARS, Hat
from vitienv.world.frames import WorldOp, operation
from vitienv.world.language import EITHER_COLOUR
from vitienv.world.ops.effects import start_effect
from vitienv.world.ops.tiles import stack_tiles
from vitienv.world.ops.tokens import can_gain_grape
from vitienv.world.ops.workers import sort_regulars
from vitienv.world.rows import BLUE, COPIES_WITH_TRAINERS, RED, SETUP, WORLD_COPIES
from vitienv.world.state import N_MAMAS, N_PAPAS, WorldRule
from vitienv.world.tables import GIFT_GRAPE, GIFT_POINT, GIFT_VISITOR

RED_LIRA = 4  # column of the red cards, after those of the decks


class BlueColumn(IntConstants):
    """Columns of the blue cards."""

    LIRA = 0
    GIFT = 1
    GIFT_LIRA = 2


class ParentDeck(IntConstants):
    """Deck of parents."""

    RED = 0
    BLUE = 1


class SetupStage(IntConstants):
    """Stages: cards and lira of the red and blue cards, the continent's set-up, gifts of the blue cards (O14)."""

    GIVE = 0
    CONTINENT = 1
    GIFTS = 2


@jit
def new_game(g):
    """Initialise decks, tiles, token and seats, deal the cards, and push the set-up."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for kind in range(N_KINDS):
        copies = COPIES_WITH_TRAINERS[kind] if g.rules[WorldRule.TRAINERS] == 1 else WORLD_COPIES[kind]  # W104, W105
        copies = 0 if n == 1 and NEEDS_OTHERS[kind] == 1 else copies  # W100
        g.deck[kind] = copies
        g.n_deck[DECK_OF_KIND[kind]] += copies
    stack_tiles(g)
    g.influence = g.rules[WorldRule.START_INFLUENCE]
    for seat in range(n):
        start_seat(g, seat)
    g.first_player = below(random_word(g, Chance.SETUP), n)
    for seat in range(n):
        g.mamas[seat, 0] = deal(g, ParentDeck.RED)
        g.papas[seat, 0] = deal(g, ParentDeck.BLUE)
    push(g, FrameOp.SETUP, 0, 0, 0, 0, 0, 0)


@jit
def start_seat(g, seat):
    """Give a seat the grande and four regulars, two with a hat of each season, regardless of its cards (W21)."""
    g.vp[seat] = g.rules[Rule.START_VP]
    g.staff[seat, Worker.REGULAR] = N_REGULARS
    g.staff[seat, Worker.GRANDE] = 1
    for worker in range(2):
        g.free[seat, worker] = g.staff[seat, worker]
    yellow, blue = int(g.rules[WorldRule.YELLOW_HATS]), int(g.rules[WorldRule.BLUE_HATS])
    for w in range(N_REGULARS):
        if w < yellow:
            g.hat[seat, w] = Hat.YELLOW
        elif w < yellow + blue:
            g.hat[seat, w] = Hat.BLUE
        else:
            g.hat[seat, w] = Hat.BARE
    sort_regulars(g, seat)


# Red and blue cards are numbered after the original mamas and papas (W23, W24).


@jit
def n_of_deal(deck):
    return N_MAMAS + N_RED if deck == ParentDeck.RED else N_PAPAS + N_BLUE


@jit
def may_be_dealt(g, deck, card):
    """Return whether a card is in the game and not dealt; the two papas who give a worker are excluded (W24)."""
    num_original = N_MAMAS if deck == ParentDeck.RED else N_PAPAS
    if card < num_original and g.rules[WorldRule.MIXED_PARENTS] == 0:
        return False
    if deck == ParentDeck.BLUE and card < num_original and PAPA_GIFT[card] == GIFT_WORKER:
        return False
    for seat in range(MAX_SEATS):
        if (g.mamas[seat, 0] if deck == ParentDeck.RED else g.papas[seat, 0]) == card:
            return False
    return True


@jit
def deal(g, deck):
    """Draw a random red or blue card."""
    num_cards = 0
    for card in range(n_of_deal(deck)):
        if may_be_dealt(g, deck, card):
            num_cards += 1
    index = below(random_word(g, Chance.SETUP), num_cards)
    card = 0
    while index > 0 or not may_be_dealt(g, deck, card):
        if may_be_dealt(g, deck, card):
            index -= 1
        card += 1
    return card


@jit
def run_setup(g, t):
    """Run the next step of the set-up, each stage clockwise; return False after the last one."""
    stage, i = get(g, t, Frame.STAGE), get(g, t, Frame.DONE)
    if i == g.rules[Rule.NUM_PLAYERS]:
        set_stage(g, t, stage + 1)
        g.frames[t, Frame.DONE] = 0
        return stage < SetupStage.GIFTS
    g.frames[t, Frame.DONE] = i + 1
    seat = clockwise(g, i)
    if stage == SetupStage.GIVE:
        give_cards_of(g, seat)
    elif stage == SetupStage.CONTINENT:
        start_effect(g, seat, SETUP[int(g.rules[WorldRule.CONTINENT])], 0, 0)
    else:
        push(g, FrameOp.GIFT, seat, 1, 1, 0, 0, 0)
    return True


@jit
def give_cards_of(g, seat):
    red, blue = int(g.mamas[seat, 0]), int(g.papas[seat, 0])
    for deck in range(N_DECKS):
        n = MAMA_DRAWS[red, deck] if red < N_MAMAS else RED[red - N_MAMAS, deck]
        for _ in range(n):
            draw(g, seat, deck)
    gain_lira(g, seat, MAMA_LIRA[red] if red < N_MAMAS else RED[red - N_MAMAS, RED_LIRA])
    gain_lira(g, seat, PAPA_LIRA[blue] if blue < N_PAPAS else BLUE[blue - N_PAPAS, BlueColumn.LIRA])


# The blue card's gift, or more lira.


@jit
def gift_of(blue):
    """Return the gift of a blue card or papa: a structure, or a `GIFT_*`."""
    if blue >= N_PAPAS:
        return BLUE[blue - N_PAPAS, BlueColumn.GIFT]
    return GIFT_POINT if PAPA_GIFT[blue] == GIFT_VICTORY_POINT else PAPA_GIFT[blue]


@jit
def legal_gift(g, t, mask):
    mask[Move.OPTION] = 1
    mask[Move.OPTION + 1] = 1


@jit
def apply_gift(g, t, action):
    seat = get(g, t, Frame.SEAT)
    blue = int(g.papas[seat, 0])
    gift = gift_of(blue)
    pop(g)
    if action != Move.OPTION:
        gain_lira(g, seat, PAPA_GIFT_LIRA[blue] if blue < N_PAPAS else BLUE[blue - N_PAPAS, BlueColumn.GIFT_LIRA])
    elif gift == GIFT_POINT:
        gain_vp(g, seat, 1)
    elif gift == GIFT_GRAPE:
        if can_gain_grape(g, seat, EITHER_COLOUR, 1):
            push(g, WorldOp.GAIN_GRAPE, seat, 1, 1, EITHER_COLOUR, 1, 0)
    elif gift == GIFT_VISITOR:
        push(g, FrameOp.DECK, seat, 1, 1, VISITORS, 0, 0)
    else:
        g.structures[seat, gift] = 1


operation(FrameOp.GIFT, "papa_gift", legal=legal_gift, apply=apply_gift, shows=())

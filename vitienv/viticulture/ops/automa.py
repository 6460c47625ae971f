"""The Automa: its cards, and its workers, which only block spaces (Essential, Viticulture Automa)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.rng import below
from vitienv.viticulture.board import AGGRESSIVE_TARGETS, AUTOMA_WORKERS_MAX
from vitienv.viticulture.cards import AUTOMA_PLACES, N_AUTOMA
from vitienv.viticulture.derived import n_workers
from vitienv.viticulture.enums import AUTOMA, N_BOARD_ACTIONS, N_SPACES, Season
from vitienv.viticulture.ops.counting import FULL_STAFF
from vitienv.viticulture.ops.draw import random_word
from vitienv.viticulture.ops.workers import BLOCKER_SEAT, is_blocker, is_free
from vitienv.viticulture.places import end_of_acts, first_act
from vitienv.viticulture.state import NO_AUTOMA, Chance, Rule

PLAYER = 0  # seat that plays against the Automa
NO_SPACE = -1


@jit
def draw_automa(g):
    """Draw an Automa card; after the last one the deck is reshuffled (Essential, Difficulty levels, hard)."""
    num_cards = 0
    for card in range(N_AUTOMA):
        num_cards += int(g.automa_deck[card])
    if num_cards == 0:
        num_cards = N_AUTOMA
        for card in range(N_AUTOMA):
            g.automa_deck[card] = 1
    if g.automa_n_forced > 0:
        g.automa_n_forced -= 1
        card = int(g.automa_forced[int(g.automa_n_forced)])
        g.automa_forced[int(g.automa_n_forced)] = -1
        if g.automa_deck[card] == 1:
            g.automa_deck[card] = 0
            return card
    index = below(random_word(g, Chance.AUTOMA), num_cards)
    card = 0
    while index > 0 or g.automa_deck[card] == 0:
        index -= int(g.automa_deck[card])
        card += 1
    g.automa_deck[card] = 0
    return card


@jit
def free_space(g, act):
    """Return the first free space of an action, or NO_SPACE."""
    for space in range(N_SPACES):
        if is_free(g, act, space):
            return space
    return NO_SPACE


@jit
def n_automa_workers(g):
    """Return the number of Automa workers on the board, including those of the summer."""
    total = 0
    for act in range(N_BOARD_ACTIONS):
        for space in range(N_SPACES):
            if g.space_seat[act, space] == AUTOMA:
                total += 1
    return total


@jit
def place_automa_worker(g, act):
    """Place a worker on an action; return whether a space and a worker were available."""
    space = free_space(g, act)
    if space == NO_SPACE or n_automa_workers(g) == AUTOMA_WORKERS_MAX:
        return False
    g.space_seat[act, space] = AUTOMA
    return True


@jit
def place_automa_card(g):
    """Draw a card and place its workers of the season in printed order; return their number."""
    card, season, num_placed = draw_automa(g), 0 if g.season == Season.SUMMER else 1, 0
    for i in range(AUTOMA_PLACES.shape[2]):
        act = AUTOMA_PLACES[card, season, i]
        if act >= 0 and place_automa_worker(g, act):
            num_placed += 1
    return num_placed


@jit
def can_place_automa(g):
    """Return whether the Automa can place a worker on an action of the season."""
    if n_automa_workers(g) == AUTOMA_WORKERS_MAX:
        return False
    for act in range(first_act(g.season), end_of_acts(g.season)):
        if free_space(g, act) != NO_SPACE:
            return True
    return False


@jit
def start_automa_season(g):
    """Draw one card, and on hard levels more until enough workers are placed (Essential, Automa cards)."""
    if g.rules[Rule.AUTOMA_LEAST] == NO_AUTOMA:
        return
    num_placed = place_automa_card(g)
    while num_placed < g.rules[Rule.AUTOMA_LEAST] and can_place_automa(g):
        num_placed += place_automa_card(g)


@jit
def set_target(g):
    """Set the Automa's marker of this year (Essential, Aggressive variant)."""
    if g.rules[Rule.AGGRESSIVE] == 0:
        return
    g.automa_vp = AGGRESSIVE_TARGETS[min(int(g.year), len(AGGRESSIVE_TARGETS)) - 1]
    if is_blocker(g, BLOCKER_SEAT):
        g.vp[BLOCKER_SEAT] = g.automa_vp


@jit
def is_lost(g):
    """Return whether the game is lost at the end of this year (Essential, Aggressive variant)."""
    return g.rules[Rule.AGGRESSIVE] == 1 and g.vp[PLAYER] <= g.automa_vp


@jit
def lacks_staff(g):
    """Return whether workers are missing at the end of a year; the temporary one counts (Campaign play, 3; C4)."""
    return g.rules[Rule.STAFF_YEAR] == g.year and n_workers(g, PLAYER) < FULL_STAFF

"""The Automa: its cards, and its workers, which block spaces and do nothing (Essential, Viticulture Automa)."""

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

PLAYER = 0  # the seat that plays against the Automa
NO_SPACE = -1


@jit
def draw_automa(g):
    """The next card; once all are drawn they are shuffled together again (Essential, Difficulty levels, hard)."""
    left = 0
    for card in range(N_AUTOMA):
        left += int(g.automa_deck[card])
    if left == 0:
        left = N_AUTOMA
        for card in range(N_AUTOMA):
            g.automa_deck[card] = 1
    if g.automa_n_forced > 0:
        g.automa_n_forced -= 1
        card = int(g.automa_forced[int(g.automa_n_forced)])
        g.automa_forced[int(g.automa_n_forced)] = -1
        if g.automa_deck[card] == 1:
            g.automa_deck[card] = 0
            return card
    at = below(random_word(g, Chance.AUTOMA), left)
    card = 0
    while at > 0 or g.automa_deck[card] == 0:
        at -= int(g.automa_deck[card])
        card += 1
    g.automa_deck[card] = 0
    return card


@jit
def free_space(g, act):
    """The first free space of an action, NO_SPACE if it is taken."""
    for space in range(N_SPACES):
        if is_free(g, act, space):
            return space
    return NO_SPACE


@jit
def n_automa_workers(g):
    """How many workers of the Automa stand on the board, those of the summer included."""
    total = 0
    for act in range(N_BOARD_ACTIONS):
        for space in range(N_SPACES):
            if g.space_seat[act, space] == AUTOMA:
                total += 1
    return total


@jit
def place_automa_worker(g, act):
    """Put a worker on a free action; True if there was room and a worker."""
    space = free_space(g, act)
    if space == NO_SPACE or n_automa_workers(g) == AUTOMA_WORKERS_MAX:
        return False
    g.space_seat[act, space] = AUTOMA
    return True


@jit
def place_automa_card(g):
    """Turn up a card and place what it shows for the season, in the order printed; how many workers that were."""
    card, season, placed = draw_automa(g), 0 if g.season == Season.SUMMER else 1, 0
    for i in range(AUTOMA_PLACES.shape[2]):
        act = AUTOMA_PLACES[card, season, i]
        if act >= 0 and place_automa_worker(g, act):
            placed += 1
    return placed


@jit
def can_place_automa(g):
    """Whether any action of the season is free for a worker of the Automa."""
    if n_automa_workers(g) == AUTOMA_WORKERS_MAX:
        return False
    for act in range(first_act(g.season), end_of_acts(g.season)):
        if free_space(g, act) != NO_SPACE:
            return True
    return False


@jit
def start_automa_season(g):
    """One card, and at the hard levels further ones until enough workers stand (Essential, Automa cards)."""
    if g.rules[Rule.AUTOMA_LEAST] == NO_AUTOMA:
        return
    placed = place_automa_card(g)
    while placed < g.rules[Rule.AUTOMA_LEAST] and can_place_automa(g):
        placed += place_automa_card(g)


@jit
def set_target(g):
    """Where the Automa's marker stands this year (Essential, Aggressive variant)."""
    if g.rules[Rule.AGGRESSIVE] == 0:
        return
    g.automa_vp = AGGRESSIVE_TARGETS[min(int(g.year), len(AGGRESSIVE_TARGETS)) - 1]
    if is_blocker(g, BLOCKER_SEAT):
        g.vp[BLOCKER_SEAT] = g.automa_vp


@jit
def is_lost(g):
    """Whether the game is lost at the end of this year (Essential, Aggressive variant)."""
    return g.rules[Rule.AGGRESSIVE] == 1 and g.vp[PLAYER] <= g.automa_vp


@jit
def lacks_staff(g):
    """Whether workers are missing when a year is played; the temporary one still counts (Campaign play, 3; C4)."""
    return g.rules[Rule.STAFF_YEAR] == g.year and n_workers(g, PLAYER) < FULL_STAFF

"""Hats, where workers stand, and taking them back (W21, W36 to W39, W62, W73, W107)."""

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.enums import NOWHERE, Season, Worker
from vitienv.viticulture.state import Rule
from vitienv.world.enums import (
    AT_HAND,
    GRANDE,
    N_KINDS,
    N_LETTERS,
    N_PLACES,
    N_REGULARS,
    N_STANDS,
    N_WORKERS,
    NO_OVAL,
    TEMPORARY,
    Hat,
    Kind,
    Stands,
)
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import IN_ORDER, KIND_OF, N_PLACINGS, PLACE_OF, STANDS_OF

NO_WORKER = -1
ON_SPACE, BESIDE = 1, 2  # how a worker of the simulated partner stands
BITS_OF_A_PLACE = 3  # more than the two spaces of an action need
# The space that a worker takes, by where it stands, from at hand on.
TAKES = np.zeros(1 + N_PLACES * N_STANDS, np.int64)
TAKES[1 + Stands.PLAIN :: N_STANDS] = 1 << (BITS_OF_A_PLACE * np.arange(N_PLACES))


@jit
def hat_of_season(season):
    """The hat under which a worker may be placed now (W36)."""
    return Hat.YELLOW if season == Season.SUMMER else Hat.BLUE


@jit
def kind_of_worker(g, seat, w):
    """What a `place:` action calls a worker: by its hat, the temporary one as a regular (W37)."""
    if w == GRANDE:
        return Kind.GRANDE
    if w == TEMPORARY:
        return Kind.REGULAR
    return Kind.REGULAR if g.hat[seat, w] == Hat.BARE else Kind.HATTED


@jit
def worker_at_hand(g, seat, kind):
    """A worker of a kind that can be placed now, a bare one before the temporary one; NO_WORKER if none."""
    if kind == Kind.GRANDE:
        return GRANDE if g.free[seat, Worker.GRANDE] > 0 else NO_WORKER
    wanted = hat_of_season(int(g.season)) if kind == Kind.HATTED else Hat.BARE
    for w in range(N_REGULARS):
        if g.at[seat, w] == AT_HAND and g.hat[seat, w] == wanted:
            return w
    if kind == Kind.REGULAR and g.free[seat, Worker.TEMPORARY] > 0:
        return TEMPORARY
    return NO_WORKER


@jit
def has_usable(g, seat):
    """Whether a seat has a worker that it can place in this season (W36, W37, W79)."""
    for kind in range(N_KINDS):
        if worker_at_hand(g, seat, kind) != NO_WORKER:
            return True
    return False


@jit
def number_of_worker(w):
    """What the other rulesets' fields call a worker."""
    if w == GRANDE:
        return Worker.GRANDE
    return Worker.TEMPORARY if w == TEMPORARY else Worker.REGULAR


@jit
def order_of(g, seat, w):
    """By what regulars are put in order: their hat, then where they stand."""
    return int(g.hat[seat, w]) * 100 + int(g.at[seat, w])


@jit
def tidy(g, seat):
    """Regulars in order: which of two that stand alike is which says nothing, so no record tells."""
    for i in range(1, N_REGULARS):
        for j in range(i, 0, -1):
            if order_of(g, seat, j) >= order_of(g, seat, j - 1):
                break
            hat, at = int(g.hat[seat, j]), int(g.at[seat, j])
            g.hat[seat, j] = g.hat[seat, j - 1]
            g.at[seat, j] = g.at[seat, j - 1]
            g.hat[seat, j - 1] = hat
            g.at[seat, j - 1] = at


@jit
def send(g, seat, w, place, stands):
    """Put a worker on a place; returns where it stands, as one number."""
    at = place * N_STANDS + stands
    g.at[seat, w] = at
    g.free[seat, number_of_worker(w)] -= 1
    tidy(g, seat)
    return at


@jit
def fetch(g, seat, w):
    """Take a worker back; its hat still says where it may go (W38, O49)."""
    g.at[seat, w] = AT_HAND
    g.free[seat, number_of_worker(w)] += 1
    tidy(g, seat)


@jit
def workers_home_of(g, seat):
    """All workers of a seat leave the board at its own winter pass, the temporary one for the ring (W76, O32)."""
    for w in range(N_WORKERS):
        g.at[seat, w] = AT_HAND
    g.staff[seat, Worker.TEMPORARY] = 0
    for worker in range(3):
        g.free[seat, worker] = g.staff[seat, worker]
    tidy(g, seat)


# Room.


@jit
def spaces_taken(g):
    """How many workers stand on printed spaces, by place, three bits each."""
    taken = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        for w in range(N_WORKERS):
            taken += TAKES[1 + int(g.at[seat, w])]
    if g.rules[WorldRule.PARTNER] == 1:
        for place in range(N_LETTERS):
            if g.partner_on[place] == ON_SPACE:
                taken += 1 << (BITS_OF_A_PLACE * place)
    return taken


@jit
def taken_at(taken, place):
    """How many of them stand on a place."""
    return (taken >> (BITS_OF_A_PLACE * place)) & 7


@jit
def how_to_stand(g, taken, place):
    """Where a worker comes to stand on an action of the board: an oval is never full, and beyond full spaces there is
    room for grandes alone (W39, W62)."""
    if g.oval_on[place] != NO_OVAL:
        return Stands.OVAL
    return Stands.PLAIN if taken_at(taken, place) < g.rules[WorldRule.SPACES_EACH] else Stands.CROWD


@jit
def stands_on(g, seat, place):
    """Whether any worker of a seat stands on a place (W43, O21)."""
    for w in range(N_WORKERS):
        at = int(g.at[seat, w])
        if at != AT_HAND and at // N_STANDS == place:
            return True
    return False


@jit
def move_onto_oval(g, place):
    """Workers already on an action move onto its new oval (W61)."""
    if g.partner_on[place] == ON_SPACE:
        g.partner_on[place] = BESIDE
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        for w in range(N_WORKERS):
            at = int(g.at[seat, w])
            if at != AT_HAND and at // N_STANDS == place:
                g.at[seat, w] = place * N_STANDS + Stands.OVAL
        tidy(g, seat)


# Hats (W73, O27).


@jit
def hatted_worker(g, seat, hat):
    """A regular under a hat, one at hand before one on the board; NO_WORKER if there is none."""
    found = NO_WORKER
    for w in range(N_REGULARS):
        if g.hat[seat, w] == hat:
            if g.at[seat, w] == AT_HAND:
                return w
            found = w
    return found


@jit
def take_hat(g, seat, hat):
    """The hat leaves the game; the worker is trained from now on."""
    g.hat[seat, hatted_worker(g, seat, hat)] = Hat.BARE
    tidy(g, seat)


# Workers taken back (Producer, Motivator).


@jit
def worker_placed_as(g, seat, action):
    """An own worker that stands as a `place:` action says, NO_WORKER if none."""
    at = PLACE_OF[action] * N_STANDS + STANDS_OF[action]
    for w in range(N_WORKERS):
        if g.at[seat, w] == at and kind_of_worker(g, seat, w) == KIND_OF[action]:
            return w
    return NO_WORKER


@jit
def n_placed_as(g, seat, action):
    """How many own workers stand as a `place:` action says, but for the one that was placed this turn."""
    at = PLACE_OF[action] * N_STANDS + STANDS_OF[action]
    found = 0
    for w in range(N_WORKERS):
        if g.at[seat, w] == at and kind_of_worker(g, seat, w) == KIND_OF[action]:
            found += 1
    if seat == g.turn_seat and at == g.turn_place and KIND_OF[action] == g.turn_worker:
        found -= 1
    return found


@jit
def n_placed_from(g, seat, first):
    """How many workers may be named, in the order of the placings from the one of this number on."""
    found = 0
    for i in range(first, N_PLACINGS):
        found += n_placed_as(g, seat, IN_ORDER[i])
    return found


@jit
def fetch_grande(g, seat):
    """Take back the grande, wherever it stands (W107). Stands in for `take_back_grande`."""
    if seat == g.turn_seat and g.turn_worker == Kind.GRANDE:
        g.turn_place = NOWHERE
        g.turn_worker = NO_WORKER
    fetch(g, seat, GRANDE)

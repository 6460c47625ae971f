"""Workers: hats, placement and retrieval (W21, W36 to W39, W62, W73, W107)."""

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
    N_STANCES,
    N_WORKERS,
    NO_OVAL,
    TEMPORARY,
    Hat,
    Kind,
    Stance,
)
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import IN_ORDER, KIND_OF, N_PLACINGS, PLACE_OF, STANCE_OF

NO_WORKER = -1
ON_SPACE, BESIDE = 1, 2  # stance of a worker of the simulated partner
BITS_OF_A_PLACE = 3
# Increment of the packed space counts, by a worker's position + 1.
TAKES = np.zeros(1 + N_PLACES * N_STANCES, np.int64)
TAKES[1 + Stance.PLAIN :: N_STANCES] = 1 << (BITS_OF_A_PLACE * np.arange(N_PLACES))


@jit
def hat_of_season(season):
    """Return the hat with which a worker can be placed in a season (W36)."""
    return Hat.YELLOW if season == Season.SUMMER else Hat.BLUE


@jit
def kind_of_worker(g, seat, w):
    """Return the `Kind` of a worker in `place:` actions; the temporary worker is a regular (W37)."""
    if w == GRANDE:
        return Kind.GRANDE
    if w == TEMPORARY:
        return Kind.REGULAR
    return Kind.REGULAR if g.hat[seat, w] == Hat.BARE else Kind.HATTED


@jit
def worker_at_hand(g, seat, kind):
    """Return a worker of a kind that can be placed now, a bare one before the temporary one; NO_WORKER if none."""
    if kind == Kind.GRANDE:
        return GRANDE if g.free[seat, Worker.GRANDE] > 0 else NO_WORKER
    hat = hat_of_season(int(g.season)) if kind == Kind.HATTED else Hat.BARE
    for w in range(N_REGULARS):
        if g.at[seat, w] == AT_HAND and g.hat[seat, w] == hat:
            return w
    if kind == Kind.REGULAR and g.free[seat, Worker.TEMPORARY] > 0:
        return TEMPORARY
    return NO_WORKER


@jit
def has_usable(g, seat):
    """Return whether a seat has a worker that it can place in this season (W36, W37, W79)."""
    for kind in range(N_KINDS):
        if worker_at_hand(g, seat, kind) != NO_WORKER:
            return True
    return False


@jit
def number_of_worker(w):
    """Return the `Worker` of Viticulture's fields."""
    if w == GRANDE:
        return Worker.GRANDE
    return Worker.TEMPORARY if w == TEMPORARY else Worker.REGULAR


@jit
def order_of(g, seat, w):
    """Sort key of regulars: hat, then position."""
    return int(g.hat[seat, w]) * 100 + int(g.at[seat, w])


@jit
def sort_regulars(g, seat):
    """Sort the regulars, so that equivalent states are equal."""
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
    """Put a worker on a place; return its position, place * N_STANDS + stance."""
    at = place * N_STANCES + stands
    g.at[seat, w] = at
    g.free[seat, number_of_worker(w)] -= 1
    sort_regulars(g, seat)
    return at


@jit
def retrieve(g, seat, w):
    """Retrieve a worker; its hat still restricts its season (W38, O49)."""
    g.at[seat, w] = AT_HAND
    g.free[seat, number_of_worker(w)] += 1
    sort_regulars(g, seat)


@jit
def return_workers_of(g, seat):
    """Retrieve all workers of a seat at its winter pass; the temporary worker leaves (W76, O32)."""
    for w in range(N_WORKERS):
        g.at[seat, w] = AT_HAND
    g.staff[seat, Worker.TEMPORARY] = 0
    for worker in range(3):
        g.free[seat, worker] = g.staff[seat, worker]
    sort_regulars(g, seat)


# Room.


@jit
def count_used_spaces(g):
    """Count the workers on printed spaces; three bits per place."""
    counts = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        for w in range(N_WORKERS):
            counts += TAKES[1 + int(g.at[seat, w])]
    if g.rules[WorldRule.PARTNER] == 1:
        for place in range(N_LETTERS):
            if g.partner_on[place] == ON_SPACE:
                counts += 1 << (BITS_OF_A_PLACE * place)
    return counts


@jit
def used_spaces_at(used_spaces, place):
    return (used_spaces >> (BITS_OF_A_PLACE * place)) & 7


@jit
def stance_at(g, used_spaces, place):
    """Return the next worker's stance: ovals are never full; full actions are open to grandes only (W39, W62)."""
    if g.oval_on[place] != NO_OVAL:
        return Stance.OVAL
    return Stance.PLAIN if used_spaces_at(used_spaces, place) < g.rules[WorldRule.SPACES_EACH] else Stance.CROWD


@jit
def has_worker_on(g, seat, place):
    """Return whether a seat has a worker on a place (W43, O21)."""
    for w in range(N_WORKERS):
        at = int(g.at[seat, w])
        if at != AT_HAND and at // N_STANCES == place:
            return True
    return False


@jit
def move_onto_oval(g, place):
    """Move the workers of an action onto its new oval (W61)."""
    if g.partner_on[place] == ON_SPACE:
        g.partner_on[place] = BESIDE
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        for w in range(N_WORKERS):
            at = int(g.at[seat, w])
            if at != AT_HAND and at // N_STANCES == place:
                g.at[seat, w] = place * N_STANCES + Stance.OVAL
        sort_regulars(g, seat)


# Hats (W73, O27).


@jit
def hatted_worker(g, seat, hat):
    """Return a regular with a hat, one at hand before one on the board; NO_WORKER if none."""
    placed_worker = NO_WORKER
    for w in range(N_REGULARS):
        if g.hat[seat, w] == hat:
            if g.at[seat, w] == AT_HAND:
                return w
            placed_worker = w
    return placed_worker


@jit
def take_hat(g, seat, hat):
    """Remove a worker's hat from the game."""
    g.hat[seat, hatted_worker(g, seat, hat)] = Hat.BARE
    sort_regulars(g, seat)


# Retrieving workers (Producer, Motivator).


@jit
def worker_placed_as(g, seat, action):
    """Return a worker of a seat placed as a `place:` action names it; NO_WORKER if none."""
    at = PLACE_OF[action] * N_STANCES + STANCE_OF[action]
    for w in range(N_WORKERS):
        if g.at[seat, w] == at and kind_of_worker(g, seat, w) == KIND_OF[action]:
            return w
    return NO_WORKER


@jit
def n_placed_as(g, seat, action):
    """Count the workers of a seat placed as a `place:` action names it, except the one placed this turn."""
    at = PLACE_OF[action] * N_STANCES + STANCE_OF[action]
    total = 0
    for w in range(N_WORKERS):
        if g.at[seat, w] == at and kind_of_worker(g, seat, w) == KIND_OF[action]:
            total += 1
    if seat == g.turn_seat and at == g.turn_place and KIND_OF[action] == g.turn_worker:
        total -= 1
    return total


@jit
def n_placed_from(g, seat, first):
    """Count the workers that can be retrieved, in the order of placements from `first`."""
    total = 0
    for i in range(first, N_PLACINGS):
        total += n_placed_as(g, seat, IN_ORDER[i])
    return total


@jit
def retrieve_world_grande(g, seat):
    """Retrieve the grande from any place (W107). Replaces `retrieve_grande`."""
    if seat == g.turn_seat and g.turn_worker == Kind.GRANDE:
        g.turn_place = NOWHERE
        g.turn_worker = NO_WORKER
    retrieve(g, seat, GRANDE)

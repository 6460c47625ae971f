"""Planner, Producer and Organizer: workers placed ahead, taken back, and the rooster moved."""

from vitienv.core.jit import jit
from vitienv.viticulture.board import (
    ROW_LIRA,
    ROW_ORDER,
    ROW_TEMPORARY,
    ROW_VINE,
    ROW_VISITOR,
    ROW_VP,
)
from vitienv.viticulture.cards.parts import VISITORS
from vitienv.viticulture.frames import count_one, enough, finish, get, pop, push
from vitienv.viticulture.names import (
    DECK_ORDER,
    DECK_VINE,
    GRANDE,
    N_BOARD_ACTIONS,
    N_ROWS,
    N_SUMMER_ACTIONS,
    NO_SEAT,
)
from vitienv.viticulture.ops.draw import draw
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.opponents import OP_DECK, seat_in_row
from vitienv.viticulture.ops.workers import (
    bonus_space_free,
    free_plain_space,
    free_workers,
    is_blocker,
    mark_placings,
    n_placed_as,
    put_worker,
    take_back,
    take_temporary,
)
from vitienv.viticulture.state import DONE, GLASS_TOKENS, LAST_ORGANIZER_ROW, LEFT, SEAT, B
from vitienv.viticulture.vocabulary import CARD_ACTION, DONE_ACTION, PLACE, WAKE

# Planner: a worker onto a winter action of the board; whether it can be carried out is judged in winter.


@jit
def can_plan(g, seat):
    """Whether a free worker finds room on a winter action."""
    if free_workers(g, seat) == 0:
        return False
    if g.free[seat, GRANDE] > 0:
        return True
    for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
        if free_plain_space(g, act) >= 0 or bonus_space_free(g, act):
            return True
    return False


@jit
def legal_plan(g, t, mask):
    for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
        mark_placings(g, get(g, t, SEAT), act, True, True, True, True, mask)


@jit
def apply_plan(g, t, action):
    put_worker(g, get(g, t, SEAT), action)
    finish(g, 1)


# Producer: one or two own workers taken back, but not the one that played the card; B the last one named.


@jit
def run_retrieve(g, t):
    """Ends after the second worker, or when no other is placed."""
    if g.frames[t, DONE] == 0 or (g.frames[t, LEFT] > 0 and n_placed_from(g, t) > 0):
        return False
    finish(g, 1)
    return True


@jit
def n_placed_from(g, t):
    """How many workers may be named, in the order of the actions, from the last one named on."""
    found = 0
    for action in range(max(PLACE, get(g, t, B)), CARD_ACTION):
        found += n_placed_as(g, get(g, t, SEAT), action, int(g.turn_place))
    return found


@jit
def legal_retrieve(g, t, mask):
    for action in range(max(PLACE, get(g, t, B)), CARD_ACTION):
        if n_placed_as(g, get(g, t, SEAT), action, int(g.turn_place)) > 0:
            mask[action] = 1
    if enough(g, t):
        mask[DONE_ACTION] = 1


@jit
def apply_retrieve(g, t, action):
    if action == DONE_ACTION:
        finish(g, 1)
        return
    take_back(g, get(g, t, SEAT), action, int(g.turn_place))
    g.frames[t, B] = action
    count_one(g, t)


# Glass tokens of the solo game (Essential, Viticulture Automa, Wake-up chart).


@jit
def any_glass(g, seat):
    """Whether a free row has a glass token of this seat."""
    for row in range(1, N_ROWS + 1):
        if g.glass[seat, row - 1] == 1 and row_is_free(g, row):
            return True
    return False


@jit
def legal_wake(g, t, mask):
    """A free row; with glass tokens only rows that have one, as long as there is such a row."""
    seat = get(g, t, SEAT)
    needs_glass = g.rules[GLASS_TOKENS] == 1 and not is_blocker(g, seat) and any_glass(g, seat)
    for row in range(1, N_ROWS + 1):
        if row_is_free(g, row) and (not needs_glass or g.glass[seat, row - 1] == 1):
            mask[WAKE + row - 1] = 1


@jit
def apply_wake(g, t, action):
    """The glass token of the row becomes a bonus action token."""
    seat, row = get(g, t, SEAT), action - WAKE + 1
    pop(g)
    if g.rules[GLASS_TOKENS] == 1 and g.glass[seat, row - 1] == 1:
        g.glass[seat, row - 1] = 0
        g.bonus_tokens[seat] += 1
    take_row(g, seat, row)


# Organizer: the rooster moves to an empty row, and the season is over for the seat.


@jit
def row_is_free(g, row):
    return seat_in_row(g, row) == NO_SEAT


@jit
def legal_rooster(g, t, mask):
    """In the solo game not to the last row (Essential, Viticulture Automa, Wake-up chart)."""
    for row in range(1, int(g.rules[LAST_ORGANIZER_ROW]) + 1):
        if row_is_free(g, row):
            mask[WAKE + row - 1] = 1


@jit
def apply_rooster(g, t, action):
    """The new row counts from the next season on; a second visitor may still be played (rulings, Organizer)."""
    seat = get(g, t, SEAT)
    finish(g, 1)
    g.passed[seat] = 1
    take_row(g, seat, action - WAKE + 1)


@jit
def take_row(g, seat, row):
    """Place the rooster and take the row's bonus at once (Essential, Wake-up chart)."""
    g.row[seat] = row
    if is_blocker(g, seat):
        return
    if row == ROW_VINE:
        draw(g, seat, DECK_VINE)
    elif row == ROW_ORDER:
        draw(g, seat, DECK_ORDER)
    elif row == ROW_LIRA:
        gain_lira(g, seat, 1)
    elif row == ROW_VISITOR:
        push(g, OP_DECK, seat, 1, 1, VISITORS, 0, 0)
    elif row == ROW_VP:
        gain_vp(g, seat, 1)
    elif row == ROW_TEMPORARY:
        take_temporary(g, seat)

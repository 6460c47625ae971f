"""Planner, Producer and Organizer: placing workers ahead, retrieving them, and moving the rooster."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, has_enough, pop, push
from vitienv.viticulture.board import Row
from vitienv.viticulture.cards.parts import VISITORS, PartOp
from vitienv.viticulture.enums import N_BOARD_ACTIONS, N_ROWS, N_SUMMER_ACTIONS, NO_SEAT, Deck, Season, Worker
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.ops.draw import draw
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.offers import seat_in_row
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.ops.workers import (
    bonus_space_free,
    free_workers,
    is_blocker,
    mark_placings,
    n_placed,
    n_placed_as,
    plain_space_free,
    put_worker,
    retrieve_worker,
    take_temporary,
)
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move

# Planner: a worker is placed on a winter action of the board; its legality is tested in winter.


@jit
def can_plan(g, seat):
    """Return whether a free worker can be placed on a winter action."""
    if free_workers(g, seat) == 0:
        return False
    if g.free[seat, Worker.GRANDE] > 0:
        return True
    for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
        if plain_space_free(g, act) or bonus_space_free(g, act):
            return True
    return False


@jit
def legal_plan(g, t, mask):
    # The friendly variant allows a bonus space only where no other space of its action is free (ruling P10a).
    for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
        is_open = g.rules[Rule.FRIENDLY] == 0 or not plain_space_free(g, act)
        mark_placings(g, get(g, t, Frame.SEAT), act, True, is_open, True, is_open, mask)


@jit
def apply_plan(g, t, action):
    put_worker(g, get(g, t, Frame.SEAT), action)
    finish(g, 1)


operation(FrameOp.PLAN, "plan_action", legal=legal_plan, apply=apply_plan, shows=())


part(
    PartOp.PLAN,
    needs=lambda g, seat, a, b, c: g.season == Season.SUMMER and can_plan(g, seat),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.PLAN, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "place a worker on a winter action, which is taken when winter begins",
)


# Producer: one or two placed workers are retrieved, except the one that played the card. Frame columns: B the last
# choice.


@jit
def run_retrieve(g, t):
    """End after the second worker, or when no other is placed."""
    if g.frames[t, Frame.DONE] == 0 or (g.frames[t, Frame.LEFT] > 0 and n_placed_from(g, t) > 0):
        return False
    finish(g, 1)
    return True


@jit
def first_named(g, t):
    """Return the first action that can name a worker."""
    last = get(g, t, Frame.B)
    return max(last, Move.PLACE)


@jit
def n_placed_from(g, t):
    """Return the number of workers that can be named, from the last choice on."""
    num_workers = 0
    for action in range(first_named(g, t), Move.CARD):
        num_workers += n_placed_as(g, get(g, t, Frame.SEAT), action, int(g.turn_place))
    return num_workers


@jit
def legal_retrieve(g, t, mask):
    for action in range(first_named(g, t), Move.CARD):
        if n_placed_as(g, get(g, t, Frame.SEAT), action, int(g.turn_place)) > 0:
            mask[action] = 1
    if has_enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_retrieve(g, t, action):
    if action == Move.DONE:
        finish(g, 1)
        return
    retrieve_worker(g, get(g, t, Frame.SEAT), action, int(g.turn_place))
    g.frames[t, Frame.B] = action
    count_one(g, t)


operation(
    FrameOp.RETRIEVE, "retrieve_worker", run=run_retrieve, legal=legal_retrieve, apply=apply_retrieve, shows=(Frame.B,)
)


part(
    PartOp.RETRIEVE,
    needs=lambda g, seat, a, b, c: n_placed(g, seat, int(g.turn_place)) > 0,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.RETRIEVE, seat, a, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda n, b, c: f"retrieve up to {n} of your other placed workers, to place them again this year",
)


# Glass tokens belong to the solo game (Essential, Viticulture Automa, Wake-up chart).


@jit
def any_glass(g, seat):
    """Return whether a free row has a glass token of this seat."""
    for row in range(1, N_ROWS + 1):
        if g.glass[seat, row - 1] == 1 and row_is_free(g, row):
            return True
    return False


@jit
def legal_wake(g, t, mask):
    """Mark free rows, and only those with a glass token while there are some."""
    seat = get(g, t, Frame.SEAT)
    needs_glass = g.rules[Rule.GLASS_TOKENS] == 1 and not is_blocker(g, seat) and any_glass(g, seat)
    for row in range(1, N_ROWS + 1):
        if row_is_free(g, row) and (not needs_glass or g.glass[seat, row - 1] == 1):
            mask[Move.WAKE_UP + row - 1] = 1


@jit
def apply_wake(g, t, action):
    """Take a row; its glass token becomes a bonus action token."""
    seat, row = get(g, t, Frame.SEAT), action - Move.WAKE_UP + 1
    pop(g)
    if g.rules[Rule.GLASS_TOKENS] == 1 and g.glass[seat, row - 1] == 1:
        g.glass[seat, row - 1] = 0
        g.bonus_tokens[seat] += 1
    take_row(g, seat, row)


operation(FrameOp.WAKE, "wake_up", legal=legal_wake, apply=apply_wake, shows=())


# Organizer: the rooster moves to an empty row, and the season ends for the seat.


@jit
def row_is_free(g, row):
    return seat_in_row(g, row) == NO_SEAT


@jit
def legal_rooster(g, t, mask):
    """Mark empty rows; in the solo game not the last one (Essential, Viticulture Automa, Wake-up chart)."""
    for row in range(1, int(g.rules[Rule.LAST_ORGANIZER_ROW]) + 1):
        if row_is_free(g, row):
            mask[Move.WAKE_UP + row - 1] = 1


@jit
def apply_rooster(g, t, action):
    """Move the rooster from the next season on; a second visitor can still be played (rulings, Organizer)."""
    seat = get(g, t, Frame.SEAT)
    finish(g, 1)
    g.passed[seat] = 1
    take_row(g, seat, action - Move.WAKE_UP + 1)


operation(FrameOp.ROOSTER, "move_rooster", legal=legal_rooster, apply=apply_rooster, shows=())


part(
    PartOp.MOVE_ROOSTER,
    needs=NOTHING,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.ROOSTER, seat, 1, 1, 0, 0, 0),
    worth=30,
    says=lambda a, b, c: (
        "move your rooster to an empty wake-up row, take its bonus, and pass for this season; "
        "the new row applies from the next season"
    ),
)


@jit
def take_row(g, seat, row):
    """Place the rooster and take the bonus of the row (Essential, Wake-up chart)."""
    g.row[seat] = row
    if is_blocker(g, seat):
        return
    if row == Row.VINE:
        draw(g, seat, Deck.VINE)
    elif row == Row.ORDER:
        draw(g, seat, Deck.ORDER)
    elif row == Row.LIRA:
        gain_lira(g, seat, 1)
    elif row == Row.VISITOR:
        push(g, FrameOp.DECK, seat, 1, 1, VISITORS, 0, 0)
    elif row == Row.VP:
        gain_vp(g, seat, 1)
    elif row == Row.TEMPORARY:
        take_temporary(g, seat)


# `acts.py` asks for the Manager's summer action; a tour is always possible.
part(
    PartOp.MANAGE,
    needs=NOTHING,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.MANAGE, seat, 1, 1, 0, 0, 0),
    worth=90,
    says=lambda a, b, c: "use a summer action of the board without a worker, even if it is full, but without its bonus",
)

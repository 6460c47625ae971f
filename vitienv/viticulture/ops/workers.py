"""Placing, retrieving and training workers (Essential, Worker placement)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, push
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import (
    AT_CART,
    AT_YOKE,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_SPACES,
    NO_SEAT,
    NOWHERE,
    Act,
    Space,
    Worker,
)
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.predicates import can_train
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.places import (
    ACT_OF_PLACING,
    PLACING,
    PLACING_OF_ACTION,
    act_of_place,
    is_crowd,
    place_of_crowd,
    place_of_space,
    space_of_place,
)
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Placing

BLOCKER_SEAT = 1


@jit
def is_blocker(g, seat):
    """Return whether a seat replaces the Automa and only blocks."""
    return seat == BLOCKER_SEAT and g.rules[Rule.BLOCKER_WORKERS] > 0


@jit
def has_opponents(g):
    """Return whether cards for opponents have a target."""
    return g.rules[Rule.NUM_PLAYERS] > 1 and g.rules[Rule.BLOCKER_WORKERS] == 0


@jit
def free_workers(g, seat):
    return int(g.free[seat, Worker.REGULAR]) + int(g.free[seat, Worker.GRANDE]) + int(g.free[seat, Worker.TEMPORARY])


@jit
def free_regular(g, seat):
    """Return the free regular workers, including the temporary one (Essential, glossary, Temporary worker)."""
    return int(g.free[seat, Worker.REGULAR]) + int(g.free[seat, Worker.TEMPORARY])


@jit
def is_free(g, act, space):
    """Return whether a space is in use at this table and free (Essential, Scaling the game)."""
    return ((int(g.rules[Rule.SPACES]) >> space) & 1 == 1) & (g.space_seat[act, space] == NO_SEAT)


@jit
def free_plain_space(g, act):
    """Return the left-most free plain space of an action, or -1."""
    if is_free(g, act, Space.LEFT):
        return Space.LEFT
    return Space.RIGHT if is_free(g, act, Space.RIGHT) else -1


@jit
def plain_space_free(g, act):
    return is_free(g, act, Space.LEFT) | is_free(g, act, Space.RIGHT)


@jit
def bonus_space_free(g, act):
    return is_free(g, act, Space.BONUS)


@jit
def take_worker(g, seat, grande):
    """Take a worker from hand and return its kind; a regular one before the temporary one."""
    worker = (
        Worker.GRANDE if grande == 1 else (Worker.REGULAR if g.free[seat, Worker.REGULAR] > 0 else Worker.TEMPORARY)
    )
    g.free[seat, worker] -= 1
    return worker


@jit
def put_worker(g, seat, action):
    """Put a worker on the place of a `place:` action and return the place."""
    act, placing = ACT_OF_PLACING[action], PLACING_OF_ACTION[action]
    if act == Act.YOKE:
        g.yoke_worker[seat] = take_worker(g, seat, placing)
        return AT_YOKE
    if act == Act.GAIN_LIRA:
        g.cart[seat, take_worker(g, seat, placing)] += 1
        return AT_CART
    if placing == Placing.CROWD_GRANDE:
        take_worker(g, seat, 1)
        g.crowd[act] |= 1 << seat
        return place_of_crowd(act)
    space = Space.BONUS if placing >= Placing.BONUS_REGULAR else free_plain_space(g, act)
    worker = take_worker(g, seat, placing % 2)
    g.space_seat[act, space] = seat
    g.space_worker[act, space] = worker
    return place_of_space(act, space)


@jit
def mark_placings(g, seat, act, regular_plain, regular_bonus, grande_plain, grande_bonus, mask):
    """Mark the placings of an action.

    The flags state for each kind of space and worker whether the action is possible. A grande worker may join a full
    action without a bonus (Essential, Grande worker placement). The code is branch-free because branches would be
    unpredictable and this runs for every action of every turn.
    """
    plain_free, bonus_free = plain_space_free(g, act), bonus_space_free(g, act)
    regular, grande = free_regular(g, seat) > 0, g.free[seat, Worker.GRANDE] > 0
    mask[PLACING[act, Placing.PLAIN_REGULAR]] = regular & plain_free & regular_plain
    mask[PLACING[act, Placing.BONUS_REGULAR]] = regular & bonus_free & regular_bonus
    mask[PLACING[act, Placing.PLAIN_GRANDE]] = grande & plain_free & grande_plain
    mask[PLACING[act, Placing.BONUS_GRANDE]] = grande & bonus_free & grande_bonus
    mask[PLACING[act, Placing.CROWD_GRANDE]] = grande & grande_plain & (not (plain_free | bonus_free))


# Retrieval of workers (Producer, Motivator).


@jit
def matches_placing(g, seat, act, space, placing, except_place):
    """Return whether a worker of the seat on a space matches a `Placing`."""
    if g.space_seat[act, space] != seat or place_of_space(act, space) == except_place:
        return False
    actual = (Placing.BONUS_REGULAR if space == Space.BONUS else 0) + (
        1 if g.space_worker[act, space] == Worker.GRANDE else 0
    )
    return actual == placing


@jit
def n_placed_as(g, seat, action, except_place):
    """Return the number of workers on the place of a `place:` action, except on `except_place`."""
    act, placing = ACT_OF_PLACING[action], PLACING_OF_ACTION[action]
    if act == Act.YOKE:
        worker = int(g.yoke_worker[seat])
        return 1 if worker >= 0 and (worker == Worker.GRANDE) == (placing == Placing.PLAIN_GRANDE) else 0
    if act == Act.GAIN_LIRA:
        if placing == Placing.PLAIN_GRANDE:
            return int(g.cart[seat, Worker.GRANDE])
        return int(g.cart[seat, Worker.REGULAR]) + int(g.cart[seat, Worker.TEMPORARY])
    if placing == Placing.CROWD_GRANDE:
        return (int(g.crowd[act]) >> seat) & 1 if place_of_crowd(act) != except_place else 0
    num_workers = 0
    for space in range(N_SPACES):
        if matches_placing(g, seat, act, space, placing, except_place):
            num_workers += 1
    return num_workers


@jit
def n_placed(g, seat, except_place):
    """Return the number of placed workers of a seat, except on `except_place`."""
    total = 0
    for worker in range(3):
        total += int(g.staff[seat, worker]) - int(g.free[seat, worker])
    return total - (1 if except_place != NOWHERE else 0)


@jit
def clear_space(g, act, space):
    g.space_seat[act, space] = NO_SEAT
    g.space_worker[act, space] = 0


@jit
def retrieve_worker(g, seat, action, except_place):
    """Retrieve the worker of a `place:` action; its space becomes free.

    The yoke stays used for the year (rulings, Producer and the yoke).
    """
    act, placing = ACT_OF_PLACING[action], PLACING_OF_ACTION[action]
    if act == Act.YOKE:
        g.free[seat, int(g.yoke_worker[seat])] += 1
        g.yoke_worker[seat] = -1
        return
    if act == Act.GAIN_LIRA:
        worker = Worker.GRANDE
        if placing == Placing.PLAIN_REGULAR:
            worker = Worker.REGULAR if g.cart[seat, Worker.REGULAR] > 0 else Worker.TEMPORARY
        g.cart[seat, worker] -= 1
        g.free[seat, worker] += 1
        return
    if placing == Placing.CROWD_GRANDE:
        g.crowd[act] &= ~(1 << seat)
        g.free[seat, Worker.GRANDE] += 1
        return
    for space in range(N_SPACES):
        if matches_placing(g, seat, act, space, placing, except_place):
            g.free[seat, int(g.space_worker[act, space])] += 1
            clear_space(g, act, space)
            return


@jit
def grande_placed(g, seat):
    return g.staff[seat, Worker.GRANDE] > g.free[seat, Worker.GRANDE]


@jit
def retrieve_grande(g, seat):
    """Retrieve the grande worker (Motivator), even the one that played the card."""
    g.free[seat, Worker.GRANDE] += 1
    place = grande_place(g, seat)
    if seat == g.turn_seat and place == g.turn_place:
        g.turn_place = NOWHERE
    if place == AT_YOKE:
        g.yoke_worker[seat] = -1
    elif place == AT_CART:
        g.cart[seat, Worker.GRANDE] = 0
    elif is_crowd(place):
        g.crowd[act_of_place(place)] &= ~(1 << seat)
    else:
        clear_space(g, act_of_place(place), space_of_place(place))


@jit
def grande_place(g, seat):
    """Return the place of the grande worker of a seat."""
    if g.cart[seat, Worker.GRANDE] > 0:
        return AT_CART
    for act in range(N_BOARD_ACTIONS):
        if (g.crowd[act] >> seat) & 1 == 1:
            return place_of_crowd(act)
        for space in range(N_SPACES):
            if g.space_seat[act, space] == seat and g.space_worker[act, space] == Worker.GRANDE:
                return place_of_space(act, space)
    return AT_YOKE


@jit
def train(g, seat, price, at_once):
    """Train a worker for next year, or for immediate use (Governess)."""
    gain_lira(g, seat, -price)
    if at_once == 1:
        g.staff[seat, Worker.REGULAR] += 1
        g.free[seat, Worker.REGULAR] += 1
    else:
        g.trained[seat] += 1


part(
    PartOp.TRAIN,
    needs=lambda g, seat, a, b, c: can_train(g, seat, a, 0),
    does=lambda g, seat, a, b, c, result: train(g, seat, a, b),
    worth=BY_LOOKAHEAD,
    says=lambda price, at_once, c: (
        "train a worker "
        + (f"for {price} lira" if price else "without paying")
        + (", who can be placed this year" if at_once else "")
    ),
)


@jit
def run_train(g, t):
    seat, price, at_once = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B)
    finish(g, 1)
    train(g, seat, price, at_once)
    return True


operation(FrameOp.TRAIN, run=run_train)
board_action(
    Act.TRAIN_WORKER,
    needs=lambda g, seat, extra_lira: can_train(g, seat, int(g.rules[Rule.TRAIN_PRICE]), extra_lira),
    starts=lambda g, seat, again, must: push(g, FrameOp.TRAIN, seat, 1, 1, int(g.rules[Rule.TRAIN_PRICE]), 0, 0),
    with_bonus=NOTHING,
    worth=BY_LOOKAHEAD,
)


@jit
def take_temporary(g, seat):
    """Take the temporary worker for this year if it is available (rulings, Organizer)."""
    for holder in range(int(g.rules[Rule.NUM_PLAYERS])):
        if g.staff[holder, Worker.TEMPORARY] > 0:
            return
    g.staff[seat, Worker.TEMPORARY] = 1
    g.free[seat, Worker.TEMPORARY] = 1


@jit
def return_workers(g):
    """Retrieve all workers; trained ones join (Essential, Year end, Return workers)."""
    for act in range(N_BOARD_ACTIONS):
        g.crowd[act] = 0
        for space in range(N_SPACES):
            clear_space(g, act, space)
    for seat in range(MAX_SEATS):
        g.yoke_worker[seat] = -1
        g.staff[seat, Worker.REGULAR] += g.trained[seat]
        g.trained[seat] = 0
        g.staff[seat, Worker.TEMPORARY] = 0
        for worker in range(3):
            g.cart[seat, worker] = 0
            g.free[seat, worker] = g.staff[seat, worker]

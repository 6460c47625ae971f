"""Board actions: legality of placing workers, resolution, bonuses."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, pop, push
from vitienv.viticulture.board import Bonus
from vitienv.viticulture.cards import KIND
from vitienv.viticulture.enums import N_BOARD_ACTIONS, N_SUMMER_ACTIONS, NOWHERE, Act, Worker
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.acts import act_possible, bonus_of, bonus_possible, may_spend_token, try_placing
from vitienv.viticulture.ops import board
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.workers import (
    bonus_space_free,
    free_regular,
    is_blocker,
    mark_placings,
    plain_space_free,
    put_worker,
)
from vitienv.viticulture.places import (
    ACT_OF_PLACING,
    PLACING,
    act_of_place,
    end_of_acts,
    first_act,
    is_bonus_place,
    is_crowd,
    space_of_place,
)
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move, Placing

# Modes of the bonus of an action.
WITHOUT_BONUS = 0
BONUS_ASKED = 1
BONUS_TAKEN = 2
starts_of_act = board.dispatch("starts")
placed_on_act = board.dispatch("placed")
BY_WORKER = board.table(lambda row: row.by_worker)
# Cards that depend on the kind of worker that plays them.
PLANNER = KIND["summer:planner"]
MOTIVATOR_CARD = KIND["winter:motivator"]


@jit
def depends_on_worker_kind(g, seat):
    """Return whether a card in hand depends on the kind of worker that plays it."""
    return g.hand[seat, PLANNER] > 0 or g.hand[seat, MOTIVATOR_CARD] > 0


@jit
def legal_act(g, seat, act, regular, grande, by_card, mask):
    """Mark the placings of a board action.

    regular, grande: whether such a worker is free. by_card: whether a card depends on the kind of worker.
    """
    plain_free, bonus_free = plain_space_free(g, act), bonus_space_free(g, act)
    if not (plain_free | bonus_free | grande):
        return
    extra = 1 if bonus_of(g, act) == Bonus.LIRA else 0
    if BY_WORKER[act] == 1:
        with_regular = regular and try_placing(g, seat, act, 0)
        with_grande = with_regular
        if grande and (not regular or by_card):
            with_grande = try_placing(g, seat, act, 1)
        regular_bonus, grande_bonus = with_regular, with_grande
    else:
        with_token = extra if extra > 0 and may_spend_token(g, seat, act) else 0
        with_regular = act_possible(g, seat, act, with_token)
        with_grande = with_regular
        regular_bonus = with_regular or (extra > 0 and bonus_free and act_possible(g, seat, act, extra))
        grande_bonus = regular_bonus
    if g.rules[Rule.FRIENDLY] == 1 and plain_free and bonus_free and not bonus_possible(g, seat, act):
        regular_bonus, grande_bonus = False, False
    mark_placings(g, seat, act, with_regular, regular_bonus, with_grande, grande_bonus, mask)


@jit
def legal_place(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    mask[Move.PASS] = 1
    if is_blocker(g, seat):
        legal_block(g, seat, mask)
        return
    regular, grande = free_regular(g, seat) > 0, g.free[seat, Worker.GRANDE] > 0
    by_card = depends_on_worker_kind(g, seat)
    for act in range(first_act(g.season), end_of_acts(g.season)):
        legal_act(g, seat, act, regular, grande, by_card, mask)
    if act_possible(g, seat, Act.GAIN_LIRA, 0):
        mark_year_round(g, seat, Act.GAIN_LIRA, mask)
    if act_possible(g, seat, Act.YOKE, 0):
        mark_year_round(g, seat, Act.YOKE, mask)


@jit
def mark_year_round(g, seat, act, mask):
    """Mark a year-round action, which is never full, for each free worker."""
    if free_regular(g, seat) > 0:
        mask[PLACING[act, Placing.PLAIN_REGULAR]] = 1
    if g.free[seat, Worker.GRANDE] > 0:
        mask[PLACING[act, Placing.PLAIN_GRANDE]] = 1


@jit
def legal_block(g, seat, mask):
    """Mark all free spaces of the season for a blocking seat."""
    for act in range(first_act(g.season), end_of_acts(g.season)):
        is_room = plain_space_free(g, act) | bonus_space_free(g, act)
        mark_placings(g, seat, act, True, True, is_room, True, mask)


@jit
def apply_place(g, t, action):
    """Place a worker and start the action, or pass (Essential, Worker placement)."""
    seat = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.PASS:
        g.passed[seat] = 1
        return
    act = ACT_OF_PLACING[action]
    had_choice = act < N_BOARD_ACTIONS and plain_space_free(g, act)
    place = put_worker(g, seat, action)
    if is_blocker(g, seat):
        return
    placed_on_act(act, g, seat)
    if act >= N_BOARD_ACTIONS:
        start_act(g, seat, act, WITHOUT_BONUS, 0)
        return
    g.turn_place = place
    if may_spend_token(g, seat, act):
        push(g, FrameOp.TOKEN, seat, 1, 1, act, 0, 0)
    elif not is_bonus_place(place):
        start_act(g, seat, act, WITHOUT_BONUS, 0)
    elif g.rules[Rule.FRIENDLY] == 1 and had_choice:
        start_act(g, seat, act, BONUS_TAKEN, 1)
    else:
        start_act(g, seat, act, BONUS_ASKED, 0)


operation(FrameOp.PLACE, "place_worker", legal=legal_place, apply=apply_place, shows=())


@jit
def start_act(g, seat, act, bonus, must):
    """Start a board action.

    bonus: WITHOUT_BONUS, BONUS_ASKED or BONUS_TAKEN. must: 1 if the repetition by the bonus is compulsory.
    Bonuses that repeat the action increase its count. Other bonuses are asked before the action: taking a lira early is
    never worse (ruling 1.1).
    """
    if bonus == WITHOUT_BONUS:
        starts_of_act(act, g, seat, 0, 0)
        return
    kind = bonus_of(g, act)
    again = 1 if kind == Bonus.AGAIN else 0
    starts_of_act(act, g, seat, again, again * must)
    if bonus == BONUS_TAKEN:
        take_bonus(g, seat, act)
    elif again == 0 and kind != Bonus.NONE:
        push(g, FrameOp.BONUS, seat, 1, 0, act, 0, 0)


# Frame columns of the bonus: A the action.


@jit
def take_bonus(g, seat, act):
    kind = bonus_of(g, act)
    if kind == Bonus.LIRA:
        gain_lira(g, seat, 1)
    elif kind == Bonus.VP:
        gain_vp(g, seat, 1)
    elif kind == Bonus.DRAW:
        starts_of_act(act, g, seat, 0, 0)


@jit
def run_bonus(g, t):
    """Skip the question when the deck is empty."""
    act = get(g, t, Frame.A)
    if bonus_of(g, act) == Bonus.DRAW and not act_possible(g, get(g, t, Frame.SEAT), act, 0):
        pop(g)
        return True
    return False


@jit
def legal_bonus(g, t, mask):
    """Mark yes and no; the lira is compulsory if the action is not affordable without it (ruling 1.7)."""
    mask[Move.YES] = 1
    act = get(g, t, Frame.A)
    if bonus_of(g, act) != Bonus.LIRA or act_possible(g, get(g, t, Frame.SEAT), act, 0):
        mask[Move.NO] = 1


@jit
def apply_bonus(g, t, action):
    seat, act = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    pop(g)
    if action == Move.YES:
        take_bonus(g, seat, act)


operation(FrameOp.BONUS, "take_bonus", run=run_bonus, legal=legal_bonus, apply=apply_bonus, shows=(Frame.A,))


# Frame columns of the bonus action token: A the action of the placed worker.


@jit
def legal_token(g, t, mask):
    """Mark yes and no; the token is compulsory if the action is not affordable without its lira (as ruling 1.7)."""
    mask[Move.YES] = 1
    if act_possible(g, get(g, t, Frame.SEAT), get(g, t, Frame.A), 0):
        mask[Move.NO] = 1


@jit
def apply_token(g, t, action):
    """Spend a token on the bonus of the action, or not (Essential, Bonus action tokens)."""
    seat, act = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    pop(g)
    if action == Move.YES:
        g.bonus_tokens[seat] -= 1
    start_act(g, seat, act, BONUS_TAKEN if action == Move.YES else WITHOUT_BONUS, 0)


operation(FrameOp.TOKEN, "spend_token", legal=legal_token, apply=apply_token, shows=(Frame.A,))


# Manager: one of the six summer actions, without worker and bonus.


@jit
def legal_manage(g, t, mask):
    for act in range(N_SUMMER_ACTIONS):
        if act_possible(g, get(g, t, Frame.SEAT), act, 0):
            mask[PLACING[act, Placing.PLAIN_REGULAR]] = 1


@jit
def apply_manage(g, t, action):
    seat = get(g, t, Frame.SEAT)
    finish(g, 1)
    start_act(g, seat, ACT_OF_PLACING[action], WITHOUT_BONUS, 0)


operation(FrameOp.MANAGE, "manage_action", legal=legal_manage, apply=apply_manage, shows=())


# Planned actions at the start of winter, by wake-up row, then board order. Frame columns: P0 the next step.


@jit
def planned_worker_at(g, seat, place):
    """Return whether a worker of a seat is on a place of the board."""
    act = act_of_place(place)
    if is_crowd(place):
        return (int(g.crowd[act]) >> seat) & 1 == 1
    return g.space_seat[act, space_of_place(place)] == seat


@jit
def start_planned(g, seat, place):
    """Start a planned action if it is possible; otherwise the worker stays without effect (rulings, Planner)."""
    act = act_of_place(place)
    bonus = BONUS_ASKED if is_bonus_place(place) else WITHOUT_BONUS
    extra = 1 if bonus == BONUS_ASKED and bonus_of(g, act) == Bonus.LIRA else 0
    g.turn_seat = seat
    g.turn_place = place
    if act_possible(g, seat, act, extra):
        start_act(g, seat, act, bonus, 0)
    else:
        g.turn_place = NOWHERE

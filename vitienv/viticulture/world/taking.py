"""Placing a worker and taking an action: price, tax, boost, the action, the bonus of its oval (W36 to W42, W49 to W56,
W62 to W66, W71, W81 to W83, W106)."""

from vitienv.core.frames import Frame, finish, get, pop, push
from vitienv.core.jit import jit
from vitienv.core.namespaces import Numbers
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.names import Season, Worker
from vitienv.viticulture.ops.acts import tells_apart
from vitienv.viticulture.ops.money import gain_lira, use_tasting_room
from vitienv.viticulture.ops.yoke import use_yoke
from vitienv.viticulture.possible.asking import can_yoke
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.viticulture.world.continents import Ev, Ru
from vitienv.viticulture.world.effects import (
    BUT_LIRA,
    FOR_EACH,
    all_possible,
    effect_possible,
    for_each_seat,
    is_ageing,
    is_lira_alone,
    lira_of,
    start_effect,
)
from vitienv.viticulture.world.frames import WorldOp, operation
from vitienv.viticulture.world.goals import deed, event_number, is_event, rule_number
from vitienv.viticulture.world.names import (
    FIRST_WINTER,
    N_ACTIONS_ON_BOARD,
    NO_OVAL,
    EventKind,
    Kind,
    Limit,
    Metric,
    Place,
    Stands,
    Who,
)
from vitienv.viticulture.world.passing import pass_season
from vitienv.viticulture.world.rows import OVAL_GAIN, PRICE, ROW
from vitienv.viticulture.world.tiles import bonus_oval, has_rectangle
from vitienv.viticulture.world.trade import can_trade_at
from vitienv.viticulture.world.vocabulary import KIND_OF, PLACE_OF, PLACING, STANDS_OF
from vitienv.viticulture.world.workers import (
    NO_WORKER,
    how_to_stand,
    send,
    spaces_taken,
    worker_at_hand,
)

NO_KIND = -1  # nobody was placed: the Manager's action


class Open(Numbers):
    """Seasons of an event's space."""

    BOTH = 0
    SUMMER = 1


# What it costs and brings.


@jit
def row_of(g, place):
    """What an action does: its rectangle's effect in place of the printed one (W55)."""
    return ROW[1 if place < N_ACTIONS_ON_BOARD and has_rectangle(g, place) else 0, place]


@jit
def marks(g, kind, place):
    """Whether this year's event is of a kind and lies on an action (W31)."""
    return g.event >= 0 and event_number(g, Ev.PLACE) == place and event_number(g, Ev.KIND) == kind


@jit
def price_of(g, place):
    """Lira for an action, with its rectangle's price and this year's tax (W55, W83)."""
    if place >= N_ACTIONS_ON_BOARD:
        return 0
    price = PRICE[1 if has_rectangle(g, place) else 0, place]
    return price + (event_number(g, Ev.TAX) if marks(g, EventKind.TAX, place) else 0)


@jit
def discount_at(g, place):
    """Off each structure built with this taking (W82)."""
    return event_number(g, Ev.DISCOUNT) if marks(g, EventKind.BOOST, place) else 0


@jit
def has_boost(g, seat, place, kind):
    """Whether this year's event gives a seat something for this taking (W82)."""
    if not marks(g, EventKind.BOOST, place):
        return False
    if event_number(g, Ev.WHO) == Who.TRAINED and kind <= Kind.HATTED:
        return False
    return event_number(g, Ev.LIMIT) != Limit.ONCE_PER_PLAYER or g.boosted[seat] == 0


@jit
def boost_lira(g, seat, place, kind):
    """Lira that come before the action without a price, and may help to pay it (O37)."""
    if not has_boost(g, seat, place, kind) or event_number(g, Ev.PAY) != 0:
        return 0
    return lira_of(event_number(g, Ev.GAIN))


@jit
def bonus_lira(g, place, kind):
    """Lira of an oval's bonus, which may pay for the action (O23)."""
    if place >= N_ACTIONS_ON_BOARD or kind <= Kind.HATTED or bonus_oval(g, place) == NO_OVAL:
        return 0
    return lira_of(OVAL_GAIN[bonus_oval(g, place)])


# Whether it can be taken.


@jit
def plays_visitor(place):
    return place == Place.PLAY_SUMMER_VISITOR or place == Place.PLAY_WINTER_VISITOR


@jit
def try_action(g, seat, place, kind, change):
    """Whether an action could be carried out with so much more lira: tried on the record and taken back."""
    if g.lira[seat] + change < 0:
        return False
    g.lira[seat] += change
    out = plays_visitor(place) and kind != NO_KIND  # the worker that is placed is no longer at hand
    worker = Worker.GRANDE if kind == Kind.GRANDE else Worker.REGULAR
    before = int(g.turn_place)
    if out:
        g.free[seat, worker] -= 1
        g.turn_place = 0
    possible = effect_possible(g, seat, row_of(g, place), discount_at(g, place))
    if out:
        g.free[seat, worker] += 1
        g.turn_place = before
    g.lira[seat] -= change
    return possible


@jit
def can_take(g, seat, place, kind):
    """Whether a worker of a kind could take an action of the board, with all that it brings (W51, W82, W83)."""
    change = -price_of(g, place)
    if marks(g, EventKind.BOOST, place):
        change += boost_lira(g, seat, place, kind)
    if try_action(g, seat, place, kind, change):
        return True
    bonus = bonus_lira(g, place, kind)
    return bonus > 0 and try_action(g, seat, place, kind, change + bonus)


@jit
def is_open_now(g):
    """Whether this year's event is a place, and of this season (W41, W81)."""
    if not is_event(g, EventKind.SPACE):
        return False
    season = event_number(g, Ev.SEASON)
    return season == Open.BOTH or (season == Open.SUMMER) == (g.season == Season.SUMMER)


@jit
def can_use_event(g, seat):
    """Whether a seat may stand on this year's event, what it pays is there, and it would have something (W81)."""
    if not is_open_now(g):
        return False
    alone = g.rules[Rule.NUM_PLAYERS] == 1
    uses = rule_number(g, Ru.USES_ALONE) if alone else rule_number(g, Ru.USES)
    if g.deeds[seat, Metric.EVENT_SPACE_USES] >= uses:
        return False
    pay, row = event_number(g, Ev.PAY), event_number(g, Ev.GAIN)
    if not all_possible(g, seat, pay):
        return False
    g.lira[seat] += lira_of(pay)
    possible = effect_possible(g, seat, row, 0)
    g.lira[seat] -= lira_of(pay)
    return possible


# Placing.


@jit
def is_for_trained(g, place):
    """Whether an action may bring a trained worker more than one under its hat: by an oval or this year's boost."""
    return g.oval_on[place] != NO_OVAL or marks(g, EventKind.BOOST, place)


@jit
def legal_on_board(g, seat, place, taken, hatted, regular, grande, mask):
    """The placings on one action of the board. hatted, regular, grande: whether such a worker is at hand.

    What one of them can take another can too, where it makes no difference which is placed.
    """
    stands = how_to_stand(g, taken, place)
    if stands == Stands.CROWD:
        hatted, regular = False, False
    if not (hatted | regular | grande):
        return
    able = can_take(g, seat, place, Kind.HATTED if hatted else Kind.REGULAR if regular else Kind.GRANDE)
    with_regular, with_grande = able, able
    if hatted and is_for_trained(g, place):
        with_regular = regular and can_take(g, seat, place, Kind.REGULAR)
        with_grande = with_regular if regular else grande and can_take(g, seat, place, Kind.GRANDE)
    if grande and (hatted | regular) and plays_visitor(place) and tells_apart(g, seat):
        with_grande = can_take(g, seat, place, Kind.GRANDE)
    mark_place(place, stands, hatted and able, regular and with_regular, grande and with_grande, mask)


@jit
def mark_place(place, stands, hatted, regular, grande, mask):
    if hatted:
        mask[PLACING[place, stands, Kind.HATTED]] = 1
    if regular:
        mask[PLACING[place, stands, Kind.REGULAR]] = 1
    if grande:
        mask[PLACING[place, stands, Kind.GRANDE]] = 1


@jit
def legal_place(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    mask[Move.PASS] = 1
    hatted = worker_at_hand(g, seat, Kind.HATTED) != NO_WORKER
    regular = worker_at_hand(g, seat, Kind.REGULAR) != NO_WORKER
    grande = worker_at_hand(g, seat, Kind.GRANDE) != NO_WORKER
    taken = spaces_taken(g)
    first = 0 if g.season == Season.SUMMER else FIRST_WINTER
    for place in range(first, first + FIRST_WINTER):
        legal_on_board(g, seat, place, taken, hatted, regular, grande, mask)
    mark_place(Place.GAIN_LIRA, Stands.PLAIN, hatted, regular, grande, mask)
    if can_yoke(g, seat):
        mark_place(Place.YOKE, Stands.PLAIN, hatted, regular, grande, mask)
    if can_use_event(g, seat):
        mark_place(Place.EVENT, Stands.PLAIN, hatted, regular, grande, mask)


@jit
def apply_place(g, t, action):
    """Place a worker and start the action at once, or pass (W49, W71)."""
    seat = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.PASS:
        pass_season(g, seat)
        return
    place, kind = PLACE_OF[action], KIND_OF[action]
    g.turn_place = send(g, seat, worker_at_hand(g, seat, kind), place, STANDS_OF[action])
    g.turn_worker = kind
    if place == Place.GIVE_TOUR:
        use_tasting_room(g, seat)
    if place == Place.YOKE:
        use_yoke(g, seat)
        return
    gives_bonus = place < N_ACTIONS_ON_BOARD and kind > Kind.HATTED  # W63: trained workers alone
    push(g, WorldOp.TAKING, seat, 1, 1, place, kind, bonus_oval(g, place) if gives_bonus else NO_OVAL)


operation(FrameOp.PLACE, "place_worker", legal=legal_place, apply=apply_place, shows=())


# Taking an action: A the place, B the worker, C the oval whose bonus it has, read when the worker was placed (O24).
# STAGE how far; P0 whether the bonus was taken, P1 whether a trade was made, P2 whether the bonus was asked.


@jit
def run_taking(g, t):
    """One stage after the other, until something lies on top of the taking."""
    while g.depth == t + 1:
        do_next_stage(g, t)
    return True


@jit
def do_next_stage(g, t):
    stage, seat = get(g, t, Frame.STAGE), get(g, t, Frame.SEAT)
    place, kind, oval = get(g, t, Frame.A), get(g, t, Frame.B), get(g, t, Frame.C)
    g.frames[t, Frame.STAGE] = stage + 1
    if stage == 0 or stage == 7:
        if kind == Kind.GRANDE and g.frames[t, Frame.P1] == 0 and can_trade_at(g, seat, place):
            push(g, WorldOp.TRADE, seat, 1, 0, place, 0, 0)
    elif stage == 1:
        ask_bonus(g, t, seat, place, oval)
    elif stage == 2:
        g.frames[t, Frame.P0] = int(g.frames[t, Frame.P2]) * get(g, t, Frame.RESULT)
        boost_before(g, seat, place, kind)
    elif stage == 3:
        if place == Place.EVENT or try_action(g, seat, place, NO_KIND, -price_of(g, place)):
            carry_out_action(g, seat, place)
    elif stage == 4:
        boost_after(g, seat, place, kind)
    elif stage == 5:
        ageing = oval != NO_OVAL and is_ageing(OVAL_GAIN[oval])
        if g.frames[t, Frame.P0] == 0 and (ageing or g.frames[t, Frame.P2] == 0):
            ask_bonus(g, t, seat, place, oval)
    elif stage == 8:
        finish(g, 1)


operation(WorldOp.TAKING, run=run_taking)


@jit
def carry_out_action(g, seat, place):
    """Pay and begin the action itself; each question below is on top of the one that comes after it."""
    if place == Place.EVENT:
        start_effect(g, seat, event_number(g, Ev.GAIN), 0, 0)
        start_effect(g, seat, event_number(g, Ev.PAY), 0, 0)
        deed(g, seat, Metric.EVENT_SPACE_USES, 1)
        return
    gain_lira(g, seat, -price_of(g, place))
    start_effect(g, seat, row_of(g, place), 0, discount_at(g, place))
    if place == Place.GIVE_TOUR:
        deed(g, seat, Metric.TOURS, 1)
    if place == Place.EXCHANGE:
        deed(g, seat, Metric.ACTION_G_USES, 1)


# The bonus of an oval: A the place, B the oval, C whether the action is still to come.


@jit
def ask_bonus(g, t, seat, place, oval):
    if oval == NO_OVAL or not effect_possible(g, seat, OVAL_GAIN[oval], 0):
        return
    g.frames[t, Frame.P2] = 1
    is_before = 1 if g.frames[t, Frame.STAGE] == 2 else 0
    push(g, WorldOp.OVAL_BONUS, seat, 1, 0, place, oval, is_before)


@jit
def may_leave_bonus(g, t):
    """Its lira must be taken where the action cannot be paid without them (as ruling 1.7)."""
    if get(g, t, Frame.C) == 0:
        return True
    seat, place = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    kind = get(g, t - 1, Frame.B)
    change = boost_lira(g, seat, place, kind) - price_of(g, place)
    return try_action(g, seat, place, NO_KIND, change) or not try_action(
        g, seat, place, NO_KIND, change + lira_of(OVAL_GAIN[get(g, t, Frame.B)])
    )


@jit
def legal_oval_bonus(g, t, mask):
    mask[Move.YES] = 1
    if may_leave_bonus(g, t):
        mask[Move.NO] = 1


@jit
def apply_oval_bonus(g, t, action):
    """Once, before or after the action (W63, O25)."""
    seat, oval = get(g, t, Frame.SEAT), get(g, t, Frame.B)
    finish(g, 1 if action == Move.YES else 0)
    if action == Move.YES:
        start_effect(g, seat, OVAL_GAIN[oval], 0, 0)


operation(
    WorldOp.OVAL_BONUS,
    "take_bonus",
    legal=legal_oval_bonus,
    apply=apply_oval_bonus,
    shows=(Frame.A, Frame.B, Frame.C),
)


# This year's boost (W82, O37).


@jit
def note_boost(g, seat):
    """Used for this year where it is once a year."""
    if event_number(g, Ev.WHO) == Who.ALL:
        for other in range(int(g.rules[Rule.NUM_PLAYERS])):
            g.boosted[other] = 1
    else:
        g.boosted[seat] = 1


@jit
def boost_before(g, seat, place, kind):
    """Lira without a price come before the action."""
    if boost_lira(g, seat, place, kind) == 0:
        return
    row = event_number(g, Ev.GAIN)
    if event_number(g, Ev.WHO) == Who.ALL:
        for other in range(int(g.rules[Rule.NUM_PLAYERS])):
            gain_lira(g, other, lira_of(row))
    else:
        gain_lira(g, seat, lira_of(row))
    if is_lira_alone(row):
        note_boost(g, seat)


@jit
def boost_after(g, seat, place, kind):
    """Everything else comes after it; what has a price is an offer."""
    if not has_boost(g, seat, place, kind):
        return
    pay, row = event_number(g, Ev.PAY), event_number(g, Ev.GAIN)
    if row == 0 or (pay == 0 and is_lira_alone(row)):
        return
    if pay != 0:
        if all_possible(g, seat, pay) and effect_possible(g, seat, row, 0):
            push(g, WorldOp.EVENT_OFFER, seat, 1, 0, 0, 0, 0)
        return
    note_boost(g, seat)
    if event_number(g, Ev.WHO) == Who.ALL:
        for_each_seat(g, row, FOR_EACH | BUT_LIRA)
    else:
        start_effect(g, seat, row, BUT_LIRA, 0)


@jit
def legal_event_offer(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_event_offer(g, t, action):
    """What the year offers for a price."""
    seat = get(g, t, Frame.SEAT)
    finish(g, 1)
    if action == Move.YES:
        note_boost(g, seat)
        start_effect(g, seat, event_number(g, Ev.GAIN), 0, 0)
        start_effect(g, seat, event_number(g, Ev.PAY), 0, 0)


operation(WorldOp.EVENT_OFFER, "event_offer", legal=legal_event_offer, apply=apply_event_offer, shows=())

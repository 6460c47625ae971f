"""Placing a worker and taking an action: price, tax, boost, effect and oval bonus.

(W36 to W42, W49 to W56, W62 to W66, W71, W81 to W83, W106)
"""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame, finish, get, pop, push, set_stage
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import Season
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.legality.predicates import can_yoke
from vitienv.viticulture.ops.acts import depends_on_worker_kind
from vitienv.viticulture.ops.money import gain_lira, use_tasting_room
from vitienv.viticulture.ops.yoke import use_yoke
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.world.continents import EventCol
from vitienv.world.enums import FIRST_WINTER, NO_OVAL, Beneficiary, EventKind, Kind, Metric, Place, Stance
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import deed, event_number
from vitienv.world.language import WorldPart
from vitienv.world.legality import (
    NO_KIND,
    bonus_enables,
    boost_lira,
    can_take,
    discount_at,
    event_possible,
    goal_of,
    has_boost,
    is_event_at,
    lira_change,
    may_use_event,
    oval_of,
    plays_visitor,
    price_of,
    row_of,
    trade_enables,
    try_action,
)
from vitienv.world.ops.effects import (
    FOR_EACH,
    WITHOUT_LIRA,
    all_possible,
    effect_possible,
    for_each_seat,
    is_ageing,
    is_lira_alone,
    lira_of,
    start_effect,
    sum_of,
)
from vitienv.world.ops.exchange import steps_left
from vitienv.world.ops.passing import pass_season
from vitienv.world.ops.terms import can_trade_at
from vitienv.world.ops.workers import NO_WORKER, count_used_spaces, send, stance_at, worker_at_hand
from vitienv.world.rows import OVAL_GAIN
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import KIND_OF, PLACE_OF, PLACING, STANCE_OF

# Placing.


@jit
def is_for_trained(g, place):
    """Return whether an action may give a trained worker more than one with a hat: an oval, or this year's boost."""
    return g.oval_on[place] != NO_OVAL or is_event_at(g, EventKind.BOOST, place)


@jit
def legal_on_board(g, seat, place, used_spaces, hatted, regular, grande, mask):
    """Mark the placements on one action of the board. hatted, regular, grande: whether such a worker is at hand.

    The legality of one kind of worker is reused for others where the kind makes no difference.
    """
    stands = stance_at(g, used_spaces, place)
    if stands == Stance.CROWD:
        hatted, regular = False, False
    if not (hatted | regular | grande):
        return
    is_possible = can_take(g, seat, place, Kind.HATTED if hatted else Kind.REGULAR if regular else Kind.GRANDE)
    with_regular, with_grande = is_possible, is_possible
    if hatted and is_for_trained(g, place):
        with_regular = regular and can_take(g, seat, place, Kind.REGULAR)
        with_grande = with_regular if regular else grande and can_take(g, seat, place, Kind.GRANDE)
    if grande and (hatted | regular) and plays_visitor(place) and depends_on_worker_kind(g, seat):
        with_grande = can_take(g, seat, place, Kind.GRANDE)
    if grande and not with_grande:
        with_grande = trade_enables(g, seat, place)
    mark_place(place, stands, hatted and is_possible, regular and with_regular, grande and with_grande, mask)


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
    used_spaces = count_used_spaces(g)
    first_place = 0 if g.season == Season.SUMMER else FIRST_WINTER
    for place in range(first_place, first_place + FIRST_WINTER):
        legal_on_board(g, seat, place, used_spaces, hatted, regular, grande, mask)
    mark_place(Place.GAIN_LIRA, Stance.PLAIN, hatted, regular, grande, mask)
    if can_yoke(g, seat):
        mark_place(Place.YOKE, Stance.PLAIN, hatted, regular, grande, mask)
    if may_use_event(g, seat):
        is_possible = event_possible(g, seat)
        trained = grande and (is_possible or trade_enables(g, seat, Place.EVENT))
        mark_place(Place.EVENT, Stance.PLAIN, hatted and is_possible, regular and is_possible, trained, mask)


@jit
def apply_place(g, t, action):
    """Place a worker and start the action, or pass (W49, W71)."""
    seat = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.PASS:
        pass_season(g, seat)
        return
    place, kind = PLACE_OF[action], KIND_OF[action]
    g.turn_place = send(g, seat, worker_at_hand(g, seat, kind), place, STANCE_OF[action])
    g.turn_worker = kind
    if place == Place.GIVE_TOUR:
        use_tasting_room(g, seat)
    if place == Place.YOKE:
        use_yoke(g, seat)
        return
    push(g, WorldOp.TAKING, seat, 1, 1, place, kind, oval_of(g, place, kind))


operation(FrameOp.PLACE, "place_worker", legal=legal_place, apply=apply_place, shows=())


class TakingStage(IntConstants):
    """Next step of an action. 6 is unused, but may occur in saved games."""

    TRADE_BEFORE = 0
    BONUS_BEFORE = 1
    BOOST_BEFORE = 2
    ACTION = 3
    BOOST_AFTER = 4
    BONUS_AFTER = 5
    TRADE_AFTER = 7
    OVER = 8


# Taking an action: A is the place, B the worker, C the oval of the bonus when the worker was placed (O24), STAGE a
# `TakingStage`; P0 is set if the bonus was taken, P1 if a trade was made, P2 if the bonus was offered.


@jit
def run_taking(g, t):
    """Run the stages in order until a decision is pending."""
    while g.depth == t + 1:
        do_next_stage(g, t)
    return True


@jit
def do_next_stage(g, t):
    stage, seat = get(g, t, Frame.STAGE), get(g, t, Frame.SEAT)
    place, kind, oval = get(g, t, Frame.A), get(g, t, Frame.B), get(g, t, Frame.C)
    g.frames[t, Frame.STAGE] = stage + 1
    if stage == TakingStage.TRADE_BEFORE or stage == TakingStage.TRADE_AFTER:
        if kind == Kind.GRANDE and g.frames[t, Frame.P1] == 0 and can_trade_at(g, seat, place):
            is_before = stage == TakingStage.TRADE_BEFORE
            is_required = 1 if is_before and not is_still_possible(g, seat, place, kind, oval) else 0
            push(g, WorldOp.TRADE, seat, 1, is_required, place, 0, 0)
    elif stage == TakingStage.BONUS_BEFORE:
        if kind == Kind.GRANDE and not is_still_possible(g, seat, place, kind, oval):
            undo_action(g, t, seat, place)
            return
        ask_bonus(g, t, seat, place, oval)
    elif stage == TakingStage.BOOST_BEFORE:
        g.frames[t, Frame.P0] = int(g.frames[t, Frame.P2]) * get(g, t, Frame.RESULT)
        boost_before(g, seat, place, kind)
    elif stage == TakingStage.ACTION:
        start_action(g, seat, place)
    elif stage == TakingStage.BOOST_AFTER:
        boost_after(g, seat, place, kind)
    elif stage == TakingStage.BONUS_AFTER:
        is_ageing_bonus = oval != NO_OVAL and is_ageing(OVAL_GAIN[oval])
        if g.frames[t, Frame.P0] == 0 and (is_ageing_bonus or g.frames[t, Frame.P2] == 0):
            ask_bonus(g, t, seat, place, oval)
    elif stage == TakingStage.OVER:
        finish(g, 1)


operation(WorldOp.TAKING, run=run_taking)


@jit
def is_still_possible(g, seat, place, kind, oval):
    """Return whether an action is possible for a grande after its trade or the refusal of one."""
    if place == Place.EVENT:
        return event_possible(g, seat)
    change = lira_change(g, seat, place, kind)
    return try_action(g, seat, place, NO_KIND, change) or (
        oval != NO_OVAL and bonus_enables(g, seat, place, oval, NO_KIND, change)
    )


@jit
def undo_action(g, t, seat, place):
    """Skip the action, its bonus and its boost: the worker stays without effect (W46, W63)."""
    if place == Place.EVENT:
        deed(g, seat, Metric.EVENT_SPACE_USES, 1)  # counts the workers on the event (W89)
    set_stage(g, t, TakingStage.OVER)


@jit
def start_action(g, seat, place):
    """Pay for the action and push its effects, the first one on top."""
    if place == Place.EVENT:
        start_effect(g, seat, event_number(g, EventCol.GAIN), 0, 0)
        start_effect(g, seat, event_number(g, EventCol.PAY), 0, 0)
        deed(g, seat, Metric.EVENT_SPACE_USES, 1)
        return
    gain_lira(g, seat, -price_of(g, place))
    start_effect(g, seat, row_of(g, place), 0, discount_at(g, place))
    if place == Place.GIVE_TOUR:
        deed(g, seat, Metric.TOURS, 1)
    if place == Place.EXCHANGE:
        deed(g, seat, Metric.ACTION_G_USES, 1)


# The bonus of an oval: A is the place, B the oval, C is set before the action.


@jit
def ask_bonus(g, t, seat, place, oval):
    if oval == NO_OVAL or not effect_possible(g, seat, OVAL_GAIN[oval], 0):
        return
    is_before = 1 if g.frames[t, Frame.STAGE] == TakingStage.BOOST_BEFORE else 0
    if is_before == 1 and place == Place.BUY_INFLUENCE and completes_track(g, seat, OVAL_GAIN[oval]):
        return  # the bonus would make the compulsory action impossible (W63, W75)
    g.frames[t, Frame.P2] = 1
    push(g, WorldOp.OVAL_BONUS, seat, 1, 0, place, oval, is_before)


@jit
def completes_track(g, seat, row):
    """Return whether the gains of an effect, including its points, complete the influence track (W8, W9)."""
    steps = sum_of(row, WorldPart.INFLUENCE)
    if g.over_achieved[seat] == 0 and g.vp[seat] + sum_of(row, PartOp.POINTS) >= g.rules[WorldRule.OVER_ACHIEVE_AT]:
        steps += int(g.rules[WorldRule.OVER_ACHIEVE_GAIN])
    return steps >= steps_left(g)


@jit
def can_decline_bonus(g, t):
    """Return whether the action is possible without the bonus (W63; like ruling 1.7)."""
    if get(g, t, Frame.C) == 0:
        return True
    seat, place, kind = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t - 1, Frame.B)
    change = lira_change(g, seat, place, kind)
    return try_action(g, seat, place, NO_KIND, change) or not bonus_enables(
        g, seat, place, get(g, t, Frame.B), NO_KIND, change
    )


@jit
def legal_oval_bonus(g, t, mask):
    mask[Move.YES] = 1
    if can_decline_bonus(g, t):
        mask[Move.NO] = 1


@jit
def apply_oval_bonus(g, t, action):
    """Take the bonus before or after the action (W63, O25); a required bonus must make the action possible."""
    seat, place, oval = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B)
    goal = goal_of(place) if action == Move.YES else 0
    if goal != 0 and can_decline_bonus(g, t):
        goal = 0
    finish(g, 1 if action == Move.YES else 0)
    if action == Move.YES:
        start_effect(g, seat, OVAL_GAIN[oval], 0, 0)
        g.frames[int(g.depth) - 1, Frame.GOALS] = goal


operation(
    WorldOp.OVAL_BONUS, "take_bonus", legal=legal_oval_bonus, apply=apply_oval_bonus, shows=(Frame.A, Frame.B, Frame.C)
)


# This year's boost (W82, O37).


@jit
def mark_boost_used(g, seat):
    if event_number(g, EventCol.WHO) == Beneficiary.ALL:
        for beneficiary in range(int(g.rules[Rule.NUM_PLAYERS])):
            g.boosted[beneficiary] = 1
    else:
        g.boosted[seat] = 1


@jit
def boost_before(g, seat, place, kind):
    """Give the lira of a free boost before the action."""
    if boost_lira(g, seat, place, kind) == 0:
        return
    row = event_number(g, EventCol.GAIN)
    if event_number(g, EventCol.WHO) == Beneficiary.ALL:
        for beneficiary in range(int(g.rules[Rule.NUM_PLAYERS])):
            gain_lira(g, beneficiary, lira_of(row))
    else:
        gain_lira(g, seat, lira_of(row))
    if is_lira_alone(row):
        mark_boost_used(g, seat)


@jit
def boost_after(g, seat, place, kind):
    """Start the other gains of a boost after the action; a boost with a price is optional."""
    if not has_boost(g, seat, place, kind):
        return
    pay, row = event_number(g, EventCol.PAY), event_number(g, EventCol.GAIN)
    if row == 0 or (pay == 0 and is_lira_alone(row)):
        return
    if pay != 0:
        if all_possible(g, seat, pay) and effect_possible(g, seat, row, 0):
            push(g, WorldOp.EVENT_OFFER, seat, 1, 0, 0, 0, 0)
        return
    mark_boost_used(g, seat)
    if event_number(g, EventCol.WHO) == Beneficiary.ALL:
        for_each_seat(g, row, FOR_EACH | WITHOUT_LIRA)
    else:
        start_effect(g, seat, row, WITHOUT_LIRA, 0)


@jit
def legal_event_offer(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_event_offer(g, t, action):
    seat = get(g, t, Frame.SEAT)
    finish(g, 1)
    if action == Move.YES:
        mark_boost_used(g, seat)
        start_effect(g, seat, event_number(g, EventCol.GAIN), 0, 0)
        start_effect(g, seat, event_number(g, EventCol.PAY), 0, 0)


operation(WorldOp.EVENT_OFFER, "event_offer", legal=legal_event_offer, apply=apply_event_offer, shows=())

"""Scores of worker placements, including the value of saving a worker for winter."""

from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.moves import harvest_best
from vitienv.agents.viticulture.value import position_value
from vitienv.agents.world.effects import do_effect
from vitienv.agents.world.features import n_at_place
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.enums import Season, Structure, Used
from vitienv.viticulture.observation import At
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.world.continents import EventCol
from vitienv.world.enums import (
    FIRST_WINTER,
    N_ACTIONS_ON_BOARD,
    N_KINDS,
    N_PLACES,
    N_STANCES,
    NO_OVAL,
    Kind,
    Metric,
    Place,
    Stance,
)
from vitienv.world.goals import event_number
from vitienv.world.legality import bonus_lira, boost_lira, discount_at, has_boost, price_of, row_of
from vitienv.world.observation import WorldAt
from vitienv.world.ops.effects import is_lira_alone, lira_of
from vitienv.world.ops.tiles import bonus_oval
from vitienv.world.rows import OVAL_GAIN
from vitienv.world.state import N_BEFORE, WorldRule
from vitienv.world.vocabulary import PLACING

SPACES_EACH = WorldAt.WORLD_RULES + int(WorldRule.SPACES_EACH) - N_BEFORE


@jit
def send(me, kind):
    """Use up a worker."""
    if kind == Kind.HATTED and me.season <= Season.SUMMER:
        me.early -= 1
    else:
        me.free -= 1


@jit
def do_place(p, flat, at, w, o, place, kind):
    """Apply the action of a place to position `at`, with a worker of a kind; return whether it is possible."""
    me = p[at]
    if place == Place.YOKE:
        me.used[ME, Used.YOKE] = 1
        return harvest_best(p, flat, at, w) >= 0
    if place == Place.EVENT:
        return do_event(p, flat, at, w, o)
    me.lira[ME] += boost_lira(me, ME, place, kind) + bonus_lira(me, place, kind) - price_of(me, place)
    if me.lira[ME] < 0 or not do_effect(p, flat, at, w, o, row_of(me, place), discount_at(me, place)):
        return False
    if place == Place.GIVE_TOUR:
        me.deeds[ME, Metric.TOURS] += 1
        if me.structures[ME, Structure.TASTING_ROOM] == 1 and me.used[ME, Used.TASTING_ROOM] == 0:
            me.used[ME, Used.TASTING_ROOM] = 1
            me.vp[ME] += 1
    elif place == Place.EXCHANGE:
        me.deeds[ME, Metric.ACTION_G_USES] += 1
    if place < N_ACTIONS_ON_BOARD:
        gain_oval_bonus(p, flat, at, w, o, place, kind)
        gain_boost(p, flat, at, w, o, place, kind)
    return True


@jit
def do_event(p, flat, at, w, o):
    """Apply the action of this year's event; return whether it is possible."""
    me = p[at]
    if not do_effect(p, flat, at, w, o, event_number(me, EventCol.PAY), 0):
        return False
    if not do_effect(p, flat, at, w, o, event_number(me, EventCol.GAIN), 0):
        return False
    me.deeds[ME, Metric.EVENT_SPACE_USES] += 1
    return me.lira[ME] >= 0


@jit
def gain_oval_bonus(p, flat, at, w, o, place, kind):
    """Apply the bonus of an oval, unless `do_place` has counted it as lira."""
    if kind == Kind.HATTED or bonus_oval(p[at], place) == NO_OVAL:
        return
    row = OVAL_GAIN[bonus_oval(p[at], place)]
    if lira_of(row) == 0:
        do_effect(p, flat, at, w, o, row, 0)


@jit
def gain_boost(p, flat, at, w, o, place, kind):
    """Apply this year's boost after an action; a boost with a price only if it adds value."""
    me = p[at]
    if not has_boost(me, ME, place, kind):
        return
    pay, row = event_number(me, EventCol.PAY), event_number(me, EventCol.GAIN)
    if row == 0 or (pay == 0 and is_lira_alone(row)):
        return
    copy_position(flat, at, at + 1)
    if not do_effect(p, flat, at + 1, w, o, pay, 0) or p[at + 1].lira[ME] < 0:
        return
    if do_effect(p, flat, at + 1, w, o, row, 0) and position_value(p, flat, at + 1, w) > position_value(p, flat, at, w):
        copy_position(flat, at + 1, at)


@jit
def place_value(p, flat, at, w, o, place, kind):
    """Return the value of position `at` after an action with a worker; FAR_BELOW if it is impossible."""
    top = at + 1
    copy_position(flat, at, top)
    send(p[top], kind)
    return position_value(p, flat, top, w) if do_place(p, flat, top, w, o, place, kind) else FAR_BELOW


@jit
def idle_value(p, flat, at, w, n):
    """Return the value of position `at` if n of its workers for winter stay idle."""
    top = at + 1
    copy_position(flat, at, top)
    p[top].early = 0
    p[top].free -= n
    return position_value(p, flat, top, w)


@jit
def last_worker_in_winter(p, flat, at, w, o):
    """Return the gain of the last worker in winter if each worker takes the best remaining action."""
    work = at + 1
    copy_position(flat, at, work)
    p[work].season = Season.WINTER
    p[work].early = 0
    used_places, gained = 0, 0
    for _ in range(min(6, p[at].free)):
        before = idle_value(p, flat, work, w, 1)
        best, best_place = FAR_BELOW, -1
        for place in range(FIRST_WINTER, N_ACTIONS_ON_BOARD):
            if (used_places >> place) & 1 == 0:
                value = place_value(p, flat, work, w, o, place, Kind.HATTED)
                if value > best:
                    best, best_place = value, place
        if best_place < 0 or best - before <= w.place_least:
            return 0
        gained = best - before
        used_places |= 1 << best_place
        send(p[work], Kind.HATTED)
        do_place(p, flat, work, w, o, best_place, Kind.HATTED)
    return gained


@jit
def is_last(o, place, stance):
    """Return whether a placement takes the last space of an action, with opponents at the table."""
    if o[At.RULES + Rule.NUM_PLAYERS] < 2 or place >= N_ACTIONS_ON_BOARD or stance != Stance.PLAIN:
        return False
    return n_at_place(o, place) == o[SPACES_EACH] - 1


@jit
def has_trained_gain(me, place):
    """Return whether an action gives a trained worker more than a worker with a hat."""
    if place >= N_ACTIONS_ON_BOARD:
        return False
    return bonus_oval(me, place) != NO_OVAL or has_boost(me, ME, place, Kind.GRANDE)


@jit
def score_places(p, flat, w, o, mask, scores):
    """Score every legal placement, and passing."""
    baseline = position_value(p, flat, 0, w)
    is_summer = p[0].season == Season.SUMMER
    later = last_worker_in_winter(p, flat, 0, w, o) * w.save // 100 if is_summer else 0
    # Passing loses the value of the remaining workers.
    scores[Move.PASS] = idle_value(p, flat, 0, w, 0 if is_summer else p[0].free) - baseline
    scores[Move.PASS] += w.spare_summer if is_summer else w.place_least
    is_spared = p[0].early > 0 if is_summer else p[0].free > 1  # another worker can take the action
    for place in range(N_PLACES):
        gained, is_known = FAR_BELOW, False
        for kind in range(N_KINDS):
            if kind == Kind.REGULAR and has_trained_gain(p[0], place):
                is_known = False
            for stance in range(N_STANCES):
                action = PLACING[place, stance, kind]
                if action < 0 or not mask[action]:
                    continue
                if not is_known:
                    gained = place_value(p, flat, 0, w, o, place, kind) - baseline
                    is_known = True
                scores[action] = gained
                if is_last(o, place, stance):
                    scores[action] += max(0, gained) * w.crowded // 100
                if is_summer and kind != Kind.HATTED:
                    scores[action] -= later
                if kind == Kind.GRANDE and is_spared:
                    scores[action] -= w.grande

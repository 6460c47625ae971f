"""What a position of World is worth: the own vineyard up to the points that a seat must have, and what the team gets.

Stands in for the other rulesets' `worth`, with their reckoning of fields, wines and orders.
"""

from vitienv.agents.viticulture.features import ME
from vitienv.agents.viticulture.value import (
    cellar_worth,
    grape_worth,
    hand_size,
    lira_worth,
    reckon_yields,
    vines_worth,
)
from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers
from vitienv.viticulture.enums import N_FIELDS, N_VALUES, Deck, Season, Structure, Used
from vitienv.viticulture.state import Rule
from vitienv.world.continents import Ev, Ru
from vitienv.world.enums import EventKind, Limit, Metric, Scope
from vitienv.world.goals import event_number, hand_limit, is_event, measure, n_bare, rule_number, threshold
from vitienv.world.rows import AIM
from vitienv.world.state import WorldRule

POINT = 100


class Row(Numbers):
    """Rows of `others`: the count of this year's goal, and that of the continent's rule."""

    GOAL = 0
    RULE = 1


class ActionDescription(Numbers):
    """What is known of the other seats together: the sum of them, the least and the most."""

    ALL = 0
    LEAST = 1
    MOST = 2


NO_OTHERS = 10_000
STEP_LIRA = 8  # a step of the token costs that where no rectangle makes it cheaper


@jit
def yearly(me, w):
    """Structures, workers and residual payments: what they bring in the years to come."""
    built = me.structures[ME]
    a_year = me.residual[ME] * w.residual_year + n_bare(me, ME) * w.bare_year
    a_year += built[Structure.WINDMILL] * w.windmill_year + built[Structure.TASTING_ROOM] * w.tasting_year
    a_year += built[Structure.COTTAGE] * w.cottage_year + built[Structure.YOKE] * w.yoke_year
    a_year += built[Structure.TRELLIS] * w.trellis_year + built[Structure.IRRIGATION] * w.irrigation_year
    a_year += built[Structure.MEDIUM_CELLAR] * w.medium_year + built[Structure.LARGE_CELLAR] * w.large_year
    a_year -= (me.sold[ME, 0] + me.sold[ME, 1] + me.sold[ME, 2]) * w.field_open
    this_year = 0
    if me.season <= Season.SUMMER and me.early + me.free > 0:
        this_year = built[Structure.WINDMILL] * (1 - me.used[ME, Used.WINDMILL]) * w.windmill_year
        this_year += built[Structure.TASTING_ROOM] * (1 - me.used[ME, Used.TASTING_ROOM]) * w.tasting_year
    return a_year * me.later // 100 + this_year // 2


@jit
def visitors(me, w):
    """Visitors in hand, each further one of a deck worth less; nothing once they cannot be played any more."""
    total = 0
    for deck in range(Deck.SUMMER, Deck.WINTER + 1):
        each = w.summer_card if deck == Deck.SUMMER else w.winter_card
        now = me.free > 0 if deck == Deck.WINTER else me.season <= Season.SUMMER and me.early + me.free > 0
        for _ in range(me.n_hand[ME, deck]):
            if (me.later > 0 or now) and each > 0:
                total += each
                each -= w.visitor_less
    excess = hand_size(me) - hand_limit(me) - (me.free + me.early) // 2
    return total - max(0, excess) * w.over_limit


@jit
def fields_here(me, w):
    """The grapes of the years to come, the best first, each further one counting less, and those of this winter."""
    total, share, ready = 0, 100, 0
    for value in range(N_VALUES, 0, -1):
        for field in range(N_FIELDS):
            for colour in range(2):
                if me.yields[field, colour] == value:
                    total += grape_worth(w, value) * share // 100
                    share = share * w.field_crowd // 100
                    if me.harvested[ME, field] == 0 and me.free > 0:
                        ready += grape_worth(w, value)
    return total * w.field_year * me.later // 10000 + ready * w.ready // 100


@jit
def closeness(w, have, need):
    """The progress towards a need, in percent: 100 when it is met, a weighted part on the way."""
    if have >= need:
        return 100
    return w.progress * have * have // (need * need) if have > 0 else 0


@jit
def met_share(me, w, which, metric, scope, need):
    """How far a need is met, by the own seat and what is known of the others, in percent."""
    mine = measure(me, ME, metric)
    if scope == Scope.TEAM:
        return closeness(w, mine + me.others[which, ActionDescription.ALL], need)
    if scope == Scope.ANY:
        return closeness(w, max(mine, me.others[which, ActionDescription.MOST]), need)
    share = closeness(w, min(mine, need), need)
    return share if me.others[which, ActionDescription.LEAST] >= need else share * w.progress // 100


@jit
def goal_metric(me):
    """What this year's goal counts; -1 if there is none, or it is met."""
    if not is_event(me, EventKind.GOAL) or me.goal_met == 1:
        return -1
    return event_number(me, Ev.SOLO_METRIC) if me.rules[Rule.NUM_PLAYERS] == 1 else event_number(me, Ev.METRIC)


@jit
def goal_worth(me, w):
    """How far this year's goal is met."""
    metric = goal_metric(me)
    if metric < 0:
        return 0
    per_seat, least = event_number(me, Ev.PER_PLAYER), event_number(me, Ev.MINIMUM)
    need = threshold(me, event_number(me, Ev.NEED), per_seat, least)
    if event_number(me, Ev.IS_MOST) == 1:
        return w.goal if measure(me, ME, metric) + me.others[Row.GOAL, ActionDescription.ALL] <= need else 0
    return w.goal * met_share(me, w, Row.GOAL, metric, event_number(me, Ev.SCOPE), need) // 100


@jit
def rule_metric(me):
    """What the continent's rule counts; -1 if it brings nothing any more, or is a payment or an aim."""
    if me.rule_steps >= rule_number(me, Ru.MOST):
        return -1
    metric = rule_number(me, Ru.SOLO_METRIC) if me.rules[Rule.NUM_PLAYERS] == 1 else rule_number(me, Ru.METRIC)
    return metric if metric < Metric.TEAM_PAYMENT_LIRA else -1


@jit
def rule_worth(me, w):
    """How far the continent's rule is met this year, once or several times."""
    metric = rule_metric(me)
    if metric < 0:
        return 0
    need = threshold(me, rule_number(me, Ru.NEED), rule_number(me, Ru.PER_PLAYER), rule_number(me, Ru.MINIMUM))
    have = measure(me, ME, metric) + me.others[Row.RULE, ActionDescription.ALL]
    often = have // need
    if rule_number(me, Ru.LIMIT) != Limit.REPEAT:
        return w.goal * closeness(w, min(have, need), need) // 100 if me.rule_year == 0 else 0
    left = rule_number(me, Ru.MOST) - me.rule_steps + me.rule_year
    if often >= left:
        return w.goal * left
    return w.goal * often + w.goal * closeness(w, have - often * need, need) // 100


@jit
def wells_worth(me, w):
    """Africa's rule: irrigation for all, then three planted fields for all."""
    if rule_number(me, Ru.METRIC) != Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS:
        return 0
    total = 0
    if me.rule_done & 1 == 0:
        total += w.goal * me.structures[ME, Structure.IRRIGATION]
    if me.rule_done & 2 == 0:
        total += w.goal * closeness(w, measure(me, ME, Metric.PLANTED_FIELDS), 3) // 100
    return total


@jit
def aims_worth(me, w):
    """Europe's aims that are not turned over yet."""
    total = 0
    for i in range(2):
        if me.aims[ME, i] >= 0 and me.aims_met[ME, i] == 0:
            aim = me.aims[ME, i]
            alone = me.rules[Rule.NUM_PLAYERS] == 1
            have = measure(me, ME, AIM[aim, 2] if alone else AIM[aim, 0])
            total += w.aim * closeness(w, have, AIM[aim, 1]) // 100
    return total


@jit
def influence_worth(me, w):
    """The steps that the token lacks; those that nothing is expected to bring count for more."""
    end = me.rules[WorldRule.INFLUENCE_END]
    token = me.influence
    if me.over_achieved[ME] == 0 and me.vp[ME] >= me.rules[WorldRule.OVER_ACHIEVE_AT]:
        token += me.rules[WorldRule.OVER_ACHIEVE_GAIN]
    lacking = max(0, end - token)
    urgent = max(0, 100 * lacking - w.expected[me.rules[WorldRule.CONTINENT]] * me.later // 100)
    return -w.step * lacking - w.step_urgent * urgent // 100


@jit
def enough(me, w, prospects):
    """Points and what will bring points: beyond those that a seat must have they count for less."""
    needed = POINT * me.rules[WorldRule.VP_EACH]
    return prospects if prospects <= needed else needed + (prospects - needed) * w.beyond // 100


@jit
def money(me, w):
    """Lira; in the last year while there is something to buy."""
    total = lira_worth(me, w)
    if me.later == 0 and me.free > 0:
        lacking = max(0, me.rules[WorldRule.INFLUENCE_END] - me.influence)
        total += w.lira_end * min(me.lira[ME], STEP_LIRA * lacking)
    return total


@jit
def worth_here(p, flat, at, w):
    """What position `at` is worth. The two positions above it are used as scratch."""
    me = p[at]
    reckon_yields(me)
    own = POINT * me.vp[ME] + me.extra + yearly(me, w) + visitors(me, w)
    own += fields_here(me, w) + vines_worth(me, w) + cellar_worth(p, flat, at, w)
    team = influence_worth(me, w) + goal_worth(me, w) + rule_worth(me, w) + wells_worth(me, w) + aims_worth(me, w)
    return enough(me, w, own) + money(me, w) + team

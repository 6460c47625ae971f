"""Value of a position of World: the seat's vineyard, up to the points it needs, and the team's goals."""

from vitienv.agents.viticulture.features import ME
from vitienv.agents.viticulture.value import (
    cellar_worth,
    grape_worth,
    hand_size,
    lira_worth,
    update_yields,
    vines_worth,
)
from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.enums import N_FIELDS, N_VALUES, Deck, Season, Structure, Used
from vitienv.viticulture.state import Rule
from vitienv.world.continents import EventCol, RuleCol
from vitienv.world.enums import EventKind, Limit, Metric, Scope
from vitienv.world.goals import event_number, hand_limit, is_event, measure, n_bare, rule_number, threshold
from vitienv.world.rows import AIM
from vitienv.world.state import WorldRule

POINT = 100


class Row(IntConstants):
    """Rows of `others`: the metric of this year's goal, and that of the continent's rule."""

    GOAL = 0
    RULE = 1


class Aggregate(IntConstants):
    """Columns of `others`: aggregates of a metric over the other seats."""

    SUM = 0
    MIN = 1
    MAX = 2


NO_OTHERS = 10_000
STEP_LIRA = 8  # price of an influence step without a rectangle


@jit
def yearly_value(me, w):
    """Return the value of structures, workers and residual payments in the remaining years."""
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
def visitors_value(me, w):
    """Return the value of visitors in hand that can still be played; each further visitor of a deck has less."""
    total = 0
    for deck in range(Deck.SUMMER, Deck.WINTER + 1):
        card_worth = w.summer_card if deck == Deck.SUMMER else w.winter_card
        is_playable = me.free > 0 if deck == Deck.WINTER else me.season <= Season.SUMMER and me.early + me.free > 0
        for _ in range(me.n_hand[ME, deck]):
            if (me.later > 0 or is_playable) and card_worth > 0:
                total += card_worth
                card_worth -= w.visitor_less
    excess = hand_size(me) - hand_limit(me) - (me.free + me.early) // 2
    return total - max(0, excess) * w.over_limit


@jit
def fields_value(me, w):
    """Return the value of future harvests, with diminishing returns from the best down, and of this winter's."""
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
def progress_towards(w, have, need):
    """Return the progress towards a need in percent: 100 when met, a weighted square below."""
    if have >= need:
        return 100
    return w.progress * have * have // (need * need) if have > 0 else 0


@jit
def met_share(me, w, row, metric, scope, need):
    """Return the progress of the seats in a scope towards a need, in percent."""
    mine = measure(me, ME, metric)
    if scope == Scope.TEAM:
        return progress_towards(w, mine + me.others[row, Aggregate.SUM], need)
    if scope == Scope.ANY:
        return progress_towards(w, max(mine, me.others[row, Aggregate.MAX]), need)
    share = progress_towards(w, min(mine, need), need)
    return share if me.others[row, Aggregate.MIN] >= need else share * w.progress // 100


@jit
def goal_metric(me):
    """Return the metric of this year's goal; -1 if there is none, or it is met."""
    if not is_event(me, EventKind.GOAL) or me.goal_met == 1:
        return -1
    return (
        event_number(me, EventCol.SOLO_METRIC) if me.rules[Rule.NUM_PLAYERS] == 1 else event_number(me, EventCol.METRIC)
    )


@jit
def goal_value(me, w):
    """Return the value of the progress towards this year's goal."""
    metric = goal_metric(me)
    if metric < 0:
        return 0
    per_seat, minimum = event_number(me, EventCol.PER_PLAYER), event_number(me, EventCol.MINIMUM)
    need = threshold(me, event_number(me, EventCol.NEED), per_seat, minimum)
    if event_number(me, EventCol.IS_AT_MOST) == 1:
        return w.goal if measure(me, ME, metric) + me.others[Row.GOAL, Aggregate.SUM] <= need else 0
    return w.goal * met_share(me, w, Row.GOAL, metric, event_number(me, EventCol.SCOPE), need) // 100


@jit
def rule_metric(me):
    """Return the metric of the continent's rule; -1 if it is exhausted, a payment or an aim."""
    if me.rule_steps >= rule_number(me, RuleCol.MAX_STEPS):
        return -1
    metric = (
        rule_number(me, RuleCol.SOLO_METRIC) if me.rules[Rule.NUM_PLAYERS] == 1 else rule_number(me, RuleCol.METRIC)
    )
    return metric if metric < Metric.TEAM_PAYMENT_LIRA else -1


@jit
def rule_value(me, w):
    """Return the value of this year's progress towards the continent's rule, which may repeat."""
    metric = rule_metric(me)
    if metric < 0:
        return 0
    need = threshold(
        me, rule_number(me, RuleCol.NEED), rule_number(me, RuleCol.PER_PLAYER), rule_number(me, RuleCol.MINIMUM)
    )
    have = measure(me, ME, metric) + me.others[Row.RULE, Aggregate.SUM]
    times = have // need
    if rule_number(me, RuleCol.LIMIT) != Limit.REPEAT:
        return w.goal * progress_towards(w, min(have, need), need) // 100 if me.rule_year == 0 else 0
    steps_left = rule_number(me, RuleCol.MAX_STEPS) - me.rule_steps + me.rule_year
    if times >= steps_left:
        return w.goal * steps_left
    return w.goal * times + w.goal * progress_towards(w, have - times * need, need) // 100


@jit
def wells_value(me, w):
    """Return the value of the progress towards Africa's rule: irrigation, then three planted fields, for all seats."""
    if rule_number(me, RuleCol.METRIC) != Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS:
        return 0
    total = 0
    if me.rule_done & 1 == 0:
        total += w.goal * me.structures[ME, Structure.IRRIGATION]
    if me.rule_done & 2 == 0:
        total += w.goal * progress_towards(w, measure(me, ME, Metric.PLANTED_FIELDS), 3) // 100
    return total


@jit
def aims_value(me, w):
    """Return the value of the progress towards Europe's open aims."""
    total = 0
    for i in range(2):
        if me.aims[ME, i] >= 0 and me.aims_met[ME, i] == 0:
            aim = me.aims[ME, i]
            is_solo = me.rules[Rule.NUM_PLAYERS] == 1
            have = measure(me, ME, AIM[aim, 2] if is_solo else AIM[aim, 0])
            total += w.aim * progress_towards(w, have, AIM[aim, 1]) // 100
    return total


@jit
def influence_value(me, w):
    """Return the penalty for missing influence; steps beyond the expected gains weigh more."""
    end = me.rules[WorldRule.INFLUENCE_END]
    token = me.influence
    if me.over_achieved[ME] == 0 and me.vp[ME] >= me.rules[WorldRule.OVER_ACHIEVE_AT]:
        token += me.rules[WorldRule.OVER_ACHIEVE_GAIN]
    lacking = max(0, end - token)
    urgent = max(0, 100 * lacking - w.expected[me.rules[WorldRule.CONTINENT]] * me.later // 100)
    return -w.step * lacking - w.step_urgent * urgent // 100


@jit
def discount_surplus(me, w, prospects):
    """Discount prospective points beyond the seat's target."""
    target = POINT * me.rules[WorldRule.VP_EACH]
    return prospects if prospects <= target else target + (prospects - target) * w.beyond // 100


@jit
def lira_value(me, w):
    """Return the value of lira; in the last year also as influence that is still missing."""
    total = lira_worth(me, w)
    if me.later == 0 and me.free > 0:
        lacking = max(0, me.rules[WorldRule.INFLUENCE_END] - me.influence)
        total += w.lira_end * min(me.lira[ME], STEP_LIRA * lacking)
    return total


@jit
def team_value(p, flat, at, w):
    """Return the value of position `at`, with the two positions above it as scratch. Replaces `position_value`."""
    me = p[at]
    update_yields(me)
    prospects = POINT * me.vp[ME] + me.extra + yearly_value(me, w) + visitors_value(me, w)
    prospects += fields_value(me, w) + vines_worth(me, w) + cellar_worth(p, flat, at, w)
    team = influence_value(me, w) + goal_value(me, w) + rule_value(me, w) + wells_value(me, w) + aims_value(me, w)
    return discount_surplus(me, w, prospects) + lira_value(me, w) + team

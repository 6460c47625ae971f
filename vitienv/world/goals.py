"""Influence, goals and rules of continents: metrics and gains (W8, W9, W85 to W95)."""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.derived import fields_with_vines, n_structures
from vitienv.viticulture.enums import N_VALUES, RESIDUAL_MAX, VP_FLOOR, WINES, Structure
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import highest_wine
from vitienv.world.continents import EventCol, RuleCol
from vitienv.world.enums import N_DEEDS, N_REGULARS, UNCHANGED, EventKind, Flag, Hat, Limit, Metric, Scope
from vitienv.world.language import MAX_EFFECT_PARTS
from vitienv.world.rows import AIM, AIM_GAIN, EVENT, EVENT_FLAGS, PARTS, ROW_INFLUENCE, ROW_WAITS, RULE, RULE_FLAGS
from vitienv.world.state import WorldRule

N_KINDS_OF_WINE = len(WINES)
MAX_DEEDS = 127
MAX_RULE_YEAR = 100
EVENT_DUE, RULE_DUE = 1, 2
TWO_AIMS = 2


@jit
def gain_influence(g, n):
    """Advance the influence token, at most to the end of the track (W9)."""
    g.influence = min(int(g.influence) + n, int(g.rules[WorldRule.INFLUENCE_END]))


@jit
def gain_points(g, seat, n):
    """Gain points; a seat's first 30 points give the team influence (W8). Replaces `gain_vp`."""
    gain_vp(g, seat, n)
    if g.over_achieved[seat] == 0 and g.vp[seat] >= g.rules[WorldRule.OVER_ACHIEVE_AT]:
        g.over_achieved[seat] = 1
        gain_influence(g, int(g.rules[WorldRule.OVER_ACHIEVE_GAIN]))


# This year's event and the continent's rule.


@jit
def event_number(g, column):
    """Return a column of this year's event, which must be revealed."""
    return EVENT[int(g.rules[WorldRule.CONTINENT]), int(g.event), column]


@jit
def is_event(g, kind):
    return g.event >= 0 and event_number(g, EventCol.KIND) == kind


@jit
def rule_number(g, column):
    """Return a column of the continent's rule."""
    return RULE[int(g.rules[WorldRule.CONTINENT]), column]


@jit
def flag(g, number):
    """Return a flag of this year's event, else of the continent; 0 if neither sets it (W86, W95)."""
    continent = int(g.rules[WorldRule.CONTINENT])
    if g.event >= 0 and EVENT_FLAGS[continent, int(g.event), number] != UNCHANGED:
        return int(EVENT_FLAGS[continent, int(g.event), number])
    return max(0, int(RULE_FLAGS[continent, number]))


@jit
def hand_limit(g):
    """Return the hand limit at a seat's winter pass (W78, W86)."""
    changed_limit = flag(g, Flag.HAND_LIMIT)
    return changed_limit if changed_limit > 0 else int(g.rules[WorldRule.HAND_LIMIT])


# Counting.


@jit
def n_wines(g, seat):
    total = 0
    for kind in range(N_KINDS_OF_WINE):
        for value in range(N_VALUES):
            total += int(g.cellar[seat, kind, value])
    return total


@jit
def n_wine_types(g, seat):
    """Count the types of wine in the cellar."""
    total = 0
    for kind in range(N_KINDS_OF_WINE):
        has_kind = 0
        for value in range(N_VALUES):
            has_kind |= int(g.cellar[seat, kind, value])
        total += has_kind
    return total


@jit
def n_grapes(g, seat):
    total = 0
    for value in range(N_VALUES):
        total += int(g.crush[seat, 0, value]) + int(g.crush[seat, 1, value])
    return total


@jit
def n_bare(g, seat):
    """Count the regulars without a hat."""
    total = 0
    for w in range(N_REGULARS):
        if g.hat[seat, w] == Hat.BARE:
            total += 1
    return total


@jit
def measure(g, seat, metric):
    """Return a seat's value of a metric (W87)."""
    if metric < N_DEEDS:
        return int(g.deeds[seat, metric])
    if metric == Metric.WINES_IN_CELLAR:
        return n_wines(g, seat)
    if metric == Metric.WINE_TYPES_IN_CELLAR:
        return n_wine_types(g, seat)
    if metric == Metric.GRAPES_ON_PAD:
        return n_grapes(g, seat)
    if metric == Metric.PLANTED_FIELDS:
        return fields_with_vines(g, seat)
    if metric == Metric.RESIDUAL_POSITION:
        return int(g.residual[seat])
    if metric == Metric.TRAINED_REGULARS:
        return n_bare(g, seat)
    if metric == Metric.LIRA:
        return int(g.lira[seat])
    if metric == Metric.STRUCTURES_OWNED:
        return n_structures(g, seat)
    if metric == Metric.BEST_WINE_VALUE:
        return highest_wine(g, seat)
    return int(g.aims_met[seat, 0]) + int(g.aims_met[seat, 1])


@jit
def lowest(g, metric):
    low = measure(g, 0, metric)
    for seat in range(1, int(g.rules[Rule.NUM_PLAYERS])):
        low = min(low, measure(g, seat, metric))
    return low


@jit
def highest(g, metric):
    high = measure(g, 0, metric)
    for seat in range(1, int(g.rules[Rule.NUM_PLAYERS])):
        high = max(high, measure(g, seat, metric))
    return high


@jit
def total(g, metric):
    team_total = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        team_total += measure(g, seat, metric)
    return team_total


@jit
def aggregate(g, metric, scope, is_at_most):
    """Aggregate a metric over a scope, for comparison with a need (W85)."""
    if scope == Scope.TEAM:
        return total(g, metric)
    if (scope == Scope.EACH) == (is_at_most == 1):
        return highest(g, metric)
    return lowest(g, metric)


@jit
def threshold(g, need, per_player, minimum):
    """Return a need, times the number of seats if it is per player, at least its minimum (W85, W100)."""
    seats = int(g.rules[Rule.NUM_PLAYERS])
    return max(need * seats if per_player == 1 else need, minimum)


# Gains of the team.


@jit
def grant(g, row, due):
    """Give influence to the team and other gains to every seat (W85); decisions and draws wait in `goals_due`."""
    gain_influence(g, ROW_INFLUENCE[row])
    if ROW_WAITS[row] == 1:
        g.goals_due |= due
        return
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        for i in range(MAX_EFFECT_PARTS):
            give_at_once(g, seat, PARTS[row, i, 0], PARTS[row, i, 1])


@jit
def give_at_once(g, seat, op, n):
    """Change lira, points or residual payment; an impossible loss is skipped (W88)."""
    if op == PartOp.LIRA and g.lira[seat] + n >= 0:
        gain_lira(g, seat, n)
    elif op == PartOp.POINTS and g.vp[seat] + n >= VP_FLOOR:
        gain_vp(g, seat, n)
    elif op == PartOp.RESIDUAL:
        g.residual[seat] = max(0, min(RESIDUAL_MAX, int(g.residual[seat]) + n))


@jit
def goal_is_met(g):
    is_solo = g.rules[Rule.NUM_PLAYERS] == 1
    metric = event_number(g, EventCol.SOLO_METRIC) if is_solo else event_number(g, EventCol.METRIC)
    is_at_most = event_number(g, EventCol.IS_AT_MOST)
    have = aggregate(g, metric, event_number(g, EventCol.SCOPE), is_at_most)
    need = threshold(
        g, event_number(g, EventCol.NEED), event_number(g, EventCol.PER_PLAYER), event_number(g, EventCol.MINIMUM)
    )
    return have <= need if is_at_most == 1 else have >= need


@jit
def meet_goal(g):
    """Grant this year's goal once."""
    if g.goal_met == 0 and goal_is_met(g):
        g.goal_met = 1
        grant(g, event_number(g, EventCol.GAIN), EVENT_DUE)


@jit
def rule_count(g):
    """Return the count of the continent's rule, which may have another metric with one seat (W100)."""
    is_solo = g.rules[Rule.NUM_PLAYERS] == 1
    metric = rule_number(g, RuleCol.SOLO_METRIC) if is_solo else rule_number(g, RuleCol.METRIC)
    return aggregate(g, metric, rule_number(g, RuleCol.SCOPE), 0)


@jit
def rule_threshold(g):
    return threshold(
        g, rule_number(g, RuleCol.NEED), rule_number(g, RuleCol.PER_PLAYER), rule_number(g, RuleCol.MINIMUM)
    )


@jit
def give_by_rule(g, row):
    """Grant a gain of the continent's rule, up to its maximum number of steps in a game."""
    if g.rule_steps < rule_number(g, RuleCol.MAX_STEPS):
        g.rule_steps += ROW_INFLUENCE[row]
        grant(g, row, RULE_DUE)


@jit
def meet_rule(g):
    """Grant the gains of a counting rule: for every multiple of its threshold, or once a year (W89 to W92)."""
    limit = MAX_RULE_YEAR if rule_number(g, RuleCol.LIMIT) == Limit.REPEAT else 1
    while g.rule_year < limit and rule_count(g) >= rule_threshold(g) * (int(g.rule_year) + 1):
        g.rule_year += 1
        give_by_rule(g, rule_number(g, RuleCol.GAIN))


@jit
def check_at_once(g):
    """Check goals and rules that are met immediately (W85, O35)."""
    if is_event(g, EventKind.GOAL) and event_number(g, EventCol.AT_ONCE) == 1:
        meet_goal(g)
    if rule_number(g, RuleCol.AT_ONCE) == 1:
        meet_rule(g)


@jit
def deed(g, seat, metric, n):
    """Count n deeds of a metric and check goals (W87)."""
    g.deeds[seat, metric] = min(MAX_DEEDS, int(g.deeds[seat, metric]) + n)
    check_at_once(g)


# The year's end (W80, O33).


@jit
def meet_once(g, condition, row):
    """Grant one of the rule's conditions once in a game."""
    if (int(g.rule_done) >> condition) & 1 == 0:
        g.rule_done |= 1 << condition
        give_by_rule(g, row)


@jit
def all_seats_have(g, structure):
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if g.structures[seat, structure] == 0:
            return False
    return True


@jit
def turn_over_aims(g):
    """Turn over the aims that are met (W93)."""
    is_solo = g.rules[Rule.NUM_PLAYERS] == 1
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        for i in range(TWO_AIMS):
            aim = int(g.aims[seat, i])
            if aim < 0 or g.aims_met[seat, i] == 1:
                continue
            if measure(g, seat, AIM[aim, 2] if is_solo else AIM[aim, 0]) >= AIM[aim, 1]:
                g.aims_met[seat, i] = 1


@jit
def pay_aims(g, seat, n):
    """Give a seat the gains of n aims."""
    for _ in range(n):
        for i in range(MAX_EFFECT_PARTS):
            give_at_once(g, seat, PARTS[AIM_GAIN[0], i, 0], PARTS[AIM_GAIN[0], i, 1])


@jit
def check_aims(g):
    """Check the aims of all seats before any of them is paid (O33)."""
    before = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        before |= measure(g, seat, Metric.AIMS_MET) << (2 * seat)
    turn_over_aims(g)
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        pay_aims(g, seat, measure(g, seat, Metric.AIMS_MET) - ((before >> (2 * seat)) & 3))
    if lowest(g, Metric.AIMS_MET) >= rule_number(g, RuleCol.NEED):
        meet_once(g, 0, rule_number(g, RuleCol.GAIN))
    if lowest(g, Metric.AIMS_MET) >= rule_number(g, RuleCol.NEED_2):
        meet_once(g, 1, rule_number(g, RuleCol.GAIN_2))


@jit
def check_rule_at_year_end(g):
    """Check a rule of the year's end (W92, W93, W95); the team's payment is a decision instead."""
    metric = rule_number(g, RuleCol.METRIC)
    if metric == Metric.TEAM_PAYMENT_LIRA or rule_number(g, RuleCol.AT_ONCE) == 1:
        return
    if metric == Metric.AIMS_MET:
        check_aims(g)
    elif metric == Metric.ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS:
        if all_seats_have(g, Structure.IRRIGATION):
            meet_once(g, 0, rule_number(g, RuleCol.GAIN))
        if lowest(g, Metric.PLANTED_FIELDS) == 3:
            meet_once(g, 1, rule_number(g, RuleCol.GAIN))
    else:
        meet_rule(g)

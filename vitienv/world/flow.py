"""World's year (W30 to W35, W49, W68 to W71, W76 to W80)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, pop, push
from vitienv.core.kernel import Status
from vitienv.core.rng import below
from vitienv.viticulture.enums import MAX_SEATS, N_FIELDS, N_ROWS, NO_SEAT, NOWHERE, Season, Structure
from vitienv.viticulture.flow import start_season
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.ops.draw import random_word
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.offers import seat_in_row
from vitienv.viticulture.setup import clockwise
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.world.continents import EventCol, RuleCol
from vitienv.world.enums import N_DEEDS, N_LETTERS, EventKind, Metric
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import (
    EVENT_DUE,
    check_rule_at_year_end,
    event_number,
    gain_influence,
    give_by_rule,
    is_event,
    meet_goal,
    rule_number,
    rule_threshold,
)
from vitienv.world.legality import NO_KIND
from vitienv.world.ops.effects import FOR_EACH, for_each_seat, start_effect
from vitienv.world.ops.exchange import steps_left
from vitienv.world.ops.partner import start_partner_season
from vitienv.world.ops.passing import pass_season
from vitienv.world.ops.tiles import turn_up_tiles
from vitienv.world.ops.workers import has_usable
from vitienv.world.rows import COTTAGE_CARD, N_EVENTS, RING, ROW_INFLUENCE
from vitienv.world.score import is_won
from vitienv.world.setup import run_setup
from vitienv.world.state import TILES_STREAM, WorldRule
from vitienv.world.vocabulary import WorldMove

PAIR_BASE = 100  # two amounts of a payment share a column


@jit
def run_start(g, t):
    if not run_setup(g, t):
        pop(g)
        push(g, FrameOp.YEAR, NO_SEAT, 0, 0, 0, 0, 0)
        g.year = 1
        start_season(g, Season.SPRING)
    return True


operation(FrameOp.SETUP, run=run_start)


@jit
def run_year(g, t):
    """Run one step of the year. DONE counts the steps of a season without turns."""
    step, season = get(g, t, Frame.DONE), int(g.season)
    g.frames[t, Frame.RESULT] = 0
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    g.turn_worker = NO_KIND
    if g.goals_due != 0:
        grant_due_gains(g)
    elif season == Season.SUMMER or season == Season.WINTER:
        if not next_turn(g):
            start_season(g, Season.FALL if season == Season.SUMMER else Season.YEAR_END)
    else:
        g.frames[t, Frame.DONE] = step + 1
        if season == Season.SPRING:
            step_of_spring(g, step)
        elif season == Season.FALL:
            step_of_fall(g, step)
        else:
            step_of_year_end(g, step)
    return True


operation(FrameOp.YEAR, run=run_year)


@jit
def grant_due_gains(g):
    """Start the gains of a goal or rule that require decisions or draws, after the turn that met it."""
    if g.goals_due & EVENT_DUE:
        g.goals_due -= EVENT_DUE
        for_each_seat(g, event_number(g, EventCol.GAIN), FOR_EACH)
    else:
        g.goals_due = 0
        for_each_seat(g, rule_number(g, RuleCol.GAIN), FOR_EACH)


@jit
def next_turn(g):
    """Start the turn of the next seat that has not passed; False if all have. No usable worker is a pass (W79)."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for _ in range(n):
        seat = int(g.order[g.turn])
        g.turn = int(g.turn) + 1 if g.turn + 1 < n else 0
        if g.passed[seat] == 1:
            continue
        if has_usable(g, seat):
            g.turn_seat = seat
            push(g, FrameOp.PLACE, seat, 1, 1, 0, 0, 0)
        else:
            pass_season(g, seat)
        return True
    return False


# Spring: the event, tiles, the ring (W30 to W35).


@jit
def step_of_spring(g, step):
    n = int(g.rules[Rule.NUM_PLAYERS])
    if step == 0:
        turn_up_event(g)
    elif step == 1:
        turn_up_tiles(g)
    elif step < n + 2:
        push(g, FrameOp.WAKE, clockwise(g, step - 2), 1, 1, 0, 0, 0)
    else:
        start_season(g, Season.SUMMER)
        start_partner_season(g)


@jit
def turn_up_event(g):
    """Reveal the next event in order, or a random one (W15, W16); every seat gets a reveal's gain at once (W84)."""
    continent = int(g.rules[WorldRule.CONTINENT])
    if g.rules[WorldRule.SHUFFLED] == 0:
        g.event = g.n_events
    else:
        index = below(random_word(g, TILES_STREAM), int(N_EVENTS[continent]) - int(g.n_events))
        card = 0
        while index > 0 or (int(g.events_gone) >> card) & 1 == 1:
            if (int(g.events_gone) >> card) & 1 == 0:
                index -= 1
            card += 1
        g.event = card
    g.n_events += 1
    g.events_gone |= 1 << int(g.event)
    if is_event(g, EventKind.REVEAL):
        gain_influence(g, ROW_INFLUENCE[event_number(g, EventCol.GAIN)])
        for_each_seat(g, event_number(g, EventCol.GAIN), FOR_EACH)


@jit
def legal_wake(g, t, mask):
    """Mark the free positions of the outer ring (W33)."""
    for row in range(1, N_ROWS + 1):
        if RING[row] >= 0 and seat_in_row(g, row) == NO_SEAT:
            mask[Move.WAKE_UP + row - 1] = 1


@jit
def apply_wake(g, t, action):
    seat, row = get(g, t, Frame.SEAT), action - Move.WAKE_UP + 1
    pop(g)
    g.row[seat] = row
    start_effect(g, seat, RING[row], 0, 0)


operation(FrameOp.WAKE, "wake_up", legal=legal_wake, apply=apply_wake, shows=())


# Fall: cottages, once all have passed (W70).


@jit
def step_of_fall(g, step):
    if step == g.rules[Rule.NUM_PLAYERS]:
        start_season(g, Season.WINTER)
        start_partner_season(g)
        return
    seat = int(g.order[step])
    if g.structures[seat, Structure.COTTAGE] == 1:
        start_effect(g, seat, COTTAGE_CARD[0], 0, 0)


# The year's end (W80).


@jit
def step_of_year_end(g, step):
    if step == 0:
        ask_for_payment(g)
    elif step == 1:
        check_rule_at_year_end(g)
    elif step == 2:
        end_goal(g)
    else:
        end_year(g)


@jit
def end_goal(g):
    """Check the goal for the last time; if it was never met, apply its penalty as far as possible (W85, W88)."""
    if not is_event(g, EventKind.GOAL):
        return
    meet_goal(g)
    if g.goal_met == 0:
        for i in range(int(g.rules[Rule.NUM_PLAYERS]) - 1, -1, -1):
            start_effect(g, int(g.order[i]), event_number(g, EventCol.PENALTY), FOR_EACH, 0)  # turn order (W35)


@jit
def clear_year(g):
    """Reset the marks and counts of the year (O31, W87)."""
    g.rule_year = 0
    g.goal_met = 0
    for place in range(N_LETTERS):
        g.partner_on[place] = 0
    for seat in range(MAX_SEATS):
        g.boosted[seat] = 0
        g.row[seat] = 0
        for i in range(3):
            g.used[seat, i] = 0
        for field in range(N_FIELDS):
            g.harvested[seat, field] = 0
        for metric in range(N_DEEDS):
            g.deeds[seat, metric] = 0


@jit
def end_year(g):
    """Advance the year and move the first player counter-clockwise (O13), or end the game (W3, W4)."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    clear_year(g)
    g.first_player = (int(g.first_player) + n - 1) % n
    if g.year == g.rules[Rule.LAST_YEAR]:
        g.lost = 0 if is_won(g) else 1
        g.status = Status.OVER
        pop(g)
    elif g.rules[Rule.MAX_YEARS] > 0 and g.year >= g.rules[Rule.MAX_YEARS]:
        g.status = Status.TRUNCATED
        pop(g)
    else:
        g.year += 1
        start_season(g, Season.SPRING)


# The team's payment (W94, O36): A is its price, P0 the sum so far, P1 to P3 the amounts, DONE the seats asked so far.


@jit
def ask_for_payment(g):
    if rule_number(g, RuleCol.METRIC) != Metric.TEAM_PAYMENT_LIRA or g.rule_steps >= rule_number(g, RuleCol.MAX_STEPS):
        return
    have, need = 0, rule_threshold(g)
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        have += int(g.lira[seat])
    if have >= need and steps_left(g) > 0:
        push(g, WorldOp.TEAM, int(g.order[0]), 1, 0, need, 0, 0)


@jit
def missing(g, t):
    return get(g, t, Frame.A) - get(g, t, Frame.P0)


@jit
def run_payment(g, t):
    """Skip seats without lira; after the last seat, all pay or none."""
    num_asked = get(g, t, Frame.DONE)
    if missing(g, t) > 0 and num_asked < g.rules[Rule.NUM_PLAYERS]:
        seat = int(g.order[num_asked])
        if g.lira[seat] > 0:
            g.frames[t, Frame.SEAT] = seat
            return False
        g.frames[t, Frame.DONE] = num_asked + 1
        return True
    if missing(g, t) == 0:
        for k in range(int(g.rules[Rule.NUM_PLAYERS])):
            pair = get(g, t, Frame.P1 + k // 2)
            gain_lira(g, int(g.order[k]), -(pair % PAIR_BASE if k % 2 == 0 else pair // PAIR_BASE))
    is_paid = missing(g, t) == 0
    finish(g, 1)
    if is_paid:
        give_by_rule(g, rule_number(g, RuleCol.GAIN))
    return True


@jit
def legal_payment(g, t, mask):
    max_lira = min(missing(g, t), int(g.lira[get(g, t, Frame.SEAT)]))
    for n in range(1, min(max_lira, 10) + 1):
        mask[WorldMove.AMOUNT + n - 1] = 1
    mask[Move.DONE] = 1


@jit
def apply_payment(g, t, action):
    num_asked = get(g, t, Frame.DONE)
    n = 0 if action == Move.DONE else action - WorldMove.AMOUNT + 1
    g.frames[t, Frame.P0] += n
    g.frames[t, Frame.P1 + num_asked // 2] += n if num_asked % 2 == 0 else n * PAIR_BASE
    g.frames[t, Frame.DONE] = num_asked + 1


operation(
    WorldOp.TEAM, "team_payment", run=run_payment, legal=legal_payment, apply=apply_payment,
    shows=(Frame.A, Frame.P0),
)  # fmt: skip

"""Contradictions of a state of World whose fields are within their bounds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions.pending import pending_frames
from vitienv.core.positions.schema import Contradictions
from vitienv.viticulture.cards import KIND, NEEDS_OTHERS, PAPA_GIFT
from vitienv.viticulture.cards.papas import GIFT_WORKER
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import SEASONS, Season, Structure, Worker
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.positions.contradictions import WITH_A_BOARD, common, crowd_contradictions, turn_contradictions
from vitienv.viticulture.state import Rule
from vitienv.world.continents import EventCol, RuleCol
from vitienv.world.enums import (
    AT_HAND,
    DEEDS,
    FIRST_WINTER,
    GRANDE,
    N_ACTIONS_ON_BOARD,
    N_LETTERS,
    N_REGULARS,
    N_STANCES,
    NO_OVAL,
    PLACES,
    EventKind,
    Hat,
    Metric,
    Place,
    Stance,
    Tile,
)
from vitienv.world.frames import WorldOp
from vitienv.world.language import MAX_EFFECT_PARTS, WorldPart
from vitienv.world.ops.partner import PartnerColumn
from vitienv.world.ops.taking import TakingStage
from vitienv.world.ops.workers import ON_SPACE
from vitienv.world.positions.keys import comes_only_from, holds_temporary, numbers_of, row_of_temporary
from vitienv.world.positions.pending import FRAMES
from vitienv.world.rows import arrays
from vitienv.world.state import N_MAMAS, N_PAPAS, WorldRule

if TYPE_CHECKING:
    from vitienv.world.options import Options
    from vitienv.world.tables import Tables

ORGANIZER = KIND["summer:organizer"]
STEPS_OF_SPRING = 2  # event and tiles, before the ring
STEPS_OF_YEAR_END = 3  # payment, rule and goal
# Stages of an action in which a frame is pushed.
STAGES = {
    int(WorldOp.TRADE): (TakingStage.TRADE_BEFORE, TakingStage.TRADE_AFTER),
    int(FrameOp.CARDS): (TakingStage.TRADE_BEFORE, TakingStage.TRADE_AFTER),
    int(WorldOp.OVAL_BONUS): (TakingStage.BONUS_BEFORE, TakingStage.BONUS_AFTER),
    int(WorldOp.EVENT_OFFER): (TakingStage.BOOST_AFTER,),
}


def contradictions(r: np.record, options: Options) -> Contradictions:
    """Yield the contradictions of a state; later ones may follow from the first one."""
    n, tables = options.num_players, options.tables
    yield from FRAMES.contradictions(r)
    steps = {Season.SPRING: n + STEPS_OF_SPRING, Season.YEAR_END: STEPS_OF_YEAR_END}
    yield from turn_contradictions(r, steps.get(Season(int(r.season)), n))
    yield from _steps(r, n, tables)
    yield from _effects(r, tables, arrays(tables)["PARTS"])
    yield from common(r, n)
    yield from _year(r, n, tables)
    yield from _dealt(r, n, tables)
    yield from _tiles(r, tables)
    yield from _partner(r, tables)
    for seat in range(n):
        yield from _workers(r, seat, tables)
        yield from _uses(r, seat, tables)
    yield from _spaces(r, n, tables)


def copies_of(state: Any, tables: Tables) -> np.ndarray:
    """Return the number of copies of each card (W100, W104, W105)."""
    rules = state["rules"]
    copies = arrays(tables)["COPIES_WITH_TRAINERS" if rules[WorldRule.TRAINERS] else "WORLD_COPIES"]
    return np.where(NEEDS_OTHERS == 1, 0, copies) if rules[Rule.NUM_PLAYERS] == 1 else copies


def least_influence(state: Any) -> int:
    """Return the minimum of influence: its start, plus the steps of seats with 30 points and of the rule (W8, W9)."""
    rules = state["rules"]
    steps = int(state["over_achieved"].sum()) * int(rules[WorldRule.OVER_ACHIEVE_GAIN]) + int(state["rule_steps"])
    return min(int(rules[WorldRule.START_INFLUENCE]) + steps, int(rules[WorldRule.INFLUENCE_END]))


def _steps(r: np.record, n: int, tables: Tables) -> Contradictions:
    """Check the counter of the year below a decision of the spring (W30 to W35) or of a cottage in fall (W70)."""
    year, frame = r.frames[:2]
    if r.depth < 2 or year[Frame.OP] != FrameOp.YEAR:
        return
    if r.season == Season.SPRING:
        rows = int(np.count_nonzero(r.row[:n])) + int(frame[Frame.OP] == FrameOp.WAKE)
        steps = [STEPS_OF_SPRING + rows] if rows else list(range(1, STEPS_OF_SPRING + 1))
    elif r.season == Season.FALL and frame[Frame.OP] == WorldOp.EFFECTS and frame[Frame.A] == tables.cottage[0]:
        steps = [r.order[:n].tolist().index(frame[Frame.SEAT]) + 1]
    else:
        return
    if year[Frame.DONE] not in steps:
        expected = " or ".join(map(str, steps))
        yield f"done of the first pending frame must be {expected} in {SEASONS[int(r.season)]}, got {year[Frame.DONE]}"


def _effects(r: np.record, tables: Tables, parts: np.ndarray) -> Contradictions:
    """Check that effects exist, and are on top of each other only if several seats gain them, or as an event's price.

    parts: (rows, MAX_EFFECT_PARTS, 5), the array of the kernels.
    """
    event, frames = tables.event[int(r.rules[WorldRule.CONTINENT]), int(r.event)], pending_frames(r)
    for frame in frames[frames[:, Frame.OP] == WorldOp.EFFECTS]:
        row, part, done = (int(frame[column]) for column in (Frame.A, Frame.B, Frame.P1))
        if row >= len(parts):
            yield f"a of the pending effects must be below {len(parts)}, got {row}"
        elif done > (times := 0 if part == MAX_EFFECT_PARTS else int(parts[row, part, 4])):
            yield f"p1 of the pending effects must be at most {times} for part {part}, got {done}"
    for below, frame in pairwise(frames):
        if below[Frame.OP] == WorldOp.EFFECTS == frame[Frame.OP]:
            is_price = (below[Frame.A], frame[Frame.A]) == (event[EventCol.GAIN], event[EventCol.PAY])
            is_same_seat = below[Frame.SEAT] == frame[Frame.SEAT]
            if not (is_price if is_same_seat else below[Frame.A] == frame[Frame.A]):
                yield f"effects {frame[Frame.A]} cannot be on effects {below[Frame.A]} among the pending decisions"
    for taking, frame in pairwise(frames):
        if taking[Frame.OP] == WorldOp.TAKING:
            stage, stages = int(taking[Frame.STAGE]), _stages(frame, taking, tables, event)
            if stage not in stages:
                yield f"stage of the pending taking must be one of {sorted(stages)}, got {stage}"


def _stages(frame: np.ndarray, taking: np.ndarray, tables: Tables, event: np.ndarray) -> set[int]:
    """Return the possible next stages of an action (W49) below a frame."""
    if frame[Frame.OP] != WorldOp.EFFECTS:
        return {int(stage) + 1 for stage in STAGES[int(frame[Frame.OP])]}
    row, place, oval = (int(number) for number in (frame[Frame.A], taking[Frame.A], taking[Frame.C]))
    of_event = row in (event[EventCol.GAIN], event[EventCol.PAY])
    stages = [
        (TakingStage.BONUS_BEFORE, oval != NO_OVAL and row == tables.oval[oval]),
        (TakingStage.BONUS_AFTER, oval != NO_OVAL and row == tables.oval[oval]),
        (TakingStage.ACTION, of_event if place == Place.EVENT else row in tables.row[:, place : place + 1]),
        (TakingStage.BOOST_AFTER, of_event),
    ]
    return {int(stage) + 1 for stage, is_possible in stages if is_possible}


def _year(r: np.record, n: int, tables: Tables) -> Contradictions:
    """Check that counts of the year start in summer (O31, W87), and the order of turns (W35) and events."""
    season, cards = SEASONS[int(r.season)], numbers_of(r.events_gone)
    for key in ("deeds", "used", "harvested", "passed", "boosted") if r.season in (Season.SETUP, Season.SPRING) else ():
        if r[key][:n].any():
            yield f"{key} must be empty in {season}; it begins with summer"
    if not r.rules[WorldRule.SHUFFLED] and (cards != list(range(1, len(cards) + 1)) or r.event != len(cards) - 1):
        yield f"events must come in order, got {cards}"
    for seat in range(n):
        if r.vp[seat] >= r.rules[WorldRule.OVER_ACHIEVE_AT] and not r.over_achieved[seat]:
            yield f"reached_30 of seat {seat} must be true with {r.vp[seat]} points"
        if r.season == Season.WINTER and r.passed[seat] and (r.at[seat] != AT_HAND).any():
            yield f"workers of seat {seat} must be at hand, as it has passed in winter (W76)"
    # The continent's rule has a maximum of steps in a game, which the last may exceed (W89 to W95).
    rule = tables.rule[int(r.rules[WorldRule.CONTINENT])]
    parts = tables.parts[[rule[RuleCol.GAIN], rule[RuleCol.GAIN_2]]]
    gain = int(np.where(parts[:, :, 0] == WorldPart.INFLUENCE, parts[:, :, 1], 0).sum(axis=1).max())
    max_steps = int(rule[RuleCol.MAX_STEPS]) - 1 + gain if gain else 0
    if r.rule_steps > max_steps:
        yield f"rule_steps must be at most {max_steps} on this continent, got {r.rule_steps}"
    if r.status == Status.PLAYING and r.season > Season.SPRING and not copies_of(r, tables)[ORGANIZER]:
        order = sorted(range(n), key=lambda seat: r.row[seat])
        if r.order[:n].tolist() != order:
            yield f"turn_order must be {order}, by the positions of the ring, got {r.order[:n].tolist()}"


def _dealt(r: np.record, n: int, tables: Tables) -> Contradictions:
    """Check that parents (W24) and aims (W93) are dealt once each, and only where World allows them."""
    for key in ("mamas", "papas", "aims"):
        dealt = r[key][:n][r[key][:n] >= 0].tolist()
        if len(set(dealt)) < len(dealt):
            yield f"{key} must be dealt once each, got {sorted(dealt)}"
    mamas, papas = (r[key][:n, 0][r[key][:n, 0] >= 0] for key in ("mamas", "papas"))
    papas = papas[papas < N_PAPAS]
    if ((mamas < N_MAMAS).any() or len(papas)) and not r.rules[WorldRule.MIXED_PARENTS]:
        yield "mamas and papas must be those of World; the original ones are in a game with parents 'mixed' alone"
    if (PAPA_GIFT[papas] == GIFT_WORKER).any():
        yield "papas who give a worker must be left out in World"
    deals = tables.parts[tables.setup[int(r.rules[WorldRule.CONTINENT])], :, 0] == WorldPart.DEAL_AIMS
    if not deals.any() and comes_only_from(WorldPart.DEAL_AIMS, "setup", tables) and (r.aims[:n] >= 0).any():
        yield "aims must be left out on a continent whose set-up deals none"
    if r.aims_met[:n].any() and r.year <= 1 and r.season != Season.YEAR_END:
        yield f"aims_met must be empty in {SEASONS[int(r.season)]} of year 1; aims are turned over at its end"


def _tiles(r: np.record, tables: Tables) -> Contradictions:
    """Check the number of tiles revealed each year, which are discarded in the next spring (W32)."""
    is_out = (tables.solo_only == 1) & (r.tile[:N_LETTERS] == Tile.GONE) & (r.rules[WorldRule.PARTNER] == 0)
    for rule, kind, tiles in (
        (WorldRule.TILES_A_YEAR, "rectangles", r.tile[:N_LETTERS][~is_out]),
        (WorldRule.OVALS_A_YEAR, "ovals", r.tile[N_LETTERS:]),
    ):
        rate, year = int(r.rules[rule]), int(r.year)
        for label, number, limit in (
            ("on show", int((tiles == Tile.SHOWN).sum()), rate),
            ("turned up", int((tiles != Tile.IN_STACK).sum()), rate * year),
            ("discarded", int((tiles == Tile.GONE).sum()), rate * max(0, year - 1)),
        ):
            if number > limit:
                yield f"{kind} {label} must be at most {limit} in year {year}, got {number}"


def _partner(r: np.record, tables: Tables) -> Contradictions:
    """Check that one card is used each summer and winter, with workers on its four places (W98)."""
    cards = [card - 1 for card in numbers_of(r.partner_gone)]
    season, year = SEASONS[int(r.season)], int(r.year)
    max_cards = max(0, 2 * (year - 1)) + int(r.season >= Season.SUMMER) + int(r.season >= Season.WINTER)
    if len(cards) > max_cards:
        yield f"gone of partner must be at most {max_cards} cards in {season} of year {year}, got {len(cards)}"
    if r.partner_lira and not cards:
        yield f"lira of partner must be 0 before its first card, got {r.partner_lira}"
    places = [0, 0]
    for place in np.flatnonzero(r.partner_on):
        places[PartnerColumn.SUMMER if place < FIRST_WINTER else PartnerColumn.WINTER] |= 1 << int(place)
    fits = [
        {card for card in cards if not places[half] & ~int(tables.partner[card, half])} if places[half] else set(cards)
        for half in PartnerColumn
    ]
    is_time = (r.season >= Season.SUMMER or not any(places)) and (
        r.season >= Season.WINTER or not places[PartnerColumn.WINTER]
    )
    if any(places) and not (is_time and fits[0] and fits[1] and (len(fits[0] | fits[1]) > 1 or not all(places))):
        yield f"workers of the partner must be where its cards {numbers_of(r.partner_gone)} put them in {season}"


def has_event_space(r: Any, tables: Tables) -> bool:
    event = tables.event[int(r["rules"][WorldRule.CONTINENT]), int(r["event"])]
    return bool(r["event"] >= 0 and event[EventCol.KIND] == EventKind.SPACE)


def _workers(r: np.record, seat: int, tables: Tables) -> Contradictions:
    """Check that workers are on ovals, only grandes crowd full actions, and hats fit the season (W36, W39, W81)."""
    event = tables.event[int(r.rules[WorldRule.CONTINENT]), int(r.event)]
    for w in np.flatnonzero(r.at[seat] != AT_HAND):
        place, stance = divmod(int(r.at[seat, w]), N_STANCES)
        is_action, title = place < N_ACTIONS_ON_BOARD, f"a worker of seat {seat} on {PLACES[place]}"
        default_stance = Stance.OVAL if is_action and r.oval_on[place] != NO_OVAL else Stance.PLAIN
        is_crowd = stance == Stance.CROWD and w == GRANDE and is_action and default_stance == Stance.PLAIN
        if stance != default_stance and not is_crowd:
            word = Stance(default_stance).name.lower()
            yield f"space of {title} must be {word} (crowd for a grande on an action), got {stance}"
        if place == Place.EVENT and not has_event_space(r, tables):
            yield f"{title} must be elsewhere, as this year's event has no space"
        season = (Season.SUMMER if place < FIRST_WINTER else Season.WINTER) if is_action else None
        if place == Place.EVENT:
            season = (None, Season.SUMMER, Season.WINTER)[event[EventCol.SEASON]]
        hat = Hat(int(r.hat[seat, w])) if w < N_REGULARS else Hat.BARE
        is_free = r.season == Season.WINTER or (season != Season.WINTER and hat != Hat.BLUE)
        if not is_free or season == {Hat.YELLOW: Season.WINTER, Hat.BLUE: Season.SUMMER}.get(hat, Season.FALL):
            yield f"{title} must be there in the season of the action and of its hat, {hat.name.lower()}"
    if r.season not in WITH_A_BOARD and (r.at[seat] != AT_HAND).any():
        yield f"board must be empty in {SEASONS[int(r.season)]}; workers are on it from summer to winter only"
    on_yoke = int((r.at[seat] == Place.YOKE * N_STANCES).sum())
    if on_yoke > bool(r.structures[seat, Structure.YOKE]):
        yield f"workers of seat {seat} on its yoke must be at most one, with a yoke, got {on_yoke}"
    # Hats are removed from the first winter on (W73).
    bare = N_REGULARS - int(r.rules[WorldRule.YELLOW_HATS]) - int(r.rules[WorldRule.BLUE_HATS])
    if r.year <= 1 and r.season < Season.WINTER and comes_only_from(WorldPart.REMOVE_HAT, "training", tables):
        if (r.hat[seat] == Hat.BARE).sum() != bare:
            yield f"workers of seat {seat} without a hat must be {bare} before the first winter"
    row = row_of_temporary(tables)
    if r.status == Status.PLAYING and row and bool(r.staff[seat, Worker.TEMPORARY]) != holds_temporary(r, seat, tables):
        yield f"the temporary worker must be that of the seat in position {row} of the ring, got that of seat {seat}"


def workers_on_event(r: Any, seat: int) -> tuple[int, bool]:
    """Return the number of a seat's workers on the event, and whether one of them was placed this turn."""
    place = Place.EVENT * N_STANCES
    return int((r.at[seat] == place).sum()), bool(r.depth and r.turn_seat == seat and r.turn_place == place)


def _uses(r: np.record, seat: int, tables: Tables) -> Contradictions:
    """Check that the uses of the event are at least a seat's workers there, without that of this turn (W81)."""
    standing, is_turn = workers_on_event(r, seat)
    rule = tables.rule[int(r.rules[WorldRule.CONTINENT])]
    max_uses = (
        int(rule[RuleCol.USES_ALONE if r.rules[Rule.NUM_PLAYERS] == 1 else RuleCol.USES])
        if has_event_space(r, tables)
        else 0
    )
    uses, name = int(r.deeds[seat, Metric.EVENT_SPACE_USES]), DEEDS[Metric.EVENT_SPACE_USES]
    if standing > max_uses or not standing - is_turn <= uses <= max_uses:
        yield f"{name} of seat {seat} must be from {standing - is_turn} to {max_uses}, got {uses}"


def _spaces(r: np.record, n: int, tables: Tables) -> Contradictions:
    """Check that a space has one worker, and that only a grande joins a full action (W11, W39, W107)."""
    num_spaces = int(r.rules[WorldRule.SPACES_EACH])
    plays_visitors = bool((r.at[:n] // N_STANCES == Place.PLAY_SUMMER_VISITOR).any())
    for place in range(N_ACTIONS_ON_BOARD):
        plain = int((r.at[:n] == place * N_STANCES + Stance.PLAIN).sum()) + (r.partner_on[place] == ON_SPACE)
        if plain > num_spaces:
            yield f"workers on the spaces of {PLACES[place]} must be at most {num_spaces}, got {plain}"
        if (r.at[:n] == place * N_STANCES + Stance.CROWD).any():
            is_free = plays_visitors or _retrieves_elsewhere(tables)
            yield from crowd_contradictions(r, PLACES[place], plain == num_spaces, is_free)


def _retrieves_elsewhere(tables: Tables) -> bool:
    """Return whether custom data retrieve workers or play visitors at other places."""
    effects = np.isin(tables.parts[:, :, 0], (WorldPart.PLAY, PartOp.RETRIEVE)).any(axis=1)
    effects[tables.row[:, [Place.PLAY_SUMMER_VISITOR, Place.PLAY_WINTER_VISITOR]]] = False
    return bool(effects.any())

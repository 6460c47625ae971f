"""Reading a position of World: plain JSON into a game, refusing whatever contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.batch import Batch
from vitienv.core.checks import list_of, mapping_of, one_of, only_keys, whole, yes_or_no
from vitienv.core.kernel import Status
from vitienv.core.positions import NAMED, begun, chance_from_json, check_stack, refreshed, state_from_json
from vitienv.viticulture.cards import NEEDS_OTHERS, PAPA_GIFT
from vitienv.viticulture.cards.papas import GIFT_WORKER
from vitienv.viticulture.names import MAX_SEATS, SEASONS, Season
from vitienv.viticulture.positions.contradictions import check_common
from vitienv.viticulture.positions.pending import check_pending
from vitienv.viticulture.positions.reader import read_order, read_pending, read_time, start_turn
from vitienv.viticulture.positions.registers import check_clock
from vitienv.viticulture.positions.seats import read_seats
from vitienv.viticulture.positions.table import read_cards
from vitienv.viticulture.state import Rule
from vitienv.world.continents import Ru
from vitienv.world.names import DEEDS, N_AIMS, N_STANDS, Kind, Metric, Place
from vitienv.world.options import Options
from vitienv.world.positions.contradictions import check_whole, least_influence
from vitienv.world.positions.registers import LIES_ON, ROWS, check_effects, own_bounds
from vitienv.world.positions.table import read_events, read_partner, read_tiles, read_token
from vitienv.world.positions.words import BLUE, RED, TOLD_HERE, shell_of, take_over
from vitienv.world.positions.workers import can_place, check_yokes, has_event_space, read_workers
from vitienv.world.rows import arrays
from vitienv.world.state import FIELDS, N_MAMAS, N_PAPAS, WorldRule

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.world.tables import Tables

POSITION_KEYS = (
    "ruleset", "num_players", "options", "data", "continent", "seed", "year", "season", "status", "first_player",
    "to_act", "turn_order", "influence", "events", "tiles", "seats", "board", "partner", "discards", "next_draws",
    "chance", "lost", "pending", "state",
)  # fmt: skip
OWN_SEAT_KEYS = ("workers", "mamas", "papas", "reached_30", "deeds", "aims", "aims_met")
NOT_HERE = ("trained_this_year", "glass_tokens", "bonus_tokens")  # of seats in other rulesets
STEPS_OF_SPRING = 2  # the event and the tiles come before the ring
STEPS_OF_YEAR_END = 3  # the payment, the rule, the goal


def read_world(position: Mapping[str, Any], definition: Definition) -> Batch:
    """The game of a position, as a batch of one. ValueError says what contradicts itself or is unknown."""
    only_keys(position, POSITION_KEYS, "the position")
    batch = begun(position, Options, (*NAMED, "continent"))
    options: Any = batch.options
    r, n = batch.games[0], options.num_players
    shell = shell_of(r)
    season = read_time(shell, position, n)
    pending = position.get("pending")
    if pending is not None:
        pending = mapping_of(pending, "pending")
        read_pending(shell, pending, n, options.definition, own_bounds(n), also=("turn_worker",))
        most = {Season.SPRING: n + STEPS_OF_SPRING, Season.YEAR_END: STEPS_OF_YEAR_END}.get(Season(season), n)
        check_clock(shell, most, options.definition.operations)
        check_effects(shell, arrays(options.tables)["PARTS"])
    read_seats(shell, {**position, "board": {}, "seats": _others_keys(position, n)}, n)
    read_cards(shell, position, _copies(r, options))
    take_over(r, shell)
    state_from_json(r, position.get("state", {}), FIELDS, TOLD_HERE)
    r.lost = yes_or_no(position.get("lost", False), "lost")
    read_events(r, position, options.tables)
    read_tiles(r, position, options.tables)
    read_partner(r, position)
    for seat in range(n):
        _read_own(r, seat, _given(position, seat))
    read_token(r, position, least_influence(r))
    _check_dealt(r, n)
    _check_fresh(r, n)
    read_workers(r, position, n, options.tables)
    for seat in range(n):
        _read_uses(r, seat, _given(position, seat), options.tables)
    check_yokes(r, n)
    if pending is not None:
        r.turn_worker = whole(pending.get("turn_worker", -1), -1, len(Kind) - 1, "turn_worker")
    elif r.status == Status.PLAYING:
        start_turn(r, position, season, [can_place(r, seat) for seat in range(n)], STEPS_OF_SPRING)
    r.order[:n] = read_order(r, position, n)
    chance_from_json(r, position)
    check_stack(r, LIES_ON, options.definition.operations)
    check_common(shell_of(r), n)
    check_whole(r, n, options.tables, _copies(r, options))
    check_pending(r, ROWS, options.definition.operations)
    return refreshed(batch)


def _given(position: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    seats = list_of(position.get("seats", []), "seats", MAX_SEATS)
    return mapping_of(seats[seat] if seat < len(seats) else {}, f"seat {seat}")


def _others_keys(position: Mapping[str, Any], n: int) -> list[dict[str, Any]]:
    """The seats without what World says in words of its own."""
    seats = []
    for seat in range(max(n, len(list_of(position.get("seats", []), "seats")))):
        mat = _given(position, seat)
        wrong = [key for key in mat if key in NOT_HERE]
        if wrong:
            raise ValueError(f"seat {seat} has {wrong[0]}, which there is not in this ruleset")
        seats.append({key: value for key, value in mat.items() if key not in OWN_SEAT_KEYS})
    return seats


def _copies(r: np.record, options: Options) -> np.ndarray:
    """How many there are of each card (W100, W104, W105)."""
    own = arrays(options.tables)
    copies = own["COPIES_WITH_TRAINERS" if r.rules[WorldRule.TRAINERS] else "COPIES_HERE"]
    return np.where(NEEDS_OTHERS == 1, 0, copies) if options.is_alone else copies


def _read_own(r: np.record, seat: int, mat: Mapping[str, Any]) -> None:
    """What World's seats have beyond others': cards at the start, the 30 points, deeds, aims."""
    where = f"of seat {seat}"
    reached = mat.get("reached_30", r.vp[seat] >= r.rules[WorldRule.OVER_ACHIEVE_AT])
    r.over_achieved[seat] = yes_or_no(reached, f"reached_30 {where}")
    if r.vp[seat] >= r.rules[WorldRule.OVER_ACHIEVE_AT] and not r.over_achieved[seat]:
        raise ValueError(f"reached_30 {where} is false and it has {r.vp[seat]} points")
    for key, ids, dealt in (("mamas", RED, r.mamas), ("papas", BLUE, r.papas)):
        for name in list_of(mat.get(key, []), f"{key} {where}", 1):
            dealt[seat, 0] = one_of(name, ids, f"{key} {where}")
            _check_parent(r, key, name, int(dealt[seat, 0]))
    for name, number in mapping_of(mat.get("deeds", {}), f"deeds {where}").items():
        r.deeds[seat, one_of(name, DEEDS, f"deed {where}")] = whole(number, 0, 127, f"{name} {where}")
    aims = list_of(mat.get("aims", []), f"aims {where}", 2)
    for i, aim in enumerate(aims):
        r.aims[seat, i] = whole(aim, 1, N_AIMS, f"an aim {where}") - 1
    for aim in list_of(mat.get("aims_met", []), f"aims_met {where}", 2):
        if aim not in aims:
            raise ValueError(f"aims_met {where} names {aim!r}; its aims are {aims}")
        r.aims_met[seat, aims.index(aim)] = 1


def _check_parent(r: np.record, key: str, name: str, card: int) -> None:
    """The original parents are in the game as an option, but for those who give a worker (W24)."""
    if card >= (N_MAMAS if key == "mamas" else N_PAPAS):
        return
    if not r.rules[WorldRule.MIXED_PARENTS]:
        raise ValueError(f"{name} of the {key} is dealt; the original ones are in a game with parents 'mixed' alone")
    if key == "papas" and PAPA_GIFT[card] == GIFT_WORKER:
        raise ValueError(f"{name} of the papas is dealt; who gives a worker is in no game of World")


def _read_uses(r: np.record, seat: int, mat: Mapping[str, Any], tables: Tables) -> None:
    """How often a seat has used this year's event: as often as its workers stand there, or more, if one was taken back;
    that of this turn may still be about to (W81)."""
    there, turn_at = Place.EVENT * N_STANDS, int(r.turn_place) if r.depth and r.turn_seat == seat else -1
    standing = int((r.at[seat] == there).sum())
    least = standing - int(turn_at == there)
    rule = tables.rule[int(r.rules[WorldRule.CONTINENT])]
    most = int(rule[Ru.USES_ALONE if r.rules[Rule.NUM_PLAYERS] == 1 else Ru.USES]) if has_event_space(r, tables) else 0
    deeds, name = r.deeds[seat], DEEDS[Metric.EVENT_SPACE_USES]
    if standing > most:
        raise ValueError(f"{standing} workers of seat {seat} stand on event; a seat may place {most} there in a year")
    if name not in mat.get("deeds", {}) and turn_at != there:
        deeds[Metric.EVENT_SPACE_USES] = least
    if deeds[Metric.EVENT_SPACE_USES] > most:
        used = deeds[Metric.EVENT_SPACE_USES]
        raise ValueError(f"{name} of seat {seat} is {used}; a seat may place {most} there in a year")
    if deeds[Metric.EVENT_SPACE_USES] < least:
        used = deeds[Metric.EVENT_SPACE_USES]
        raise ValueError(f"{name} of seat {seat} is {used}; {standing} of its workers stand on event")


def _check_fresh(r: np.record, n: int) -> None:
    """What is counted and marked for a year begins with its summer (O31, W87)."""
    if r.season not in (Season.SETUP, Season.SPRING):
        return
    for key in ("deeds", "used", "harvested", "passed", "boosted"):
        seats = [seat for seat in range(n) if r[key][seat].any()]
        if seats:
            raise ValueError(f"seat {seats[0]} has {key} in {SEASONS[int(r.season)]}; that begins with summer")


def _check_dealt(r: np.record, n: int) -> None:
    """Each card and each aim is dealt once."""
    for key, dealt in (("mamas", r.mamas), ("papas", r.papas), ("aims", r.aims)):
        there = [int(card) for card in dealt[:n].ravel() if card >= 0]
        twice = [card for card in there if there.count(card) > 1]
        if twice:
            name = {"mamas": RED, "papas": BLUE}.get(key, [str(i + 1) for i in range(N_AIMS)])[twice[0]]
            raise ValueError(f"{name} of the {key} is dealt twice; there is one of each")

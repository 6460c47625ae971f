"""Reading a position: plain JSON into a game, refusing whatever contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.batch import Batch, key_of
from vitienv.core.checks import mapping_of, one_of, only_keys, whole, whole_numbers, yes_or_no
from vitienv.core.frames import Frame
from vitienv.core.positions import STATUS, begun, chance_from_json, frames_from_json, refreshed, state_from_json
from vitienv.viticulture.cards import COPIES_IN, DECK_OF_KIND
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.names import N_DECKS, NO_SEAT, SEASONS, Season
from vitienv.viticulture.options import Options
from vitienv.viticulture.positions.checks import MOST
from vitienv.viticulture.positions.contradictions import check_whole
from vitienv.viticulture.positions.registers import check_clock, check_registers, own_bounds
from vitienv.viticulture.positions.seats import read_seats
from vitienv.viticulture.positions.table import check_workers, read_automa, read_board, read_cards
from vitienv.viticulture.positions.writer import TOLD
from vitienv.viticulture.setup import SetupStage
from vitienv.viticulture.state import FIELDS, Rule

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.core.operations import Bounds

POSITION_KEYS = (
    "ruleset", "num_players", "options", "seed", "year", "season", "status", "first_player", "to_act", "goal_reached",
    "automa_points", "automa_deck", "lost", "turn_order", "seats", "board", "discards", "next_draws", "chance",
    "pending", "state",
)  # fmt: skip


def read_position(position: Any, definition: Any = None) -> Batch:
    """The game of a position, as a batch of one. ValueError says what contradicts itself or is unknown."""
    only_keys(position, POSITION_KEYS, "the position")
    batch = begun(position, Options)
    r, n = batch.games[0], batch.options.num_players
    _fill_decks(r)
    season = read_time(r, position, n)
    state_from_json(r, position.get("state", {}), FIELDS, TOLD)
    read_automa(r, position)
    read_seats(r, position, n)
    read_board(r, mapping_of(position.get("board", {}), "board"), n)
    check_workers(r, n)
    pending = position.get("pending")
    if pending is not None:
        read_pending(r, mapping_of(pending, "pending"), n, batch.options.definition, own_bounds(n))
        is_draft = season == Season.SETUP and r.frames[0, Frame.STAGE] == SetupStage.DRAFT
        check_clock(r, 2 * n * int(r.rules[Rule.DRAFT_PARENTS]) if is_draft else n, batch.options.definition.operations)
    read_cards(r, position, COPIES_IN[int(r.rules[Rule.CARD_SET])])
    r.goal_reached = yes_or_no(position.get("goal_reached", (r.vp[:n] >= r.rules[Rule.GOAL_VP]).any()), "goal_reached")
    if pending is None and r.status == 0:
        _start_turn(r, position, season, n)
    else:
        r.order[:n] = read_order(r, position, n)
    chance_from_json(r, position)
    check_whole(r, n)
    return refreshed(batch)


def read_time(r: np.record, position: Mapping[str, Any], n: int) -> int:
    """Seed, year, season, whether it goes on, and who is first; returns the season."""
    r.key[:] = key_of(whole(position.get("seed", 0), 0, 2**63 - 1, "seed"))[0]
    r.year = whole(position.get("year", 1), 0, MOST, "year")
    season = one_of(position.get("season", "spring"), SEASONS, "season")
    r.season = season
    r.status = one_of(position.get("status", "playing"), STATUS, "status")
    r.first_player = whole(position.get("first_player", 0), 0, n - 1, "first_player")
    return season


def _fill_decks(r: np.record) -> None:
    """All cards in their decks."""
    r.deck[:] = COPIES_IN[int(r.rules[Rule.CARD_SET])]
    r.n_deck[:] = np.bincount(DECK_OF_KIND, weights=r.deck, minlength=N_DECKS)


# Whose turn.


def _start_turn(r: np.record, position: Mapping[str, Any], season: int, n: int) -> None:
    """Push the frames of a position without pending decisions."""
    can_place = [bool(r.free[seat].any()) for seat in range(n)]
    start_turn(r, position, season, can_place, steps_of_spring=0)


def start_turn(
    r: np.record, position: Mapping[str, Any], season: int, can_place: list[bool], steps_of_spring: int
) -> None:
    """Push the frames of a seat that is about to choose a row or to place a worker. can_place: which seats have a
    worker for this season. steps_of_spring: before the first row."""
    to_act, n = position.get("to_act"), len(can_place)
    if to_act is not None:
        to_act = whole(to_act, 0, n - 1, "to_act")
    if season == Season.SPRING:
        order = [(int(r.first_player) + i) % n for i in range(n)]
        waiting = [seat for seat in order if r.row[seat] == 0]
        expected = waiting[0] if waiting else None
        if expected is None or order.index(expected) != n - len(waiting):
            raise ValueError("in spring rows are taken clockwise from the first player; wake_up contradicts that")
        if to_act not in (None, expected):
            raise ValueError(f"to_act is {to_act}, but seat {expected} is the next to take a row")
        push_frame(r, FrameOp.YEAR, NO_SEAT, Frame.DONE, steps_of_spring + order.index(expected) + 1)
        push_frame(r, FrameOp.WAKE, expected)
        return
    if season not in (Season.SUMMER, Season.WINTER):
        name = SEASONS[season]
        raise ValueError(f"a position in {name} needs its pending decisions; write one in spring, summer or winter")
    free_rows = [row for row in range(1, 8) if row not in r.row[:n]]
    for seat in range(n):
        if r.row[seat] == 0:
            r.row[seat] = free_rows.pop(0)
    order = read_order(r, position, n)
    r.order[:n] = order
    ready = [seat for seat in order if not r.passed[seat]]
    if to_act is None:
        # Who has no worker left is skipped (ruling 1.11).
        to_act = next((seat for seat in ready if can_place[seat]), None)
    if to_act not in ready:
        raise ValueError(f"to_act is {to_act!r}; it must be a seat that has not passed: {ready}")
    if not can_place[to_act]:
        raise ValueError(f"seat {to_act} is to act and has no worker to place")
    r.turn = (order.index(to_act) + 1) % n
    r.turn_seat = to_act
    push_frame(r, FrameOp.YEAR, NO_SEAT, Frame.DONE, 0)
    push_frame(r, FrameOp.PLACE, to_act)


def push_frame(r: np.record, op: FrameOp, seat: int, column: int = Frame.OP, value: int | None = None) -> None:
    frame = r.frames[int(r.depth)]
    frame[:] = 0
    frame[Frame.OP], frame[Frame.SEAT], frame[Frame.CARD] = op, seat, -1
    if op is not FrameOp.YEAR:
        frame[Frame.LEFT] = frame[Frame.MIN] = 1
    if value is not None:
        frame[column] = value
    r.depth += 1


def read_order(r: np.record, position: Mapping[str, Any], n: int) -> list[int]:
    """The seats in the order of the season; by default that of their rows, before summer that of their numbers.
    ValueError unless each is named once."""
    order = position.get("turn_order")
    if order is None:
        return sorted(range(n), key=lambda seat: r.row[seat]) if r.season > Season.SPRING else list(range(n))
    if sorted(whole_numbers(order, n, "turn_order", 0, n - 1)) != list(range(n)):
        raise ValueError(f"turn_order is {order!r}; it must name each of the {n} seats once")
    return list(order)


def read_pending(
    r: np.record,
    pending: Mapping[str, Any],
    n: int,
    made: Definition,
    bounds: Mapping[str, Bounds],
    also: tuple[str, ...] = (),
) -> None:
    """Pending decisions and whose turn it is. made: the game's operations and the bounds of its fields. bounds: of the
    numbers of a frame, by operation. also: keys that are read elsewhere."""
    only_keys(pending, ("frames", "turn", "turn_seat", "turn_place", *also), "pending")
    frames = pending.get("frames")
    if not frames:
        raise ValueError("pending needs its frames, at least one")
    frames_from_json(r, frames, made.operations, n)
    check_registers(r, n, made.operations, bounds)
    r.turn = whole(pending.get("turn", 0), 0, n - 1, "turn")
    r.turn_seat = whole(pending.get("turn_seat", -1), -1, n - 1, "turn_seat")
    most = next(bounds.high for bounds in made.fields if bounds.name == "turn_place")
    r.turn_place = whole(pending.get("turn_place", -1), -1, most, "turn_place")

"""Positions of Viticulture: the keys, and the state derived from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vitienv.core.frames import NO_CARD, NOBODY, Frame
from vitienv.core.kernel import Status
from vitienv.core.positions.pending import Frames
from vitienv.core.positions.schema import Flag, Flags, Group, Int, Key, Named, Seats, Table, derived_key
from vitienv.viticulture.board import AGGRESSIVE_TARGETS
from vitienv.viticulture.cards import AUTOMA_IDS, COPIES_IN
from vitienv.viticulture.cards.mamas import MAMAS
from vitienv.viticulture.cards.papas import PAPAS
from vitienv.viticulture.enums import N_ROWS, SEASONS, VP_FLOOR, WORKERS, Season, Used
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.options import Options
from vitienv.viticulture.positions import keys
from vitienv.viticulture.positions.contradictions import contradictions
from vitienv.viticulture.positions.keys import MAX_NUMBER, last_seat, seats_of
from vitienv.viticulture.positions.pending import FRAMES
from vitienv.viticulture.state import FIELDS, Rule
from vitienv.viticulture.state import MAMAS as MAMAS_BIT
from vitienv.viticulture.state import PAPAS as PAPAS_BIT

__all__ = ["contradictions", "finish", "table"]


def is_implied(state: Any) -> bool:
    """Return whether the game is over, or a seat is to choose a row or to place a worker."""
    is_turn_start = state["depth"] == 2 and int(state["frames"][1, Frame.OP]) in (FrameOp.WAKE, FrameOp.PLACE)
    return bool(state["status"] != Status.PLAYING or is_turn_start)


def pending_key(fields: Sequence[Any], frames: Frames, extra_keys: Sequence[Key] = ()) -> Key:
    """Return the key of the pending decisions."""
    table = Table(fields, (
        Key("frames", "frames depth", frames),
        Key("turn", "turn", Int(high=last_seat), 0),
        Key("turn_seat", "turn_seat", Int(high=last_seat), NOBODY),
        Key("turn_place", "turn_place", Int(), -1),
        *extra_keys,
    ))  # fmt: skip
    return Key("pending", "frames depth", Group(table), is_implied=is_implied,
               text="`frames` of the pending decisions, each starting with the name of its operation, and the turn, "
               "in positions in the middle of a card")  # fmt: skip


def start_marker(state: Any, seat: int | None) -> int:
    """Return the start position of the Automa's marker, by year in the aggressive variant."""
    target = AGGRESSIVE_TARGETS[min(max(int(state["year"]), 1), len(AGGRESSIVE_TARGETS)) - 1]
    return int(target if state["rules"][Rule.AGGRESSIVE] else state["rules"][Rule.AUTOMA_VP])


ROWS = tuple(range(1, N_ROWS + 1))
has_automa, has_tokens = keys.has_rule(Rule.MARKER), keys.has_rule(Rule.GLASS_TOKENS)
SEAT = Table(FIELDS, (
    *keys.SEAT,
    Key("workers", "free", Named(WORKERS, Int(), keys.start_workers), {},
        "workers still to be placed this year, without those on `board`"),
    derived_key("staff", lambda g, seat: g["free"][seat] + keys.placed_workers(g, seat)),
    Key("trained_this_year", "trained", Int(), 0, "workers who start next year"),
    Key("glass_tokens", "glass", Flags(ROWS), condition=has_tokens, text="solo: wake-up rows with a token for the seat",
        start=lambda state, seat: [] if keys.is_blocker_seat(state, seat) else list(ROWS)),
    Key("bonus_tokens", "bonus_tokens", Int(), condition=has_tokens,
        start=lambda state, seat: 0 if keys.is_blocker_seat(state, seat) else int(state["rules"][Rule.START_TOKENS]),
        text="solo: tokens in hand, at most seven with those of rows, and those of the start"),
    Key("mamas", "mamas", keys.Parents(tuple(mama.id for mama in MAMAS), 2), is_brief=True, text="mamas dealt",
        condition=keys.has_rule(Rule.PARENTS, MAMAS_BIT)),
    Key("papas", "papas", keys.Parents(tuple(papa.id for papa in PAPAS), 2), is_brief=True, text="papas dealt",
        condition=keys.has_rule(Rule.PARENTS, PAPAS_BIT)),
))  # fmt: skip
BEFORE, BEHIND = keys.shared_keys(lambda state: COPIES_IN[int(state["rules"][Rule.CARD_SET])])
table = Table(FIELDS, (
    *BEFORE,
    Key("automa_points", "automa_vp", Int(VP_FLOOR, MAX_NUMBER), start_marker, "solo: the Automa's marker",
        condition=has_automa),
    Key("automa_deck", "automa_deck", Flags(AUTOMA_IDS), list(AUTOMA_IDS), "solo: the Automa's cards still to come",
        condition=has_automa),
    Key("lost", "lost", Flag(), False, "solo: true for a game lost before its end", is_brief=True,
        condition=has_automa),
    Key("board", "space_seat space_worker crowd cart yoke_worker", keys.BOARD, {},
        "workers by action, `yoke` and `gain_lira` too: `seat` (or `automa`), `worker`, `space` (`plain`, `bonus`, "
        "`crowd` for a grande worker on a full action), `right` for the right-hand plain space; in summer those on "
        "winter actions are planned"),
    Key("seats", "", Seats(SEAT, seats_of), []),
    Key("goal_reached", "goal_reached", Flag(), text="whether somebody has reached the goal this year",
        start=lambda state, seat: bool((state["vp"][: seats_of(state)] >= state["rules"][Rule.GOAL_VP]).any())),
    pending_key(FIELDS, FRAMES),
    *BEHIND,
))  # fmt: skip


def finish(state: np.record, position: Mapping[str, Any], options: Options) -> None:
    """Push the implied decision of a position."""
    state.used[state.yoke_worker >= 0, Used.YOKE] = 1
    start_turn(state, position, [bool(state.free[seat].any()) for seat in range(options.num_players)])


def start_turn(state: np.record, position: Mapping[str, Any], can_place: list[bool], steps: int = 0) -> None:
    """Push the frames of a seat that is to choose a row or to place a worker, unless `pending` is given.

    can_place: by seat, whether it has a worker for this season. steps: of spring before the first row. Raises
    ValueError for a season without such a seat, and for an impossible `to_act`.
    """
    n, season, to_act, seats = len(can_place), int(state.season), position.get("to_act"), position.get("seats", [])
    order, is_given = [(int(state.first_player) + i) % n for i in range(n)], "pending" in position
    if state.status == Status.PLAYING and season > Season.SPRING:
        if any("wake_up" in seat and seat["wake_up"] is None for seat in seats):
            raise ValueError(f"wake_up must be a row in {SEASONS[season]}, got None")
        if not is_given and season in (Season.SUMMER, Season.WINTER):
            free_rows = [row for row in range(1, N_ROWS + 1) if row not in state.row[:n]]
            missing = np.flatnonzero(state.row[:n] == 0)
            state.row[missing] = free_rows[: len(missing)]
    if "turn_order" not in position and season > Season.SPRING:
        state.order[:n] = sorted(range(n), key=lambda seat: state.row[seat])
    if is_given or state.status != Status.PLAYING:
        return
    if season == Season.SPRING:
        waiting = [seat for seat in order if state.row[seat] == 0]
        if not waiting:
            raise ValueError("wake_up must be null for the seats that are to choose their row in spring")
        candidates, steps = waiting[:1], steps + n - len(waiting) + 1
        state.order[:n] = range(n)
    elif season in (Season.SUMMER, Season.WINTER):
        # A seat without a worker is skipped (ruling 1.11).
        candidates, steps = [int(seat) for seat in state.order[:n] if can_place[seat] and not state.passed[seat]], 0
    else:
        raise ValueError(
            f"season must be spring, summer or winter in a position without pending, got {SEASONS[season]}"
        )
    if not candidates or to_act not in (None, *candidates) or isinstance(to_act, bool):
        reason = "others have passed or have no worker to place"
        raise ValueError(f"to_act must be one of {candidates}, as {reason}, got {to_act!r}")
    seat = candidates[0] if to_act is None else int(to_act)
    if season != Season.SPRING:
        state.turn, state.turn_seat = (state.order[:n].tolist().index(seat) + 1) % n, seat
    op = FrameOp.WAKE if season == Season.SPRING else FrameOp.PLACE
    state.frames[0] = [FrameOp.YEAR, NOBODY, NO_CARD, 0, 0, 0, steps, *[0] * 9]
    state.frames[1] = [op, seat, NO_CARD, 0, 1, 1, *[0] * 10]
    state.depth = 2

"""Positions of World: the keys of Viticulture, and others for hats, tiles, events, the simulated partner."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from vitienv.core.positions import NAMED as CORE_NAMED
from vitienv.core.positions.schema import Flag, Group, Int, Key, Named, Seats, Table, derived_key
from vitienv.viticulture.enums import Season, Used, Worker
from vitienv.viticulture.positions import keys as shared
from vitienv.viticulture.positions import pending_key, start_turn
from vitienv.viticulture.positions.keys import MAX_NUMBER, seats_of
from vitienv.world.enums import AT_HAND, DEEDS, N_AIMS, N_REGULARS, N_STANCES, TEMPORARY, Hat, Kind, Metric, Place
from vitienv.world.options import Options
from vitienv.world.positions import keys
from vitienv.world.positions.contradictions import (
    STEPS_OF_SPRING,
    contradictions,
    copies_of,
    least_influence,
    workers_on_event,
)
from vitienv.world.positions.pending import FRAMES
from vitienv.world.state import FIELDS, WorldRule
from vitienv.world.tables import Tables

__all__ = ["contradictions", "finish", "table"]

NAMED = (*CORE_NAMED, "continent")


PARTNER = Table(FIELDS, (
    Key("lira", "partner_lira", Int(high=MAX_NUMBER), 0), Key("gone", "partner_gone", keys.Bits(), []),
))  # fmt: skip


@cache
def table_for(tables: Tables) -> Table:
    """Return the keys of a position with some data."""
    seat = Table(FIELDS, (
        *shared.SEAT,
        Key("workers", "hat at free", keys.AtHand(tables), {}, "those at hand, by `yellow`, `blue`, `regular` "
            "(without a hat), `grande`, `temporary`; by default the initial ones that are not on the board"),
        derived_key("free", lambda g, seat: [(g["at"][seat, :N_REGULARS] == AT_HAND).sum(), *g["free"][seat, 1:]]),
        derived_key("staff", lambda g, seat: [
            N_REGULARS, 1, int(g["free"][seat, Worker.TEMPORARY] or g["at"][seat, TEMPORARY] != AT_HAND)]),
        Key("mamas", "mamas", shared.Parents(keys.RED, 1), [], "the red card dealt"),
        Key("papas", "papas", shared.Parents(keys.BLUE, 1), [], "the blue card dealt"),
        Key("reached_30", "over_achieved", Flag(), text="whether it has had 30 points",
            start=lambda g, seat: bool(g["vp"][seat] >= g["rules"][WorldRule.OVER_ACHIEVE_AT])),
        Key("deeds", "deeds", Named(DEEDS, Int(), is_brief=True), {}, "counts of this year, by metric"),
        Key("aims", "aims", shared.Parents(tuple(range(1, N_AIMS + 1)), 2), [], "aims dealt"),
        Key("aims_met", "aims_met", keys.AimsMet(), [], "aims turned over"),
    ))  # fmt: skip
    before, behind = shared.shared_keys(lambda state: copies_of(state, tables))
    return Table(FIELDS, (
        *before,
        Key("lost", "lost", Flag(), False, "whether the game was lost before its end", is_brief=True),
        Key("events", "event events_gone n_events", keys.Events(tables.n_events), {},
            "this year's event, `now`, and those before it, `gone`; by default the cards in their order"),
        Key("tiles", "tile oval_on", keys.Tiles(tables), {},
            "`shown`, `placed` and `gone` tiles, and `ovals` by the letter of their action"),
        Key("partner", "partner_lira partner_gone", Group(PARTNER),
            text="purse, `lira`, and used cards, `gone`, of the simulated partner",
            condition=shared.has_rule(WorldRule.PARTNER)),
        Key("board", "at hat partner_on", keys.BOARD, {},
            "`space` is `plain`, `oval` or `crowd`, `seat` may be `partner`"),
        Key("seats", "", Seats(seat, seats_of), []),
        Key("influence", "influence", Int(least_influence, lambda g: int(g["rules"][WorldRule.INFLUENCE_END])),
            lambda g, _: least_influence(g), "position of the token"),
        pending_key(FIELDS, FRAMES, (Key("turn_worker", "turn_worker", Int(high=len(Kind) - 1), -1),)),
        *behind,
    ), also=("goal_reached", "automa_vp", "automa_deck", "trained", "space_seat", "space_worker", "crowd", "cart",
             "yoke_worker", "glass", "bonus_tokens"))  # fmt: skip


def table(options: Options) -> Table:
    """Return the keys of a position."""
    return table_for(options.tables)


def can_place(state: Any, seat: int) -> bool:
    """Return whether a seat has a worker that it can place in this season (W36, W37)."""
    hat = Hat.YELLOW if state.season == Season.SUMMER else Hat.BLUE
    is_usable = (state.at[seat, :N_REGULARS] == AT_HAND) & np.isin(state.hat[seat], (Hat.BARE, hat))
    return bool(is_usable.any() or state.free[seat, Worker.GRANDE] or state.free[seat, Worker.TEMPORARY])


def finish(state: np.record, position: Mapping[str, Any], options: Options) -> None:
    """Derive the counts of the year from the board, and push the decision of a position without pending ones."""
    n, seats = options.num_players, position.get("seats", [])
    for seat in range(n):
        if (state.at[seat] == Place.YOKE * N_STANCES).any():
            state.used[seat, Used.YOKE] = 1
        standing, is_turn = workers_on_event(state, seat)
        deeds = seats[seat].get("deeds", {}) if seat < len(seats) else {}
        if DEEDS[Metric.EVENT_SPACE_USES] not in deeds and not is_turn:
            state.deeds[seat, Metric.EVENT_SPACE_USES] = standing
    start_turn(state, position, [can_place(state, seat) for seat in range(n)], STEPS_OF_SPRING)

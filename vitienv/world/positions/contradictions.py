"""Contradictions between parts of a position of World that are each well formed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.viticulture.cards import KIND
from vitienv.viticulture.names import N_ROWS, SEASONS, Season, Worker
from vitienv.world.continents import NO_PLACE, Ev, Ru
from vitienv.world.frames import WorldOp
from vitienv.world.language import WorldPart
from vitienv.world.names import AT_HAND, FIRST_WINTER, N_LETTERS, N_REGULARS, Hat, Place, Tile
from vitienv.world.ops.partner import Half
from vitienv.world.state import WorldRule
from vitienv.world.tables import Tables

ORGANIZER = KIND["summer:organizer"]


def check_whole(r: np.record, n: int, tables: Tables, copies: np.ndarray) -> None:
    """ValueError names a contradiction in a record that is complete except for its masks.

    n: seats. copies: of each card in the game, (N_KINDS,).
    """
    _check_effects(r, tables)
    _check_partner(r, tables)
    _check_tiles(r, tables)
    _check_rule_steps(r, tables)
    _check_aims(r, n, tables)
    _check_hats(r, n, tables)
    if r.status == Status.PLAYING:
        _check_ring(r, n, copies)
        _check_temporary(r, n, tables)
    for seat in range(n):
        if r.season == Season.WINTER and r.passed[seat] and (r.at[seat] != AT_HAND).any():
            raise ValueError(
                f"seat {seat} has passed in winter and has a worker on the board; its workers go home (W76)"
            )


def least_influence(r: np.record) -> int:
    """The least place of the token: it starts there, and seats of 30 points and the rule have moved it (W8, W9)."""
    steps = int(r.over_achieved.sum()) * int(r.rules[WorldRule.OVER_ACHIEVE_GAIN]) + int(r.rule_steps)
    return min(int(r.rules[WorldRule.START_INFLUENCE]) + steps, int(r.rules[WorldRule.INFLUENCE_END]))


def holds_temporary(r: np.record, seat: int, tables: Tables) -> bool:
    """Whether a seat has the temporary worker: from its choice of that position of the ring to its winter pass."""
    is_time = Season.SPRING <= r.season <= Season.WINTER and not (r.season == Season.WINTER and r.passed[seat])
    return bool(is_time and r.row[seat] and r.row[seat] == _row_of_temporary(tables))


def _effects(tables: Tables) -> dict[str, np.ndarray]:
    """The rows of all effects, by where they come from."""
    training = np.arange(len(Place)) == Place.TRAIN_WORKER
    return {
        "ring": tables.ring[tables.ring != NO_PLACE],
        "setup": tables.setup,
        "training": tables.row[:, training].ravel(),
        "places": tables.row[:, ~training].ravel(),
        "fall": np.concatenate([tables.fall, tables.cottage]),
        "ovals": tables.oval,
        "events": tables.event[:, :, [Ev.PAY, Ev.GAIN, Ev.PENALTY]].ravel(),
        "rules": np.concatenate([tables.rule[:, [Ru.GAIN, Ru.GAIN_2]].ravel(), tables.aim_gain]),
    }


def _comes_only_from(part: int, origin: str, tables: Tables) -> bool:
    """Whether a part is in no effect of another origin; an owner's data may have it anywhere."""
    rows = np.flatnonzero((tables.parts[:, :, 0] == part).any(axis=1))
    return not any(np.isin(own, rows).any() for name, own in _effects(tables).items() if name != origin)


def _row_of_temporary(tables: Tables) -> int:
    """The one position of the ring that gives the temporary worker at once; 0 where data give it in other ways."""
    first = [row for row in range(1, N_ROWS + 1) if tables.ring[row] != NO_PLACE
             and tables.parts[tables.ring[row], 0, 0] == WorldPart.TEMPORARY]  # fmt: skip
    return first[0] if len(first) == 1 and _comes_only_from(WorldPart.TEMPORARY, "ring", tables) else 0


def _check_temporary(r: np.record, n: int, tables: Tables) -> None:
    row = _row_of_temporary(tables)
    for seat in range(n) if row else ():
        should = holds_temporary(r, seat, tables)
        if bool(r.staff[seat, Worker.TEMPORARY]) != should:
            fault = "is without the temporary worker" if should else "has the temporary worker"
            place = f"position {r.row[seat]} of the ring" if r.row[seat] else "no position of the ring"
            raise ValueError(f"seat {seat} {fault} in {SEASONS[int(r.season)]} with {place}; position {row} gives it")


def _check_ring(r: np.record, n: int, copies: np.ndarray) -> None:
    """Turns go along the ring, where no card moves a rooster (W35)."""
    if r.season <= Season.SPRING or copies[ORGANIZER]:
        return
    order = sorted(range(n), key=lambda seat: r.row[seat])
    if r.order[:n].tolist() != order:
        raise ValueError(f"turn_order is {r.order[:n].tolist()}; by the positions of the ring it must be {order}")


def _check_effects(r: np.record, tables: Tables) -> None:
    """Effects lie on each other where several seats have the same one, or an event's price lies on its gain."""
    event = tables.event[int(r.rules[WorldRule.CONTINENT]), int(r.event)]
    for below, frame in pairwise(r.frames[: int(r.depth)]):
        if below[Frame.OP] != WorldOp.EFFECTS or frame[Frame.OP] != WorldOp.EFFECTS:
            continue
        is_price = (below[Frame.A], frame[Frame.A]) == (event[Ev.GAIN], event[Ev.PAY])
        is_own = below[Frame.SEAT] == frame[Frame.SEAT]
        if not (is_price if is_own else below[Frame.A] == frame[Frame.A]):
            raise ValueError(f"effects {frame[Frame.A]} of seat {frame[Frame.SEAT]} cannot lie on effects "
                             f"{below[Frame.A]} of seat {below[Frame.SEAT]}")  # fmt: skip


def _check_partner(r: np.record, tables: Tables) -> None:
    """One card each summer and winter, and the workers of a season on the four places of one card (W98)."""
    cards = [card for card in range(len(tables.partner)) if int(r.partner_gone) >> card & 1]
    season, year = SEASONS[int(r.season)], int(r.year)
    most = max(0, 2 * (year - 1)) + int(r.season >= Season.SUMMER) + int(r.season >= Season.WINTER)
    if len(cards) > most:
        raise ValueError(
            f"the partner has turned up {len(cards)} cards in {season} of year {year}; there are {most} by then"
        )
    if r.partner_lira and not cards:
        raise ValueError(f"the partner has {r.partner_lira} lira and no card; its purse starts empty")
    places = [0, 0]
    for place in np.flatnonzero(r.partner_on):
        places[Half.SUMMER if place < FIRST_WINTER else Half.WINTER] |= 1 << int(place)
    fits = [
        {card for card in cards if not places[half] & ~int(tables.partner[card, half])} if places[half] else set(cards)
        for half in Half
    ]
    is_time = (r.season >= Season.SUMMER or not any(places)) and (r.season >= Season.WINTER or not places[Half.WINTER])
    if any(places) and not (is_time and fits[0] and fits[1] and (len(fits[0] | fits[1]) > 1 or not all(places))):
        raise ValueError(f"workers of the partner stand where none of its cards {[card + 1 for card in cards]} "
                         f"puts them in {season}")  # fmt: skip


def _check_tiles(r: np.record, tables: Tables) -> None:
    """So many of each shape are turned up a year, and what is on show is discarded in the spring after (W32)."""
    is_out = (tables.solo_only == 1) & (r.tile[:N_LETTERS] == Tile.GONE) & (r.rules[WorldRule.PARTNER] == 0)
    for rule, kind, tiles in (
        (WorldRule.TILES_A_YEAR, "rectangles", r.tile[:N_LETTERS][~is_out]),
        (WorldRule.OVALS_A_YEAR, "ovals", r.tile[N_LETTERS:]),
    ):
        rate, year = int(r.rules[rule]), int(r.year)
        for what, number, most in (
            ("turned up", int((tiles != Tile.IN_STACK).sum()), rate * year),
            ("discarded", int((tiles == Tile.GONE).sum()), rate * max(0, year - 1)),
        ):
            if number > most:
                raise ValueError(f"{number} {kind} are {what} in year {year}; by then there are {most}")


def _check_rule_steps(r: np.record, tables: Tables) -> None:
    """The continent's rule gives so many steps at most in a game, of which the last may go beyond (W89 to W95)."""
    rule = tables.rule[int(r.rules[WorldRule.CONTINENT])]
    parts = tables.parts[[rule[Ru.GAIN], rule[Ru.GAIN_2]]]
    gain = int(np.where(parts[:, :, 0] == WorldPart.INFLUENCE, parts[:, :, 1], 0).sum(axis=1).max())
    most = int(rule[Ru.MOST]) - 1 + gain if gain else 0
    if r.rule_steps > most:
        raise ValueError(f"rule_steps is {r.rule_steps}; the rule of the continent gives {most} in a game")


def _check_aims(r: np.record, n: int, tables: Tables) -> None:
    """Aims are dealt in the set-up of a continent that has them, and turned over at the end of a year (W93)."""
    deals = tables.parts[tables.setup[int(r.rules[WorldRule.CONTINENT])], :, 0] == WorldPart.DEAL_AIMS
    has_aims = deals.any() or not _comes_only_from(WorldPart.DEAL_AIMS, "setup", tables)
    if not has_aims and (r.aims[:n] >= 0).any():
        raise ValueError("a seat has aims on a continent whose set-up deals none")
    if r.aims_met[:n].any() and r.year <= 1 and r.season != Season.YEAR_END:
        raise ValueError(f"aims_met is given in {SEASONS[int(r.season)]} of year 1; aims are turned over at its end")


def _check_hats(r: np.record, n: int, tables: Tables) -> None:
    """Hats come off from the first winter on (W73)."""
    if r.year > 1 or r.season >= Season.WINTER or not _comes_only_from(WorldPart.REMOVE_HAT, "training", tables):
        return
    bare = N_REGULARS - int(r.rules[WorldRule.YELLOW_HATS]) - int(r.rules[WorldRule.BLUE_HATS])
    for seat in range(n):
        has = int((r.hat[seat] == Hat.BARE).sum())
        if has != bare:
            raise ValueError(f"seat {seat} has {has} workers without a hat before the first winter; there are {bare}")

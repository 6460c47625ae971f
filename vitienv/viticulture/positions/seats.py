"""Reading the seats of a position: what lies on their mats and in their hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import list_of, mapping_of, one_of, only_keys, whole, yes_or_no
from vitienv.core.kernel import Status
from vitienv.viticulture.asked import Ask, ask, asked_of
from vitienv.viticulture.board import START_REGULAR_WORKERS, WINE_LEAST
from vitienv.viticulture.cards import DECK_OF_KIND, KIND
from vitienv.viticulture.cards.mamas import MAMAS as MAMA_CARDS
from vitienv.viticulture.cards.papas import PAPAS as PAPA_CARDS
from vitienv.viticulture.names import (
    COLOURS,
    N_FIELDS,
    N_ROWS,
    N_VALUES,
    REGULAR_WORKERS_MAX,
    RESIDUAL_MAX,
    SEASONS,
    STRUCTURES,
    VP_FLOOR,
    WINES,
    WORKERS,
    Season,
)
from vitienv.viticulture.positions.checks import MOST, is_blocker_seat, kinds_of
from vitienv.viticulture.positions.writer import USED, capacities
from vitienv.viticulture.state import MAMAS, NOT_FIXED, PAPAS, Rule

SEAT_KEYS = (
    "lira", "victory_points", "residual", "wake_up", "passed", "workers", "trained_this_year", "structures", "used",
    "fields", "crush_pad", "cellar", "hand", "wine_above_cellar", "shown", "mamas", "papas", "glass_tokens",
    "bonus_tokens",
)  # fmt: skip
FIELD_KEYS = ("capacity", "vines", "sold", "harvested", "over_limit")


# Seats.


def read_seats(r: np.record, position: Mapping[str, Any], n: int) -> None:
    seats = position.get("seats", [])
    if not isinstance(seats, list) or len(seats) > n:
        raise ValueError(f"seats must be a list of at most {n}, as num_players says")
    for seat in range(n):
        mat = mapping_of(seats[seat] if seat < len(seats) else {}, f"seat {seat}")
        only_keys(mat, SEAT_KEYS, f"seat {seat}")
        where = f"of seat {seat}"
        fixed = int(r.rules[Rule.FIXED_LIRA])
        start_lira = int(r.rules[Rule.START_LIRA]) if fixed == NOT_FIXED else fixed
        blocks = is_blocker_seat(r, seat)
        r.lira[seat] = whole(mat.get("lira", 0 if blocks else start_lira), 0, MOST, f"lira {where}")
        start_vp = int(r.automa_vp) if blocks else int(r.rules[Rule.START_VP])
        cap = min(int(r.rules[Rule.VP_CAP]), MOST)
        r.vp[seat] = whole(mat.get("victory_points", start_vp), VP_FLOOR, cap, f"victory_points {where}")
        r.residual[seat] = whole(mat.get("residual", 0), 0, RESIDUAL_MAX, f"residual {where}")
        r.passed[seat] = yes_or_no(mat.get("passed", False), f"passed {where}")
        has_row = r.status == Status.PLAYING and r.season > Season.SPRING
        if has_row and "wake_up" in mat and mat["wake_up"] is None:
            season = SEASONS[int(r.season)]
            raise ValueError(f"seat {seat} has no wake_up row in {season}; every seat has one after spring")
        if mat.get("wake_up") is not None:
            r.row[seat] = whole(mat["wake_up"], 1, 7, f"wake_up {where}")
        r.trained[seat] = whole(mat.get("trained_this_year", 0), 0, 5, f"trained_this_year {where}")
        for name in list_of(mat.get("structures", []), f"structures {where}"):
            r.structures[seat, one_of(name, STRUCTURES, f"structure {where}")] = 1
        if r.structures[seat, 7] and not r.structures[seat, 6]:
            raise ValueError(f"seat {seat} has a large cellar without the medium one")
        for name in list_of(mat.get("used", []), f"used {where}"):
            r.used[seat, one_of(name, USED, f"used {where}")] = 1
            if not r.structures[seat, STRUCTURES.index(name)]:
                raise ValueError(f"seat {seat} has used its {name} and has none")
        _read_tokens_of_rows(r, seat, mat)
        _read_tokens(r, seat, mat)
        _read_fields(r, seat, mat.get("fields", []))
        for deck, ids in mapping_of(mat.get("hand", {}), f"hand {where}").items():
            for kind in kinds_of(deck, ids, f"hand {where}"):
                r.hand[seat, kind] += 1
                r.n_hand[seat, DECK_OF_KIND[kind]] += 1
        workers = mapping_of(mat.get("workers", {}), f"workers {where}")
        only_keys(workers, WORKERS, f"workers {where}")
        start = {"regular": START_REGULAR_WORKERS, "grande": 1, "temporary": 0}
        if blocks:
            start = {"regular": int(r.rules[Rule.BLOCKER_WORKERS]), "grande": 0, "temporary": 0}
        for i, name in enumerate(WORKERS):
            count = workers.get(name, start[name])
            r.free[seat, i] = whole(count, 0, (REGULAR_WORKERS_MAX, 1, 1)[i], f"{name} workers {where}")
            if name == "grande" and name not in workers and _grande_on_board(position, seat):
                r.free[seat, i] = 0
        for name, bits in mapping_of(mat.get("shown", {}), f"shown {where}").items():
            if name not in KIND:
                raise ValueError(f"shown {where} names no card: {name!r}")
            r.shown[seat, KIND[name]] = whole(bits, 0, 63, f"shown {where}")
        for key, rows, dealt, bit in (("mamas", MAMA_CARDS, r.mamas, MAMAS), ("papas", PAPA_CARDS, r.papas, PAPAS)):
            if mat.get(key) and not int(r.rules[Rule.PARENTS]) & bit:
                raise ValueError(f"seat {seat} has {key} in a game without them")
            for i, name in enumerate(list_of(mat.get(key, []), f"{key} {where}")[:2]):
                dealt[seat, i] = one_of(name, [row.id for row in rows], f"{key} {where}")
    rows_taken = [int(row) for row in r.row[:n] if row]
    if len(rows_taken) != len(set(rows_taken)):
        raise ValueError(f"two seats stand in one wake-up row: {sorted(rows_taken)}")


def _read_tokens(r: np.record, seat: int, mat: Mapping[str, Any]) -> None:
    for key, names, slots, least in (
        ("crush_pad", COLOURS, r.crush, (1, 1)),
        ("cellar", WINES, r.cellar, tuple(int(x) for x in WINE_LEAST)),
    ):
        tokens = mapping_of(mat.get(key, {}), f"{key} of seat {seat}")
        only_keys(tokens, names, f"{key} of seat {seat}")
        for name, values in tokens.items():
            i = names.index(name)
            for value in list_of(values, f"{name} in the {key} of seat {seat}"):
                value = whole(value, least[i], N_VALUES, f"{name} in the {key} of seat {seat}")
                if slots[seat, i, value - 1]:
                    raise ValueError(f"seat {seat} has two {name} tokens of value {value} in its {key}")
                slots[seat, i, value - 1] = 1
    is_above = bool(ask(asked_of(r), Ask.ABOVE_CELLAR, seat))
    is_marked = yes_or_no(mat.get("wine_above_cellar", False), f"wine_above_cellar of seat {seat}")
    if is_above and not is_marked:
        raise ValueError(f"seat {seat} has a wine without its cellar (the Zymologist's are marked wine_above_cellar)")
    if is_marked and not r.cellar[seat].any():
        raise ValueError(f"seat {seat} is marked wine_above_cellar and has no wine")


def _read_fields(r: np.record, seat: int, fields: Any) -> None:
    if not isinstance(fields, list):
        raise ValueError(f"fields of seat {seat} must be a list")
    limits = capacities(asked_of(r))
    unseen = list(range(N_FIELDS))
    for written in fields:
        written = mapping_of(written, f"a field of seat {seat}")
        only_keys(written, FIELD_KEYS, f"a field of seat {seat}")
        capacity = written.get("capacity", 0)
        # Fields of one capacity are told apart by their order.
        field = next((field for field in unseen if limits[field] == capacity), -1)
        if field < 0:
            there = ", ".join(map(str, limits))
            raise ValueError(f"field capacity {capacity!r} of seat {seat} is not there (again); there are {there}")
        unseen.remove(field)
        for kind in kinds_of("vine", written.get("vines", []), f"field {capacity} of seat {seat}"):
            r.vines[seat, field, kind] += 1
        r.sold[seat, field] = yes_or_no(written.get("sold", False), f"sold of field {capacity} of seat {seat}")
        harvested = written.get("harvested", False)
        r.harvested[seat, field] = yes_or_no(harvested, f"harvested of field {capacity} of seat {seat}")
        if r.sold[seat, field] and not r.rules[Rule.FIELD_TRADE]:
            raise ValueError(f"field {capacity} of seat {seat} is sold; fields cannot be sold in this ruleset")
        if r.sold[seat, field] and r.vines[seat, field].any():
            raise ValueError(f"field {capacity} of seat {seat} is sold and carries vines")
        total = ask(asked_of(r), Ask.FIELD_TOTAL, seat, field)
        is_marked = yes_or_no(written.get("over_limit", False), f"over_limit of field {capacity} of seat {seat}")
        if total > capacity and not is_marked:
            raise ValueError(f"the vines on field {capacity} of seat {seat} are worth more than {capacity}")
        if is_marked and not r.vines[seat, field].any():
            raise ValueError(f"field {capacity} of seat {seat} is marked over_limit and has no vines")


def _read_tokens_of_rows(r: np.record, seat: int, mat: Mapping[str, Any]) -> None:
    if not r.rules[Rule.GLASS_TOKENS]:
        if "glass_tokens" in mat or "bonus_tokens" in mat:
            raise ValueError(f"seat {seat} has glass or bonus tokens in a game without them")
        return
    blocks = is_blocker_seat(r, seat)
    rows = mat.get("glass_tokens", [] if blocks else list(range(1, N_ROWS + 1)))
    for row in list_of(rows, f"glass_tokens of seat {seat}"):
        r.glass[seat, whole(row, 1, N_ROWS, f"glass_tokens of seat {seat}") - 1] = 1
    tokens = mat.get("bonus_tokens", 0 if blocks else int(r.rules[Rule.START_TOKENS]))
    r.bonus_tokens[seat] = whole(tokens, 0, 127, f"bonus_tokens of seat {seat}")


def _grande_on_board(position: Mapping[str, Any], seat: int) -> bool:
    board = position.get("board", {})
    lists = [workers for workers in board.values() if isinstance(workers, list)] if isinstance(board, Mapping) else []
    workers = [worker for stand in lists for worker in stand if isinstance(worker, Mapping)]
    return any(worker.get("seat") == seat and worker.get("worker") == "grande" for worker in workers)

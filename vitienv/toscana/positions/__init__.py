"""Positions of Toscana: the keys, and the state derived from them.

A position without `squares` is in the set-up; with `squares` seats take turns, or taste once all actions are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import check_bool, check_int, check_ints, check_keys, list_of, mapping_of
from vitienv.core.fields import Field
from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions import CHANCE, SEED, STATUS, TO_ACT
from vitienv.core.positions.schema import (
    Codec,
    Flags,
    Int,
    Key,
    Named,
    Seats,
    Table,
    Word,
    derived_key,
    distinct,
    view_key,
)
from vitienv.toscana.enums import (
    COLUMNS,
    CROSS_COLUMNS,
    CROSS_ROWS,
    FULL_SQUARE,
    GOODS,
    LETTERS,
    N_CROSSROADS,
    N_GOODS,
    N_PIECES,
    N_SQUARES,
    N_TILES,
    NO_SEAT,
    NO_TILE,
    PIECE,
    ROWS,
    TURNS,
    WINEMASTERS,
    WORKERS,
)
from vitienv.toscana.options import Options
from vitienv.toscana.positions.contradictions import (
    DECISION_OPS,
    FRAMES,
    contradictions,
    next_decision,
    phase_of,
    seats_of,
)
from vitienv.toscana.state import FIELDS, Rule
from vitienv.toscana.vocabulary import Move

__all__ = ["IDLE", "complete", "contradictions", "finish", "table"]

IDLE = (int(Move.DONE),)
TILES = tuple(range(1, N_TILES + 1))
SQUARE_KEYS = ("at", "seat", "workers", "winemaster", "produced")


def last_seat(state: Any) -> int:
    return seats_of(state) - 1


def by_good(first: int) -> Any:
    """Return a default: the start values of the goods, from an index of the rule parameters."""
    return lambda state, seat: state["rules"][first : first + N_GOODS]


def place(position: Any, rows: int, columns: int, name: str) -> int:
    """Return the index of a square or crossroad from its row and column, from 1."""
    row, column = check_ints(position, 2, name, 1, columns)
    return (check_int(row, 1, rows, name) - 1) * columns + column - 1


def place_of(number: int, columns: int) -> list[int]:
    return [number // columns + 1, number % columns + 1]


class Map(Codec):
    """Kinds of the squares by letter, row by row."""

    def write(self, value: Any) -> list[str]:
        return ["".join(LETTERS[kind] for kind in row) for row in np.reshape(value, (ROWS, COLUMNS))]

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        rows = list_of(value, name, ROWS)
        is_map = len(rows) == ROWS and all(isinstance(row, str) and len(row) == COLUMNS for row in rows)
        if not is_map or not set("".join(rows)) <= set(LETTERS):
            raise ValueError(f"{name} must be {ROWS} words of {COLUMNS} letters out of {LETTERS}, got {value!r}")
        return [LETTERS.index(letter) for row in rows for letter in row]


def start_map(state: Any, seat: int | None) -> list[str]:
    """Return the printed map, or the pieces in order."""
    kinds, across = state["rules"][Rule.PRINTED_MAP :][:N_SQUARES], COLUMNS // PIECE
    if state["rules"][Rule.MAP_OF_PIECES]:
        pieces = state["rules"][Rule.MAP_PIECES :][:N_SQUARES].reshape(N_PIECES, PIECE, PIECE)
        kinds = np.vstack([np.hstack(list(pieces[i : i + across])) for i in range(0, N_PIECES, across)])
    return Map().write(kinds)


class Squares(Codec):
    """Pieces on the map: one or two workers, or a winemaster, of a seat."""

    def dump(self, state: Any, key: Key, seat: int | None) -> list[dict[str, Any]]:
        squares = []
        for square in np.flatnonzero(state["square_owner"] != NO_SEAT).tolist():
            is_produced, is_master = state["square_produced"][square], state["square_winemaster"][square]
            piece = {"winemaster": True} if is_master else {"workers": int(state["square_workers"][square])}
            head = {"at": place_of(square, COLUMNS), "seat": int(state["square_owner"][square])}
            squares.append({**head, **({"produced": True} if is_produced else {}), **piece})
        return squares

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        for entry in list_of(value, name, N_SQUARES):
            title = f"the square {mapping_of(entry, 'a square').get('at')!r}"
            check_keys(entry, SQUARE_KEYS, title)
            square = place(entry.get("at"), ROWS, COLUMNS, title)
            if state["square_owner"][square] != NO_SEAT:
                raise ValueError(f"{title} must be given once")
            for flag in ("winemaster", "produced"):
                state[f"square_{flag}"][square] = check_bool(entry.get(flag, False), f"{flag} of {title}")
            low, high = (0, 0) if state["square_winemaster"][square] else (1, FULL_SQUARE)
            state["square_owner"][square] = check_int(entry.get("seat"), 0, last_seat(state), f"the seat of {title}")
            state["square_workers"][square] = check_int(entry.get("workers", low), low, high, f"workers of {title}")


class Water(Codec):
    """Crossroads with a box of water, by row and column."""

    def write(self, value: Any) -> list[list[int]]:
        return [place_of(int(crossroad), CROSS_COLUMNS) for crossroad in np.flatnonzero(value)]

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        title, crossroads = f"a crossroad of {name}", list_of(value, name)
        indices = [place(crossroad, CROSS_ROWS, CROSS_COLUMNS, title) for crossroad in crossroads]
        return [int(crossroad in distinct(indices, name, value)) for crossroad in range(N_CROSSROADS)]


class Draws(Codec):
    """Fixed draws of tiles of each seat, in order."""

    def dump(self, state: Any, key: Key, seat: int | None) -> list[list[int]]:
        draws = zip(state["forced"].tolist(), state["n_forced"].tolist())
        return [tiles[:number][::-1] for tiles, number in list(draws)[: seats_of(state)]]

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        for owner, tiles in enumerate(list_of(value, name, seats_of(state))):
            numbers = np.flatnonzero(Flags(TILES).read(tiles, f"{name} of seat {owner}", key.of, state, owner))
            state["n_forced"][owner] = len(numbers)
            state["forced"][owner, : len(numbers)] = tiles[::-1]


def pieces_on_map(state: Any, seat: int | None, pieces: str) -> int:
    """Return the number of workers or winemasters of a seat on the map."""
    return int(state[f"square_{pieces}"][state["square_owner"] == seat].sum())


def bank_of(state: Any, seat: int | None) -> np.ndarray:
    """Return the boxes in the bank: the supply without storages, market and crossroads."""
    bank = by_good(Rule.SUPPLY)(state, None) - state["stock"] - state["boxes"].sum(axis=0)
    bank[-1] -= state["water"].sum()
    return bank


def is_implied(state: Any) -> bool:
    """Return whether the pending decision is implied, or the game is over."""
    op = int(state["frames"][1, Frame.OP])
    return bool(state["status"] != Status.PLAYING or (state["depth"] == 2 and op in DECISION_OPS.values()))


SIGNS = Named(GOODS, Word(("plus", "minus"), (1, -1)), is_brief=True)
SEAT = Table(FIELDS, (
    Key("money", "money", Int(), lambda state, seat: int(state["rules"][Rule.START_MONEY]), "money"),
    Key("boxes", "boxes", Named(GOODS, Int(), by_good(Rule.START_BOXES), is_complete=True), {}, "boxes by good"),
    Key("workers", "workers", Int(), text="workers in the storage; the others are on `squares`",
        exact=lambda state, seat: WORKERS - (pieces_on_map(state, seat, "workers") if state["round_number"] else 1)),
    Key("lost", "lost", Int(), 0, "winemasters out of the game (T36)"),
    Key("winemasters", "winemasters", Int(), text="winemasters in the storage",
        exact=lambda state, seat: WINEMASTERS - pieces_on_map(state, seat, "winemaster") - int(state["lost"][seat])),
    Key("used", "used", Flags(TURNS), [], "actions used in this round"),
    Key("hand", "hand", Flags(TILES), text="tiles in hand; drawn with `seed` if missing", hidden=lambda *_: []),
    Key("played", "played", Flags(TILES), text="tiles of earlier rounds; drawn with `seed` if missing"),
    Key("chosen", "chosen", Int(low=1), text="the tile chosen for the tasting", is_brief=True),
    view_key("tiles", lambda state, seat: int(state["hand"][seat].sum())),
    view_key("has_chosen", lambda state, seat: bool(state["chosen"][seat] != NO_TILE)),
))  # fmt: skip
table = Table(FIELDS, (
    SEED,
    Key("round", "round_number", Int(), 0, "from 1; 0 is the set-up, the default without `squares`"),
    Key("status", "status", Word(STATUS), "playing", "`playing`, `over` or `truncated`"),
    Key("start_seat", "start_seat", Int(high=last_seat), 0, "the seat that begins the round"),
    TO_ACT,
    Key("prices", "price", Named(GOODS, Int(base=1), by_good(Rule.START_PRICE)), {}, "printed fields, 1 for 0/1"),
    Key("stock", "stock", Named(GOODS, Int(), by_good(Rule.START_STOCK)), {}, "boxes in the market"),
    Key("signs", "sign", SIGNS, lambda state, seat: SIGNS.write(by_good(Rule.START_SIGN)(state, None)),
        'two goods with "plus", two with "minus"'),
    Key("map", "square_kind", Map(), start_map, "letters of the squares, row by row"),
    Key("squares", "square_owner square_workers square_winemaster square_produced", Squares(), [],
        "pieces on the map: `at` row and column, `seat`, `workers` or `winemaster`, `produced` in this round"),
    Key("seats", "", Seats(SEAT, seats_of), []),
    Key("water", "water", Water(), [], "crossroads with a box of water, by row and column", is_brief=True),
    derived_key("bank", bank_of),
    Key("next_draws", "forced n_forced", Draws(), [], "by seat, the tiles to be drawn next, in order"),
    CHANCE,
    Key("pending", "frames depth", FRAMES, is_implied=is_implied,
        text="frames of the pending decisions, in the middle of an action"),
    derived_key("phase", phase_of),
))  # fmt: skip


def complete(position: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the round, which depends on whether there are pieces on the map."""
    return {"round": int("squares" in position), **position}


def finish(state: np.record, position: Mapping[str, Any], options: Options) -> None:
    """Deal missing tiles and push the implied decision."""
    rng, n, seats = np.random.default_rng(position.get("seed", 0)), seats_of(state), position.get("seats", [])
    is_over = state.status != Status.PLAYING
    n_played = max(int(state.round_number) - (not is_over), 0)
    n_hand = min(int(state.rules[Rule.HAND_SIZE]), N_TILES - n_played)
    for seat in range(n):
        forced = state.forced[seat, : state.n_forced[seat]] - 1
        is_used = (state.hand[seat] | state.played[seat]).astype(bool)
        is_used[forced] = True
        tiles = [tile for tile in rng.permutation(N_TILES) if not is_used[tile]]
        entry = seats[seat] if seat < len(seats) else {}
        if "played" not in entry:
            state.played[seat, tiles[:n_played]] = 1
            tiles = tiles[n_played:]
        if "hand" not in entry:
            state.hand[seat, tiles[:n_hand]] = 1
    if "pending" not in position and not is_over:
        frames = next_decision(state, n)
        state.frames[: len(frames)], state.depth = frames, len(frames)
    elif "pending" in position and is_implied(state):
        raise ValueError("pending must be left out when the game is over or the decision follows from the rest")

"""Reading the map of a position, the pieces on it and the water on its crossroads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import list_of, mapping_of, only_keys, whole, whole_numbers
from vitienv.toscana.names import (
    CELLS,
    COLUMNS,
    CROSS_COLUMNS,
    CROSS_ROWS,
    FULL_SQUARE,
    LETTERS,
    N_CROSSROADS,
    N_PIECES,
    N_SQUARES,
    NO_SEAT,
    PIECE,
    ROWS,
)
from vitienv.toscana.options import PIECES, Options
from vitienv.toscana.state import Rule


def _turned(piece: np.ndarray, is_turned: bool) -> bytes:
    """A piece as it is called whichever way it lies."""
    return min(np.rot90(piece, k if is_turned else 0).tobytes() for k in range(4))


def _pieces(kinds: np.ndarray, is_turned: bool) -> list[bytes]:
    """The pieces of which a map is laid."""
    blocks = [(row, column) for row in range(0, ROWS, PIECE) for column in range(0, COLUMNS, PIECE)]
    return sorted(_turned(kinds[row : row + PIECE, column : column + PIECE], is_turned) for row, column in blocks)


def read_map(r: np.record, position: Mapping[str, Any], options: Options) -> None:
    """The kinds of the squares, row by row: those of the printed map, or the pieces in some order."""
    printed = r.rules[Rule.PRINTED_MAP : Rule.PRINTED_MAP + N_SQUARES].reshape(ROWS, COLUMNS)
    pieces = r.rules[Rule.MAP_PIECES : Rule.MAP_PIECES + N_SQUARES].reshape(N_PIECES, PIECE, PIECE)
    is_laid = options.map == PIECES
    across = COLUMNS // PIECE
    # Without a map the pieces lie in their order.
    laid = np.vstack([np.hstack(list(pieces[first : first + across])) for first in range(0, N_PIECES, across)])
    kinds = laid if is_laid else printed
    if "map" in position:
        rows = list_of(position["map"], "map", ROWS)
        is_map = len(rows) == ROWS and all(isinstance(row, str) and len(row) == COLUMNS for row in rows)
        if not is_map or not set("".join(rows)) <= set(LETTERS):
            raise ValueError(f"map is {rows!r}; it must be {ROWS} words of {COLUMNS} letters out of {LETTERS}")
        kinds = np.array([[LETTERS.index(letter) for letter in row] for row in rows], pieces.dtype)
        is_turned = bool(r.rules[Rule.ROTATION])
        if is_laid and _pieces(kinds, is_turned) != sorted(_turned(piece, is_turned) for piece in pieces):
            raise ValueError(f"map is {rows!r}, which cannot be laid of the {N_PIECES} pieces of {CELLS} squares")
        if not is_laid and not np.array_equal(kinds, printed):
            raise ValueError("map is not the printed one; for another write it as components, or options map='pieces'")
    r.square_kind[:] = kinds.ravel()


def _place(at: Any, rows: int, columns: int, where: str) -> int:
    """A square or crossroad by its row and column, from 1."""
    row, column = whole_numbers(at, 2, where, 1, columns)
    return (whole(row, 1, rows, where) - 1) * columns + column - 1


def read_squares(r: np.record, position: Mapping[str, Any], n: int) -> None:
    """Pieces on the map: one or two workers, or a winemaster, of one seat."""
    for written in list_of(position.get("squares", []), "squares", N_SQUARES):
        where = f"the square {mapping_of(written, 'a square').get('at')!r}"
        only_keys(written, ("at", "seat", "workers", "winemaster", "produced"), where)
        square = _place(written.get("at"), ROWS, COLUMNS, where)
        if r.square_owner[square] != NO_SEAT:
            raise ValueError(f"{where} is given twice; it holds pieces of one seat")
        for key in ("winemaster", "produced"):
            if not isinstance(written.get(key, False), bool):
                raise ValueError(f"{where} has {key} {written[key]!r}; it must be true or false")
        master = written.get("winemaster", False)
        if master and written.get("workers", 0) != 0:
            raise ValueError(f"{where} has a winemaster and workers; it holds one or the other")
        r.square_owner[square] = whole(written.get("seat"), 0, n - 1, f"the seat of {where}")
        r.square_winemaster[square] = master
        r.square_produced[square] = written.get("produced", False)
        workers = written.get("workers", 1)
        r.square_workers[square] = 0 if master else whole(workers, 1, FULL_SQUARE, f"workers of {where}")


def read_water(r: np.record, position: Mapping[str, Any]) -> None:
    """Boxes of water on crossroads."""
    for at in list_of(position.get("water", []), "water", N_CROSSROADS):
        crossroad = _place(at, CROSS_ROWS, CROSS_COLUMNS, "a crossroad of water")
        if r.water[crossroad]:
            raise ValueError(f"the crossroad {at!r} has water twice; there is at most one box on each")
        r.water[crossroad] = 1

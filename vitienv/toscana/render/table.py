"""Text rendering for terminals of 80 columns: market, seats, map, and visible tiles."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from vitienv.render.text import seat_title
from vitienv.toscana.components import COMPONENTS, value_at
from vitienv.toscana.enums import COLUMNS, CROSS_COLUMNS, GOODS, LETTERS, N_GOODS, NO_SEAT, NO_TILE, ROWS, TURNS
from vitienv.toscana.state import Rule

SIGNS = {1: "+", -1: "-", 0: ""}
WIDTH = 80
RECONSTRUCTED = "Reconstructed where the printed game is not known."
LEGEND = (
    "R red, W white, O rose, C champagne, A water, Y abandoned; * has produced",
    "1:2 two workers of seat 1, 1:M its winemaster; left: workers + winemasters",
)


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = WIDTH) -> str:
    """Return the state of the game as text. viewer: seat whose tiles are shown; None shows all."""
    r, n = game.state, game.num_players
    time = f"Round {game.round}, {game.phase}" if game.round else "Set-up"
    heading = f"{time}. {seat_title(int(r.start_seat))} begins."
    lines = [heading, "", *_market(r), "", *_seats(r, n), "", *_map(r), *LEGEND]
    if r.water.any():
        places = [divmod(int(crossroad), CROSS_COLUMNS) for crossroad in np.flatnonzero(r.water)]
        water = ", ".join(f"{row + 1}:{column + 1}" for row, column in places)
        lines += wrap(f"Water on the crossroads {water}", width, subsequent_indent="  ")
    note = ["", RECONSTRUCTED] if has_reconstructions(game) else []
    return "\n".join([*lines, "", *_tiles(game, viewer, width), *note])


def has_reconstructions(game: Any) -> bool:
    """Return whether the option `components` leaves a component reconstructed."""
    paths = (path for path, component in COMPONENTS.items() if component.source == "reconstructed")
    return any(value_at(game.options.components or {}, path) is None for path in paths)


def _table(rows: Sequence[Sequence[object]]) -> list[str]:
    """Return aligned columns, the first to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [
        "  ".join(cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths)))
        for row in cells
    ]


def printed_price(level: int) -> str:
    """Return the printed price of a level."""
    return "0/1" if level == 0 else str(int(level) + 1)


def _market(r: np.record) -> list[str]:
    prices = [printed_price(level) for level in r.price]
    return _table([
        ["", *GOODS], ["price", *prices], ["recommended", *(SIGNS[int(sign)] for sign in r.sign)],
        ["market", *map(int, r.stock)], ["bank", *map(int, r.bank)],
    ])  # fmt: skip


def _seats(r: np.record, n: int) -> list[str]:
    short = [*GOODS[:3], "champ.", "water"]
    rows: list[list[object]] = [["seat", "money", *short, "left", "used"]]
    for seat in range(n):
        used = ", ".join(turn for turn, flag in zip(TURNS, r.used[seat]) if flag)
        pieces = f"{r.workers[seat]}+{r.winemasters[seat]}"
        rows.append([seat + 1, int(r.money[seat]), *map(int, r.boxes[seat]), pieces, used])
    return _table(rows)


def _map(r: np.record) -> list[str]:
    rows: list[list[object]] = [["", *range(1, COLUMNS + 1)]]
    for row in range(ROWS):
        cells = []
        for square in range(row * COLUMNS, (row + 1) * COLUMNS):
            kind, owner = LETTERS[int(r.square_kind[square])], int(r.square_owner[square])
            piece = "M" if r.square_winemaster[square] else int(r.square_workers[square])
            piece_cell = "   " if owner == NO_SEAT else f"{owner + 1}:{piece}"
            cells.append(f"{kind} {piece_cell}{'*' if r.square_produced[square] else ' '}")
        rows.append([row + 1, *cells])
    return _table(rows)


def tile_name(r: np.record, tile: int) -> str:
    """Return a tile, from 1, with its marks: "5 (-red)"."""
    first = Rule.MARKS + N_GOODS * (tile - 1)
    return f"{tile} ({tile_marks(r.rules[first : first + N_GOODS])})"


def tile_marks(marks: np.ndarray) -> str:
    """Return the marks of a tile by good: "+red, -2 white"."""
    texts = [f"{int(mark):+d} {good}" for good, mark in zip(GOODS, marks, strict=True) if mark]
    return (", ".join(texts) or "blank").replace("+1 ", "+").replace("-1 ", "-")


def _tiles(game: Any, viewer: int | None, width: int) -> list[str]:
    r, lines = game.state, []
    for seat in range(game.num_players):
        is_shown = viewer in (None, seat) or game.options.open_hands
        tiles = ", ".join(tile_name(r, tile + 1) for tile in np.flatnonzero(r.hand[seat]).tolist()) or "none"
        hand = f"holds {tiles}; " if is_shown else ""
        choice = ""
        if r.chosen[seat] != NO_TILE:
            choice = f"; has chosen {tile_name(r, int(r.chosen[seat])) if is_shown else 'a tile'}"
        used = ", ".join(str(tile + 1) for tile in np.flatnonzero(r.played[seat])) or "none"
        text = f"{seat_title(seat)}: {hand}tiles used: {used}{choice}"
        lines += wrap(text, width, subsequent_indent="  ")
    return lines

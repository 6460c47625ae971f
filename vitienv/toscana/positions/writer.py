"""Writing a position: a game as plain JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions import STATUS, chance_to_json, frames_to_json
from vitienv.toscana.frames import FrameOp
from vitienv.toscana.names import COLUMNS, CROSS_COLUMNS, GOODS, LETTERS, N_SQUARES, NO_SEAT, NO_TILE, ROWS, TURNS

SIGNS = {1: "plus", -1: "minus"}
HIDDEN = ("next_draws", "chance", "pending")  # keys that no seat may know
ASKED = (FrameOp.START_WORKER, FrameOp.TURN, FrameOp.TASTE)  # questions that follow from the rest


def is_plain(record: np.record) -> bool:
    """Whether a seat is about to begin a turn, to place its start worker or to taste, so that no pending decision need
    be written."""
    return record.depth == 2 and int(record.frames[1, Frame.OP]) in ASKED


def by_good(numbers: np.ndarray) -> dict[str, int]:
    return {good: int(number) for good, number in zip(GOODS, numbers)}


def tiles_of(flags: np.ndarray) -> list[int]:
    """Tiles by their ids."""
    return [int(tile) + 1 for tile in np.flatnonzero(flags)]


def place_of(number: int, columns: int) -> list[int]:
    """Row and column from 1."""
    return [number // columns + 1, number % columns + 1]


def to_dict(game: Any) -> dict[str, Any]:
    """The position of a game as plain JSON."""
    r, n = game.record, game.num_players
    options = game.options.to_dict()
    position: dict[str, Any] = {
        "ruleset": options.pop("ruleset"),
        "num_players": options.pop("num_players"),
        "options": options,
        "round": int(r.round_number),
        "status": STATUS[int(r.status)],
        "start_seat": int(r.start_seat),
        "to_act": game.seat,
        "prices": {good: level + 1 for good, level in by_good(r.price).items()},
        "stock": by_good(r.stock),
        "signs": {good: SIGNS[sign] for good, sign in by_good(r.sign).items() if sign},
        "map": ["".join(LETTERS[kind] for kind in row) for row in r.square_kind.reshape(ROWS, COLUMNS)],
        "squares": [_square(r, square) for square in range(N_SQUARES) if r.square_owner[square] != NO_SEAT],
        "seats": [_seat(r, seat) for seat in range(n)],
        "next_draws": [[int(t) for t in r.forced[seat][: r.n_forced[seat]][::-1]] for seat in range(n)],
        "chance": chance_to_json(r),
    }
    if r.water.any():
        position["water"] = [place_of(int(at), CROSS_COLUMNS) for at in np.flatnonzero(r.water)]
    if r.status == Status.PLAYING and not is_plain(r):
        position["pending"] = frames_to_json(r, game.definition.operations)
    return position


def _square(r: np.record, square: int) -> dict[str, Any]:
    square_of: dict[str, Any] = {"at": place_of(square, COLUMNS), "seat": int(r.square_owner[square])}
    if r.square_produced[square]:
        square_of["produced"] = True
    if r.square_winemaster[square]:
        return {**square_of, "winemaster": True}
    return {**square_of, "workers": int(r.square_workers[square])}


def _seat(r: np.record, seat: int) -> dict[str, Any]:
    mat: dict[str, Any] = {
        "money": int(r.money[seat]),
        "boxes": by_good(r.boxes[seat]),
        "workers": int(r.workers[seat]),
        "winemasters": int(r.winemasters[seat]),
        "lost": int(r.lost[seat]),
        "used": [turn for turn, used in zip(TURNS, r.used[seat]) if used],
        "hand": tiles_of(r.hand[seat]),
        "played": tiles_of(r.played[seat]),
    }
    if r.chosen[seat] != NO_TILE:
        mat["chosen"] = int(r.chosen[seat])
    return mat


def told(game: Any, viewer: int) -> dict[str, Any]:
    """The position as a seat may know it: of other seats how many tiles they hold and whether they have chosen one."""
    position = to_dict(game)
    for seat, mat in enumerate(position["seats"]):
        mat["tiles"], mat["has_chosen"] = len(mat["hand"]), "chosen" in mat
        if seat != viewer and not game.options.open_hands:
            mat["hand"] = []
            mat.pop("chosen", None)
    return {key: value for key, value in position.items() if key not in HIDDEN}

"""Changes at a table of Toscana, in words.

`money-4`, `red+1` (a box in the storage), `worker:1:2+1`, `winemaster:3:1+1` (on that square), `lost+1` (a winemaster
out of the game), those of another seat with its number, `1.money+3`; and of the market: `price:red-1` (levels),
`stock:red+1`, `sign:red+1` (plus is 1, minus -1). Bank and storages of pieces are implied.
"""

from __future__ import annotations

import numpy as np

import vitienv
from tests.table.ends import each_end, records_of
from tests.toscana.positions import GOODS, SQUARES
from vitienv.toscana.state import Rule

SUPPLY = (15, 15, 15, 15, 20)
STOPS = ("take_action", "taste")
MARKET = tuple(f"{field}:{good}" for field in ("price", "stock", "sign") for good in GOODS)
OF_SEAT = ("money", *GOODS, "lost", *(f"{piece}:{at}" for piece in ("worker", "winemaster") for at in SQUARES))


def ends(game: vitienv.Game, *moves: str) -> set[str]:
    """Return all results of a turn after its first moves; AssertionError for too many decisions."""
    before, seat, outcomes = records_of(game), game.current_seat, set[str]()
    market, seats = market_of(before), seats_of(before)

    def collect(records: np.ndarray, _: np.ndarray) -> None:
        assert nothing_is_lost(records)
        for of_market, of_seats in zip(market_of(records) - market, seats_of(records) - seats, strict=True):
            words = [f"{MARKET[i]}{of_market[i]:+d}" for i in np.flatnonzero(of_market)]
            for k, row in enumerate(of_seats):
                head = "" if k == seat else f"{k}."
                words += [f"{head}{OF_SEAT[i]}{row[i]:+d}" for i in np.flatnonzero(row)]
            outcomes.add(" ".join(sorted(words)))

    assert each_end(game, moves, collect, stops=STOPS), "too many decisions"
    return outcomes


def market_of(records: np.ndarray) -> np.ndarray:
    """(records, words)."""
    return np.concatenate([records[name].astype(np.int16) for name in ("price", "stock", "sign")], axis=1)


def seats_of(records: np.ndarray) -> np.ndarray:
    is_own = records["square_owner"][:, None, :] == np.arange(5)[:, None]
    return np.concatenate([
        records["money"][:, :, None], records["boxes"], records["lost"][:, :, None],
        is_own * records["square_workers"][:, None], is_own * records["square_winemaster"][:, None],
    ], axis=2)  # fmt: skip


def nothing_is_lost(records: np.ndarray) -> bool:
    """Return whether all boxes and pieces are conserved."""
    boxes = records["bank"] + records["stock"] + records["boxes"].sum(axis=1)
    boxes[:, -1] += records["water"].sum(axis=1)
    seats, n = seats_of(records), int(records["rules"][0, Rule.NUM_PLAYERS])
    workers = records["workers"] + seats[:, :, -64:-32].sum(axis=2)
    winemasters = records["winemasters"] + records["lost"] + seats[:, :, -32:].sum(axis=2)
    return bool((boxes == SUPPLY).all() and (workers[:, :n] == 5).all() and (winemasters[:, :n] == 3).all())

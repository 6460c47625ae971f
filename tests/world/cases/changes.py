"""Changes at a table of World, in words.

`lira-3`, `vp+1`, `vine+2`, `grape:red:4-1`, `plant5+1`, `oval:K:vp+1`; those of a seat that does not act start with its
number, `1.lira+3`. A result is a string of sorted changes.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

import vitienv
from tests.table.ends import STOPS, each_end, records_of
from tests.table.fixtures import ALL_STRUCTURES, ORDERS, SUMMER_VISITORS, VINE_COPIES, WINTER_VISITORS
from tests.table.setup_position import CAPACITIES, DECKS, WINES
from vitienv.world.enums import DEEDS, GRANDE, LETTERS, OVALS, PLACES, Tile

__all__ = ["DECKS", "DEEDS", "GRANDE", "LETTERS", "OVALS", "PLACES"]

TILES = (*LETTERS, *OVALS)
CARDS = {"vine": list(VINE_COPIES), "order": ORDERS, "summer": SUMMER_VISITORS, "winter": WINTER_VISITORS}
KINDS_OF_CARDS = [(deck, card) for deck, cards in CARDS.items() for card in cards]
HATS = ("regular", "yellow", "blue")
OF_SEAT = (
    *("lira vp residual aims_met temporary yellow blue".split()), *DECKS, *ALL_STRUCTURES,
    *(f"{mark}{capacity}" for mark in ("plant", "sold", "harvest") for capacity in CAPACITIES),
    *(f"grape:{colour}:{value}" for colour in WINES[:2] for value in range(1, 10)),
    *(f"wine:{wine}:{value}" for wine in WINES for value in range(1, 10)),
)  # fmt: skip
WORDS = (
    "influence", *(f"tile:{letter}" for letter in LETTERS), *(f"oval:{a}:{oval}" for a in LETTERS for oval in OVALS),
    *(f"{seat}.{word}" for seat in range(6) for word in OF_SEAT),
)  # fmt: skip


def count(game: vitienv.Game) -> Counter[str]:
    counts = counted(records_of(game))[0].tolist()
    return Counter({word: number for word, number in zip(WORDS, counts, strict=True) if number})


def counted(records: np.ndarray) -> np.ndarray:
    """Return counts in the order of `WORDS`: (records, words)."""
    n = len(records)

    def of(name: str, *shape: int) -> np.ndarray:
        return records[name].reshape(n, *shape).astype(np.int16)

    columns = [of("influence", 1), of("tile", len(TILES))[:, : len(LETTERS)] == Tile.PLACED]
    columns.append((of("oval_on", len(LETTERS), 1) == np.arange(len(OVALS))).reshape(n, -1))
    hats = of("hat", 6, 4)
    seats = [
        of("lira", 6, 1), of("vp", 6, 1), of("residual", 6, 1), of("aims_met", 6, 2).sum(2, keepdims=True),
        of("staff", 6, 3)[:, :, 2:], (hats == 1).sum(2, keepdims=True), (hats == 2).sum(2, keepdims=True),
        of("n_hand", 6, 4), of("structures", 6, 8), of("vines", 6, 3, 9).sum(3), of("sold", 6, 3),
        of("harvested", 6, 3), of("crush", 6, 18) > 0, of("cellar", 6, 36) > 0,
    ]  # fmt: skip
    return np.concatenate([*columns, np.concatenate(seats, axis=2).reshape(n, -1)], axis=1)


def change(before: Counter[str], after: Counter[str]) -> str:
    """Return a result from two counts."""
    differences = {word: after[word] - before[word] for word in {*before, *after}}
    return " ".join(sorted(f"{word}{difference:+d}" for word, difference in differences.items() if difference))


def ends(game: vitienv.Game, *moves: str, max_steps: int = 20_000) -> set[str] | None:
    """Return all results of a turn after its first moves; None above `max_steps` decisions."""
    before, outcomes, prefix = counted(records_of(game)), set[str](), f"{game.current_seat}."

    def add_changes(records: np.ndarray, _: np.ndarray) -> None:
        for row in np.unique(counted(records) - before, axis=0):
            words = [f"{WORDS[i].removeprefix(prefix)}{row[i]:+d}" for i in np.flatnonzero(row)]
            outcomes.add(" ".join(sorted(words)))

    return outcomes if each_end(game, moves, add_changes, max_steps, STOPS) else None

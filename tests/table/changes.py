"""Changes at a table of Viticulture, in words.

`lira-3`, `vp+1`, `residual+1`, `trained+1`, `regular+1` (a worker to place), `windmill+1`, `plant5:malvasia+1`,
`sold5+1`, `harvested5+1`, `grape:red:4-1`, `wine:blush:5+1`, `used:yoke+1`, `passed+1`, `token+1` (a bonus action
token), `glass4-1` (the glass token of a row), `automa+1` (its points), `automa:give_tour+1` (its worker there), and
cards: `vine:malvasia-1`, `order:order_05+1`, or `order+1` for one drawn from a deck whose next cards are not named.
"""

from __future__ import annotations

import numpy as np

import vitienv
from tests.table.ends import each_end, records_of
from tests.table.fixtures import ALL_STRUCTURES, VINE_COPIES
from tests.table.setup_position import CAPACITIES, DECKS, WINES, WORKERS
from vitienv.viticulture.cards import CARD_NAMES, DECK_OF_KIND
from vitienv.viticulture.enums import ACTS, AUTOMA, N_BOARD_ACTIONS, N_ROWS

NUMBERS = ("lira", "vp", "residual", "trained", "passed", "bonus_tokens")
OF_SEAT = (
    *NUMBERS[:-1], "token", *WORKERS, *ALL_STRUCTURES,
    *(f"used:{name}" for name in ("windmill", "tasting_room", "yoke")),
    *(f"plant{capacity}:{vine}" for capacity in CAPACITIES for vine in VINE_COPIES),
    *(f"{mark}{capacity}" for mark in ("sold", "harvested") for capacity in CAPACITIES),
    *(f"grape:{colour}:{value}" for colour in WINES[:2] for value in range(1, 10)),
    *(f"wine:{wine}:{value}" for wine in WINES for value in range(1, 10)),
    *(f"glass{row}" for row in range(1, N_ROWS + 1)), *CARD_NAMES,
)  # fmt: skip
OF_AUTOMA = ("automa", *(f"automa:{action}" for action in ACTS[:N_BOARD_ACTIONS]))
FIRST_CARD = len(OF_SEAT) - len(CARD_NAMES)


def counted(records: np.ndarray) -> np.ndarray:
    """Count each item of `OF_SEAT`: (records, seats, items)."""
    n = len(records)
    names = (*NUMBERS, "free", "structures", "used", "vines", "sold", "harvested", "crush", "cellar", "glass", "hand")
    return np.concatenate([records[name].reshape(n, 6, -1).astype(np.int16) for name in names], axis=2)


def of_automa(records: np.ndarray) -> np.ndarray:
    """Return the points of the Automa and its workers on each board action: (records, 1 + actions)."""
    return np.column_stack([records["automa_vp"], (records["space_seat"] == AUTOMA).sum(axis=2)])


def ends(game: vitienv.Game, *moves: str, max_steps: int = 20_000) -> set[str]:
    """Return all results of a turn after its first moves; AssertionError above `max_steps` decisions.

    The worker of the first move and the visitor that it plays are not part of a result.
    """
    before, outcomes = records_of(game), set[str]()
    counts, seat = counted(before)[0], game.current_seat
    place, card = (*moves, "", "")[:2]
    if place.startswith("place:"):
        counts[seat, OF_SEAT.index(place.rpartition(":")[2])] -= 1
        if "_visitor:" in place and card.startswith("card:"):
            counts[seat, OF_SEAT.index(card.removeprefix("card:"))] -= 1

    def add_changes(records: np.ndarray, _: np.ndarray) -> None:
        from_deck = (before["deck"] - records["deck"] > 0) & (before["n_forced"][:, DECK_OF_KIND] == 0)
        automa_difference = of_automa(records) - of_automa(before)
        for difference, is_unknown, automa in zip(counted(records) - counts, from_deck, automa_difference, strict=True):
            outcomes.add(_format_changes(difference, is_unknown, automa, seat))

    assert each_end(game, moves, add_changes, max_steps), f"more than {max_steps} decisions"
    return outcomes


def _format_changes(difference: np.ndarray, is_unknown: np.ndarray, automa: np.ndarray, seat: int | None) -> str:
    words = [f"{OF_AUTOMA[i]}{automa[i]:+d}" for i in np.flatnonzero(automa)]
    for k, row in enumerate(difference):
        head = "" if k == seat else f"{k}."
        unknown = (row[FIRST_CARD:] > 0) & is_unknown
        for i in np.flatnonzero(row):
            if i < FIRST_CARD or not unknown[i - FIRST_CARD]:
                words.append(f"{head}{OF_SEAT[i]}{row[i]:+d}")
        for number, deck in enumerate(DECKS):
            if n := row[FIRST_CARD:][unknown & (number == DECK_OF_KIND)].sum():
                words.append(f"{head}{deck}{n:+d}")
    return " ".join(sorted(words))

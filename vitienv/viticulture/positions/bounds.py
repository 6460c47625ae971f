"""Bounds of the columns of a pending frame, by operation; omitted columns are 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vitienv.core.frames import NO_CARD, NOBODY, Frame
from vitienv.core.operations import Bounds, Operations
from vitienv.viticulture.cards import FIRST_SUMMER, N_KINDS, N_VINES, PARTS
from vitienv.viticulture.cards.parts import MAX_PARTS
from vitienv.viticulture.enums import MAX_SEATS, N_DECKS, N_VALUES
from vitienv.viticulture.setup import MAMAS_PER_COLUMN, SetupStage

N_GOALS = 6  # bits of `Goal`
PLACES = 60  # spaces of the board
ALL_DECKS, ALL_SEATS, CARD = (0, 2**N_DECKS - 1), (0, 2**MAX_SEATS - 1), (0, N_KINDS - 1)
ANY_CARD, FLAG, FEW, BITS = (NO_CARD, N_KINDS - 1), (0, 1), (0, 9), (0, 15)
MANY, VINE, FIELD, ASIDE = (0, N_KINDS), (0, N_VINES - 1), (0, 2), (0, 2**MAMAS_PER_COLUMN - 1)
# Short names of the columns.
LEFT, MIN, DONE, STAGE, A, B, C = Frame.LEFT, Frame.MIN, Frame.DONE, Frame.STAGE, Frame.A, Frame.B, Frame.C
P0, P1, P2, P3 = Frame.P0, Frame.P1, Frame.P2, Frame.P3


def own_bounds(n: int) -> dict[str, Bounds]:
    """Return the bounds that differ from those of `bounds_of`, by operation. n: seats."""
    seat, card_of_seat = (0, n - 1), (0, n * N_KINDS - 1)  # card_of_seat: a card and its previous owner
    return {
        "setup": {STAGE: (0, SetupStage.GIFTS), DONE: (0, 2 * MAX_SEATS), P0: ASIDE, P1: ASIDE},
        "year": {Frame.SEAT: (NOBODY, NOBODY), DONE: (0, 2 * MAX_SEATS)},
        "planned": {Frame.SEAT: (NOBODY, NOBODY), P0: (0, MAX_SEATS * PLACES)},
        "card": {LEFT: (0, 1), STAGE: (1, 9), P0: BITS},
        "parts": {LEFT: (0, 1), A: (0, PARTS.shape[1] - 1), B: (0, MAX_PARTS)},
        "offers": {A: BITS, P0: (0, n)},
        "train": {LEFT: (1, 1), MIN: FLAG, A: FEW},
        "import": {LEFT: (0, 3), DONE: (0, 3), P0: (0, n), P1: card_of_seat, P2: card_of_seat, P3: card_of_seat},
        "govern": {A: ALL_SEATS, P0: (0, n)},
        "deck": {LEFT: (0, 4), MIN: (0, 4), DONE: (0, 3), A: ALL_DECKS, P0: (0, 3), P1: (0, 3), P2: (0, 3), P3: (0, 3)},
        "bonus": {A: BITS},
        "token": {A: BITS},
        "play": {LEFT: (0, 3), MIN: (0, 3), DONE: (0, 3), A: (0, N_DECKS - 1)},
        "branch": {A: FEW, B: BITS},
        "build": {A: FEW, B: (-1, 9), C: (0, 2**10 - 1)},
        "plant": {LEFT: (0, 4), MIN: (0, 4), DONE: (0, 4), A: (0, 3), P0: VINE, P1: (0, 99)},
        "harvest": {LEFT: (0, 4), MIN: (0, 4), DONE: (0, 4)},
        "uproot": {LEFT: (1, 4), MIN: (0, 4), DONE: (0, 4), P0: (0, 3 * N_VINES), P1: FIELD},
        "cards": {LEFT: (1, N_KINDS), MIN: MANY, DONE: MANY, A: ALL_DECKS, B: CARD, C: (NOBODY, n - 1)},
        "sell": {LEFT: (0, 2 * N_VALUES), MIN: FLAG, DONE: (0, 2 * N_VALUES), A: (0, 63), P0: (0, 2 * N_VALUES)},
        "make": {LEFT: FEW, MIN: FEW, DONE: FEW, A: (0, 3), P0: (0, 3), P1: (0, 9), P2: (0, 9), P3: (0, 255)},
        "fill": {DONE: (0, 3), P0: (0, FIRST_SUMMER - 1), P1: FEW},
        "grape": {A: FEW},
        "wine": {A: FEW, B: BITS},
        "swap": {P0: FIELD, P1: VINE, P2: FIELD},
        "ask": {A: BITS, B: seat},
        "queen": {B: seat},
        "offer_cards": {LEFT: (0, 3), DONE: (0, 3), A: ALL_DECKS, B: CARD},
        "opponents": {LEFT: (0, 3), DONE: (0, 3), A: FLAG, B: seat, P0: ALL_SEATS},
        "retrieve": {LEFT: (0, 2), DONE: (0, 2), B: (0, 3 * PLACES)},
        "caravan": {
            LEFT: (0, 2), MIN: (0, 2), DONE: (0, 2), B: ANY_CARD,
            P0: ANY_CARD, P1: ANY_CARD, P2: ANY_CARD, P3: ANY_CARD,
        },
        "piles": {LEFT: (1, 2), MIN: (0, 2), DONE: (0, 2), B: (-1, N_DECKS - 1)},
        "choose_vine": {LEFT: (1, 3), MIN: (0, 3), DONE: (0, 3), B: VINE},
    }  # fmt: skip


def bounds_of(
    frame: Sequence[int], n: int, operations: Operations, bounds: Mapping[str, Bounds]
) -> list[tuple[int, int]]:
    """Return the minimum and maximum of each column of a pending frame. n: seats. bounds: by operation."""
    row = operations.rows[int(frame[Frame.OP])]
    asks = bool(row.decisions)
    by_column: dict[int, tuple[int, int]] = {
        Frame.OP: (row.number, row.number),
        Frame.SEAT: (0, n - 1),
        Frame.CARD: ANY_CARD,
        Frame.STAGE: (0, max(len(row.decisions) - 1, 0)),
        Frame.GOALS: (0, 2**N_GOALS - 1),
        Frame.RESULT: (-1, 127),  # -1: the preceding part was declined
        **({LEFT: FLAG, MIN: FLAG} if asks else {}),
        **bounds.get(row.word, {}),
    }
    return [by_column.get(column, (0, 0)) for column in Frame]

"""Pending decisions of Viticulture: bounds of their numbers, their order, and consistency with the rest of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from vitienv.core.frames import NO_CARD, NOBODY, Frame
from vitienv.core.operations import Bounds, Operations
from vitienv.core.positions.pending import FrameRow, Frames
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_SUMMER, MODE, N_BRANCHES, N_KINDS, N_VINES, PARTS
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, MAX_PARTS, NO_PRICE, Mode, PartOp
from vitienv.viticulture.enums import AT_CROWD, MAX_SEATS, N_DECKS, N_SPACES, N_VALUES, NO_SEAT, Deck, Season
from vitienv.viticulture.frames import OPERATIONS, FrameOp
from vitienv.viticulture.ops.cards import GIVE_CARD
from vitienv.viticulture.ops.importer import IMPORTED
from vitienv.viticulture.ops.visitors import FIRST_PICK, LAST_STAGE, SECOND_FOR_A_POINT, SECOND_OF_TWO
from vitienv.viticulture.positions.keys import is_blocker_seat, seats_of
from vitienv.viticulture.setup import FIELD_PENDING, MAMAS_PER_COLUMN, SetupStage
from vitienv.viticulture.state import Rule

SEAT, CARD, STAGE, LEFT, MIN, DONE, A, B, C = Frame.SEAT, Frame.CARD, Frame.STAGE, *range(Frame.LEFT, Frame.C + 1)
P0, P1, P2, P3 = Frame.P0, Frame.P1, Frame.P2, Frame.P3
N_GOALS = 6  # bits of `Goal`
PLACES = 60  # spaces of the board
ALL_DECKS, ALL_SEATS, KINDS = (0, 2**N_DECKS - 1), (0, 2**MAX_SEATS - 1), (0, N_KINDS - 1)
ANY_CARD, FLAG, FEW, BITS = (NO_CARD, N_KINDS - 1), (0, 1), (0, 9), (0, 15)
MANY, VINE, FIELD, ASIDE = (0, N_KINDS), (0, N_VINES - 1), (0, 2), (0, 2**MAMAS_PER_COLUMN - 1)


@cache
def special_bounds(n: int) -> dict[str, Bounds]:
    """Return the bounds that differ from those of `bounds_of`, by operation. n: seats."""
    seat, card_of_seat = (0, n - 1), (0, n * N_KINDS - 1)  # card_of_seat: a card and its previous owner
    return {
        "setup": {STAGE: (0, SetupStage.GIFTS), DONE: (0, 2 * MAX_SEATS), P0: ASIDE, P1: ASIDE},
        "year": {SEAT: (NOBODY, NOBODY), CARD: (NO_CARD, NO_CARD), Frame.GOALS: (0, 0), DONE: (0, 2 * MAX_SEATS)},
        "planned": {SEAT: (NOBODY, NOBODY), P0: (0, MAX_SEATS * PLACES)},
        "card": {LEFT: (0, 1), STAGE: (1, 9), P0: BITS},
        "parts": {LEFT: (0, 1), A: (0, PARTS.shape[1] - 1), B: (0, MAX_PARTS)},
        "offers": {A: BITS, P0: (0, n)},
        "train": {LEFT: (1, 1), MIN: FLAG, A: FEW},
        "import": {LEFT: (0, 3), DONE: (0, 3), P0: (0, n), P1: card_of_seat, P2: card_of_seat, P3: card_of_seat},
        "govern": {A: ALL_SEATS, P0: (0, n)},
        "deck": {LEFT: (0, 4), MIN: (0, 4), DONE: (0, 3), A: ALL_DECKS, P0: (0, 3), P1: (0, 3), P2: (0, 3), P3: (0, 3)},
        "bonus": {A: BITS},
        "token": {A: BITS},
        "play": {LEFT: (0, 3), MIN: (0, 3), DONE: (0, 3), A: (Deck.SUMMER, Deck.WINTER)},
        "branch": {A: FEW, B: BITS},
        "build": {A: FEW, B: (-1, 9), C: (0, 2**10 - 1)},
        "plant": {LEFT: (0, 4), MIN: (0, 4), DONE: (0, 4), A: (0, 3), P0: VINE, P1: (0, 99)},
        "harvest": {LEFT: (0, 4), MIN: (0, 4), DONE: (0, 4)},
        "uproot": {LEFT: (1, 4), MIN: (0, 4), DONE: (0, 4), P0: (0, 3 * N_VINES), P1: FIELD},
        "cards": {LEFT: (1, N_KINDS), MIN: MANY, DONE: MANY, A: ALL_DECKS, B: KINDS, C: (NOBODY, n - 1)},
        "sell": {LEFT: (0, 2 * N_VALUES), MIN: FLAG, DONE: (0, 2 * N_VALUES), A: (0, 63), P0: (0, 2 * N_VALUES)},
        "make": {LEFT: FEW, MIN: FEW, DONE: FEW, A: (0, 3), P0: (0, 3), P1: (0, 9), P2: (0, 9), P3: (0, 255)},
        "fill": {DONE: (0, 3), P0: (0, FIRST_SUMMER - 1), P1: FEW},
        "grape": {A: FEW},
        "wine": {A: FEW, B: BITS},
        "swap": {P0: FIELD, P1: VINE, P2: FIELD},
        "ask": {A: BITS, B: seat},
        "queen": {B: seat},
        "offer_cards": {LEFT: (0, 3), DONE: (0, 3), A: ALL_DECKS, B: KINDS},
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
    by_column: dict[int, tuple[int, int]] = {
        Frame.OP: (row.number, row.number),
        SEAT: (0, n - 1),
        CARD: ANY_CARD,
        STAGE: (0, max(len(row.decisions) - 1, 0)),
        Frame.GOALS: (0, 2**N_GOALS - 1),
        Frame.RESULT: (-1, 127),  # -1: the preceding part was declined
        **({LEFT: FLAG, MIN: FLAG} if row.decisions else {}),
        **bounds.get(row.word, {}),
    }
    return [by_column.get(column, (0, 0)) for column in Frame]


EVERY = tuple(FrameOp)
# Maximum of what is left and done together, by operation.
MAX_TOTAL = {
    row.number: max(bounds[LEFT][1], bounds[DONE][1]) for row in OPERATIONS.rows.values()
    if {LEFT, DONE} <= (bounds := special_bounds(MAX_SEATS).get(row.word, {})).keys()
}  # fmt: skip
SECOND_PICKS = {Mode.BOTH_FOR_A_POINT: SECOND_FOR_A_POINT, Mode.TWO: SECOND_OF_TWO}
# Frames of another seat may be above these operations, which ask several seats or reward the active one.
OF_SEVERAL = (FrameOp.SETUP, FrameOp.YEAR, FrameOp.PLANNED, FrameOp.OFFERS, FrameOp.IMPORT, FrameOp.GOVERN,
              FrameOp.DECK)  # fmt: skip
STAGES = {FrameOp.PARENT: SetupStage.DRAFT, FrameOp.MAMA: SetupStage.EXCHANGE, FrameOp.CHOOSE_VINE: SetupStage.CHOOSE,
          FrameOp.GIFT: SetupStage.GIFTS}  # fmt: skip


# Operations of the frame directly below a frame, by operation; the bottom of the stack has none.
BY_WORKER, BY_PLAN = (FrameOp.YEAR, FrameOp.PARTS), (FrameOp.YEAR, FrameOp.PLANNED, FrameOp.PARTS)
ALLOWED_BELOW: dict[int, tuple[int, ...]] = {
    FrameOp.SETUP: (), FrameOp.YEAR: (),
    **dict.fromkeys(STAGES, (FrameOp.SETUP,)),
    **dict.fromkeys((FrameOp.WAKE, FrameOp.PLACE, FrameOp.PLANNED, FrameOp.TOKEN, FrameOp.YOKE), (FrameOp.YEAR,)),
    FrameOp.TRAIN: (FrameOp.YEAR, FrameOp.PLANNED),
    FrameOp.BONUS: (FrameOp.YEAR, FrameOp.PLANNED, FrameOp.BUILD, FrameOp.SELL, FrameOp.TRAIN, FrameOp.FILL),
    **dict.fromkeys((FrameOp.PLAY, FrameOp.HARVEST, FrameOp.FILL), BY_PLAN),
    FrameOp.MAKE: (*BY_PLAN, FrameOp.OFFERS, FrameOp.DECK),
    FrameOp.SELL: BY_WORKER,
    FrameOp.BUILD: (*BY_WORKER, FrameOp.OFFERS),
    FrameOp.PLANT: (*BY_WORKER, FrameOp.OFFERS, FrameOp.SETUP, FrameOp.CHOOSE_VINE),
    FrameOp.DECK: (*BY_WORKER, FrameOp.OFFERS),
    FrameOp.CARDS: (*BY_WORKER, FrameOp.GOVERN),
    FrameOp.UPROOT: (FrameOp.YEAR, FrameOp.CARDS),
    FrameOp.CARD: (FrameOp.PLAY,), FrameOp.BRANCH: (FrameOp.CARD,), FrameOp.PARTS: (FrameOp.CARD, FrameOp.PARTS),
    FrameOp.ASK: (FrameOp.OFFERS,), FrameOp.OFFER_CARDS: (FrameOp.IMPORT,),
    **dict.fromkeys(
        (FrameOp.GRAPE, FrameOp.WINE, FrameOp.BUY, FrameOp.SWAP, FrameOp.ORDER, FrameOp.OFFERS, FrameOp.IMPORT,
         FrameOp.GOVERN, FrameOp.OPPONENTS, FrameOp.QUEEN, FrameOp.CARAVAN, FrameOp.PILES, FrameOp.PLAN,
         FrameOp.RETRIEVE, FrameOp.ROOSTER, FrameOp.MANAGE), (FrameOp.PARTS,)),
}  # fmt: skip


def part_of(parts: np.ndarray) -> np.ndarray:
    """Return the part (5,) of a card that a frame of parts has resolved last, zeros if there is none."""
    card, branch, i = int(parts[CARD]) - FIRST_SUMMER, int(parts[A]), int(parts[B]) - 1
    is_one = parts[Frame.OP] == FrameOp.PARTS and 0 <= card < len(PARTS) and branch < PARTS.shape[1]
    part: np.ndarray = PARTS[card, branch, i] if is_one and 0 <= i < MAX_PARTS else np.zeros(PARTS.shape[3], np.int64)
    return part


def is_of_seat(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Return whether a frame has the seat of the frame below. The Queen asks the neighbour, who may give cards."""
    is_other_seat = f[Frame.OP] == FrameOp.QUEEN or (f[Frame.OP] == FrameOp.CARDS and f[STAGE] == GIVE_CARD)
    return bool(is_other_seat or below[Frame.OP] in OF_SEVERAL or f[SEAT] == below[SEAT])


def _holds_cards(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check cards to choose: kinds from b on, including vines that are uprooted before."""
    top = r.frames[int(r.depth) - 1]
    kinds = [kind for kind in range(int(f[B]), N_KINDS) if f[A] >> DECK_OF_KIND[kind] & 1]
    num_uprooted = top[LEFT] if top[Frame.OP] == FrameOp.UPROOT and f[A] >> Deck.VINE & 1 else 0
    is_started = f[B] > 0 or f[DONE] > 0
    return bool(f[LEFT] <= r.hand[f[SEAT], kinds].sum() + num_uprooted and ((f == top).all() or not is_started))


def _has_stage(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Return whether a card is in its last stage, or in the first of two."""
    card = int(f[CARD]) - FIRST_SUMMER
    return bool(f[STAGE] == LAST_STAGE or (f[STAGE] == 1 and 0 <= card < len(MODE) and MODE[card] in SECOND_PICKS))


def _are_done(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Return whether the options resolved by a card fit a question or parts."""
    card, resolved = int(below[CARD]) - FIRST_SUMMER, int(below[P0])
    if below[Frame.OP] != FrameOp.CARD or not 0 <= card < len(MODE):
        return True
    second = SECOND_PICKS.get(MODE[card])
    if f[Frame.OP] == FrameOp.PARTS:
        if MODE[card] in (Mode.ALL, Mode.BY_SIGN):
            return resolved == 0
        n = 2 if second is not None and below[STAGE] == LAST_STAGE else 1
        fits = bool(resolved >> int(f[A]) & 1)
    else:
        n, fits = int(f[A] != FIRST_PICK), f[A] in (FIRST_PICK, second)
    return bool(fits and resolved.bit_count() == n and resolved < 1 << int(N_BRANCHES[card]))


def _builds(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check the conditions of a building: those of the card, or any structure at its price."""
    op, *granted = part_of(below)[:4]
    if op == PartOp.BUILD:
        return bool((f[A : C + 1] == granted).all())
    return bool(f[B] == NO_PRICE and f[C] == ALL_STRUCTURES)


def _act_of(place: int) -> int:
    return place - AT_CROWD if place >= AT_CROWD else place // N_SPACES


def _has_another(f: np.ndarray) -> bool:
    card = int(f[CARD]) - FIRST_SUMMER
    return bool(f[A] == FIRST_PICK and 0 <= card < len(MODE) and MODE[card] in SECOND_PICKS)


def _is_due(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check the order of the set-up: each stage asks clockwise, twice for parents."""
    i = (int(f[SEAT]) - int(r.first_player)) % int(r.rules[Rule.NUM_PLAYERS])
    step = 2 * i + int(f[STAGE]) if f[Frame.OP] == FrameOp.PARENT else i
    return bool((below[STAGE], below[DONE]) == (STAGES[FrameOp(int(f[Frame.OP]))], step + 1))


def _is_half(below: np.ndarray) -> bool:
    """Return whether parts are the second of two halves in any order, which starts after the first."""
    card = int(below[CARD]) - FIRST_SUMMER
    return 0 <= card < len(N_BRANCHES) and bool(below[A] >= N_BRANCHES[card])


# Checks in every ruleset.
COMMON: tuple[FrameRow, ...] = (
    # A Caravan reveals fewer cards if decks are empty.
    (tuple(set(EVERY) - {FrameOp.CARAVAN}), lambda r, f, below: f[MIN] <= f[LEFT] + f[DONE],
     "left and done add up to at least its min"),
    (tuple(set(EVERY) - {FrameOp.CARD}), lambda r, f, below: f[CARD] in (below[CARD], NO_CARD),
     "its card is the card of the frame below"),
    (EVERY, is_of_seat, "its seat is the seat of the frame below"),
    ((FrameOp.CARD,), lambda r, f, below: FIRST_SUMMER <= f[CARD] < N_KINDS, "its card is a visitor"),
    ((FrameOp.CARD,), lambda r, f, below: DECK_OF_KIND[f[CARD]] == below[A], "its card is of the deck a below it"),
    ((FrameOp.CARD,), _has_stage, "its stage is one of its card"),
    ((FrameOp.PLAY,), lambda r, f, below: below[Frame.OP] != FrameOp.PARTS
     or (part_of(below)[0], f[A]) == (PartOp.MANAGE, Deck.SUMMER), "only the Manager plays another visitor"),
    ((FrameOp.PARTS,), lambda r, f, below: f[B] == 0 or part_of(f)[0] > 0, "option a of its card has a part b"),
    ((FrameOp.SELL,), lambda r, f, below: (f[DONE] > 0) == (f[P0] > 0), "p0 is after the last grape sold"),
    ((FrameOp.CARAVAN,), lambda r, f, below: all(card == NO_CARD or DECK_OF_KIND[card] == deck
     for deck, card in enumerate(f[P0:])), "p0 to p3 are cards of the four decks"),
    ((FrameOp.OFFERS,), lambda r, f, below: tuple(part_of(below)[:2]) == (PartOp.EACH_MAY, f[A]),
     "its offer is that of the card"),
    ((FrameOp.ASK,), lambda r, f, below: (f[A], f[B]) == (below[A], below[SEAT]),
     "the frame below is an offer with its a, of seat b"),
    ((FrameOp.PLANT,), lambda r, f, below: f[STAGE] != FIELD_PENDING or r.hand[f[SEAT], f[P0]] > 0,
     "the seat holds the vine p0"),
    ((FrameOp.CARDS,), lambda r, f, below: (f[C] != NO_SEAT) == (f[STAGE] == GIVE_CARD),
     "only given cards have a receiver"),
    ((FrameOp.CARDS,), _holds_cards, "the seat holds enough cards of decks a from card b on"),
    # Both seats of a trade give cards.
    ((FrameOp.CARDS,), lambda r, f, below: below[Frame.OP] != FrameOp.CARDS
     or (f[SEAT], f[C]) == (below[C], below[SEAT]), "the cards given below go the opposite way"),
    (tuple(set(EVERY) - {FrameOp.PARTS}), lambda r, f, below: below[Frame.OP] != FrameOp.PARTS or below[B] > 0,
     "the parts below have started"),
    ((FrameOp.PARTS,), lambda r, f, below: below[Frame.OP] != FrameOp.PARTS or (below[B] == 0) == _is_half(below),
     "the parts below have started, or are the second half"),
    ((FrameOp.IMPORT,), lambda r, f, below: f[LEFT] + f[DONE] == IMPORTED, f"left and done add up to {IMPORTED}"),
    ((FrameOp.OFFER_CARDS,), lambda r, f, below: f[LEFT] == below[LEFT], "the import below has the same left"),
    ((FrameOp.CHOOSE_VINE,), lambda r, f, below: f[LEFT] + f[DONE] == f[MIN], "left and done add up to its min"),
    ((FrameOp.BRANCH,), lambda r, f, below: f[B] == below[P0], "its card is below, with the resolved options b"),
    ((FrameOp.BRANCH, FrameOp.PARTS), _are_done, "the resolved options of its card fit"),
    ((FrameOp.BRANCH,), lambda r, f, below: (below[STAGE] != LAST_STAGE) == _has_another(f),
     "its card is at another stage"),
    (tuple(MAX_TOTAL), lambda r, f, below: f[LEFT] + f[DONE] <= MAX_TOTAL[f[Frame.OP]],
     "left and done add up to a possible number"),
)  # fmt: skip
# Checks in the rulesets of Viticulture; World pays and places differently.
OWN: tuple[FrameRow, ...] = (
    (EVERY, lambda r, f, below: f[SEAT] == NO_SEAT or f[Frame.OP] in (FrameOp.WAKE, FrameOp.PLACE)
     or not is_blocker_seat(r, int(f[SEAT])), "its seat only blocks"),
    ((FrameOp.TRAIN,), lambda r, f, below: f[A] == r.rules[Rule.TRAIN_PRICE], "its price is the table's"),
    ((FrameOp.BONUS, FrameOp.TOKEN), lambda r, f, below: (f[SEAT], f[A]) == (r.turn_seat, _act_of(int(r.turn_place))),
     "it is of the turn's seat and action"),
    (tuple(set(EVERY) - {FrameOp.PARTS}), lambda r, f, below: f[Frame.GOALS] in (0, below[Frame.GOALS]),
     "its goals are the goals of the parts below"),
    ((FrameOp.BUILD,), _builds, "it is what the card grants, or any for its price"),
    (EVERY, lambda r, f, below: below[Frame.OP] != FrameOp.YEAR or r.season not in (Season.SUMMER, Season.WINTER)
     or f[SEAT] in (NO_SEAT, r.turn_seat), "it is the turn of another seat"),
    (EVERY, lambda r, f, below: below[Frame.OP] != FrameOp.YEAR or r.season != Season.SPRING
     or below[DONE] == np.count_nonzero(r.row) + (f[Frame.OP] == FrameOp.WAKE),
     "as many seats as are served in this spring have a row"),
    ((FrameOp.DECK, FrameOp.CARDS), lambda r, f, below: below[Frame.OP] != FrameOp.YEAR
     or r.season not in (Season.FALL, Season.YEAR_END)
     or (0 < below[DONE] <= MAX_SEATS and r.order[below[DONE] - 1] == f[SEAT]),
     "it is the turn of another seat"),
    (tuple(STAGES), _is_due, "it comes at another step of the set-up"),
)  # fmt: skip


FRAMES = Frames(OPERATIONS, seats_of, ALLOWED_BELOW, (*COMMON, *OWN),
                lambda frame, n: bounds_of(frame, n, OPERATIONS, special_bounds(n)))  # fmt: skip

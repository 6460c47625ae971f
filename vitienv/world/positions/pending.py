"""Bounds and conditions of World's pending frames."""

from __future__ import annotations

from functools import cache

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.operations import Bounds
from vitienv.core.positions.pending import FrameRow, Frames
from vitienv.viticulture.cards import DECK_OF_KIND
from vitienv.viticulture.enums import MAX_SEATS, Deck
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.positions import pending
from vitienv.viticulture.positions.keys import MAX_NUMBER, seats_of
from vitienv.viticulture.positions.pending import BITS, DONE, FEW, FLAG, LEFT, MIN, P0, P1, P2, P3, SEAT, STAGE, A, B, C
from vitienv.viticulture.state import Rule
from vitienv.world.enums import N_LETTERS, N_OVALS, N_PLACES, NO_OVAL, Oval, Tile
from vitienv.world.frames import WorldOp
from vitienv.world.handlers import OPERATIONS
from vitienv.world.language import MAX_EFFECT_PARTS
from vitienv.world.ops.terms import CARDS_OF_PARTNER, NO_TOKEN
from vitienv.world.ops.trade import Question, Stage
from vitienv.world.setup import SetupStage
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import Choice

PLACE, BONUS = (0, N_PLACES - 1), (0, Oval.LEFT - 1)  # arrows have no bonus
AMOUNT, PAID = (-1, MAX_NUMBER), (0, MAX_NUMBER)
TOKENS, DECKS_TRADED = (Choice.GRAPE, Choice.WINE), {Choice.VINE: Deck.VINE, Choice.ORDER: Deck.ORDER}
MAX_EFFECTS = 999


def _has_goods(r: np.record, seat: int, kind: int, n: int) -> bool:
    """Return whether a seat, or the simulated partner, has an amount or token of a kind."""
    is_simulated = seat >= r.rules[Rule.NUM_PLAYERS]
    if kind in TOKENS:
        tokens = (r.crush if kind == Choice.GRAPE else r.cellar)[0 if is_simulated else seat].ravel()
        return not is_simulated and 0 <= n < len(tokens) and bool(tokens[n])
    if kind == Choice.NOTHING:
        return n == NO_TOKEN
    return 1 <= n <= _amount_of(r, seat, kind, is_simulated)


def _amount_of(r: np.record, seat: int, kind: int, is_simulated: bool) -> int:
    if kind == Choice.LIRA:
        return int(r.partner_lira if is_simulated else r.lira[seat])
    if kind not in DECKS_TRADED:
        return 0
    cards = (r.deck if is_simulated else r.hand[seat])[DECKS_TRADED[kind] == DECK_OF_KIND]
    return min(CARDS_OF_PARTNER, int(cards.sum())) if is_simulated else int(cards.sum())


def _is_possible_trade(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Return whether both seats have the goods of a trade; the current side is incomplete."""
    parts = [(int(f[SEAT]), int(f[P0]), int(f[P1])), (int(f[B]), int(f[P2]), int(f[P3]))]
    part, question = int(f[STAGE]) - Stage.GIVE, f[C]
    if part < 0:
        return True
    seat, kind, n = parts[part]
    if question == Question.KIND:  # complete while the partner answers
        fits = (kind, n) == (0, 0) or (f[STAGE] == Stage.TAKE and _has_goods(r, *parts[part]))
    elif question == Question.TOKEN:
        fits = kind in TOKENS and n == 0
    else:
        fits = kind not in TOKENS and n >= 0 and _has_goods(r, seat, kind, n + 1)
    return fits and all(_has_goods(r, *part) for part in parts[:part])


LATER = ((B, C, P0, P1, P2, P3), (B, C, P0, P1, P2, P3), (P2, P3), ())  # columns of a trade, by stage
# Conditions of World's frames on the frame below and on the state, besides the common ones.
ROWS: tuple[FrameRow, ...] = (
    ((WorldOp.TILE,), lambda r, f, below: f[STAGE] == 0 or r.tile[N_LETTERS + f[P0]] == Tile.SHOWN,
     "the oval p0 is shown"),
    ((WorldOp.TILE,), lambda r, f, below: f[A] == (r.rules[WorldRule.PARTNER] and below[Frame.OP] == FrameOp.YEAR),
     "its a is 1 for the simulated partner's tile only"),
    ((WorldOp.TRADE,), lambda r, f, below: (f[SEAT], f[A]) == (below[SEAT], below[A]),
     "it is of the seat and place of the taking below it"),
    ((WorldOp.TRADE,), lambda r, f, below: not f[list(LATER[f[STAGE]])].any(),
     "what is said at a later stage is still 0"),
    ((WorldOp.TRADE,), _is_possible_trade, "who gives p1 of p0, and p3 of p2, has as much"),
    ((WorldOp.OVAL_BONUS,), lambda r, f, below: (f[SEAT], f[A], f[B]) == (below[SEAT], below[A], below[C]),
     "it is of the seat, the place and the oval of the taking below it"),
    ((WorldOp.ANSWER,), lambda r, f, below: (f[A], f[SEAT]) == (below[A], below[B])
     and (f[P0 : P3 + 1] == below[P0 : P3 + 1]).all(),
     "below it lies the trade that it answers, with the seat as its b"),
    ((WorldOp.TAKING,), lambda r, f, below: below[Frame.OP] != FrameOp.YEAR or f[SEAT] == r.turn_seat,
     "it is the turn of another seat"),
    # Effects of several seats are on each other.
    (tuple(set(WorldOp) - {WorldOp.ANSWER, WorldOp.PARTNER, WorldOp.TILE}), lambda r, f, below:
     (f[Frame.OP], below[Frame.OP]) == (WorldOp.EFFECTS, WorldOp.EFFECTS) or pending.is_of_seat(r, f, below),
     "its seat is that of the frame below it"),
)  # fmt: skip


# Operations allowed directly below an operation.
IN_EFFECTS = (FrameOp.PLAY, FrameOp.HARVEST, FrameOp.FILL, FrameOp.MAKE, FrameOp.SELL, FrameOp.BUILD, FrameOp.PLANT,
              FrameOp.DECK, FrameOp.CARDS, FrameOp.GRAPE, FrameOp.WINE, FrameOp.BUY, FrameOp.RETRIEVE)  # fmt: skip
ALLOWED_BELOW: dict[int, tuple[int, ...]] = {
    **pending.ALLOWED_BELOW,
    **{op: (*pending.ALLOWED_BELOW[op], WorldOp.EFFECTS) for op in IN_EFFECTS},
    FrameOp.DECK: (*pending.ALLOWED_BELOW[FrameOp.DECK], WorldOp.EFFECTS, FrameOp.SETUP),
    FrameOp.GRAPE: (*pending.ALLOWED_BELOW[FrameOp.GRAPE], WorldOp.EFFECTS, WorldOp.EXCHANGE),
    FrameOp.CARDS: (
        *pending.ALLOWED_BELOW[FrameOp.CARDS], WorldOp.EFFECTS, WorldOp.EXCHANGE, WorldOp.TAKING, FrameOp.CARDS,
    ),
    WorldOp.EFFECTS: (FrameOp.YEAR, FrameOp.SETUP, WorldOp.TAKING, WorldOp.EFFECTS),
    WorldOp.TAKING: (FrameOp.YEAR, FrameOp.PARTS),
    WorldOp.TILE: (WorldOp.EFFECTS, FrameOp.YEAR),
    WorldOp.GAIN_GRAPE: (WorldOp.EFFECTS, FrameOp.SETUP),
    WorldOp.HAT: (WorldOp.EFFECTS, FrameOp.PARTS, FrameOp.OFFERS),
    WorldOp.ANSWER: (WorldOp.TRADE,),
    **dict.fromkeys((WorldOp.OVAL_BONUS, WorldOp.EVENT_OFFER, WorldOp.TRADE), (WorldOp.TAKING,)),
    **dict.fromkeys((WorldOp.FALL, WorldOp.TEAM, WorldOp.PARTNER), (FrameOp.YEAR,)),
    **dict.fromkeys((WorldOp.EXCHANGE, WorldOp.SELL_WINE, WorldOp.AGE_GRAPE, WorldOp.BUY_STEPS, WorldOp.BUY_ROW),
                    (WorldOp.EFFECTS,)),
}  # fmt: skip


@cache
def world_bounds(n: int) -> dict[str, Bounds]:
    """Return the bounds of columns that differ from `bounds_of`, by operation. n: number of seats."""
    partners = (0, max(n - 1, 1))  # the simulated partner follows a single seat (W98)
    return {
        **pending.special_bounds(n),
        "setup": {STAGE: (0, SetupStage.GIFTS), DONE: (0, n)},
        "effects": {
            LEFT: FLAG, MIN: FLAG, A: (0, MAX_EFFECTS), B: (0, MAX_EFFECT_PARTS), C: BITS, P0: (0, 99), P1: FEW,
            P2: FEW,
        },
        "taking": {
            LEFT: FLAG, MIN: FLAG, STAGE: FEW, A: PLACE, B: (-1, 2), C: (NO_OVAL, BONUS[1]), P0: FLAG, P1: FLAG,
            P2: FLAG,
        },
        "oval_bonus": {A: PLACE, B: BONUS, C: FLAG},
        "tile": {A: FLAG, P0: (0, N_OVALS - 1)},
        "gain_grape": {A: FEW, B: FEW},
        "buy_steps": {A: FEW, B: FEW},
        "trade": {A: PLACE, B: partners, C: (0, 2), P0: FEW, P1: AMOUNT, P2: FEW, P3: AMOUNT},
        "answer": {A: PLACE, P0: FEW, P1: AMOUNT, P2: FEW, P3: AMOUNT},
        "team": {DONE: (0, MAX_SEATS), A: (0, 99), P0: (0, 99), P1: PAID, P2: PAID, P3: PAID},
        "partner": {A: PLACE},
    }  # fmt: skip


FRAMES = Frames(OPERATIONS, seats_of, ALLOWED_BELOW, (*pending.COMMON, *ROWS),
                lambda frame, n: pending.bounds_of(frame, n, OPERATIONS, world_bounds(n)))  # fmt: skip

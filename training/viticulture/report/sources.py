"""The sources of victory points. docs/report.md has the rule in words.

1. Filled orders, and the windmill with the first vine of a year, have known points.
2. Other points of the deciding seat are attributed to its wake-up row, rooster, worker placement, bonus space (in solo
   games also by a token) or papa's gift.
3. Other changes in a step are attributed to the current visitor, of this seat or of another.
4. The remainder is "unknown"; it is zero in all games of the tests.

The points of all sources sum to the final points of each seat.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame
from vitienv.training.report.traces import Trace
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, ORDER_ICONS, ORDER_VP, PAPAS
from vitienv.viticulture.enums import ACTS, Act, Structure, Used
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.places import ACT_OF_PLACING
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move


class Source(IntConstants):
    """Kinds of sources, in the order in which they are shown."""

    ORDER = 0
    VISITOR = 1
    ANOTHERS_VISITOR = 2
    WINDMILL = 3
    TASTING_ROOM = 4
    BONUS_SPACE = 5
    WAKE_UP_ROW = 6
    PAPAS_GIFT = 7
    START = 8
    UNKNOWN = 9


SOURCES = ("order", "visitor", "another's visitor", "windmill", "tasting room", "bonus space", "wake-up row",
           "papa's gift", "start", "unknown")  # fmt: skip
FIELD_CHOSEN, WINES_GIVEN = 1, 1  # the stages in which a vine is planted and an order is filled
NO_ORDER = -1
NO_OWNER = -1


def parents_of(trace: Trace, kind: str) -> np.ndarray:
    """Return the parent of each seat, (games, seats), -1 for none. kind: "mamas" or "papas"."""
    return trace.games[kind][:, : trace.points.shape[1], 0].astype(np.int64)


def columns(games: np.ndarray, rows: np.ndarray, actions: np.ndarray, frame: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns of decisions of Viticulture, before their actions.

    card: kind of the current visitor, or -1. owner: seat that played it, or -1. act: the frame's first field, the board
    action of a bonus. order, own: see `own_points`.
    """
    frames = games["frames"][rows]
    op, seat, card = frame[:, Frame.OP], frame[:, Frame.SEAT], frame[:, Frame.CARD]
    # Owner of the current visitor: seat of the last frame of a card.
    is_card = frames[:, :, Frame.OP] == int(FrameOp.CARD)
    last = frames.shape[1] - 1 - is_card[:, ::-1].argmax(axis=1)
    owner = np.where(is_card.any(axis=1), frames[np.arange(len(rows)), last, Frame.SEAT], NO_OWNER)
    plays = (op == int(FrameOp.PLAY)) & (actions != int(Move.DONE))
    return {
        "card": np.where(plays, actions - Move.CARD, card).astype(np.int16),
        "owner": np.where(plays, seat, owner).astype(np.int8),
        "act": frame[:, Frame.A].astype(np.int16),
        **own_points(games, rows, frame),
    }


def own_points(games: np.ndarray, rows: np.ndarray, frame: np.ndarray) -> dict[str, np.ndarray]:
    """Return the order filled by each decision, and the points of the order or of the windmill.

    games: states before the decision. rows: deciding games. frame (rows, columns): their pending frames.
    """
    op, stage, seat = frame[:, Frame.OP], frame[:, Frame.STAGE], frame[:, Frame.SEAT]
    orders = np.clip(frame[:, Frame.P0] - FIRST_ORDER, 0, len(ORDER_VP) - 1)
    fills = (op == FrameOp.FILL) & (stage == WINES_GIVEN) & (frame[:, Frame.DONE] + 1 == ORDER_ICONS[orders])
    turns = (op == FrameOp.PLANT) & (stage == FIELD_CHOSEN)
    turns &= (games["structures"][rows, seat, Structure.WINDMILL] == 1) & (
        games["used"][rows, seat, Used.WINDMILL] == 0
    )
    points = np.where(fills, ORDER_VP[orders], turns.astype(np.int64))
    margin = (
        games["rules"][rows, Rule.VP_CAP].astype(np.int64) - games["vp"][rows, seat]
    )  # the original edition has a cap
    return {
        "order": np.where(fills, FIRST_ORDER + orders, NO_ORDER).astype(np.int16),
        "own": np.minimum(points, margin).astype(np.int16),
    }


def points_of(trace: Trace) -> pd.DataFrame:
    """Return all changes of points: game (row of the trace), seat, kind (`Source`), source (text), points."""
    steps = trace.steps
    seats, op, gain, order = (steps[name].astype(np.int64) for name in ("seat", "op", "own", "order"))
    k = np.arange(len(seats))
    remaining = trace.change.astype(np.int64)
    remaining[k, seats] -= gain
    order_kind = np.where(order != NO_ORDER, Source.ORDER, Source.WINDMILL)
    parts = [_rows(trace, np.flatnonzero(gain), seats[gain != 0], order_kind[gain != 0], gain[gain != 0])]
    own_sources = np.full(len(seats), -1)
    own_sources[(op == FrameOp.WAKE) | (op == FrameOp.ROOSTER)] = Source.WAKE_UP_ROW
    own_sources[op == FrameOp.GIFT] = Source.PAPAS_GIFT
    is_tour = ACT_OF_PLACING[steps["action"]] == Act.GIVE_TOUR
    own_sources[op == FrameOp.PLACE] = np.where(is_tour, Source.TASTING_ROOM, Source.BONUS_SPACE)[op == FrameOp.PLACE]
    own_sources[(op == FrameOp.BONUS) | (op == FrameOp.TOKEN)] = Source.BONUS_SPACE
    step, seat = np.nonzero(remaining)
    card, owner = steps["card"][step], steps["owner"][step]
    kind = np.where(card < 0, Source.UNKNOWN, np.where(owner == seat, Source.VISITOR, Source.ANOTHERS_VISITOR))
    kind = np.where((seats[step] == seat) & (own_sources[step] >= 0), own_sources[step], kind)
    parts.append(_rows(trace, step, seat, kind, remaining[step, seat]))
    game, seat = np.nonzero(trace.start)
    start = pd.DataFrame({"game": game, "seat": seat, "kind": int(Source.START), "source": SOURCES[Source.START]})
    return pd.concat([*parts, start.assign(points=trace.start[game, seat])], ignore_index=True)


def _rows(trace: Trace, step: np.ndarray, seat: np.ndarray, kind: np.ndarray, points: np.ndarray) -> pd.DataFrame:
    steps = trace.steps
    game = steps["game"][step].astype(np.int64)
    names = [_name(*values) for values in zip(
        kind.tolist(), steps["order"][step].tolist(), steps["card"][step].tolist(), steps["action"][step].tolist(),
        steps["act"][step].tolist(), steps["op"][step].tolist(), parents_of(trace, "papas")[game, seat].tolist(),
    )]  # fmt: skip
    return pd.DataFrame({"game": game, "seat": seat, "kind": kind, "source": names, "points": points})


def _name(kind: int, order: int, card: int, action: int, act: int, op: int, papa: int) -> str:
    if kind == Source.ORDER:
        return CARD_IDS[order]
    if kind in (Source.VISITOR, Source.ANOTHERS_VISITOR):
        return CARD_IDS[card]
    if kind == Source.BONUS_SPACE:
        return ACTS[act if op in (FrameOp.BONUS, FrameOp.TOKEN) else ACT_OF_PLACING[action]]
    if kind == Source.WAKE_UP_ROW:
        return f"row {action - Move.WAKE_UP + 1}"
    if kind == Source.PAPAS_GIFT:
        return PAPAS[papa].id
    return SOURCES[kind]

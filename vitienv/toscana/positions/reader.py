"""Reading a position: plain JSON into a game, refusing whatever contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.batch import Batch, key_of
from vitienv.core.checks import list_of, one_of, only_keys, whole
from vitienv.core.frames import NO_CARD, Frame
from vitienv.core.kernel import Status
from vitienv.core.positions import STATUS, begun, chance_from_json, frames_from_json
from vitienv.toscana.frames import OPERATIONS, FrameOp
from vitienv.toscana.names import GOODS, LEVELS, N_TURNS, NO_SEAT, ROOM, Good, Phase
from vitienv.toscana.options import Options
from vitienv.toscana.positions.contradictions import check_whole
from vitienv.toscana.positions.pending import check_pending
from vitienv.toscana.positions.seats import read_seats, read_tiles
from vitienv.toscana.positions.table import read_map, read_squares, read_water
from vitienv.toscana.positions.writer import SIGNS
from vitienv.toscana.state import LAST_ROUND, Rule
from vitienv.toscana.vocabulary import Move

KEYS = (
    "ruleset", "num_players", "options", "seed", "round", "status", "start_seat", "to_act", "prices", "stock", "signs",
    "map", "squares", "water", "seats", "next_draws", "chance", "pending",
)  # fmt: skip


def read_position(position: Any, definition: Any = None) -> Batch:
    """The game of a position, as a batch of one. ValueError says what contradicts itself or is unknown."""
    only_keys(position, KEYS, "the position")
    batch = begun(position, Options)
    options: Any = batch.options
    r, n = batch.games[0], options.num_players
    seed = whole(position.get("seed", 0), 0, 2**63 - 1, "seed")
    r.key[:] = key_of(seed)[0]
    r.round_number = whole(position.get("round", 1 if "squares" in position else 0), 0, LAST_ROUND, "round")
    r.status = one_of(position.get("status", "playing"), STATUS, "status")
    r.start_seat = whole(position.get("start_seat", 0), 0, n - 1, "start_seat")
    _read_market(r, position)
    read_map(r, position, options)
    read_squares(r, position, n)
    read_seats(r, position, n)
    read_water(r, position)
    _fill_bank(r, n)
    _read_time(r, n)
    read_tiles(r, position, n, seed)
    check_whole(r, n)
    _read_pending(r, position, n)
    chance_from_json(r, position)
    batch.refresh(observe=False)
    legal = np.flatnonzero(batch.masks[0])
    if r.status == Status.PLAYING and (not len(legal) or legal.tolist() == [Move.DONE]):
        raise ValueError("in this position the seat to act can do nothing; its pending decision contradicts the rest")
    return batch


def _read_market(r: np.record, position: Mapping[str, Any]) -> None:
    """Prices by their printed fields, 1 for 0/1; boxes; recommendations, of which one square is empty."""
    for key, field, lever, low, high in (
        ("prices", r.price, Rule.START_PRICE, 1, LEVELS),
        ("stock", r.stock, Rule.START_STOCK, 0, ROOM),
    ):
        field[:] = r.rules[lever : lever + len(GOODS)]
        only_keys(position.get(key, {}), GOODS, key)
        for good, number in position.get(key, {}).items():
            field[GOODS.index(good)] = whole(number, low, high, f"{key}.{good}") - low
    r.sign[:] = r.rules[Rule.START_SIGN : Rule.START_SIGN + len(GOODS)]
    if "signs" in position:
        only_keys(position["signs"], GOODS, "signs")
        r.sign[:] = 0
        for good, name in position["signs"].items():
            at = one_of(name, list(SIGNS.values()), f"sign of {good}")
            r.sign[GOODS.index(good)] = list(SIGNS)[at]
        if sorted(r.sign) != [-1, -1, 0, 1, 1]:
            told = dict(position["signs"])
            raise ValueError(f'signs is {told!r}; two goods have "plus", two "minus" and one is left out')


def _fill_bank(r: np.record, n: int) -> None:
    """What is nowhere else is in the bank."""
    supply = r.rules[Rule.SUPPLY : Rule.SUPPLY + len(GOODS)].astype(int)
    elsewhere = r.stock.astype(int) + r.boxes[:n].sum(axis=0)
    elsewhere[Good.WATER] += r.water.sum()
    for good, boxes, there in zip(GOODS, elsewhere, supply):
        if boxes > there:
            raise ValueError(f"the position has {boxes} boxes of {good}; there are {there}")
    r.bank[:] = supply - elsewhere


def _read_time(r: np.record, n: int) -> None:
    """The phase, and the seats asked in it: actions are used clockwise from the start seat, one each turn."""
    used = [int(r.used[(r.start_seat + i) % n].sum()) for i in range(n)]
    turns = sum(used)
    if r.round_number == 0:
        if turns:
            raise ValueError("a seat has used actions in the set-up, which is round 0")
        if r.status != Status.PLAYING:
            raise ValueError(f"status is {STATUS[r.status]} in round 0; a game ends after a round")
        r.phase = Phase.SETUP
        return
    if used != [turns // n + (i < turns % n) for i in range(n)]:
        told = ", ".join(str(int(r.used[seat].sum())) for seat in range(n))
        raise ValueError(f"the seats have used {told} actions; from start_seat {r.start_seat} on each uses one a turn")
    if r.status == Status.PLAYING and turns < N_TURNS * n:
        r.phase = Phase.ACTIONS
    else:
        r.phase = Phase.TASTING
        if r.status != Status.PLAYING and turns < N_TURNS * n:
            raise ValueError(f"status is {STATUS[r.status]} and actions are left; a game ends when a round is over")


def _next(r: np.record, n: int) -> tuple[FrameOp, int, int]:
    """The question that follows from the rest, the seat that is asked, and the seats asked with it."""
    if r.phase == Phase.SETUP:
        placed = [seat in r.square_owner for seat in range(n)]
        order = [(int(r.start_seat) - 1 - i) % n for i in range(n)]
        done = sum(placed)
        if [placed[seat] for seat in order] != [i < done for i in range(n)]:
            raise ValueError("start workers are placed counter-clockwise, the start_seat last; squares contradict that")
        if done == n:
            raise ValueError("all start workers are placed in round 0; write round 1")
        return FrameOp.START_WORKER, order[done], done + 1
    order = [(int(r.start_seat) + i) % n for i in range(n)]
    if r.phase == Phase.ACTIONS:
        turns = int(r.used[:n].sum())
        return FrameOp.TURN, order[turns % n], turns + 1
    chosen = [bool(r.chosen[seat]) for seat in order]
    done = sum(chosen)
    if chosen != [i < done for i in range(n)] or done == n:
        raise ValueError("tiles are chosen clockwise from start_seat on until all are; chosen contradicts that")
    return FrameOp.TASTE, order[done], done + 1


def _frame(r: np.record, op: FrameOp, seat: int, done: int = 0, left: int = 0) -> None:
    frame = r.frames[int(r.depth)]
    frame[Frame.OP], frame[Frame.SEAT], frame[Frame.CARD] = op, seat, NO_CARD
    frame[Frame.DONE] = done
    frame[Frame.LEFT] = frame[Frame.MIN] = left
    r.depth += 1


def _read_pending(r: np.record, position: Mapping[str, Any], n: int) -> None:
    """The frames of a decision that is told, or of the one that follows from the rest."""
    pending, to_act = position.get("pending"), position.get("to_act")
    if r.status != Status.PLAYING:
        if pending is not None or to_act is not None:
            raise ValueError("the game is over and something is pending or to_act; leave them out")
        return
    if pending is not None:
        frames_from_json(r, list_of(pending, "pending", len(r.frames)), OPERATIONS, n)
        check_pending(r, n)
        expected = int(r.frames[int(r.depth) - 1, Frame.SEAT])
    else:
        if r.water.any():
            raise ValueError("there is water on crossroads and no pending winemaking; leave one out or write the other")
        op, expected, asked = _next(r, n)
        _frame(r, FrameOp.ROUND, NO_SEAT, asked)
        _frame(r, op, expected, left=1)
    if to_act not in (None, expected):
        raise ValueError(f"to_act is {to_act!r}, but seat {expected} is the next to act")

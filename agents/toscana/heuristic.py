"""A rule of thumb: hire a piece in every round, make wine with the water that pays, sell what brings more now than
later. Every legal action gets a score in hundredths of money, and the best is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vitienv.agents.compiled import compiler
from vitienv.agents.protocol import Views
from vitienv.agents.toscana.worth import LAST_HIRE, box, boxes, place, plan_water, rounds_left, selling
from vitienv.core.jit import jit
from vitienv.toscana.kernel import KERNELS
from vitienv.toscana.machine import Decision
from vitienv.toscana.names import (
    MAX_SEATS,
    N_CROSSROADS,
    N_GOODS,
    N_SQUARES,
    N_TILES,
    ROOM,
    Action,
    Good,
)
from vitienv.toscana.observation import N_DECISIONS, At, Pending
from vitienv.toscana.state import Rule
from vitienv.toscana.vocabulary import ACTIONS, N_ACTIONS, Move

FAR_BELOW = -1_000_000
FIRST, THEN, AT_LAST = 30_000, 20_000, 10_000  # the order of the actions of a round
LEAST_MADE = 150  # what winemaking must bring beyond a box for passing
AWARD = 1_000

cached = compiler(KERNELS, Path(__file__).resolve().parent)


@jit
def decision_of(o):
    decision = 0
    while decision < N_DECISIONS and o[At.DECISION + decision] == 0:
        decision += 1
    return decision


@jit
def held(o, good):
    return int(o[At.BOXES + good])


@jit
def gain_of_sale(o, good, n):
    """Money now against what the boxes are worth later."""
    return 100 * n * selling(o, good) + boxes(o, good, held(o, good), -n)


@jit
def best_sale(o, good):
    """The most that selling some boxes of a good gains."""
    most = 0
    for n in range(1, held(o, good) + 1):
        most = max(most, gain_of_sale(o, good, n))
    return most


@jit
def gain_of_purchase(o, good, n):
    return boxes(o, good, held(o, good), n) - 100 * n * (int(o[At.PRICE + good]) + 1)


@jit
def score_trading(o, mask, scores):
    """Sales of several goods add up; a purchase stands alone."""
    behind = 0
    for good in range(N_GOODS - 1, -1, -1):
        for n in range(1, ROOM + 1):
            sale, purchase = Move.SELL + ROOM * good + n - 1, Move.BUY + ROOM * good + n - 1
            if mask[sale]:
                scores[sale] = gain_of_sale(o, good, n) + behind
            if mask[purchase]:
                scores[purchase] = gain_of_purchase(o, good, n)
        behind += best_sale(o, good)
    scores[Move.DONE] = 0


@jit
def gain_of_trading(o):
    """The most that trading gains."""
    sales, most = 0, 0
    for good in range(N_GOODS):
        sales += best_sale(o, good)
        room = min(int(o[At.STOCK + good]), ROOM - held(o, good))
        for n in range(1, min(room, int(o[At.MONEY]) // (int(o[At.PRICE + good]) + 1)) + 1):
            most = max(most, gain_of_purchase(o, good, n))
    return max(sales, most)


@jit
def can_pay_piece(o):
    """Whether the next piece can be paid, and is worth it."""
    if o[At.ROUND_NUMBER] > LAST_HIRE:
        return False
    if o[At.WORKERS] > 0:
        return held(o, Good.RED) > 0
    if o[At.WINEMASTERS] == 1:
        for good in range(N_GOODS):
            if held(o, good) == 0:
                return False
        return True
    return o[At.WINEMASTERS] > 0 and held(o, Good.WHITE) >= 4 - int(o[At.WINEMASTERS])


@jit
def gain_of_rose(o):
    """Two prices of what is held in numbers, for a box of rose."""
    first, second = 0, 0
    for good in range(N_GOODS):
        n = held(o, good) - (1 if good == Good.ROSE else 0)
        if n > first:
            first, second = n, first
        elif n > second:
            second = n
    return 80 * (first + second) + boxes(o, Good.ROSE, held(o, Good.ROSE), -1)


@jit
def gain_of_sign(o, good, sign):
    """A recommendation moves the price of what is held now, and what will be made in the rounds to come."""
    return sign * (80 * held(o, good) + 60 * min(rounds_left(o), 3))


@jit
def gain_of_lobbyist(o):
    """The best of the first moves, for a box of champagne."""
    most = FAR_BELOW
    for good in range(N_GOODS):
        if o[At.SIGN + good] != 0:
            most = max(most, gain_of_tile(o, good))
    return most + boxes(o, Good.CHAMPAGNE, held(o, Good.CHAMPAGNE), -1)


@jit
def gain_of_tile(o, good):
    """The tile of a good goes to the empty square, so its own good loses it and that square's gets it."""
    empty = 0
    while o[At.SIGN + empty] != 0:
        empty += 1
    sign = int(o[At.SIGN + good])
    return gain_of_sign(o, empty, sign) - 60 * sign * min(rounds_left(o), 3) * (1 if held(o, good) > 0 else 0)


@jit
def score_turn(o, mask, scores, plan, wet, made):
    """A piece as soon as it can be paid, so that it makes wine at once; then winemaking, then trading. Passed
    winemaking gives the box that is worth more."""
    water = held(o, Good.WATER)
    gain = plan_water(o, 0, water, plan, wet, made) if water > 0 else 0
    red, drop = box(o, Good.RED, held(o, Good.RED)), box(o, Good.WATER, water)
    passed = max(red, drop)
    traded = gain_of_trading(o)
    may_make = o[At.USED + Action.WINEMAKING] == 0 and gain > passed + LEAST_MADE
    if can_pay_piece(o):
        scores[Move.TAKE + Action.HIRING] = FIRST
    elif gain_of_rose(o) > 0 or gain_of_lobbyist(o) > 0:
        scores[Move.TAKE + Action.HIRING] = AT_LAST
    scores[Move.PASS_HIRING] = AT_LAST - 500
    scores[Move.TAKE + Action.WINEMAKING] = THEN if may_make else 0
    scores[Move.PASS_WINEMAKING] = AT_LAST - 1
    scores[Move.PASS_FOR_RED] = AT_LAST + red
    scores[Move.PASS_FOR_WATER] = AT_LAST + drop
    # Trading comes last: what is made in this round is sold too.
    scores[Move.TAKE + Action.TRADING] = AT_LAST - 300 if traded > 0 else 0
    scores[Move.PASS_TRADING] = AT_LAST - 400


@jit
def score_hiring(o, mask, scores):
    """The best square, or a service that pays."""
    pays = can_pay_piece(o)
    for square in range(N_SQUARES):
        if mask[Move.SQUARE + square]:
            bonus = AWARD if o[At.WORKERS] == 0 and o[At.WINEMASTERS] == 1 else 0
            scores[Move.SQUARE + square] = bonus + (FIRST + place(o, square) if pays else -1)
    scores[Move.LOBBYIST] = gain_of_lobbyist(o)
    scores[Move.MR_ROSE] = gain_of_rose(o)
    scores[Move.DONE] = 0


@jit
def score_services(o, decision, mask, scores):
    """Prices up where boxes are held, the deal by what it gains."""
    for good in range(N_GOODS):
        n = held(o, good)
        scores[Move.TILE + good] = gain_of_tile(o, good)
        scores[Move.PRICE + 2 * good] = 100 * n + (10 if n > 0 else 0) + N_GOODS - good
        scores[Move.PRICE + 2 * good + 1] = -100 * n + 5
        scores[Move.BUY + ROOM * good] = gain_of_purchase(o, good, 1)
        scores[Move.SELL + ROOM * good] = gain_of_sale(o, good, 1)
        if o[At.PENDING + Pending.DONE] == 0:  # a deal before the changes is for who gains by it at once
            scores[Move.BUY + ROOM * good] -= 200
            scores[Move.SELL + ROOM * good] -= 200
    scores[Move.DONE] = 0


@jit
def score_tasting(o, scores):
    """Marks on what is held in larger numbers than by the others."""
    for tile in range(N_TILES):
        for good in range(N_GOODS):
            others = 0
            for k in range(1, MAX_SEATS):
                others += int(o[At.BOXES + N_GOODS * k + good])
            ahead = 2 * MAX_SEATS * held(o, good) - others
            scores[Move.TASTE + tile] += int(o[At.RULES + Rule.MARKS + N_GOODS * tile + good]) * (ahead + 1)


@jit
def score_actions(o, mask, scores, plan, wet, made):
    """Fill `scores` (N_ACTIONS,) for the legal actions of one observation. plan, wet, made: scratch of `plan_water`."""
    for action in range(N_ACTIONS):
        scores[action] = 0
    decision = decision_of(o)
    if decision == Decision.START_WORKER:
        for square in range(N_SQUARES):
            scores[Move.SQUARE + square] = place(o, square)
    elif decision == Decision.TAKE_ACTION:
        score_turn(o, mask, scores, plan, wet, made)
    elif decision == Decision.HIRE:
        score_hiring(o, mask, scores)
    elif decision >= Decision.LOBBY_FIRST and decision <= Decision.SECOND_PRICE:
        score_services(o, decision, mask, scores)
    elif decision == Decision.PLACE_WATER:
        plan_water(o, int(o[At.PENDING + Pending.A]), held(o, Good.WATER), plan, wet, made)
        for crossroad in range(N_CROSSROADS):
            scores[Move.CROSSROAD + crossroad] = (N_CROSSROADS - crossroad) if plan[crossroad] == 1 else -1
    elif decision == Decision.ABANDONED_KIND:
        for good in range(N_GOODS):
            scores[Move.GOOD + good] = box(o, good, held(o, good))
    elif decision == Decision.TRADE or decision == Decision.SELL_MORE:
        score_trading(o, mask, scores)
        for k in range(MAX_SEATS - 1):
            scores[Move.SEAT + k] = -1
    elif decision == Decision.TASTE:
        score_tasting(o, scores)
    elif decision == Decision.ANSWER_OFFER:
        good, n = int(o[At.PENDING + Pending.C]), int(o[At.PENDING + Pending.B])
        scores[Move.YES] = boxes(o, good, held(o, good), -n) + 100 * n * int(o[At.PENDING + Pending.PICK])


@cached
def choose(observations, masks, scores, plan, wet, made, actions):
    """The best legal action of each row, the lowest number among equals, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8; plan (crossroads,), wet (squares,), made (goods,)
    int64 are scratch, and so is scores (1, N_ACTIONS) int64; with (n, N_ACTIONS) it gets the scores of every row.
    """
    for i in range(len(observations)):
        mask, row = masks[i], scores[i % len(scores)]
        score_actions(observations[i], mask, row, plan, wet, made)
        best = -1
        for action in range(N_ACTIONS):
            if mask[action] and (best < 0 or row[action] > row[best]):
                best = action
        actions[i] = best


class HeuristicAgent:
    """A solid player without a special plan. The same observation always gives the same choice."""

    def __init__(self) -> None:
        self.name = "heuristic"
        self.game = "toscana"

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None = None) -> np.ndarray:
        """One legal action for each row; see `Agent.act`."""
        return self._choose(observations, masks, 1)[0]

    def explain(self, observation: np.ndarray, mask: np.ndarray) -> dict[str, int]:
        """Why: the score of each legal action of one observation by its name, the best first."""
        scores = self._choose(observation[None], mask[None], 1)[1][0]
        best_first = sorted(np.flatnonzero(mask), key=lambda action: -scores[action])
        return {ACTIONS.name(int(action)): int(scores[action]) for action in best_first}

    def _choose(self, observations: np.ndarray, masks: np.ndarray, kept: int) -> tuple[np.ndarray, np.ndarray]:
        scores, actions = np.zeros((kept, N_ACTIONS), np.int64), np.empty(len(observations), np.int64)
        rows, legal = np.require(observations, np.int16, ["C", "W"]), np.require(masks, np.int8, ["C", "W"])
        scratch = (np.zeros(n, np.int64) for n in (N_CROSSROADS, N_SQUARES, N_GOODS))
        choose(rows, legal, scores, *scratch, actions)
        return actions, scores

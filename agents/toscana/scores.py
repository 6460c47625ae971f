"""Scores of actions in hundredths of money; in some decisions they are ranks.

The strategy: hire a piece every round, make wine with profitable water, sell what has a higher price now than later.
"""

import numpy as np

from vitienv.agents.toscana.value import box, boxes, is_ahead, pieces_hired, place, plan_water, rounds_left, selling
from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import CAPACITY, MAX_SEATS, N_CROSSROADS, N_GOODS, N_SQUARES, N_TILES, Action, Good
from vitienv.toscana.handlers import Decision
from vitienv.toscana.observation import N_DECISIONS, At, Pending
from vitienv.toscana.state import Rule
from vitienv.toscana.vocabulary import N_ACTIONS, Move

FAR_BELOW = -1_000_000
FIRST, THEN, AT_LAST = 30_000, 20_000, 10_000  # ranks of the actions of a round
AWARD = 1_000
# Decisions of the lobbyist and Mr Rosé.
OF_SERVICES = np.zeros(N_DECISIONS, np.int64)
OF_SERVICES[[Decision.LOBBY_FIRST, Decision.LOBBY_SECOND, Decision.MR_ROSE, Decision.SECOND_PRICE]] = 1


@jit
def decision_of(o):
    decision = 0
    while decision < N_DECISIONS and o[At.DECISION + decision] == 0:
        decision += 1
    return decision


@jit
def box_count(o, good):
    return int(o[At.BOXES + good])


@jit
def gain_of_sale(o, w, good, n):
    """Return the gain of a sale against later sales; enough money ends the game."""
    gain = 100 * n * selling(o, good) + boxes(o, w, good, box_count(o, good), -n)
    if o[At.MONEY] < o[At.RULES + Rule.END_MONEY] <= o[At.MONEY] + n * selling(o, good):
        gain += w.end_ahead if is_ahead(o) else w.end_behind
    return gain


@jit
def best_sale(o, w, good):
    """Return the best gain of selling boxes of a good."""
    best_gain = 0
    for n in range(1, box_count(o, good) + 1):
        best_gain = max(best_gain, gain_of_sale(o, w, good, n))
    return best_gain


@jit
def gain_of_purchase(o, w, good, n):
    return boxes(o, w, good, box_count(o, good), n) - 100 * n * (int(o[At.PRICE + good]) + 1)


@jit
def score_trading(o, w, mask, scores):
    """Score sales, which may be combined, and purchases, which may not."""
    behind = 0
    for good in range(N_GOODS - 1, -1, -1):
        for n in range(1, CAPACITY + 1):
            sale, purchase = Move.SELL + CAPACITY * good + n - 1, Move.BUY + CAPACITY * good + n - 1
            if mask[sale]:
                scores[sale] = gain_of_sale(o, w, good, n) + behind
            if mask[purchase]:
                scores[purchase] = gain_of_purchase(o, w, good, n)
        behind += best_sale(o, w, good)
    scores[Move.DONE] = 0


@jit
def gain_of_trading(o, w):
    """Return the best gain of trading."""
    sales, best_purchase = 0, 0
    for good in range(N_GOODS):
        sales += best_sale(o, w, good)
        room = min(int(o[At.STOCK + good]), CAPACITY - box_count(o, good))
        for n in range(1, min(room, int(o[At.MONEY]) // (int(o[At.PRICE + good]) + 1)) + 1):
            best_purchase = max(best_purchase, gain_of_purchase(o, w, good, n))
    return max(sales, best_purchase)


@jit
def can_pay_piece(o, w):
    """Return whether the next piece is affordable and wanted."""
    if pieces_hired(o) >= w.pieces_wanted:
        return False
    if o[At.WINEMASTERS] == 1:
        for good in range(N_GOODS):
            if box_count(o, good) == 0:
                return False
        return True
    if rounds_left(o) < w.hire_until:
        return False
    if o[At.WORKERS] > 0:
        return box_count(o, Good.RED) > 0
    return o[At.WINEMASTERS] > 0 and box_count(o, Good.WHITE) >= 4 - int(o[At.WINEMASTERS])


@jit
def gain_of_rose(o, w):
    """Return the gain of two price moves for a box of rosé."""
    first, second = 0, 0
    for good in range(N_GOODS):
        n = box_count(o, good) - (1 if good == Good.ROSE else 0)
        if n > first:
            first, second = n, first
        elif n > second:
            second = n
    return w.service + w.rose * (first + second) + boxes(o, w, Good.ROSE, box_count(o, Good.ROSE), -1)


@jit
def gain_of_sign(o, w, good, sign):
    """Return the gain of a recommendation for boxes in stock and of later rounds."""
    return sign * (w.sign_held * box_count(o, good) + w.sign_later * min(rounds_left(o), 3))


@jit
def gain_of_lobbyist(o, w):
    """Return the gain of the lobbyist's best first move for a box of champagne."""
    best_gain = FAR_BELOW
    for good in range(N_GOODS):
        if o[At.SIGN + good] != 0:
            best_gain = max(best_gain, gain_of_tile(o, w, good))
    return w.service + best_gain + boxes(o, w, Good.CHAMPAGNE, box_count(o, Good.CHAMPAGNE), -1)


@jit
def gain_of_tile(o, w, good):
    """Return the gain of moving the tile of a good to the good without a tile."""
    empty = 0
    while o[At.SIGN + empty] != 0:
        empty += 1
    sign = int(o[At.SIGN + good])
    lost = w.sign_later * sign * min(rounds_left(o), 3) if box_count(o, good) > 0 else 0
    return gain_of_sign(o, w, empty, sign) - lost


@jit
def score_turn(o, w, mask, scores, plan, watered, boxes_made):
    """Rank hiring first, so that the piece makes wine at once, then winemaking, then trading."""
    water = box_count(o, Good.WATER)
    gain = plan_water(o, w, 0, water, plan, watered, boxes_made) if water > 0 else 0
    red, drop = box(o, w, Good.RED, box_count(o, Good.RED)), box(o, w, Good.WATER, water)
    pass_value = max(red, drop)
    trading_gain = gain_of_trading(o, w)
    may_make = o[At.USED + Action.WINEMAKING] == 0 and gain > pass_value + w.make_least
    if can_pay_piece(o, w):
        scores[Move.TAKE + Action.HIRING] = FIRST
    elif gain_of_rose(o, w) > 0 or gain_of_lobbyist(o, w) > 0:
        scores[Move.TAKE + Action.HIRING] = AT_LAST
    scores[Move.PASS_HIRING] = AT_LAST - 500
    scores[Move.TAKE + Action.WINEMAKING] = THEN if may_make else 0
    scores[Move.PASS_WINEMAKING] = AT_LAST - 1
    scores[Move.PASS_FOR_RED] = AT_LAST + red
    scores[Move.PASS_FOR_WATER] = AT_LAST + drop
    # Trading is last, to sell the wine of this round too.
    scores[Move.TAKE + Action.TRADING] = AT_LAST - 300 if trading_gain > 0 else 0
    scores[Move.PASS_TRADING] = AT_LAST - 400


@jit
def score_hiring(o, w, mask, scores):
    """Score squares by their value, and services by their gain."""
    pays = can_pay_piece(o, w)
    for square in range(N_SQUARES):
        if mask[Move.SQUARE + square]:
            bonus = AWARD if o[At.WORKERS] == 0 and o[At.WINEMASTERS] == 1 else 0
            scores[Move.SQUARE + square] = bonus + (FIRST + place(o, w, square) if pays else -1)
    scores[Move.LOBBYIST] = gain_of_lobbyist(o, w)
    scores[Move.MR_ROSE] = gain_of_rose(o, w)
    scores[Move.DONE] = 0


@jit
def score_services(o, w, decision, mask, scores):
    """Score price moves by boxes in stock, and deals by their gain."""
    for good in range(N_GOODS):
        n = box_count(o, good)
        scores[Move.TILE + good] = gain_of_tile(o, w, good)
        scores[Move.PRICE + 2 * good] = 100 * n + (10 if n > 0 else 0) + N_GOODS - good
        scores[Move.PRICE + 2 * good + 1] = -100 * n + 5
        scores[Move.BUY + CAPACITY * good] = gain_of_purchase(o, w, good, 1)
        scores[Move.SELL + CAPACITY * good] = gain_of_sale(o, w, good, 1)
        if o[At.PENDING + Pending.DONE] == 0:  # deals before the price moves require an immediate gain
            scores[Move.BUY + CAPACITY * good] -= 200
            scores[Move.SELL + CAPACITY * good] -= 200
    scores[Move.DONE] = 0


@jit
def score_tasting(o, w, scores):
    """Score tastings by boxes in stock minus those of the opponents."""
    for tile in range(N_TILES):
        for good in range(N_GOODS):
            opponent_boxes = 0
            for k in range(1, MAX_SEATS):
                opponent_boxes += int(o[At.BOXES + N_GOODS * k + good])
            advantage = w.stock * box_count(o, good) - opponent_boxes
            scores[Move.TASTE + tile] += int(o[At.RULES + Rule.MARKS + N_GOODS * tile + good]) * (advantage + w.plus)


@jit
def score_actions(o, w, mask, scores, plan, watered, boxes_made):
    """Fill `scores` (N_ACTIONS,) for the legal actions. plan, watered, boxes_made: scratch of `plan_water`."""
    for action in range(N_ACTIONS):
        scores[action] = 0
    decision = decision_of(o)
    if decision == Decision.START_WORKER:
        for square in range(N_SQUARES):
            scores[Move.SQUARE + square] = place(o, w, square)
    elif decision == Decision.TAKE_ACTION:
        score_turn(o, w, mask, scores, plan, watered, boxes_made)
    elif decision == Decision.HIRE:
        score_hiring(o, w, mask, scores)
    elif OF_SERVICES[decision] == 1:
        score_services(o, w, decision, mask, scores)
    elif decision == Decision.PLACE_WATER:
        plan_water(o, w, int(o[At.PENDING + Pending.A]), box_count(o, Good.WATER), plan, watered, boxes_made)
        for crossroad in range(N_CROSSROADS):
            scores[Move.CROSSROAD + crossroad] = (N_CROSSROADS - crossroad) if plan[crossroad] == 1 else -1
    elif decision == Decision.ABANDONED_KIND:
        for good in range(N_GOODS):
            scores[Move.GOOD + good] = box(o, w, good, box_count(o, good))
    elif decision == Decision.TRADE or decision == Decision.SELL_MORE:
        score_trading(o, w, mask, scores)
        for k in range(MAX_SEATS - 1):
            scores[Move.SEAT + k] = -1
    elif decision == Decision.TASTE:
        score_tasting(o, w, scores)
    elif decision == Decision.ANSWER_OFFER:
        good, n = int(o[At.PENDING + Pending.C]), int(o[At.PENDING + Pending.B])
        scores[Move.YES] = boxes(o, w, good, box_count(o, good), -n) + 100 * n * int(o[At.PENDING + Pending.PICK])

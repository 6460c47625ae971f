"""Reference of Toscana, from the list of rules by brute force: all results of an action.

It does not use the engine. A position is a row of integers (`rows`), `actions` tries every way to take an action, and
results are collected in a `Bag`. Numbers in brackets are those of the rules. `compiled` returns the functions as
machine code, which is why rows are arrays and loops plain.
"""

from types import FunctionType, SimpleNamespace

import numpy as np
from numba import njit

from tests.toscana.reference import actions, rows
from tests.toscana.reference.actions import *
from tests.toscana.reference.rows import *


def act(p, bag, visited):
    """[T24 to T28] Every way to use an unused action."""
    seat = p[ACTOR]
    for action in range(3):
        if p[USED + 3 * seat + action]:
            continue
        finish(p, seat, action, bag)  # [T26] passed
        if action == HIRING:
            hire(p, seat, bag)
        elif action == WINEMAKING:
            for good in (RED, WATER):  # [T27]
                q = p.copy()
                if take_from_bank(q, seat, good, 1):
                    finish(q, seat, action, bag)
            make_wine(p, seat, bag)
        else:
            trade(p, seat, bag, visited)


def place(p, bag):
    """[T22] The next start worker: counter-clockwise, the start seat last."""
    seat = p[ACTOR]
    for square in range(SQUARES):
        if p[OWNER + square] >= 0 or (p[DRY] and p[KIND + square] == WATER):
            continue
        q = p.copy()
        q[IN_HAND + seat] = 0
        q[OWNER + square] = seat
        q[MEN + square] = 1
        q[TURN] += 1
        if q[TURN] == q[PLAYERS]:
            q[TURN] = 0
            q[ROUND] = 1
            q[PHASE] = TURNS
        put(bag, q)


def end_of_game(p):
    """[T76 to T80] Everything is sold; ranks by money, squares, winemasters."""
    n = p[PLAYERS]
    worth = np.zeros((SEATS, 3), np.int64)
    for seat in range(n):
        for good in range(GOODS):
            n_boxes = p[BOX + GOODS * seat + good]
            p[MONEY + seat] += n_boxes * selling(p, good)
            p[BOX + GOODS * seat + good] = 0
            p[BANK + good] += n_boxes
        worth[seat, 0] = p[MONEY + seat]
        for square in range(SQUARES):
            if p[OWNER + square] == seat:
                worth[seat, 1] += 1
                worth[seat, 2] += p[CHIEF + square]
    for seat in range(n):
        p[RANK + seat] = 1
        for other in range(n):
            for i in range(3):
                if worth[other, i] != worth[seat, i]:
                    p[RANK + seat] += worth[other, i] > worth[seat, i]
                    break
    p[PHASE] = OVER


def taste(p, marks, bag):
    """[T71 to T75] Every choice of a tile by every seat; `marks` is what each tile does to each good."""
    n = p[PLAYERS]
    tiles = np.zeros(SEATS, np.int64)
    while True:
        are_in_hand = True
        for seat in range(n):
            are_in_hand = are_in_hand and p[HAND + TILES * seat + tiles[seat]] == 1
        if are_in_hand:
            q = p.copy()
            for good in range(GOODS):
                total = 0
                for seat in range(n):
                    total += marks[tiles[seat], good]
                move_price(q, good, total)  # [T72]
            richest = 0
            for seat in range(n):
                q[HAND + TILES * seat + tiles[seat]] = 0
                q[PLAYED + TILES * seat + tiles[seat]] = 1
                deck = q[DECK + TILES * seat : DECK + TILES * (seat + 1)]
                if deck[0]:  # [T73]
                    q[HAND + TILES * seat + deck[0] - 1] = 1
                    for i in range(TILES - 1):
                        deck[i] = deck[i + 1]
                    deck[TILES - 1] = 0
                richest = max(richest, q[MONEY + seat])
            if q[ROUND] == 7 or richest >= 60:  # [T75]
                end_of_game(q)
            elif 0 < q[MOST_ROUNDS] <= q[ROUND]:
                q[PHASE] = CUT_OFF
            else:
                q[ROUND] += 1  # [T74]
                q[START] = (q[START] + 1) % n
                q[TURN] = 0
                q[USED : USED + 3 * SEATS] = 0
                q[MADE : MADE + SQUARES] = 0  # [T53]
                q[PHASE] = TURNS
            put(bag, q)
        seat = 0
        while seat < n:
            tiles[seat] += 1
            if tiles[seat] < TILES:
                break
            tiles[seat] = 0
            seat += 1
        if seat == n:
            return


def whole_step(p, marks, bag, visited):
    """Put all results of a start worker, an action or a tasting into `bag`."""
    clear(bag)
    if p[PHASE] == PLACING:
        place(p, bag)
    elif p[PHASE] == TURNS:
        act(p, bag, visited)
    elif p[PHASE] == TASTING:
        taste(p, marks, bag)


def compiled():
    names = dict(globals())
    homes = (rows.__name__, actions.__name__, __name__)
    functions = [f for f in names.values() if isinstance(f, FunctionType) and f.__module__ in homes]
    for function in functions:
        names[function.__name__] = njit(FunctionType(function.__code__, names, function.__name__))
    return SimpleNamespace(**names)

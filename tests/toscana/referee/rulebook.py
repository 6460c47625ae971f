"""Toscana once more, straight from the list of rules and by brute force: what one whole action can lead to.

Nothing of the engine is used here. A position is one row of whole numbers, whose places are below; an action is every
way to carry it out, one after the other, without a thought for what can be left out; a position reached goes into a
`Bag`. Numbers in brackets are the rules'. The functions are plain Python; `compiled` gives the same ones as machine
code, for which alone the rows are arrays and the loops plain.
"""

from types import FunctionType, SimpleNamespace
from typing import NamedTuple

import numpy as np
from numba import njit

GOODS, SEATS, TILES, ROWS, COLUMNS = 5, 5, 7, 4, 8
RED, WHITE, ROSE, CHAMPAGNE, WATER, ABANDONED = range(6)
SQUARES = ROWS * COLUMNS
HIRING, WINEMAKING, TRADING = range(3)
PLACING, TURNS, TASTING, OVER, CUT_OFF = range(5)

# TURN: how many were taken in this round; ACTOR: -1 at the end; DRY: start workers keep off water.
PLAYERS, ROUND, START, TURN, PHASE, ACTOR, TRADES, DRY, MOST_ROUNDS = range(9)
MONEY = 9
BOX = MONEY + SEATS  # five of each seat
WORKERS = BOX + SEATS * GOODS  # in the storage, as winemasters
IN_HAND = WORKERS + SEATS
MASTERS = IN_HAND + SEATS
LOST = MASTERS + SEATS
USED = LOST + SEATS  # three of each seat
HAND = USED + SEATS * 3  # seven of each seat, 1 for a tile that is there
DECK = HAND + SEATS * TILES  # tiles from 1 in the order of drawing, then zeros
PLAYED = DECK + SEATS * TILES
LEVEL = PLAYED + SEATS * TILES
STOCK = LEVEL + GOODS
BANK = STOCK + GOODS
SIGN = BANK + GOODS
KIND = SIGN + GOODS
OWNER = KIND + SQUARES  # -1: nobody
MEN = OWNER + SQUARES
CHIEF = MEN + SQUARES
MADE = CHIEF + SQUARES  # 1 for a square that has produced in this round
RANK = MADE + SQUARES
SIZE = RANK + SEATS

NAMES = """PLAYERS ROUND START TURN PHASE ACTOR TRADES DRY MOST_ROUNDS MONEY BOX WORKERS IN_HAND MASTERS LOST USED
HAND DECK PLAYED LEVEL STOCK BANK SIGN KIND OWNER MEN CHIEF MADE RANK""".split()

WEIGHTS = np.random.default_rng(20).integers(0, 2**63, SIZE, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
SLOTS = 1 << 21


class Bag(NamedTuple):
    """A set of positions, each by a number of 64 bits; `wanted` may name one of which `example` keeps the row."""

    slots: np.ndarray  # uint64[SLOTS]; 0 is free
    taken: np.ndarray  # int64[SLOTS // 2], the slots in use
    count: np.ndarray  # int64[2]: positions; 1 where there were more than fit
    wanted: np.ndarray  # uint64[1]
    example: np.ndarray  # int16[SIZE]


def called(at):
    """What a number of a row is, in words."""
    starts = {name: start for name, start in globals().items() if name in NAMES}
    name = max((name for name in starts if starts[name] <= at), key=starts.__getitem__)
    return f"{name} {at - starts[name]}"


def new_bag():
    """An empty bag."""
    return Bag(
        np.zeros(SLOTS, np.uint64),
        np.zeros(SLOTS // 2, np.int64),
        np.zeros(2, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(SIZE, np.int64),
    )


def number_of(p):
    """64 bits that stand for a position."""
    return (p.astype(np.uint64) * WEIGHTS).sum()


def put(bag, p):
    """Put a position into the bag, with the seat that comes next. Whether it is new."""
    if p[PHASE] >= OVER:
        p[ACTOR] = -1
    elif p[PHASE] == PLACING:
        p[ACTOR] = (p[START] - 1 - p[TURN]) % p[PLAYERS]  # [T22]
    else:
        p[ACTOR] = (p[START] + p[TURN]) % p[PLAYERS]  # [T24, O15]
    number = number_of(p)
    if number == bag.wanted[0]:
        bag.example[:] = p
    at = np.int64(number >> np.uint64(43))
    while bag.slots[at] != 0:
        if bag.slots[at] == number:
            return False
        at = (at + 1) % SLOTS
    if bag.count[0] == bag.taken.size:
        bag.count[1] = 1
        return False
    bag.slots[at] = number
    bag.taken[bag.count[0]] = at
    bag.count[0] += 1
    return True


def put_all(bag, rows):
    """Put positions into the bag."""
    for p in rows:
        put(bag, p)


def clear(bag):
    """Empty the bag."""
    for i in range(bag.count[0]):
        bag.slots[bag.taken[i]] = 0
    bag.count[:] = 0


def missing(one, other):
    """The first position of a bag that another does not hold, by its number; 0: it holds them all."""
    for i in range(one.count[0]):
        number = one.slots[one.taken[i]]
        at = np.int64(number >> np.uint64(43))
        while other.slots[at] != 0 and other.slots[at] != number:
            at = (at + 1) % SLOTS
        if other.slots[at] == 0:
            return number
    return np.uint64(0)


# -- prices -----------------------------------------------------------------------------------------------------------


def move_price(p, good, by):
    """[T7, T68] No marker leaves the track."""
    p[LEVEL + good] = min(6, max(0, p[LEVEL + good] + by))


def buying(p, good):
    return p[LEVEL + good] + 1  # [T7]


def selling(p, good):
    return 0 if p[LEVEL + good] == 0 else p[LEVEL + good] + 1  # [T7]


def buy(p, seat, good, n, stock):
    """Buy from the market's storage, or (Mr Rose alone) from the bank."""
    p[MONEY + seat] -= n * buying(p, good)
    p[BOX + GOODS * seat + good] += n
    p[(STOCK if stock else BANK) + good] -= n


def sell(p, seat, good, n):
    """[T62, T63] What the market's storage cannot hold goes to the bank; all is paid."""
    p[MONEY + seat] += n * selling(p, good)
    p[BOX + GOODS * seat + good] -= n
    stored = min(n, 5 - p[STOCK + good])
    p[STOCK + good] += stored
    p[BANK + good] += n - stored


def pay(p, seat, good, n):
    """[T30] Fees go to the bank."""
    p[BOX + GOODS * seat + good] -= n
    p[BANK + good] += n


# -- hiring -----------------------------------------------------------------------------------------------------------


def pieces(p, seat, out):
    """[T29 to T38] All ways to hire the next piece, as rows of `out`. How many."""
    count = 0
    mine = BOX + GOODS * seat
    worker = p[WORKERS + seat] > 0  # [T31]
    third = False
    if worker:
        good, price = RED, 1
    else:
        if p[MASTERS + seat] == 0:
            return 0
        hired = 3 - p[MASTERS + seat]  # [T35, T37] by order of hiring
        good, price = WHITE, (1, 2, 0)[hired]
        third = hired == 2
        if third:
            for g in range(GOODS):
                if p[mine + g] == 0:
                    return 0  # [T34]
    if p[mine + good] < price:
        return 0
    full = True
    for square in range(SQUARES):
        if p[OWNER + square] < 0:
            full = False
    for square in range(SQUARES):
        owner = p[OWNER + square]
        beside = worker and owner == seat and p[MEN + square] == 1  # [T32]
        instead = p[PLAYERS] == 5 and full and owner >= 0 and owner != seat and p[CHIEF + square] == 1  # [T36]
        if not (owner < 0 or beside or instead):
            continue
        q = out[count]
        q[:] = p
        count += 1
        pay(q, seat, good, price)
        if instead:
            q[LOST + owner] += 1
            q[CHIEF + square] = 0
        q[OWNER + square] = seat
        if worker:
            q[WORKERS + seat] -= 1
            q[MEN + square] += 1
        else:
            q[MASTERS + seat] -= 1
            q[CHIEF + square] = 1
            if third:
                q[MONEY + seat] += 10  # [T35]
    return count


def lobbyist(p, seat, out, count):
    """[T39 to T42]"""
    if p[BOX + GOODS * seat + CHAMPAGNE] == 0:
        return count
    for first in range(GOODS):
        sign = p[SIGN + first]
        if sign == 0:
            continue
        for second in range(GOODS):
            if p[SIGN + second] != -sign:
                continue
            q = out[count]
            q[:] = p
            count += 1
            pay(q, seat, CHAMPAGNE, 1)
            for empty in range(GOODS):
                if p[SIGN + empty] == 0:
                    q[SIGN + empty] = sign
                    move_price(q, empty, sign)
            q[SIGN + first] = -sign
            move_price(q, first, -sign)
            q[SIGN + second] = 0
    return count


def deal(p, seat, which):
    """[T45, T46, T48] Mr Rose's deal: goods 0 to 4 bought, 5 to 9 sold, 10 none. Whether it can be made."""
    if which == 10:
        return True
    good = which % GOODS
    mine = BOX + GOODS * seat + good
    if which >= GOODS:
        if p[mine] == 0:
            return False
        sell(p, seat, good, 1)
        return True
    stock = p[STOCK + good] > 0
    if (not stock and p[BANK + good] == 0) or p[mine] == 5 or p[MONEY + seat] < buying(p, good):
        return False
    buy(p, seat, good, 1, stock)
    return True


def change_two(p, one, other, ways):
    """[T44] Two different goods, each up or down, each moved. Whether it can be done."""
    for good, up in ((one, ways & 1), (other, ways & 2)):
        before = p[LEVEL + good]
        move_price(p, good, 1 if up else -1)
        if p[LEVEL + good] == before:
            return False
    return True


def mr_rose(p, seat, out, count):
    """[T43 to T48]"""
    if p[BOX + GOODS * seat + ROSE] == 0:
        return count
    for which in range(11):
        for deal_first in range(2):  # [T47]
            for one in range(GOODS):
                for other in range(one + 1, GOODS):
                    for ways in range(4):
                        q = out[count]
                        q[:] = p
                        pay(q, seat, ROSE, 1)
                        if deal_first:
                            done = deal(q, seat, which) and change_two(q, one, other, ways)
                        else:
                            done = change_two(q, one, other, ways) and deal(q, seat, which)
                        count += done
    return count


def hire(p, seat, bag):
    """[T29, T30] A piece, a service, or both in either order."""
    hired = np.empty((SQUARES, SIZE), np.int64)
    served = np.empty((8 + 11 * 2 * 40 + 1, SIZE), np.int64)
    for i in range(pieces(p, seat, hired)):
        finish(hired[i], seat, HIRING, bag)
        for j in range(mr_rose(hired[i], seat, served, lobbyist(hired[i], seat, served, 0))):
            finish(served[j], seat, HIRING, bag)
    for j in range(mr_rose(p, seat, served, lobbyist(p, seat, served, 0))):
        finish(served[j], seat, HIRING, bag)
        for i in range(pieces(served[j], seat, hired)):
            finish(hired[i], seat, HIRING, bag)


# -- winemaking -------------------------------------------------------------------------------------------------------


def touches(crossroad, square):
    """[T6] Whether a crossroad (3 x 7) touches a square (4 x 8)."""
    down = square // COLUMNS - crossroad // (COLUMNS - 1)
    right = square % COLUMNS - crossroad % (COLUMNS - 1)
    return 0 <= down <= 1 and 0 <= right <= 1


def take_from_bank(p, seat, good, made):
    """[T54, T55] What has room and is there."""
    n = min(made, 5 - p[BOX + GOODS * seat + good], p[BANK + good])
    p[BOX + GOODS * seat + good] += n
    p[BANK + good] -= n
    return n


def produce(p, seat, crossroads, bag):
    """[T49 to T57] Water on these crossroads, all at once."""
    p = p.copy()
    p[BOX + GOODS * seat + WATER] -= crossroads.size
    made = np.zeros(ABANDONED + 1, np.int64)
    for square in range(SQUARES):
        if p[OWNER + square] != seat or p[MADE + square]:  # [T53] no more than once a round, whoever holds it
            continue
        watered = False  # [T53] once, however many
        for crossroad in crossroads:
            watered = watered or touches(crossroad, square)
        if watered:
            boxes = 2 if p[MEN + square] == 2 or p[CHIEF + square] else 1  # [T51]
            if p[KIND + square] == ABANDONED:
                boxes -= 1  # [T52]
            made[p[KIND + square]] += boxes
            if boxes > 0:
                p[MADE + square] = 1  # [O18] even if nothing of it is kept
    for good in range(GOODS):
        take_from_bank(p, seat, good, made[good])
    room = np.zeros(GOODS, np.int64)
    for good in range(GOODS):
        room[good] = min(5 - p[BOX + GOODS * seat + good], p[BANK + good])
    chosen = min(made[ABANDONED], room.sum())  # [T56] a good that gives a box, while there is one
    for red in range(min(chosen, room[0]) + 1):
        for white in range(min(chosen - red, room[1]) + 1):
            for rose in range(min(chosen - red - white, room[2]) + 1):
                for champagne in range(min(chosen - red - white - rose, room[3]) + 1):
                    water = chosen - red - white - rose - champagne
                    if water > room[4]:
                        continue
                    q = p.copy()
                    for good, n in enumerate((red, white, rose, champagne, water)):
                        take_from_bank(q, seat, good, n)
                    q[BANK + WATER] += crossroads.size  # [T57]
                    finish(q, seat, WINEMAKING, bag)


def make_wine(p, seat, bag):
    """[T49] One to five boxes of water on crossroads, one on each."""
    crossroads = (ROWS - 1) * (COLUMNS - 1)
    for n in range(1, min(5, p[BOX + GOODS * seat + WATER]) + 1):
        chosen = np.arange(n)
        while True:
            produce(p, seat, chosen, bag)
            last = n - 1
            while last >= 0 and chosen[last] == crossroads - n + last:
                last -= 1
            if last < 0:
                break
            chosen[last] += 1
            for i in range(last + 1, n):
                chosen[i] = chosen[i - 1] + 1


# -- trading ----------------------------------------------------------------------------------------------------------


def trade_with_market(p, seat, bag):
    """[T58 to T63] One purchase, or any sales."""
    mine = BOX + GOODS * seat
    for good in range(GOODS):
        for n in range(1, 6):
            room = 5 - p[mine + good]
            if n <= p[STOCK + good] and n <= room and n * buying(p, good) <= p[MONEY + seat]:
                q = p.copy()
                buy(q, seat, good, n, True)
                finish(q, seat, TRADING, bag)
    for red in range(p[mine] + 1):
        for white in range(p[mine + 1] + 1):
            for rose in range(p[mine + 2] + 1):
                for champagne in range(p[mine + 3] + 1):
                    for water in range(p[mine + 4] + 1):
                        q = p.copy()
                        for good, n in enumerate((red, white, rose, champagne, water)):
                            sell(q, seat, good, n)
                        finish(q, seat, TRADING, bag)  # nothing sold: as after passing, or after offers alone


def offer(p, seat, partner, good, n, at, bag):
    """[T65, O12] Boxes for money between two seats, `seat` buying where n > 0. Nothing where it cannot be done."""
    buyer, seller = (seat, partner) if n > 0 else (partner, seat)
    n = abs(n)
    got, gave = BOX + GOODS * buyer + good, BOX + GOODS * seller + good
    if p[gave] < n or p[got] + n > 5 or p[MONEY + buyer] < n * at:
        return False
    p[gave] -= n
    p[got] += n
    p[MONEY + buyer] -= n * at
    p[MONEY + seller] += n * at
    return put(bag, p)


def trade(p, seat, bag, seen):
    """[T65] Up to three offers (a declined one leads nowhere new), then the market. `seen` is a bag for its use."""
    trade_with_market(p, seat, bag)
    if not p[TRADES]:
        return
    clear(seen)
    put(seen, p)
    now = p.copy().reshape(1, SIZE)
    for _ in range(3):
        fresh = np.empty((64, SIZE), np.int64)
        count = 0
        for i in range(now.shape[0]):
            for partner in range(p[PLAYERS]):
                if partner == seat:
                    continue
                for good in range(GOODS):
                    for n in range(-5, 6):
                        for at in range(11):
                            if n == 0:
                                continue
                            q = now[i].copy()
                            if offer(q, seat, partner, good, n, at, seen):
                                if count == fresh.shape[0]:
                                    more = np.empty((2 * count, SIZE), np.int64)
                                    more[:count] = fresh
                                    fresh = more
                                fresh[count] = q
                                count += 1
                                trade_with_market(q, seat, bag)
                                if bag.count[1] or seen.count[1]:
                                    bag.count[1] = 1
                                    return
        now = fresh[:count].copy()


# -- turns, rounds, the end -------------------------------------------------------------------------------------------


def finish(p, seat, action, bag):
    """[T24, T25, T67 to T70] The action is used; after everybody's third one prices move twice."""
    q = p.copy()
    q[USED + 3 * seat + action] = 1
    q[TURN] += 1
    if q[TURN] == 3 * q[PLAYERS]:
        for good in range(GOODS):
            move_price(q, good, q[SIGN + good])  # [T69]
        for good in range(GOODS):
            if q[STOCK + good] == 5:  # [T70]
                move_price(q, good, -1)
            elif q[STOCK + good] == 0:
                move_price(q, good, 1)
        q[PHASE] = TASTING
    put(bag, q)


def act(p, bag, seen):
    """[T24 to T28] Every way to use one of the actions that are left."""
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
            trade(p, seat, bag, seen)


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
        held = True
        for seat in range(n):
            held = held and p[HAND + TILES * seat + tiles[seat]] == 1
        if held:
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


def whole_step(p, marks, bag, seen):
    """Put all positions into `bag` that a start worker, one whole action or one whole tasting can lead to."""
    clear(bag)
    if p[PHASE] == PLACING:
        place(p, bag)
    elif p[PHASE] == TURNS:
        act(p, bag, seen)
    elif p[PHASE] == TASTING:
        taste(p, marks, bag)


def compiled():
    """These functions as machine code, for many positions: a namespace."""
    names = dict(globals())
    own = [f for f in names.values() if isinstance(f, FunctionType) and f.__module__ == __name__]
    for function in own:
        names[function.__name__] = njit(FunctionType(function.__code__, names, function.__name__))
    return SimpleNamespace(**names)

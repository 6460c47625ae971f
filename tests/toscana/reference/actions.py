"""All results of an action of Toscana (T29 to T66), from the list of rules by brute force."""

import numpy as np

from tests.toscana.reference.rows import *

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
    """[T39 to T42]."""
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


def change_two(p, first, second, ways):
    """[T44] Two different goods, each up or down, each moved. Whether it can be done."""
    for good, up in ((first, ways & 1), (second, ways & 2)):
        before = p[LEVEL + good]
        move_price(p, good, 1 if up else -1)
        if p[LEVEL + good] == before:
            return False
    return True


def mr_rose(p, seat, out, count):
    """[T43 to T48]."""
    if p[BOX + GOODS * seat + ROSE] == 0:
        return count
    for which in range(11):
        for deal_first in range(2):  # [T47]
            for first in range(GOODS):
                for second in range(first + 1, GOODS):
                    for ways in range(4):
                        q = out[count]
                        q[:] = p
                        pay(q, seat, ROSE, 1)
                        if deal_first:
                            done = deal(q, seat, which) and change_two(q, first, second, ways)
                        else:
                            done = change_two(q, first, second, ways) and deal(q, seat, which)
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
    rows = square // COLUMNS - crossroad // (COLUMNS - 1)
    columns = square % COLUMNS - crossroad % (COLUMNS - 1)
    return 0 <= rows <= 1 and 0 <= columns <= 1


def take_from_bank(p, seat, good, number):
    """[T54, T55] What has room and is there."""
    n = min(number, 5 - p[BOX + GOODS * seat + good], p[BANK + good])
    p[BOX + GOODS * seat + good] += n
    p[BANK + good] -= n
    return n


def produce(p, seat, crossroads, bag):
    """[T49 to T57] Water on these crossroads, all at once."""
    p = p.copy()
    p[BOX + GOODS * seat + WATER] -= crossroads.size
    boxes_made = np.zeros(ABANDONED + 1, np.int64)
    for square in range(SQUARES):
        if p[OWNER + square] != seat or p[MADE + square]:  # [T53] no more than once a round by any seat
            continue
        watered = False  # [T53] once, however many
        for crossroad in crossroads:
            watered = watered or touches(crossroad, square)
        if watered:
            boxes = 2 if p[MEN + square] == 2 or p[CHIEF + square] else 1  # [T51]
            if p[KIND + square] == ABANDONED:
                boxes -= 1  # [T52]
            boxes_made[p[KIND + square]] += boxes
            if boxes > 0:
                p[MADE + square] = 1  # [O18] even if nothing of it is kept
    for good in range(GOODS):
        take_from_bank(p, seat, good, boxes_made[good])
    room = np.zeros(GOODS, np.int64)
    for good in range(GOODS):
        room[good] = min(5 - p[BOX + GOODS * seat + good], p[BANK + good])
    num_chosen = min(boxes_made[ABANDONED], room.sum())  # [T56] a good that gives a box, while there is one
    for red in range(min(num_chosen, room[0]) + 1):
        for white in range(min(num_chosen - red, room[1]) + 1):
            for rose in range(min(num_chosen - red - white, room[2]) + 1):
                for champagne in range(min(num_chosen - red - white - rose, room[3]) + 1):
                    water = num_chosen - red - white - rose - champagne
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
        crossroads_chosen = np.arange(n)
        while True:
            produce(p, seat, crossroads_chosen, bag)
            last = n - 1
            while last >= 0 and crossroads_chosen[last] == crossroads - n + last:
                last -= 1
            if last < 0:
                break
            crossroads_chosen[last] += 1
            for i in range(last + 1, n):
                crossroads_chosen[i] = crossroads_chosen[i - 1] + 1


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


def trade(p, seat, bag, visited):
    """[T65] Up to three offers (a declined one leads nowhere new), then the market. `visited` is a bag for its use."""
    trade_with_market(p, seat, bag)
    if not p[TRADES]:
        return
    clear(visited)
    put(visited, p)
    positions = p.copy().reshape(1, SIZE)
    for _ in range(3):
        fresh = np.empty((64, SIZE), np.int64)
        count = 0
        for i in range(positions.shape[0]):
            for partner in range(p[PLAYERS]):
                if partner == seat:
                    continue
                for good in range(GOODS):
                    for n in range(-5, 6):
                        for at in range(11):
                            if n == 0:
                                continue
                            q = positions[i].copy()
                            if offer(q, seat, partner, good, n, at, visited):
                                if count == fresh.shape[0]:
                                    larger = np.empty((2 * count, SIZE), np.int64)
                                    larger[:count] = fresh
                                    fresh = larger
                                fresh[count] = q
                                count += 1
                                trade_with_market(q, seat, bag)
                                if bag.count[1] or visited.count[1]:
                                    bag.count[1] = 1
                                    return
        positions = fresh[:count].copy()


# -- the end of an action ------------------------------------------------------------------------------------------


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

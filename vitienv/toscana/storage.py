"""Boxes: storages, market storages and the bank; what they cost (T3, T7 to T9)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.options import SHORT
from vitienv.toscana.enums import LEVELS, N_GOODS, ROOM
from vitienv.toscana.state import Rule


@jit
def room(g, seat, good):
    """Boxes of a good that still fit into a storage (T9)."""
    return ROOM - int(g.boxes[seat, good])


@jit
def can_pay(g, seat, cost):
    """Whether a storage holds a cost: a rule parameter with a number for each good (T30)."""
    for good in range(N_GOODS):
        if g.boxes[seat, good] < g.rules[cost + good]:
            return False
    return True


@jit
def pay(g, seat, cost):
    """From the storage into the bank (T30)."""
    for good in range(N_GOODS):
        g.boxes[seat, good] -= g.rules[cost + good]
        g.bank[good] += g.rules[cost + good]


@jit
def can_get(g, seat, good):
    """How many boxes the bank has and the storage has room for (T54, T55)."""
    return min(room(g, seat, good), int(g.bank[good]))


@jit
def take_from_bank(g, seat, good, n):
    """Up to n boxes into the storage; what the bank lacks or finds no room is lost (T54, T55)."""
    n = min(n, can_get(g, seat, good))
    g.boxes[seat, good] += n
    g.bank[good] -= n


@jit
def buying_price(g, good):
    """Money for a box: 1 at the bottom level (T7, T60)."""
    return int(g.rules[Rule.BUYING + int(g.price[good])])


@jit
def selling_price(g, good):
    """Money from a box: none at the bottom level (T7, T62)."""
    return int(g.rules[Rule.SELLING + int(g.price[good])])


@jit
def earn(g, seat, money):
    """Money to a seat, or from it; far above what games come to it is cut off where its field ends (T66)."""
    g.money[seat] = min(int(g.money[seat]) + money, SHORT)


@jit
def sell(g, seat, good, n):
    """Boxes into the market storage until it is full, the rest into the bank; all are paid (T62, T63)."""
    g.boxes[seat, good] -= n
    earn(g, seat, n * selling_price(g, good))
    stored = min(n, ROOM - int(g.stock[good]))
    g.stock[good] += stored
    g.bank[good] += n - stored


@jit
def most_to_buy(g, seat, good):
    """How many boxes a seat can buy from a market storage: what lies there, its money, its room (T59, T61)."""
    return min(min(int(g.stock[good]), room(g, seat, good)), int(g.money[seat]) // buying_price(g, good))


@jit
def buy(g, seat, good, n):
    """Boxes out of the market storage for money (T59, T60)."""
    g.money[seat] -= n * buying_price(g, good)
    g.stock[good] -= n
    g.boxes[seat, good] += n


@jit
def move_price(g, good, levels):
    """A price up or down by some levels, cut off at the ends of its track (T42, T68)."""
    g.price[good] = min(max(int(g.price[good]) + levels, 0), LEVELS - 1)

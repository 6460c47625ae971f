"""Storages, market storages and the bank; prices (T3, T7 to T9)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.options import SHORT
from vitienv.toscana.enums import CAPACITY, LEVELS, N_GOODS
from vitienv.toscana.state import Rule


@jit
def room(g, seat, good):
    """Return the free capacity of a storage for a good (T9)."""
    return CAPACITY - int(g.boxes[seat, good])


@jit
def can_pay(g, seat, cost):
    """Return whether a storage covers a cost. cost: a rule parameter with a number for each good (T30)."""
    for good in range(N_GOODS):
        if g.boxes[seat, good] < g.rules[cost + good]:
            return False
    return True


@jit
def pay(g, seat, cost):
    """Move a cost from the storage to the bank (T30)."""
    for good in range(N_GOODS):
        g.boxes[seat, good] -= g.rules[cost + good]
        g.bank[good] += g.rules[cost + good]


@jit
def can_get(g, seat, good):
    """Return the number of boxes that the bank has and the storage has room for (T54, T55)."""
    return min(room(g, seat, good), int(g.bank[good]))


@jit
def take_from_bank(g, seat, good, n):
    """Move up to n boxes to the storage, limited by the bank and the capacity (T54, T55)."""
    n = min(n, can_get(g, seat, good))
    g.boxes[seat, good] += n
    g.bank[good] -= n


@jit
def buying_price(g, good):
    """Return the price of a box, 1 at the bottom level (T7, T60)."""
    return int(g.rules[Rule.BUYING + int(g.price[good])])


@jit
def selling_price(g, good):
    """Return the revenue of a box, 0 at the bottom level (T7, T62)."""
    return int(g.rules[Rule.SELLING + int(g.price[good])])


@jit
def earn(g, seat, money):
    """Add money to a seat; it saturates at the limit of the field (T66)."""
    g.money[seat] = min(int(g.money[seat]) + money, SHORT)


@jit
def sell(g, seat, good, n):
    """Sell boxes to the market storage until it is full, the rest to the bank; all are paid (T62, T63)."""
    g.boxes[seat, good] -= n
    earn(g, seat, n * selling_price(g, good))
    stored = min(n, CAPACITY - int(g.stock[good]))
    g.stock[good] += stored
    g.bank[good] += n - stored


@jit
def max_purchase(g, seat, good):
    """Return the largest purchase of a good, limited by market storage, money and capacity (T59, T61)."""
    return min(min(int(g.stock[good]), room(g, seat, good)), int(g.money[seat]) // buying_price(g, good))


@jit
def buy(g, seat, good, n):
    """Buy boxes from the market storage (T59, T60)."""
    g.money[seat] -= n * buying_price(g, good)
    g.stock[good] -= n
    g.boxes[seat, good] += n


@jit
def move_price(g, good, levels):
    """Move a price by some levels within its track (T42, T68)."""
    g.price[good] = min(max(int(g.price[good]) + levels, 0), LEVELS - 1)

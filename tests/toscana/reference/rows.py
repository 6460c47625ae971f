"""Positions of Toscana as rows of integers with the columns below, and sets of rows.

Nothing of the engine is used here. Numbers in brackets are the rules'.
"""

from typing import NamedTuple

import numpy as np

GOODS, SEATS, TILES, ROWS, COLUMNS = 5, 5, 7, 4, 8
RED, WHITE, ROSE, CHAMPAGNE, WATER, ABANDONED = range(6)
SQUARES = ROWS * COLUMNS
HIRING, WINEMAKING, TRADING = range(3)
PLACING, TURNS, TASTING, OVER, CUT_OFF = range(5)

# TURN: how many were taken in this round; ACTOR: -1 at the end; DRY: start workers keep off water.
PLAYERS, ROUND, START, TURN, PHASE, ACTOR, TRADES, DRY, MOST_ROUNDS = range(9)
MONEY = 9
BOX = MONEY + SEATS  # five of each seat
WORKERS = BOX + SEATS * GOODS  # numbers in the storage, like those of winemasters
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
    """A set of positions by 64-bit hashes; `example` is the row of the hash `example_number`."""

    slots: np.ndarray  # uint64[SLOTS]; 0 is free
    used: np.ndarray  # int64[SLOTS // 2], the slots in use
    count: np.ndarray  # int64[2]: positions; 1 where there were more than fit
    example_number: np.ndarray  # uint64[1]
    example: np.ndarray  # int16[SIZE]


def called(at):
    """Return the name of a column."""
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
    """Return the hash of a position."""
    return (p.astype(np.uint64) * WEIGHTS).sum()


def put(bag, p):
    """Set the seat to act and add a position; return whether it is new."""
    if p[PHASE] >= OVER:
        p[ACTOR] = -1
    elif p[PHASE] == PLACING:
        p[ACTOR] = (p[START] - 1 - p[TURN]) % p[PLAYERS]  # [T22]
    else:
        p[ACTOR] = (p[START] + p[TURN]) % p[PLAYERS]  # [T24, O15]
    number = number_of(p)
    if number == bag.example_number[0]:
        bag.example[:] = p
    at = np.int64(number >> np.uint64(43))
    while bag.slots[at] != 0:
        if bag.slots[at] == number:
            return False
        at = (at + 1) % SLOTS
    if bag.count[0] == bag.used.size:
        bag.count[1] = 1
        return False
    bag.slots[at] = number
    bag.used[bag.count[0]] = at
    bag.count[0] += 1
    return True


def put_all(bag, rows):
    """Add positions."""
    for p in rows:
        put(bag, p)


def clear(bag):
    """Empty the bag."""
    for i in range(bag.count[0]):
        bag.slots[bag.used[i]] = 0
    bag.count[:] = 0


def missing(first, second):
    """Return the hash of the first position of a bag that another lacks; 0 for none."""
    for i in range(first.count[0]):
        number = first.slots[first.used[i]]
        at = np.int64(number >> np.uint64(43))
        while second.slots[at] != 0 and second.slots[at] != number:
            at = (at + 1) % SLOTS
        if second.slots[at] == 0:
            return number
    return np.uint64(0)

"""A second, plain writing of the rules of one whole action and of new prices, by trying everything in any order.

It follows docs/toscana.md alone, knows no frames and no order of picks, and takes its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations, product

RED, WHITE, ROSE, CHAMPAGNE, WATER, YELLOW = range(6)
GOODS = range(5)
CROSSROADS = list(product(range(3), range(7)))
BUYING, SELLING = [1, 2, 3, 4, 5, 6, 7], [0, 2, 3, 4, 5, 6, 7]


@dataclass
class State:
    """All that is public. squares: by row and column, (seat, workers, winemasters)."""

    money: list
    boxes: list
    workers: list
    masters: list
    lost: list
    used: list
    price: list
    stock: list
    bank: list
    sign: list
    squares: dict
    kinds: dict

    def key(self) -> str:
        """One for every difference."""
        return repr(self)


def read(game) -> State:
    """The state of a game."""
    r, n = game.record, game.num_players
    numbers = {
        name: r[own][:n].tolist()
        for name, own in (("money", "money"), ("boxes", "boxes"), ("workers", "workers"), ("masters", "winemasters"),
                          ("lost", "lost"), ("used", "used"))
    }  # fmt: skip
    table = {name: r[name].tolist() for name in ("price", "stock", "bank", "sign")}
    squares, kinds = {}, {}
    for i in range(32):
        kinds[divmod(i, 8)] = int(r.square_kind[i])
        if r.square_owner[i] >= 0:
            squares[divmod(i, 8)] = (int(r.square_owner[i]), int(r.square_workers[i]), int(r.square_winemaster[i]))
    return State(**numbers, **table, squares=dict(sorted(squares.items())), kinds=kinds)


def whole_actions(before: State, seat: int, action: int) -> set[str]:
    """All that a seat can make of one of its three actions, passing included, by `State.key`."""
    s = deepcopy(before)
    s.used[seat][action] = 1
    ends = [s, *(hiring, winemaking, trading)[action](s, seat)]
    if action == 1:
        for good in (RED, WATER):
            other = deepcopy(s)
            if gained(other, seat, good, 1):
                ends.append(other)
    return {prices_after(end).key() for end in ends}


def gained(s: State, seat: int, good: int, n: int) -> int:
    """Boxes from the bank, as many as there are and fit."""
    n = min(n, s.bank[good], 5 - s.boxes[seat][good])
    s.bank[good] -= n
    s.boxes[seat][good] += n
    return n


def paid(s: State, seat: int, good: int, n: int) -> State | None:
    if s.boxes[seat][good] < n:
        return None
    s = deepcopy(s)
    s.boxes[seat][good] -= n
    s.bank[good] += n
    return s


def moved(s: State, good: int, levels: int) -> None:
    s.price[good] = sorted((0, s.price[good] + levels, 6))[1]


def hiring(s: State, seat: int) -> Iterator[State]:
    for piece in pieces(s, seat):
        yield piece
        yield from services(piece, seat)
    for service in services(s, seat):
        yield service
        yield from pieces(service, seat)


def pieces(s: State, seat: int) -> Iterator[State]:
    is_worker = s.workers[seat] > 0
    if is_worker:
        own = paid(s, seat, RED, 1)
    elif s.masters[seat] == 1:
        own = deepcopy(s) if min(s.boxes[seat]) > 0 else None
    else:
        own = paid(s, seat, WHITE, 4 - s.masters[seat]) if s.masters[seat] else None
    if own is None:
        return
    is_full = len(s.squares) == 32
    for square in s.kinds:
        there = s.squares.get(square)
        joins = there is not None and is_worker and there == (seat, 1, 0)
        removes = there is not None and len(s.money) == 5 and is_full and there[0] != seat and there[2] == 1
        if there is not None and not joins and not removes:
            continue
        end = deepcopy(own)
        if removes:
            end.lost[there[0]] += 1
        if is_worker:
            end.workers[seat] -= 1
            end.squares[square] = (seat, 2 if joins else 1, 0)
        else:
            end.masters[seat] -= 1
            end.squares[square] = (seat, 0, 1)
            end.money[seat] += 10 if end.masters[seat] == 0 else 0
        end.squares = dict(sorted(end.squares.items()))
        yield end


def services(s: State, seat: int) -> Iterator[State]:
    party = paid(s, seat, CHAMPAGNE, 1)
    for first, second in product(GOODS, GOODS):
        empty = s.sign.index(0)
        if party is not None and s.sign[first] != 0 and s.sign[second] == -s.sign[first]:
            end = deepcopy(party)
            end.sign[empty], end.sign[first], end.sign[second] = s.sign[first], s.sign[second], 0
            moved(end, empty, s.sign[first])
            moved(end, first, s.sign[second])
            yield end
    friend = paid(s, seat, ROSE, 1)
    if friend is not None:
        for start in (friend, *deals(friend, seat)):
            for end in changes(start):
                yield end
                if start is friend:
                    yield from deals(end, seat)


def changes(s: State) -> Iterator[State]:
    for first, second in combinations(GOODS, 2):
        for up, too in product((1, -1), (1, -1)):
            if 0 <= s.price[first] + up <= 6 and 0 <= s.price[second] + too <= 6:
                end = deepcopy(s)
                end.price[first] += up
                end.price[second] += too
                yield end


def deals(s: State, seat: int) -> Iterator[State]:
    for good in GOODS:
        source = "stock" if s.stock[good] else "bank"
        cost = BUYING[s.price[good]]
        if getattr(s, source)[good] and s.boxes[seat][good] < 5 and s.money[seat] >= cost:
            end = deepcopy(s)
            getattr(end, source)[good] -= 1
            end.boxes[seat][good] += 1
            end.money[seat] -= cost
            yield end
        if s.boxes[seat][good]:
            yield sold(s, seat, good, 1)


def sold(s: State, seat: int, good: int, n: int) -> State:
    end = deepcopy(s)
    for _ in range(n):
        end.boxes[seat][good] -= 1
        end.money[seat] += SELLING[s.price[good]]
        if end.stock[good] < 5:
            end.stock[good] += 1
        else:
            end.bank[good] += 1
    return end


def winemaking(s: State, seat: int) -> Iterator[State]:
    for n in range(1, s.boxes[seat][WATER] + 1):
        for chosen in combinations(CROSSROADS, n):
            end = deepcopy(s)
            end.boxes[seat][WATER] -= n
            wet = {(r + i, c + j) for r, c in chosen for i in (0, 1) for j in (0, 1)}
            made, yellow = [0] * 5, 0
            for square, (owner, workers, masters) in s.squares.items():
                if owner == seat and square in wet:
                    strength = workers + 2 * masters
                    if s.kinds[square] == YELLOW:
                        yellow += strength == 2
                    else:
                        made[s.kinds[square]] += strength
            for good in GOODS:
                gained(end, seat, good, made[good])
            for last in filled(end, seat, yellow):
                last.bank[WATER] += n
                yield last


def filled(s: State, seat: int, squares: int) -> Iterator[State]:
    """Abandoned squares one after the other, each with any good that gives a box."""
    ways = []
    for good in GOODS if squares else ():
        end = deepcopy(s)
        if gained(end, seat, good, 1):
            ways.append(end)
    if not ways:
        yield s
    for end in ways:
        yield from filled(end, seat, squares - 1)


def trading(s: State, seat: int) -> Iterator[State]:
    for good in GOODS:
        for n in range(1, 6):
            cost = n * BUYING[s.price[good]]
            if n <= s.stock[good] and s.boxes[seat][good] + n <= 5 and cost <= s.money[seat]:
                end = deepcopy(s)
                end.stock[good] -= n
                end.boxes[seat][good] += n
                end.money[seat] -= cost
                yield end
    for sale in product(*(range(held + 1) for held in s.boxes[seat])):
        end = s
        for good, n in enumerate(sale):
            end = sold(end, seat, good, n)
        if any(sale):
            yield end


def prices_after(s: State) -> State:
    """Recommendations, then full and empty storages, once all have used their actions."""
    if all(map(all, s.used)):
        s = deepcopy(s)
        for good in GOODS:
            moved(s, good, s.sign[good])
        for good in GOODS:
            moved(s, good, {0: 1, 5: -1}.get(s.stock[good], 0))
    return s


def prices_tasted(price: list, marks: list) -> list:
    """Prices after a tasting. marks: (good, sign) of each tile shown."""
    moves = [sum(sign for good, sign in marks if good == own) for own in GOODS]
    return [sorted((0, level + move, 6))[1] for level, move in zip(price, moves)]

"""Cases of the end of a round and of the game, T67 to T80, and the worked examples of the rulebook, E1 to E9."""

from __future__ import annotations

from typing import Any

from tests.table.case import case
from tests.toscana.positions import ALL, all_squares, at, crew, every, has, master, table

USED = {"used": ALL}
LAST_TURN = ({"used": ALL}, {"used": ALL[:2]})  # only the trading of seat 1 is left


def moved(numbers: dict[str, int]) -> str:
    """Return changes of prices."""
    return " ".join(f"price:{good}{number:+d}" for good, number in numbers.items() if number)


RECOMMENDED = {"red": 1, "white": 1, "rose": -1, "champagne": -1}


def closing(**top: Any) -> dict[str, Any]:
    """Return the last turn of a round, with medium prices and storages."""
    return table(*LAST_TURN, **{"prices": every(4), "stock": every(3), "start_seat": 0, "to_act": 1, **top})


def tasting(*tiles: int, **top: Any) -> tuple[dict[str, Any], str]:
    """Return a position in which seats have these tiles, and their choices."""
    seats = [{**USED, "hand": [tile, tile % 7 + 1]} for tile in tiles]
    return table(*seats, n=len(tiles), **{"prices": every(4), **top}), " ".join(f"taste:{tile}" for tile in tiles)


ROUND_END = [
    case("T67", "prices move after three turns of all, each phase from the last one's result", closing(
        stock=every(3, red=5, water=0)), "pass:trading", decision="taste",
        gives=moved({"white": 1, "rose": -1, "champagne": -1, "water": 1})),
    case("T67", "not before", closing(to_act=0, seats=[{"used": ALL[:2]}] * 2), "pass:trading", gives=""),
    case("T67", "then by the tiles", table({"used": ALL, "hand": [1, 2]}, {"used": ALL[:2], "hand": [1, 2]},
         prices=every(4), stock=every(3, red=5, water=0), to_act=1), "pass:trading taste:1 taste:2",
         gives=moved({"red": 1, "white": 2, "rose": -1, "champagne": -1, "water": 1})),
    *(case("T68", f"what is cut off at an end is not remembered: {good} from {price}", closing(
        prices=every(4, **{good: price}), stock=every(3, **{good: stock})), "pass:trading",
        gives=moved({**RECOMMENDED, good: by})) for good, price, stock, by in (("red", 7, 5, -1), ("rose", 1, 0, 1))),
    *(case("T68", f"nor of the tiles: {tiles}", *tasting(*tiles, prices=every(4, red=price)), gives=gives)
      for tiles, price, gives in (((5, 5, 1), 1, ""), ((1, 1, 1), 6, "price:red+1"))),
    case("T69", "up under plus, down under minus, the empty square stays", closing(), "pass:trading",
         gives=moved(RECOMMENDED)),
    case("T69", "wherever they lie", closing(signs={
        "red": "minus", "rose": "minus", "champagne": "plus", "water": "plus"}), "pass:trading",
        gives=moved({"red": -1, "rose": -1, "champagne": 1, "water": 1})),
    *(case("T70", f"full storages lower a price, empty ones raise it: {boxes}", closing(stock=every(3, water=boxes)),
           "pass:trading", gives=moved({**RECOMMENDED, "water": {0: 1, 5: -1}.get(boxes, 0)})) for boxes in range(6)),
    *(case("T72", f"marks are added up first: {tiles}, red at {red}", *tasting(*tiles, prices=every(4, red=red)),
           gives=moved(gives)) for tiles, red, gives in (
        ((1, 5), 7, {}), ((5, 1), 1, {}), ((3, 3, 7, 5, 5), 4, {"red": -2, "rose": 1}))),
    *(case("T15", f"tile {tile}: {good}{mark:+d}, twice", *tasting(tile, tile), gives=moved({good: 2 * mark}))
      for tile, good, mark in ((1, "red", 1), (2, "white", 1), (3, "rose", 1), (4, "champagne", 1), (5, "red", -1),
                               (6, "white", -1), (7, "rose", -1))),
    case("T73", "the top tile is drawn, the used one lies open", table(*[{**USED, "hand": [1, 2]}] * 2, next_draws=[
        [6], [7, 3]]), "taste:1 taste:2", holds=[("seats.0.hand", [2, 6]), ("seats.1.hand", [1, 7]),
                                                 ("seats.0.played", [1]), ("seats.1.played", [2])]),
    *(case("T74", f"{n} seats: the seat to the left of seat {first} begins anew", table(
        *[{**USED, "hand": [1, 2]}] * n, start_seat=first), *["taste:1"] * n, decision="take_action",
        seat=(first + 1) % n, offers=[f"pass:{name}" for name in ALL],
        holds=[("start_seat", (first + 1) % n), ("round", 2), *((f"seats.{seat}.used", []) for seat in range(n))])
      for n in (2, 3, 5) for first in range(n)),
]  # fmt: skip


def last(*seats: dict[str, Any], round: int = 7, squares: Any = (), **top: Any) -> tuple[dict[str, Any], str]:
    """Return the tasting of a round, by default without boxes, and the same tile of each seat."""
    full = [{**USED, "boxes": every(0), "hand": [1] if round == 7 else [1, 2], **seat} for seat in seats]
    return table(*full, squares=squares, round=round, **top), " ".join("taste:1" for _ in full)


NINE = {"money": 9}
MORE = [at(1, 3), at(1, 4), at(2, 1, 1, 2), at(2, 3, 1)]  # two squares of each seat
PLACES = [place for place in all_squares() if place[0] > 2 or place[1] > 5]
FULL = [at(2, column, 1) for column in range(1, 6)] + [
    *(at(*place, seat) for place, seat in zip(PLACES[::-1], (2, 3, 4) * 5)),
    *(master(*place, seat) for place, seat in zip(PLACES, (2, 2, 2, 3, 3, 3, 4))),
]  # fmt: skip
OWN_FIVE = [at(1, 1, 0, 2), at(1, 2, 0, 2), at(1, 3), master(1, 4), master(1, 5)]
SOLD = {"red": 2, "white": 3, "rose": 4, "champagne": 1, "water": 7}
SPENDING = table({"money": 62, "used": ALL[:2], "hand": [1, 2]}, {"used": ALL[:2], "hand": [1, 2]}, prices={"white": 3})
ROSE_FOR_SIXTY = table({**has(59, red=1, rose=1), "hand": [1, 2]}, {"hand": [1, 2]}, prices={"red": 2}, round=2)
GAME_END = [
    case("T75", "the game ends with the seventh tile", *last({"money": 1}, {"money": 2}), is_over=True),
    case("T75", "or after a round with sixty money", *last({"money": 60}, {"money": 2}, round=3), is_over=True,
         holds=[("round", 3)]),
    case("T75", "not with 59", *last({"money": 59}, {"money": 2}, round=3), is_over=False),
    case("T75", "not in the middle of a round", table({**has(58, red=1), "used": ALL[:1]}, {"used": ALL[:1]}, prices={
        "red": 4}), "take:trading sell:red:1", gives="red-1 money+4 stock:red+1", is_over=False),
    case("T75", "not before the tasting", table({"money": 62, "used": ALL[:2]}, {"used": ALL[:2]}),
         "pass:trading pass:trading", decision="taste", is_over=False),
    case("T75", "what is spent again does not count (ruling O8)", SPENDING,
         "take:trading buy:white:1 pass:trading taste:1 taste:1", is_over=False),
    case("T75", "what is not spent does (ruling O8)", SPENDING, "pass:trading pass:trading taste:1 taste:1",
         is_over=True),
    case("O8", "sixty reached and spent again in a round ends nothing (ruling O8)", ROSE_FOR_SIXTY,
         "take:trading sell:red:1 done pass:trading take:hiring service:mr_rose buy:white:1",
         "price:red:up price:white:up pass:winemaking pass:winemaking pass:hiring taste:1 taste:1",
         is_over=False, holds=[
             ("seats.0.money", 58), ("round", 3)]),
    case("T76", "at the end all boxes are sold, without limit, and no price moves", table(
        {**USED, "money": 5, "boxes": every(3), "hand": [1]}, {**USED, "money": 1, "boxes": {"white": 2}, "hand": [5]},
        round=7, prices=SOLD, stock=every(5)), "taste:1 taste:5", scores=[53, 7], holds=[
            ("prices", SOLD), ("seats.0.boxes", every(0)), ("seats.1.boxes", every(0))]),
    case("T77", "most money wins", *last({"money": 10}, {"money": 12}, {"money": 11}), ranks=[3, 1, 2],
         rewards=[-0.5, 1, -0.5]),
    case("T78", "equal money goes to more squares", *last(NINE, NINE, squares=[*MORE, at(2, 2)]), ranks=[1, 2],
         rewards=[1, -1]),
    case("T78", "water and abandoned ones count, two workers once", *last(NINE, NINE, squares=MORE), ranks=[1, 1]),
    case("T78", "money goes before", *last(NINE, {"money": 10}, squares=[*MORE, at(2, 2)]), ranks=[2, 1]),
    case("T79", "then to more winemasters on the map", *last(NINE, NINE, squares=[
        *crew(0, (1, 1), (1, 2), (1, 3)), master(1, 4), *(at(2, column, 1) for column in range(1, 5))]),
        ranks=[1, 2]),
    case("T79", "removed ones do not count", *last(NINE, {**NINE, "lost": 1}, {}, {}, {}, squares=[*OWN_FIVE, *FULL]),
         ranks=[1, 2, 3, 3, 5]),
    case("T79", "not even for who has none there", *last(NINE, {**NINE, "lost": 1}, {}, {}, {}, squares=[
        *(at(1, column) for column in range(1, 6)), *FULL]), ranks=[1, 1, 3, 3, 5]),
    *(case("T80", f"who is still tied shares the victory: {n}", *last(*[NINE] * n), ranks=[1] * n, rewards=[0] * n)
      for n in (2, 3)),
    case("T80", "and its reward", *last(NINE, NINE, {"money": 2}), ranks=[1, 1, 3], rewards=[0.5, 0.5, -1]),
]  # fmt: skip

CREW = crew(0, (1, 1), (1, 3), (1, 5))
EXAMPLES = [
    case("E1", "a worker beside a worker or on an empty square", table(has(red=1), squares=[at(1, 1)]), "take:hiring",
         offers="square:1:1 square:1:2"),
    case("E1", "a winemaster on an empty one", table(has(white=1), squares=CREW), "take:hiring", offers="square:1:2",
         refuses="square:1:5"),
    case("E2", "a champagne party", table(has(champagne=1), prices=every(4)),
         "take:hiring service:lobbyist tile:champagne tile:white", gives="champagne-1 price:water-1 price:champagne+1 "
         "sign:water-1 sign:champagne+2 sign:white-1"),
    case("E3", "a deal with Mr Rose: the fee, two prices, a box, money", table(has(10, rose=1), prices=every(4)),
         "take:hiring service:mr_rose price:white:down price:champagne:up buy:white:1",
         gives="rose-1 price:white-1 price:champagne+1 white+1 money-3 stock:white-1"),
    case("E4", "two boxes of water on neighbouring crossroads: one more of five goods, one is chosen", table(
        has(water=2), squares=[at(2, 2), at(1, 2), at(1, 3, 0, 2), at(4, 8), master(2, 4), at(2, 3, 1, 2),
                               at(1, 4, 1)]),
        "take:winemaking crossroad:1:2 crossroad:1:3 good:rose", gives="water-1 white+2 rose+1 champagne+1"),
    case("E5", "three boxes of water at the bottom cost one each", table(has(5, red=1), prices={"water": 1}, stock={
        "water": 4}), "take:trading buy:water:3", gives="water+3 money-3 stock:water-3"),
    case("E6", "two boxes of water and a rose at two: the second water goes to the bank", table(
        has(0, water=2, rose=1), prices={"water": 2, "rose": 2}, stock={"water": 4, "rose": 1}),
        "take:trading sell:rose:1 sell:water:2", gives="rose-1 water-2 money+6 stock:water+1 stock:rose+1"),
    case("E7", "the first phase", closing(stock=every(2)), "pass:trading", gives=moved(RECOMMENDED)),
    case("E8", "the second phase, with storages full and empty", closing(
        stock={"red": 5, "white": 0, "rose": 1, "champagne": 4, "water": 5},
        signs={"red": "plus", "white": "minus", "rose": "plus", "champagne": "minus"}), "pass:trading",
        gives=moved({"rose": 1, "champagne": -1, "water": -1})),
    case("E9", "the third phase: one up on rose, red stops at the bottom", *tasting(3, 3, 7, 5, 5, prices=every(
        4, red=2)), gives=moved({"red": -1, "rose": 1})),
]  # fmt: skip

CASES = [*ROUND_END, *GAME_END, *EXAMPLES]

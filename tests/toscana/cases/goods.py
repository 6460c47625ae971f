"""Cases of winemaking and trading, with the track of prices and the storages: T7 to T9, T49 to T66."""

from __future__ import annotations

from typing import Any

from tests.table.case import case
from tests.toscana.positions import GOODS, at, crew, every, full_table, has, master, table

GO = "take:winemaking"
CROSSROADS = [f"crossroad:{row}:{column}" for row in range(1, 4) for column in range(1, 8)]
AWAY = crew(0, (3, 1), (3, 8), (4, 8))
LEFT, RIGHT = at(1, 3, 0, 2), at(1, 7, 0, 2)  # two abandoned squares
ONE = [at(1, 1)]


def wet(*squares: Any, water: int = 1, others: Any = (), **boxes: Any) -> dict[str, Any]:
    """Return a position with squares and water of seat 0. boxes: its other boxes, and `stock`."""
    top = {"stock": boxes.pop("stock")} if "stock" in boxes else {}
    return table(has(water=water, **boxes), *others, squares=squares, **top)


def water(*crossroads: str) -> str:
    """Return the moves that place water on these crossroads."""
    return " ".join([GO, *(f"crossroad:{crossroad}" for crossroad in crossroads)])


WINEMAKING = [
    case("T49", "one box to five on crossroads", wet(*ONE, water=5), GO, legal=CROSSROADS),
    case("T49", "one on each", wet(*ONE, water=5), water("1:1"), legal=["done", *CROSSROADS[1:]]),
    case("T49", "nothing is made before all lie there", wet(*ONE, water=5), water("1:1", "1:2", "2:5", "3:1"),
         decision="place_water", holds=[("seats.0.boxes", every(0, water=1))]),
    case("T49", "five", wet(*ONE, water=5), water("1:1", "1:2", "2:5", "3:1", "3:7"), gives="water-5 red+1", seat=1),
    case("T49", "wherever they lie (ruling O11)", wet(*ONE, water=2), water("3:7"), gives="water-1", seat=1),
    case("T49", "crossroads are chosen in order: none is left", wet(*ONE, water=5), water("3:7"), gives="water-1",
         seat=1),
    case("T50", "own squares that touch water, and no others", wet(
        at(1, 1), at(2, 1), at(1, 8), at(1, 2, 1), at(2, 2, 1)), water("1:1"), gives="water-1 red+1 white+1"),
    *(case("T51", f"{title} on {good}", wet(*squares), water(f"1:{min(column, 7)}"), gives=f"water-1 {good}+{number}")
      for column, good in ((1, "red"), (2, "champagne"), (4, "water"), (5, "rose"), (8, "white"))
      for title, squares, number in (("one worker", [at(1, column)], 1), ("two workers", [at(1, column, 0, 2)], 2),
                                  ("a winemaster", [*AWAY, master(1, column)], 2))),
    case("T52", "an abandoned square makes nothing with one worker", wet(at(1, 3)), water("1:3"), gives="water-1"),
    *(case("T52", f"a box of any good with {title}", wet(*squares), water("1:3"), decision="abandoned_kind",
           ends=[f"water-1 {good}+1" for good in GOODS]) for title, squares in (
        ("two workers", [LEFT]), ("a winemaster", [*crew(0, (3, 1), (3, 7), (4, 7)), master(1, 3)]))),
    case("T53", "a square makes once however much water touches it", wet(at(2, 2), at(2, 3), water=4),
         water("1:1", "1:2", "2:1", "2:2"), gives="water-3 rose+1"),
    case("T53", "an abandoned one too", wet(LEFT, water=2), water("1:2", "1:3"), "good:red", gives="water-2 red+1",
         seat=1),
    case("T54", "what exceeds five is not taken", wet(at(1, 1, 0, 2), red=4), water("1:1"), gives="water-1 red+1"),
    case("T54", "water on crossroads no longer counts", wet(at(1, 4, 0, 2), water=5), water("1:4"), "done", gives=""),
    case("T54", "of either box", wet(at(1, 4, 0, 2), water=5), water("1:4", "3:7"), gives=""),
    case("T55", "what the bank lacks is lost", wet(at(1, 2, 0, 2), at(2, 5, 0, 2), water=2, others=[
        has(champagne=number) for number in (5, 5, 2)], stock={"champagne": 2}), water("1:1", "1:5"),
        gives="water-2 champagne+1"),
    case("T56", "a good that gives no box is not offered", wet(
        LEFT, at(1, 1), water=2, red=4, white=5, rose=5, champagne=5), water("1:1", "1:3"), legal="good:water",
        gives="water-1 red+1"),
    case("T56", "if none would, nothing is chosen", wet(
        LEFT, at(1, 4, 0, 2), water=5, red=5, white=5, rose=5, champagne=5), water("1:3"), "done", gives="", seat=1),
    case("T56", "several squares are chosen for", wet(LEFT, RIGHT, water=2, champagne=4, rose=5, white=5),
         water("1:3", "1:7"), ends=[f"water-2 {end}" for end in (
             "red+2", "red+1 champagne+1", "red+1 water+1", "champagne+1 water+1", "water+2")]),
    case("T56", "in ascending order", wet(LEFT, RIGHT, water=2, champagne=4, rose=5, white=5), water("1:3", "1:7"),
         "good:champagne", legal="good:water"),
    case("T56", "no choice that leaves none for the next", wet(
        LEFT, RIGHT, at(1, 4), water=5, red=4, white=5, rose=5, champagne=4), water("1:3", "1:7"), "done",
        legal="good:red good:champagne", ends=["red+1 champagne+1 water-1", "red+1", "champagne+1"]),
    case("T57", "the used water cannot be won in the same action", wet(
        at(1, 4, 0, 2), others=[has(water=5)] * 3, stock={"water": 4}), water("1:4"), gives="water-1"),
    case("O20", "any good that gives a box, each square its own (ruling O20)", wet(LEFT, RIGHT, water=2, white=5),
         water("1:3", "1:7"), legal="good:red good:rose good:champagne good:water", with_ends=[
             "water-2 red+2", "water-1 rose+1"]),
]  # fmt: skip

# T53: seat 4 takes the place of a winemaster of seat 0, whose square has made wine.
OWNER = full_table(
    [*crew(0, (1, 2), (2, 1), (2, 2)), master(1, 1)],
    *({**seat, "hand": [1, 2]} for seat in (has(water=1), {}, {}, {}, has(water=2, white=1))),
)
TAKEN_OVER = f"{water('1:1')} {'pass:trading ' * 3} take:hiring square:1:1 {'pass:hiring ' * 4} {GO}"
TAKING_OVER = [
    case("T53", "the owner's wine", OWNER, water("1:1"), holds=[
        ("seats.0.boxes", {"red": 2, "champagne": 2, "white": 2, "rose": 0, "water": 1})]),
    case("T53", "a square taken over makes nothing more in the round (ruling O18)", OWNER, TAKEN_OVER,
         "crossroad:1:1 done", holds=[("seats.4.boxes", every(0, water=1)), ("round", 1)]),
    case("T53", "in the next one it does", OWNER, TAKEN_OVER, "crossroad:1:1 done pass:trading",
         *["pass:winemaking"] * 3, "pass:trading", *["taste:1"] * 5, *["pass:trading"] * 3, water("1:1"),
         holds=[("seats.4.boxes", every(0, red=2)), ("round", 2)]),
]  # fmt: skip
MAKERS = wet(at(1, 1), at(1, 3), at(2, 3, 0, 2), at(2, 2), water=2, red=5, white=5)
MAKERS["seats"] = [{**seat, "hand": [1, 2]} for seat in (*MAKERS["seats"], {})]
MARKED = [
    case("T53", "what has made a box is marked, lost ones too, and nothing else (ruling O18)", MAKERS,
         water("1:1", "1:2"), holds=[(f"squares.{k}.produced", is_marked) for k, is_marked in enumerate(
             (True, None, True, True, None))]),
    *(case("T53", f"until the round is over: {bool(is_marked)}", MAKERS, water("1:1", "1:2"), "pass:winemaking",
           "pass:hiring pass:hiring pass:trading pass:trading taste:1", *tasted, holds=[
               ("squares.0.produced", is_marked)]) for tasted, is_marked in (((), True), (("taste:1",), None))),
]  # fmt: skip

T = "take:trading"
RICH = has(30, red=2, rose=3)
FIVE: dict[str, Any] = {"stock": {"white": 5}, "prices": {"white": 2}}
WHITES = [f"buy:white:{n}" for n in range(1, 6)]
TRADING = [
    *(row for field in range(1, 8) for row in (
        case("T7", f"field {field}: what a box costs", table(has(20, white=1), prices={"red": field}), T, "buy:red:1",
             gives=f"red+1 money-{field} stock:red-1"),
        case("T7", f"field {field}: what it brings", table(has(20, white=1), prices={"white": field}), T,
             "sell:white:1", gives=f"white-1 money+{field if field > 1 else 0} stock:white+1"),
        case("T60", f"boxes cost the price each: {field}", table(has(30), prices={"white": field}), T, "buy:white:2",
             gives=f"white+2 money-{2 * field} stock:white-2"))),
    case("T8", "a market storage holds five", table(has(0, red=5), stock={"red": 3}, prices={"red": 2}), T,
         "sell:red:5", gives="red-5 money+10 stock:red+2"),
    case("T9", "a storage holds five of each", table({"money": 50, "boxes": every(5, red=3)}, stock={"red": 5}), T,
         offers="buy:red:1 buy:red:2", refuses=["buy:red:3", *WHITES]),
    case("T58", "one purchase", table(RICH, prices={"white": 2}), T, "buy:white:1",
         gives="white+1 money-2 stock:white-1", seat=1),
    case("T58", "or any sales: no purchase after one", table(RICH), T, "sell:red:1", decision="sell_more",
         legal="sell:rose:1 sell:rose:2 sell:rose:3 done"),
    case("T58", "one sale alone", table(RICH, prices={"red": 2}), T, "sell:red:1 done",
         gives="red-1 money+2 stock:red+1", seat=1),
    case("T58", "goods are sold in order", table(RICH, prices={"rose": 2}), T, "sell:rose:2",
         gives="rose-2 money+4 stock:rose+2", seat=1),
    *(case("T59", f"a purchase is limited by {title}", table(seat, **FIVE), T, offers=WHITES[:number],
           refuses=WHITES[number:]) for title, seat, number in (
        ("what lies there", has(30, red=1), 5), ("money", has(7, red=1), 3), ("room", has(30, white=4), 1),
        ("no money", has(1, red=1), 0))),
    case("T59", "what lay there is gone", table(RICH, stock={"white": 2}, prices={"white": 2}), T, "buy:white:2",
         gives="white+2 money-4 stock:white-2"),
    case("T61", "an empty market storage sells nothing", table(has(30, white=1), stock={"white": 0}), T,
         refuses=WHITES),
    case("T61", "and is filled by sales alone", table(has(30, white=1), stock={"white": 0}, prices={"white": 3}), T,
         "sell:white:1", gives="white-1 money+3 stock:white+1"),
    case("T62", "any number of boxes of any goods", table(has(0, red=2, white=1, water=3)), T,
         legal="sell:red:1 sell:red:2 sell:white:1 sell:water:1 sell:water:2 sell:water:3"),
    case("T62", "each at its price, for nothing at the bottom", table(has(0, red=2, white=1, water=3), stock=every(0),
         prices={"red": 1, "white": 5, "water": 2}), T, "sell:red:2 sell:white:1 sell:water:3", seat=1,
         gives="red-2 white-1 water-3 money+11 stock:red+2 stock:white+1 stock:water+3"),
    case("T63", "the rest goes to the bank, all are paid", table(has(0, red=4), stock={"red": 3}, prices={"red": 3}), T,
         "sell:red:4", gives="red-4 money+12 stock:red+2"),
    *(case("T64", f"trading moves no price: {moves}", table(RICH, prices=every(2)), T, moves, gives=gives)
      for moves, gives in (("buy:white:2", "white+2 money-4 stock:white-2"),
                           ("sell:red:2 sell:rose:3", "red-2 rose-3 money+10 stock:red+2 stock:rose+3"))),
    *(case("T66", f"nobody spends what is not there: {money} at {field}", table(has(money, red=1), prices=every(field),
           stock=every(5)), T, offers=[f"buy:water:{n}" for n in range(1, min(5, money // field) + 1)],
           refuses=[f"buy:water:{n}" for n in range(money // field + 1, 6)])
      for money in (0, 6) for field in range(1, 8)),
    case("T66", "there is no upper end", table(has(10_000, red=5), prices={"red": 7}, stock={"red": 0}), T,
         "sell:red:5", gives="red-5 money+35 stock:red+5"),
]  # fmt: skip

VARIANT: dict[str, Any] = {"options": {"player_trades": True}}
ASKED = table(RICH, has(9, white=3, red=4), n=3, **VARIANT)
REFUSED = "seat:+1 sell:red:1 at:0 no"
ALONE = table(has(0, red=1), has(), stock=every(0), **VARIANT)
SEATS = [f"seat:+{k}" for k in range(1, 5)]
BETWEEN_SEATS = [
    *(case("T65", f"seats trade if they agreed to: {n} seats, {bool(top)}", table(RICH, n=n, **top), T,
           offers=SEATS[: n - 1] if top else [], refuses=SEATS[n - 1 :] if top else SEATS)
      for n in (2, 4) for top in ({}, VARIANT)),
    case("T65", "an offer is of boxes of one good that both can move (ruling O12)", ASKED, T, "seat:+1",
         decision="offer_boxes", legal=[
             *(f"buy:{good}:{n}" for good in ("red", "white") for n in (1, 2, 3)), "sell:red:1",
             *(f"sell:rose:{n}" for n in (1, 2, 3))]),
    case("T65", "at a price that the buyer has (ruling O12)", ASKED, T, "seat:+1 sell:rose:2", decision="offer_price",
         legal="at:0 at:1 at:2 at:3 at:4"),
    case("T65", "the other one answers (ruling O12)", ASKED, T, "seat:+1 sell:rose:2 at:3", decision="answer_offer",
         seat=1, legal="yes no"),
    case("T65", "no", ASKED, T, "seat:+1 sell:rose:2 at:3 no done", gives=""),
    case("T65", "yes", ASKED, T, "seat:+1 sell:rose:2 at:3 yes done",
         gives="rose-2 money+6 1.rose+2 1.money-6"),
    case("T65", "then the market, or nothing (ruling O12)", ASKED, T, "seat:+1 sell:rose:2 at:3 yes", seat=0,
         decision="trade", offers="done buy:red:1"),
    case("T65", "a purchase", ASKED, T, "seat:+1 buy:white:2 at:10 yes done",
         gives="white+2 money-20 1.white-2 1.money+20"),
    case("T65", "two offers leave a third (ruling O12)", table(RICH, **VARIANT), T, REFUSED, REFUSED, offers="seat:+1"),
    case("T65", "three are all (ruling O12)", table(RICH, **VARIANT), T, *[REFUSED] * 3, refuses="seat:+1",
         offers="buy:red:1 done", holds=[("seats.0.used", ["trading"])]),
    case("T65", "sales may follow", table(RICH, **VARIANT), T, *[REFUSED] * 3, "sell:red:1", decision="sell_more"),
    case("T65", "or nothing", table(RICH, **VARIANT), T, *[REFUSED] * 3, "done", seat=1),
    case("T65", "what was sold could be bought back", ALONE, T, "seat:+1 sell:red:1 at:0 yes", seat=0),
    case("T65", "after the third offer nothing is left to be done", ALONE, T, "seat:+1 sell:red:1 at:0 yes",
         *["seat:+1 buy:red:1 at:0 no"] * 2, seat=1),
]  # fmt: skip

CASES = [*WINEMAKING, *TAKING_OVER, *MARKED, *TRADING, *BETWEEN_SEATS]

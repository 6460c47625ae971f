"""Cases of turns, hiring, the lobbyist and Mr Rose: T10, T11, T24 to T48."""

from __future__ import annotations

from tests.table.case import case
from tests.toscana.positions import ALL, GOODS, SQUARES, all_squares, at, crew, every, full_table, has, master, table

CREW = crew(0, (1, 1), (1, 2), (1, 3))
TWO = [*CREW, master(2, 1), master(2, 2)]
ONE_EACH = {"boxes": every(1)}
FOUR = {"prices": every(4)}


def passes(n: int) -> list[str]:
    """Return the turns of a round in which all seats pass."""
    return [f"pass:{name}" for name in ALL for _ in range(n)]


def turn(*actions: str, can: str = " ".join(ALL)) -> list[str]:
    """Return the legal moves of a seat with unused actions. can: those with a legal continuation."""
    boxes = ["pass:winemaking:red", "pass:winemaking:water"] if "winemaking" in actions else []
    return [f"take:{name}" for name in actions if name in can] + [f"pass:{name}" for name in actions] + boxes


def on(*squares: str) -> list[str]:
    return [f"square:{square}" for square in squares]


def but(*squares: str) -> list[str]:
    """Return the other squares."""
    return on(*(square for square in SQUARES if square not in squares))


TURNS = [
    *(case("T24", f"{n} seats, turn {k + 1}: one action each, clockwise from the start seat", table(n=n, start_seat=1),
           *passes(n)[:k], seat=(1 + k) % n, decision="take_action") for n in (2, 3, 4, 5) for k in range(3 * n)),
    *(case("T24", f"{n} seats: until all have had three turns", table(n=n), *passes(n), decision="taste", seat=0)
      for n in (2, 3, 4, 5)),
    *(case("T25", f"each action once a round, in any order: {done} of {' '.join(order)}", table({"money": 5}),
           *(f"pass:{name}" for name in order[:done] for _ in range(2)), seat=0,
           legal=turn(*order[done:])) for order in (ALL, ALL[::-1], [*ALL[1:], ALL[0]]) for done in range(3)),
    *(case("T26", f"{name} may be passed though it could be done", table(), f"pass:{name}", gives="", seat=1)
      for name in ALL),
    *(case("T26", f"{name} is used up", table(), f"pass:{name} pass:hiring",
           legal=turn(*(other for other in ALL if other != name))) for name in ALL),
    case("T27", "who passes winemaking may have a red or a water box", table(), legal=turn(*ALL)),
    *(case("T27", f"it comes from the bank: {good}", table(), f"pass:winemaking:{good}", gives=f"{good}+1", seat=1)
      for good in ("red", "water")),
    case("T27", "none into a full storage (ruling O6)", table(has(red=5, water=5)), offers="pass:winemaking",
         refuses="pass:winemaking:red pass:winemaking:water"),
    case("T27", "none from an empty bank (ruling O6)", table(
        has(red=4, water=4), has(red=5, water=4), *[has(red=2, water=3)] * 3, stock={"red": 0, "water": 3}),
        offers="pass:winemaking", refuses="pass:winemaking:red pass:winemaking:water"),
    *(case("T28", f"what can do nothing can only be passed: {title}", table(seat, **top), legal=turn(*ALL, can=can))
      for title, can, seat, top in (
        ("nothing to sell, no money", "", has(0), {}), ("an empty market", "", has(9), {"stock": every(0)}),
        ("a box to sell", "trading", has(0, white=1), {}), ("money to buy", "trading", has(2), {}),
        ("water", "winemaking trading", has(0, water=1), {}),
        *((f"a fee, {fee}", "hiring trading", has(**{fee: 1}), {}) for fee in ("red", "rose", "champagne")),
        ("all workers stand", "trading", has(red=1), {"squares": CREW}))),
]  # fmt: skip

PARTY = "service:lobbyist tile:red tile:rose"
PARTY_MADE = "champagne-1 sign:water+1 price:water+1 sign:red-2 sign:rose+1 price:red-1"
BESIDE = [at(1, 1), at(1, 2, 0, 2), at(1, 3, 1), at(1, 4, 1, 2)]
ABLE = has(red=2, rose=1, champagne=1)
PIECES = [
    case("T11", "a square holds two workers of one seat", table(has(red=5), n=3, squares=BESIDE), "take:hiring",
         legal=but("1:2", "1:3", "1:4", "4:3")),
    case("T29", "a piece or a service", table(ABLE), "take:hiring",
         legal=["service:lobbyist", "service:mr_rose", *but("4:2")]),
    case("T29", "after the piece a service or nothing", table(ABLE), "take:hiring square:1:1",
         legal="service:lobbyist service:mr_rose done"),
    case("T29", "a piece alone", table(ABLE), "take:hiring square:1:1 done", gives="red-1 worker:1:1+1", seat=1),
    case("T29", "after the service a piece or nothing", table(ABLE), "take:hiring", PARTY, decision="hire",
         legal=["done", *but("4:2")]),
    case("T29", "a service alone", table(ABLE), "take:hiring", PARTY, "done", gives=PARTY_MADE, seat=1),
    *(case("T29", f"both, one of each: {moves}", table(ABLE), "take:hiring", moves, seat=1,
           gives=f"{PARTY_MADE} red-1 worker:1:1+1") for moves in (f"{PARTY} square:1:1", f"square:1:1 {PARTY}")),
    case("T30", "the storage pays the bank", table(has(red=1)), "take:hiring square:1:1", gives="red-1 worker:1:1+1"),
    case("T30", "without a red box no worker", table(has(9, rose=1)), "take:hiring", legal="service:mr_rose"),
    case("T30", "the first half pays for the second", table(has(9, rose=1)), "take:hiring service:mr_rose",
         "buy:red:1 price:white:up price:rose:up", decision="hire", legal=["done", *but("4:2")]),
    case("T30", "not with white boxes", table(has(white=3)), legal=turn(*ALL, can="trading")),
    *(case("T31", f"all workers before the first winemaster: {k} stand", table(has(red=1, white=5), squares=[
        at(1, column, 0, 1 + (k > 3 and column == 1)) for column in range(1, 4 if k > 3 else k + 1)]),
        "take:hiring square:3:1", gives="red-1 worker:3:1+1") for k in range(1, 5)),
    case("T31", "five stand", table(has(red=1, white=5), squares=CREW), "take:hiring square:3:1",
         gives="white-1 winemaster:3:1+1"),
    case("T32", "a worker on an empty square or beside one own worker", table(has(red=1), squares=BESIDE),
         "take:hiring", legal=but("1:2", "1:3", "1:4")),
    case("T32", "it costs a red box", table(has(red=1), squares=BESIDE), "take:hiring square:1:1",
         gives="red-1 worker:1:1+1"),
    case("T32", "no red box, no worker", table(has(), squares=BESIDE), legal=turn(*ALL, can="trading")),
    *(row for cost, masters in ((1, []), (2, [master(2, 1)])) for row in (
        case("T33", f"winemaster {cost} on an empty square only", table(has(white=cost + 1), squares=[
            *CREW, *masters]), "take:hiring", legal=but("1:1", "1:2", "1:3", "4:2", *["2:1"] * len(masters))),
        case("T33", f"it costs {cost} white", table(has(white=cost + 1), squares=[*CREW, *masters]),
             "take:hiring square:3:1", gives=f"white-{cost} winemaster:3:1+1"),
        case("T33", f"not less than {cost}", table(has(white=cost - 1, water=1), squares=[*CREW, *masters]),
             legal=turn(*ALL, can="winemaking trading")))),
    *(case("T34", f"the third wants a box of each good: no {missing}",
           table({"boxes": every(2, **{missing: 0})}, squares=TWO), "take:hiring", refuses=on(*SQUARES))
      for missing in GOODS),
    case("T34", "and takes none", table(ONE_EACH, squares=TWO), "take:hiring square:3:1",
         holds=[("seats.0.boxes", every(1))]),
    case("T35", "ten money for the third", table(ONE_EACH, squares=TWO), "take:hiring square:3:1 done",
         gives="winemaster:3:1+1 money+10"),
    case("T35", "whatever became of the others", full_table(CREW, {**ONE_EACH, "lost": 2}),
         "take:hiring square:3:8 done", gives="winemaster:3:8+1 money+10 1.winemaster:3:8-1 1.lost+1"),
    case("T36", "on a full map of five seats a worker may take a winemaster's place", full_table(
        [at(1, column) for column in range(1, 5)], has(red=1)), "take:hiring", legal=on(
            "1:1", "1:2", "1:3", "1:4", *(f"4:{column}" for column in range(1, 9)))),
    *(case("T36", f"at the usual cost, and that of seat {seat} is lost", full_table(
        [at(1, column) for column in range(1, 5)], has(red=1)), f"take:hiring square:{square}",
        gives=f"red-1 worker:{square}+1 {seat}.winemaster:{square}-1 {seat}.lost+1")
      for seat, square in ((1, "4:1"), (2, "4:5"), (3, "4:8"))),
    case("T36", "so may a winemaster", full_table([at(1, column) for column in range(1, 6)], has(white=1)),
         "take:hiring", legal=on(*(f"4:{column}" for column in range(2, 9)))),
    case("T36", "at its cost", full_table([at(1, column) for column in range(1, 6)], has(white=1)),
         "take:hiring square:4:2", gives="white-1 winemaster:4:2+1 1.winemaster:4:2-1 1.lost+1"),
    case("T36", "not while a square is empty", table(has(red=1), n=5, squares=[
        *crew(1, (1, 1), (1, 2), (1, 3)), master(2, 2, 1)]), "take:hiring", refuses=on("2:2")),
    case("T37", "a removed winemaster is out of the game, money stays", full_table(
        [at(1, column) for column in range(1, 5)], has(red=1), {"money": 13}), "take:hiring square:4:1",
        holds=[("seats.1.winemasters", 0), ("seats.1.lost", 1), ("seats.1.money", 13)]),
    case("T37", "the next costs as before", full_table(CREW, {**has(white=3), "lost": 1}), "take:hiring square:3:8",
         gives="white-2 winemaster:3:8+1 1.winemaster:3:8-1 1.lost+1"),
    *(case("T38", f"with {n} seats nothing is removed", table(has(red=1), n=n, squares=[
        *(at(*place, seat) for place, seat in zip(all_squares(), (0,) * 4 + (1, 2, 3)[: n - 1] * 5)),
        *(master(*place, seat) for place, seat in zip(all_squares()[5 * n - 1 :], (1, 2, 3)[: n - 1] * 3))]),
        "take:hiring", legal=on(*SQUARES[:4], *SQUARES[5 * n - 1 + 3 * (n - 1) :])) for n in (2, 3, 4)),
]  # fmt: skip

LOBBY = table(has(champagne=1), **FOUR)
LOBBYIST = "take:hiring service:lobbyist"
PLUS, MINUS = GOODS[:2], GOODS[2:4]
SIGNS = {"red": "plus", "white": "plus", "rose": "minus", "champagne": "minus"}  # at the start
CHANGED = {
    (first, second): f"sign:water{sign:+d} sign:{first}{-2 * sign:+d} sign:{second}{sign:+d}"
    for ours, theirs, sign in ((PLUS, MINUS, 1), (MINUS, PLUS, -1)) for first in ours for second in theirs
}  # fmt: skip
LOBBYING = [
    case("T39", "the lobbyist costs a champagne box", LOBBY, LOBBYIST, decision="lobby_first",
         holds=[("seats.0.boxes", every(0))]),
    case("T39", "without one it does not come", table(has(20, rose=1)), "take:hiring", refuses="service:lobbyist"),
    case("T40", "any tile goes to the empty square, water's at the start", LOBBY, LOBBYIST,
         legal=[f"tile:{good}" for good in GOODS[:4]]),
    *(case("T40", f"{good}'s lies there then", LOBBY, LOBBYIST, f"tile:{good}", holds=[("signs", {
        **{other: sign for other, sign in SIGNS.items() if other != good}, "water": sign})])
      for good, sign in SIGNS.items()),
    *(case("T41", f"after {first} one of the opposite sign", LOBBY, LOBBYIST, f"tile:{first}",
           decision="lobby_second", legal=[f"tile:{second}" for second in (MINUS if first in PLUS else PLUS)])
      for first in GOODS[:4]),
    case("T41", "there are eight ways", LOBBY, LOBBYIST, ends=[
        f"champagne-1 {signs} price:water{up:+d} price:{first}{-up:+d}"
        for (first, _), signs in CHANGED.items() for up in ([1] if first in PLUS else [-1])]),
    *(case("T10", f"two plus and two minus tiles on four of five squares: {first}, {second}", LOBBY, LOBBYIST,
           f"tile:{first} tile:{second}", holds=[("signs", signs)]) for first, second, signs in (
        ("red", "rose", {"white": "plus", "red": "minus", "champagne": "minus", "water": "plus"}),
        ("champagne", "white", {"red": "plus", "champagne": "plus", "rose": "minus", "water": "minus"}))),
    case("T42", "a tile moves the price under it and no other", LOBBY, LOBBYIST, "tile:rose",
         holds=[("prices", every(4, water=3))]),
    case("T42", "also the second", LOBBY, LOBBYIST, "tile:rose tile:red",
         gives="champagne-1 price:water-1 price:rose+1 " + CHANGED["rose", "red"]),
    case("T42", "at an end it is moved all the same (ruling O5)", table(has(champagne=1), prices=every(
        4, water=1, rose=7)), LOBBYIST, "tile:rose tile:red", gives=f"champagne-1 {CHANGED['rose', 'red']}"),
]  # fmt: skip

SEAT, DEALER = has(20, rose=1), has(20, rose=1, white=2)
ROSE = "take:hiring service:mr_rose"
WAYS = [f"price:{good}:{direction}" for good in GOODS for direction in ("down", "up")]
BUYS = [f"buy:{good}:1" for good in GOODS]
UP = "price:white:up price:rose:up"
RAISED = "rose-1 price:white+1 price:rose+1"
MR_ROSE = [
    case("T43", "Mr Rose costs a rose box", table(has(0, rose=1), **FOUR), ROSE, UP, gives=RAISED),
    case("T43", "without one he does not come", table(has(champagne=1)), "take:hiring", refuses="service:mr_rose"),
    case("T44", "two different prices move by one, up or down", table(has(0, rose=1), **FOUR), ROSE, ends=[
        f"rose-1 price:{a}{x} price:{b}{y}" for i, a in enumerate(GOODS) for b in GOODS[i + 1 :]
        for x in ("+1", "-1") for y in ("+1", "-1")]),
    case("T44", "each pair once, the goods in order", table(has(0, rose=1), **FOUR), ROSE, "price:rose:up",
         decision="second_price", legal=WAYS[6:]),
    case("T44", "a change must move its marker (ruling O4)", table(SEAT, prices=every(4, red=1, water=7)), ROSE,
         offers="price:red:up", refuses="price:red:down"),
    case("T44", "so must the second (ruling O4)", table(SEAT, prices=every(4, red=1, water=7)), ROSE, "price:red:up",
         offers="price:water:down", refuses="price:water:up"),
    case("T45", "one box may be bought or sold", table(DEALER, **FOUR), ROSE, legal=["sell:white:1", *BUYS, *WAYS[:8]]),
    case("T45", "sold to the market at its price", table(DEALER, **FOUR), ROSE, "sell:white:1", UP,
         gives=f"{RAISED} white-1 money+4 stock:white+1"),
    case("T45", "bought", table(DEALER, **FOUR), ROSE, "buy:red:1", UP, "done",
         gives=f"{RAISED} red+1 money-4 stock:red-1"),
    case("T45", "the price of the moment", table(DEALER, **FOUR), ROSE, UP, "sell:white:1",
         gives=f"{RAISED} white-1 money+5 stock:white+1"),
    case("T45", "one only", table(DEALER, **FOUR), ROSE, "sell:white:1", refuses=["sell:white:1", *BUYS]),
    case("T45", "or neither", table(DEALER, **FOUR), ROSE, UP, "done", gives=RAISED, seat=1),
    case("T45", "sold to the bank where the market storage is full", table(DEALER, stock={"white": 5}, **FOUR), ROSE,
         "sell:white:1", UP, gives=f"{RAISED} white-1 money+4"),
    case("T46", "from an empty market storage the box comes from the bank", table(SEAT, stock={"white": 0}, **FOUR),
         ROSE, "buy:white:1", UP, gives=f"{RAISED} white+1 money-4"),
    case("T46", "only then", table(SEAT, stock={"white": 0}, **FOUR), ROSE, "buy:red:1", UP, "done",
         gives=f"{RAISED} red+1 money-4 stock:red-1"),
    case("T46", "with none in the bank it cannot be bought (ruling O17)", table(
        SEAT, *[has(red=5)] * 3, stock={"red": 0}), ROSE, refuses="buy:red:1"),
    case("T47", "a deal comes before both changes", table(SEAT, **FOUR), ROSE, "buy:white:1", legal=WAYS[:8]),
    case("T47", "not between them", table(SEAT, **FOUR), ROSE, "price:red:up", refuses=["done", *BUYS]),
    case("T47", "or after both", table(SEAT, **FOUR), ROSE, "price:red:up price:white:up", legal=["done", *BUYS]),
    case("T47", "and not twice", table(SEAT, **FOUR), ROSE, "buy:white:1 price:red:up price:white:up", seat=1),
    *(case("T48", f"buying needs {title}", table(seat, **FOUR), ROSE, **expect) for title, seat, expect in (
        ("the money", has(3, rose=1), {"refuses": "buy:red:1"}),
        ("it and room", has(4, rose=1), {"offers": "buy:red:1"}),
        ("room", has(4, rose=1, red=5), {"refuses": "buy:red:1"}))),
    case("O19", "the box just paid may be bought back, from the bank (ruling O19)", table(SEAT, *(
        has(rose=number) for number in (5, 5, 4)), stock={"rose": 0}), ROSE, "buy:rose:1 price:red:up price:white:up",
        gives="money-3 price:red+1 price:white+1"),
]  # fmt: skip

CASES = [*TURNS, *PIECES, *LOBBYING, *MR_ROSE]

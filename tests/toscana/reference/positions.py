"""Positions reached by random play, and random positions of rare kinds."""

import numpy as np

import vitienv
from vitienv.core.batch import Batch, make_keys
from vitienv.core.frames import Frame
from vitienv.toscana.enums import Good
from vitienv.toscana.frames import FrameOp
from vitienv.toscana.state import Rule

GOODS = ("red", "white", "rose", "champagne", "water")
TURNS = ("hiring", "winemaking", "trading")
SUPPLY = {"red": 15, "white": 15, "rose": 15, "champagne": 15, "water": 20}
KINDS = (
    "plain", "full map", "empty bank", "full storages", "ends of prices", "offers", "tasting", "sixty", "ties",
    "taken over",
)  # fmt: skip
TILES = [("red", 1), ("white", 1), ("rose", 1), ("champagne", 1), ("red", -1), ("white", -1), ("rose", -1)]
# Another set: two marks on some tiles, water too, a blank one.
OTHER_TILES = [(("red", 1), ("rose", -1)), (("water", 2),), (("rose", 2),), (("champagne", -2),), (("red", -1),), (),
               (("white", 1), ("water", -1))]  # fmt: skip


def marks_of(tiles):
    marks = np.zeros((len(tiles), len(GOODS)), np.int64)
    for tile, marks_of_tile in enumerate(tiles):
        for good, mark in marks_of_tile:
            marks[tile, GOODS.index(good)] += mark
    return marks


SHIPPED = marks_of([(tile,) for tile in TILES])
OTHER = marks_of(OTHER_TILES)
OTHER_SET = {
    "tile": [
        {"id": i + 1, "good": good, "mark": mark}
        for i, marks in enumerate(OTHER_TILES) for good, mark in marks or (("red", 0),)
    ]
}  # fmt: skip


def _squares(rng, n, is_full):
    """Pieces of each seat: singles and pairs of workers, winemasters on the map and lost ones."""
    seats = [{"singles": 5, "pairs": 0, "masters": 3, "lost": 0} for _ in range(n)]
    max_squares = 32 if is_full else rng.randint(n, min(32, 8 * n))
    for _ in range(200):  # some try may take nothing off
        staff = rng.choice(seats)
        if sum(staff["singles"] + staff["pairs"] + staff["masters"] for staff in seats) <= max_squares:
            break
        if staff["singles"] >= 2 and rng.random() < 0.5:
            staff["singles"] -= 2
            staff["pairs"] += 1
        elif staff["masters"]:
            staff["masters"] -= 1
            staff["lost"] += n == 5 and is_full and rng.random() < 0.4
        elif staff["lost"] == 0 and staff["singles"] + staff["pairs"] > 1 and staff["singles"]:
            staff["singles"] -= 1
    places = [[row, column] for row in range(1, 5) for column in range(1, 9)]
    rng.shuffle(places)
    squares = []
    for seat, staff in enumerate(seats):
        squares += [{"at": places.pop(), "seat": seat, "workers": 1} for _ in range(staff["singles"])]
        squares += [{"at": places.pop(), "seat": seat, "workers": 2} for _ in range(staff["pairs"])]
        squares += [{"at": places.pop(), "seat": seat, "winemaster": True} for _ in range(staff["masters"])]
    return squares, [staff["lost"] for staff in seats]


def _mark_produced(rng, squares, seats, is_full):
    """Mark squares that have produced in this round, of seats that have made wine or lost a square."""
    makers = [seat for seat, keys in enumerate(seats) if "winemaking" in keys["used"]]
    takers = [seat for seat, keys in enumerate(seats) if "hiring" in keys["used"] and seat not in makers]
    if not (is_full and len(seats) == 5 and any(seats[seat]["lost"] for seat in makers)):
        takers = []
    for square in rng.sample(squares, len(squares)):
        is_weak = square.get("workers") == 1  # makes nothing where it is abandoned
        if square["seat"] in makers and not is_weak:
            square["produced"] = rng.random() < 0.4
        elif square["seat"] in takers and (is_weak or square.get("winemaster")):
            square["produced"] = True
            takers.remove(square["seat"])


def _boxes(rng, n, kind, actor, most_water):
    boxes = [{good: rng.choice((0, 1, 1, 2, 3, 5)) for good in GOODS} for _ in range(n)]
    stock = {good: rng.choice((0, 0, 1, 2, 4, 5)) for good in GOODS}
    if kind == "full storages":
        for boxes_of_seat in boxes:
            for good in rng.sample(GOODS, 4):
                boxes_of_seat[good] = rng.choice((4, 5, 5))
    if kind in ("offers", "ties"):
        boxes = [{good: int(kind == "offers" and rng.random() < 0.3) for good in GOODS} for _ in range(n)]
    else:
        boxes[actor]["water"] = min(rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 5)), most_water)
        boxes[actor]["rose"] = rng.choice((0, 0, 0, 0, 1, 2))
    for good, supply in SUPPLY.items():
        piles = [(boxes_of_seat, good) for boxes_of_seat in boxes] + [(stock, good)]
        rng.shuffle(piles)
        total = sum(pile[key] for pile, key in piles)
        for pile, key in piles:  # no more than there are; none left where the bank is to be empty
            excess = min(pile[key], max(total - supply, 0))
            pile[key] -= excess
            total -= excess
            if kind == "empty bank" and pile is not boxes[actor] and rng.random() < 0.9:
                added = max(min(5 - pile[key], supply - total), 0)
                pile[key] += added
                total += added
    return boxes, stock


def _tiles(rng, played, hand_size):
    """Tiles used, in hand, and the deck."""
    order = rng.sample(range(1, 8), 7)
    return order[:played], order[played : played + hand_size], order[played + hand_size :]


def made_up(rng, kind, most_water=5):
    """The game of a made-up position of a kind, and whether its tiles are the other set."""
    is_full = kind in ("full map", "taken over")
    n = 5 if is_full and rng.random() < 0.7 else rng.randint(4 if is_full else 2, 5)
    if kind == "offers":
        n = rng.choice((2, 2, 2, 3))
    if kind == "taken over":
        n = 5
    number, first = (7 if rng.random() < 0.2 else rng.randint(1, 7)), rng.randrange(n)
    if kind == "ties":
        number = 7
    turns = 3 * n if kind in ("tasting", "ties") else rng.choice((3 * n - 1, rng.randrange(3 * n)))
    turns = 3 * n - 1 if kind == "taken over" else turns
    actor = (first + turns) % n
    squares, lost = _squares(rng, n, is_full)
    boxes, stock = _boxes(rng, n, kind, actor, most_water)
    prices = (1, 1, 1, 7, 7) if kind == "ends of prices" else (1, 2, 2, 3, 4, 5, 6, 7)
    money = (58, 59, 60, 61) if kind in ("sixty", "tasting") else (0, 1, 2, 4) if kind == "offers" else (0, 1, 3, 8, 30)
    seats, draws = [], []
    for seat in range(n):
        used = rng.sample(TURNS, turns // n + ((seat - first) % n < turns % n))
        if kind == "offers" and seat == actor and "trading" in used:
            used[used.index("trading")] = next(turn for turn in TURNS if turn not in used)
        if kind == "taken over" and seat == actor:
            used = ["hiring", "trading"]
        played, hand, deck = _tiles(rng, number - 1, min(2, 8 - number))
        had = 50 if kind == "ties" else rng.choice(money)
        if number > 1 and not {"hiring", "trading"} & set(used):
            had = min(had, 59)  # otherwise the game would be over
        seats.append({
            "money": had, "boxes": boxes[seat], "used": used,
            "hand": hand, "played": played, "lost": lost[seat],
        })  # fmt: skip
        draws.append(deck)
    _mark_produced(rng, squares, seats, is_full)
    signs = dict(zip(rng.sample(GOODS, 4), ("plus", "plus", "minus", "minus")))
    is_other = rng.random() < 0.3
    options = {"player_trades": kind == "offers"}
    if is_other:
        options["components"] = OTHER_SET
    if rng.random() < 0.1:
        options["max_rounds"] = rng.randint(number, 7)
    position = {
        "game": "toscana", "num_players": n, "seed": rng.randrange(10**6), "round": number, "start_seat": first,
        "prices": {good: rng.choice(prices) for good in GOODS}, "stock": stock, "signs": signs, "squares": squares,
        "seats": seats, "next_draws": draws, "options": options,
    }  # fmt: skip
    return vitienv.Game.from_dict(position).state, is_other


def start_position(rng):
    """Return a state at a start worker."""
    n, first = rng.randint(2, 5), rng.randrange(5)
    order = [(first % n - 1 - i) % n for i in range(n)]
    options = {"start_on_water": rng.random() < 0.5}
    kinds = vitienv.Game.new(0, game="toscana").state.square_kind
    places = [[i // 8 + 1, i % 8 + 1] for i in range(32) if options["start_on_water"] or kinds[i] != Good.WATER]
    squares = [{"at": place, "seat": seat} for seat, place in zip(order[: rng.randrange(n)], rng.sample(places, n))]
    position = {"game": "toscana", "num_players": n, "seed": rng.randrange(10**6), "start_seat": first % n,
                "round": 0, "squares": squares, "options": options}  # fmt: skip
    return vitienv.Game.from_dict(position).state


TABLES = [
    {"num_players": n, "map": board, "start_on_water": n % 2 == 0}
    for n in (2, 3, 4, 5) for board in ("printed", "pieces")
]  # fmt: skip


def reached(rng, n):
    """Return n states between two actions of random games, for each number of players and both maps."""
    games = 16
    batches = [Batch(games, vitienv.game_spec("toscana").options.of(**table)) for table in TABLES]
    for batch in batches:
        batch.start(make_keys(rng.randrange(2**31), games))
    records = []
    while len(records) < n:
        batch = batches[len(records) % len(batches)]
        for _ in range(rng.randint(1, 30)):
            batch.step_random(restart=True, observe=False)
        ops = batch.records["frames"][np.arange(games), batch.records["depth"] - 1, Frame.OP]
        is_fresh = (ops == FrameOp.TASTE) & ~batch.records["chosen"].any(axis=1)
        is_between = np.isin(ops, (FrameOp.START_WORKER, FrameOp.TURN)) | is_fresh
        if is_between.any():
            record = batch.games[rng.choice(np.flatnonzero(is_between))].copy()
            _force_draws(rng, record)
            records.append(record)
    return records


def _force_draws(rng, record):
    """Fix the order of all decks."""
    for seat in range(int(record.rules[Rule.NUM_PLAYERS])):
        deck = [tile + 1 for tile in range(7) if not record.hand[seat, tile] and not record.played[seat, tile]]
        rng.shuffle(deck)
        record.n_forced[seat] = len(deck)
        record.forced[seat, : len(deck)] = deck

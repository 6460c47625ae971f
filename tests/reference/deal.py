"""Random positions in the middle of a game, with many cards and tokens."""

from random import Random
from typing import Any

from .estate import load
from .tables import ACTIONS, CARDS, CELLARS, COLOURS, KINDS_OF_WINE, LEAST, STRUCTURES, VINES, vine_value

COPIES = {"sangiovese": 4, "malvasia": 4, "pinot": 6, "cabernet_sauvignon": 4, "chardonnay": 4}

CARDS_HELD = {"vine": [0, 1, 2, 3], "order": [0, 1, 2, 4], "summer": [0, 1, 3, 5], "winter": [0, 1, 3, 5]}


def random_position(rng: Random, players: int, card: str | None = None) -> dict[str, Any]:
    """Return a random position.

    With `card`, the seat to act has this visitor, rarely another one of its kind, and can usually play it.
    """
    season = rng.choice(["summer", "winter"])
    if card:
        season = "summer" if card in CARDS["summer"] else "winter"
    decks = {deck: list(cards) for deck, cards in CARDS.items()}
    decks["vine"] = [vine for vine in VINES for _ in range(COPIES.get(vine, 5))]
    for cards in decks.values():
        rng.shuffle(cards)
    if card:
        decks[season].remove(card)
    rows = rng.sample(range(1, 8), players)
    poor = rng.random() < 0.25  # a table where little can be done
    seats = [_seat(rng, decks, row, poor) for row in rows]
    position: dict[str, Any] = {
        "num_players": players,
        "seed": rng.randrange(10**6),
        "year": rng.randint(1, 9),
        "season": season,
        "seats": seats,
        "board": _board(rng, seats, season),
        "discards": {deck: _deal(cards, rng.choice([0, 0, 1, 2, 3])) for deck, cards in decks.items()},
    }
    active = [seat for seat in range(players) if sum(seats[seat]["workers"].values()) and rng.random() < 0.8]
    for seat in range(players):
        seats[seat]["passed"] = seat not in active
    if not active:
        seats[0]["passed"] = False
        seats[0]["workers"]["regular"] += 1 if not sum(seats[0]["workers"].values()) else 0
        active = [0]
    position["to_act"] = rng.choice(active)
    if card:
        hand = seats[position["to_act"]]["hand"]
        hand[season][rng.choice([0, 0, 1]) :] = [card]
        hand["vine"] += _deal(decks["vine"], rng.choice([0, 0, 2]))
        hand["order"] += _deal(decks["order"], rng.choice([0, 0, 4]))
        if rng.random() < 0.8:
            for worker in position["board"].pop(f"play_{season}_visitor", []):
                seats[worker["seat"]]["workers"][worker["worker"]] += 1
    return position


def _seat(rng: Random, decks: dict[str, list[str]], row: int, poor: bool) -> dict[str, Any]:
    built = rng.choice([0.2, 0.95]) if poor else rng.choice([0.2, 0.4, 0.7])
    structures = [structure for structure in STRUCTURES if rng.random() < built]
    if CELLARS[0] not in structures and CELLARS[1] in structures:
        structures.remove(CELLARS[1])
    above = rng.random() < 0.15  # a wine of the Zymologist
    cellar_top = 9 if above else 3 + 3 * sum(cellar in structures for cellar in CELLARS)
    min_lira, max_lira = (0, 4) if poor else (0, 12)
    hand_sizes = [0, 0, 0, 1] if poor else None
    seat = {
        "lira": rng.choice([rng.randint(min_lira, max_lira), rng.randint(0, 3)]),
        "victory_points": rng.choice([-5, -5 if poor else rng.randint(-5, 12), rng.randint(-5, 12)]),
        "residual": rng.choice([0, 1, 2, 3, 4, 5, 5]),
        "wake_up": row,
        "workers": {"regular": rng.randint(1, 5), "grande": 1, "temporary": int(row == 7 and rng.random() < 0.5)},
        "structures": structures,
        "used": [name for name in ("windmill", "tasting_room") if name in structures and rng.random() < 0.3],
        "fields": [_field(rng, decks["vine"], capacity) for capacity in (5, 6, 7)],
        "crush_pad": {colour: _some(rng, range(1, 10), poor) for colour in COLOURS},
        "wine_above_cellar": above,
        "cellar": {kind: _some(rng, range(LEAST[kind], cellar_top + 1), poor) for kind in KINDS_OF_WINE},
        "hand": {deck: _deal(cards, rng.choice(hand_sizes or CARDS_HELD[deck])) for deck, cards in decks.items()},
    }
    if not any(seat["cellar"].values()):  # without wine the mark is invalid
        seat["wine_above_cellar"] = False
    return seat


def _deal(cards: list[str], number: int) -> list[str]:
    """Deal cards, but never the last one: an empty deck would be reshuffled."""
    return [cards.pop() for _ in range(number) if len(cards) > 1]


def _field(rng: Random, vines: list[str], capacity: int) -> dict[str, Any]:
    field: dict[str, Any] = {"capacity": capacity, "vines": [], "sold": False, "harvested": False}
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        if len(vines) > 1 and load(field) + vine_value(vines[-1]) <= capacity:
            field["vines"].append(vines.pop())
    if len(vines) > 1 and field["vines"] and rng.random() < 0.1:  # a vine of the Cultivator
        field["vines"].append(vines.pop())
        field["over_limit"] = load(field) > capacity
    if field["vines"]:
        field["harvested"] = rng.random() < 0.3
    else:
        field["sold"] = rng.random() < 0.3
    return field


def _some(rng: Random, values: range, poor: bool) -> list[int]:
    likely = rng.choice([0.0, 0.0, 0.1] if poor else [0.0, 0.2, 0.5])
    return [value for value in values if rng.random() < likely]


def _board(rng: Random, seats: list[dict[str, Any]], season: str) -> dict[str, list[dict[str, Any]]]:
    players = len(seats)
    spaces = ["plain"] * (2 if players >= 5 else 1) + ["bonus"] * (players >= 3)
    actions = ACTIONS["summer"] + (ACTIONS["winter"] if season == "winter" else ACTIONS["winter"][:1])
    board: dict[str, list[dict[str, Any]]] = {}
    for action in actions:
        for space in spaces:
            if rng.random() < (0.35 if action in ACTIONS[season] else 0.1):
                _place(rng, seats, board, action, space)
        if len(board.get(action, [])) == len(spaces) and rng.random() < 0.3:
            _place(rng, seats, board, action, "crowd")
    for seat, mat in enumerate(seats):
        if "yoke" in mat["structures"] and mat["workers"]["regular"] and rng.random() < 0.3:
            mat["workers"]["regular"] -= 1
            mat["used"].append("yoke")
            board.setdefault("yoke", []).append({"space": "plain", "seat": seat, "worker": "regular"})
    return board


def _place(rng: Random, seats: list[dict[str, Any]], board: dict[str, Any], action: str, space: str) -> None:
    kinds = ("grande",) if space == "crowd" else ("regular", "regular", "grande", "temporary")
    kind = rng.choice(kinds)
    seat = rng.randrange(len(seats))
    if seats[seat]["workers"][kind]:
        seats[seat]["workers"][kind] -= 1
        board.setdefault(action, []).append({"space": space, "seat": seat, "worker": kind})

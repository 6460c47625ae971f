"""Builders of positions for the rules tests, and the few questions that the tests ask of a game.

In a position made here seat k woke in row k + 1, owns nothing but its three empty fields, two regular workers and the
grande worker, and seat 0 is to act. A test overrides what it is about.
"""

from collections import Counter

import vitienv
from tests.table.facts import ORDERS, SUMMER_VISITORS, VINE_COPIES, WINTER_VISITORS, workers

ALL_CARDS = {
    "vine": [vine for vine, copies in VINE_COPIES.items() for _ in range(copies)],
    "order": ORDERS,
    "summer": SUMMER_VISITORS,
    "winter": WINTER_VISITORS,
}


def fields(five=(), six=(), seven=(), sold=(), harvested=()):
    """The three fields with the vines on them; `sold` and `harvested` list capacities."""
    return [
        {"capacity": capacity, "vines": list(vines), "sold": capacity in sold, "harvested": capacity in harvested}
        for capacity, vines in ((5, five), (6, six), (7, seven))
    ]


def position(num_players, season, *seats, **top):
    """A position; `seats` are overrides for seat 0, 1, ..., `top` overrides the keys of the position itself."""
    full = []
    for number in range(num_players):
        seat = {
            "lira": 0,
            "victory_points": 0,
            "residual": 0,
            "wake_up": None if season == "spring" else number + 1,
            "workers": workers(),
        }
        seat.update(seats[number] if number < len(seats) else {})
        full.append(seat)
    head = {"ruleset": "essential", "num_players": num_players, "seed": 1, "season": season, "first_player": 0}
    return {**head, "seats": full, **top}


def start(num_players, season, *seats, **top):
    """The game that goes on from such a position."""
    return vitienv.Game.from_dict(position(num_players, season, *seats, **top))


def deck(game, name):
    """The cards of a deck, which has no order: those that are nowhere else. Not to be used while a card is in play."""
    record = game.to_dict()
    left = Counter(ALL_CARDS[name])
    left.subtract(record["discards"].get(name, []))
    for own in record["seats"]:
        left.subtract(own["hand"][name])
        if name == "vine":
            for field in own["fields"]:
                left.subtract(field["vines"])
    return sorted(left.elements())

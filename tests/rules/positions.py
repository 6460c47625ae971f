"""Builders of positions for the rules tests, and the few questions that the tests ask of a game.

In a position made here seat k woke in row k + 1, owns nothing but its three empty fields, two regular workers and the
grande worker, and seat 0 is to act. A test overrides what it is about.
"""

from collections import Counter

import vitienv

VINE_COPIES = {
    "sangiovese": 4,
    "malvasia": 4,
    "pinot": 6,
    "syrah": 5,
    "trebbiano": 5,
    "merlot": 5,
    "sauvignon_blanc": 5,
    "cabernet_sauvignon": 4,
    "chardonnay": 4,
}
ORDERS = [f"order_{number:02d}" for number in range(1, 37)]
SUMMER_VISITORS = (
    "surveyor broker wine_critic blacksmith contractor tour_guide novice_guide uncertified_broker planter "
    "buyer landscaper architect uncertified_architect patron auctioneer entertainer vendor handyman "
    "horticulturist peddler banker overseer importer sharecropper grower negotiator cultivator homesteader "
    "planner agriculturist swindler producer organizer sponsor artisan stonemason volunteer_crew wedding_party"
).split()
WINTER_VISITORS = (
    "merchant crusher judge oenologist marketer crush_expert uncertified_teacher teacher benefactor assessor "
    "queen harvester professor master_vintner uncertified_oenologist promoter mentor harvest_expert innkeeper "
    "jack_of_all_trades politician supervisor scholar reaper motivator bottler craftsman exporter laborer "
    "designer governess manager zymologist noble governor taster caravan guest_speaker"
).split()
ALL_CARDS = {
    "vine": [vine for vine, copies in VINE_COPIES.items() for _ in range(copies)],
    "order": ORDERS,
    "summer": SUMMER_VISITORS,
    "winter": WINTER_VISITORS,
}
SUMMER_ACTIONS = [
    "draw_vine",
    "give_tour",
    "build_structure",
    "play_summer_visitor",
    "sell_grapes_or_field",
    "plant_vine",
]
WINTER_ACTIONS = ["draw_order", "harvest_field", "train_worker", "play_winter_visitor", "make_wine", "fill_order"]
ALL_STRUCTURES = [
    "trellis",
    "irrigation",
    "yoke",
    "windmill",
    "cottage",
    "tasting_room",
    "medium_cellar",
    "large_cellar",
]
CELLARS = ["medium_cellar", "large_cellar"]


def workers(regular=2, grande=1, temporary=0):
    """Workers still to be placed."""
    return {"regular": regular, "grande": grande, "temporary": temporary}


def fields(five=(), six=(), seven=(), sold=(), harvested=()):
    """The three fields with the vines on them; `sold` and `harvested` list capacities."""
    return [
        {"capacity": capacity, "vines": list(vines), "sold": capacity in sold, "harvested": capacity in harvested}
        for capacity, vines in ((5, five), (6, six), (7, seven))
    ]


def at(seat, space="plain", worker="regular"):
    """A worker on the board."""
    return {"space": space, "seat": seat, "worker": worker}


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


# A seat that can carry out each of the twelve actions of the board, and the bonus of each as well.
ABLE = {
    "lira": 10,
    "hand": {
        "vine": ["sangiovese", "malvasia"],
        "order": ["order_04"],
        "summer": ["banker", "vendor"],
        "winter": ["politician", "caravan"],
    },
    "fields": fields(["sangiovese"], ["malvasia"]),
    "crush_pad": {"red": [1, 2], "white": [1, 2]},
    "cellar": {"red": [3], "white": [3], "blush": [], "sparkling": []},
}


def place(action, space="plain", worker="regular"):
    """The name of a placement."""
    return f"place:{action}:{space}:{worker}"


def play(game, *names):
    """Takes the named actions one after the other; each must be legal, which the game itself checks."""
    for name in names:
        game.step(name)
    return game


def settle(game):
    """Stops an optional repetition where stopping is all that is left."""
    while game.legal_actions() == ["done"]:
        game.step("done")
    return game


def seat(game, number=0):
    """What a seat has, as in a position."""
    return game.to_dict()["seats"][number]


def season(game):
    """The season as in a position."""
    return game.to_dict()["season"]


def hand_sizes(game, number=0):
    """How many cards of each deck a seat holds."""
    hand = seat(game, number)["hand"]
    return {deck: len(hand[deck]) for deck in ("vine", "order", "summer", "winter")}


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


def placements(game, action=None):
    """The legal placements, of one action or of all."""
    start_of_name = "place:" if action is None else f"place:{action}:"
    return [name for name in game.legal_actions() if name.startswith(start_of_name)]


def run_to(game, stop):
    """Everybody passes, and draws what comes first in fall, until `stop(game)` or a question of another kind."""
    while game.seat is not None and not stop(game):
        if game.decision == "place_worker":
            game.step("pass")
        elif game.decision == "choose_deck":
            game.step(game.legal_actions()[0])
        else:
            break
    return game


def run_to_season(game, name):
    """Everybody passes until the season is `name` and somebody is to act."""
    return run_to(game, lambda g: season(g) == name)


def run_to_year_end(game):
    """Everybody passes until the next spring, the hand limit or the end of the game."""
    return run_to(game, lambda g: g.decision in ("wake_up", "discard_to_limit"))

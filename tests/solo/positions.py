"""Builders of solo positions, and the few questions that the tests ask of a game.

In a position made here the seat woke in row 1 (row 2 for a second seat) and owns nothing but three empty fields, two
regular workers and the grande worker. A test overrides what it is about.
"""

import vitienv
from tests.tabletop import SUMMER_ACTIONS, SUMMER_VISITORS, WINTER_ACTIONS, WINTER_VISITORS, season, seat, workers

ACTIONS_OF = {"summer": SUMMER_ACTIONS, "winter": WINTER_ACTIONS}
REMOVED = {"summer": ["swindler", "wedding_party"], "winter": ["queen", "governor"]}
KEPT = {
    "summer": [card for card in SUMMER_VISITORS if card not in REMOVED["summer"]],
    "winter": [card for card in WINTER_VISITORS if card not in REMOVED["winter"]],
}
AUTOMA_CARDS = [f"automa_{number:02d}" for number in range(1, 25)]
ROWS = [f"wake_up:{row}" for row in range(1, 8)]
PASS = "pass"


def fields(five=(), six=(), seven=(), harvested=()):
    """The three fields with the vines on them; `harvested` lists capacities."""
    return [
        {"capacity": capacity, "vines": list(vines), "sold": False, "harvested": capacity in harvested}
        for capacity, vines in ((5, five), (6, six), (7, seven))
    ]


def cellar(**wines):
    """A cellar, empty but for what is given."""
    return {"red": [], "white": [], "blush": [], "sparkling": []} | wines


AUTOMA = {"space": "plain", "seat": "automa"}


def own(worker="regular", seat=0):
    """A worker of a seat on the left space of an action."""
    return {"space": "plain", "seat": seat, "worker": worker}


def start(season, seat=None, other=None, options=None, **top):
    """The game that goes on from such a position; `other` is the second seat of a game with a stand-in.

    Bonus action tokens of a seat whose glass tokens all lie there still are those that it began with.
    """
    awake = season != "spring"
    first = {"lira": 0, "victory_points": 0, "wake_up": 1 if awake else None, "workers": workers()}
    seats = [first | (seat or {})]
    if other is not None:
        seats.append({"wake_up": 2 if awake else None} | other)
    begun_with = max(own.get("bonus_tokens", 0) for own in seats)
    options = ({"bonus_tokens": begun_with} if begun_with else {}) | (options or {})
    head = {"ruleset": "solo", "num_players": len(seats), "seed": 1, "season": season, "first_player": 0}
    return vitienv.Game.from_dict(head | {"options": options, "seats": seats} | top)


# A seat that can carry out each of the twelve actions of the board, and use its yoke.
ABLE = {
    "lira": 10,
    "structures": ["yoke"],
    "hand": {
        "vine": ["sangiovese", "malvasia"],
        "order": ["order_04"],
        "summer": ["banker", "vendor"],
        "winter": ["politician", "caravan"],
    },
    "fields": fields(["sangiovese"], ["malvasia"]),
    "crush_pad": {"red": [1, 2], "white": [1, 2]},
    "cellar": cellar(red=[3], white=[3]),
}


def tokens(game, number=0):
    """The bonus action tokens of a seat."""
    return seat(game, number).get("bonus_tokens", 0)


def blocked(game, of_season=None):
    """The actions on which an Automa worker stands, of one season or of both."""
    board = game.to_dict()["board"]
    held = {action for action, stand in board.items() if any(worker["seat"] == "automa" for worker in stand)}
    return held & set(ACTIONS_OF[of_season]) if of_season else held


def begin(seed=1, **options):
    """A new game at its first wake-up, with more lira instead of every gift."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, **options)
    while game.decision != "wake_up":
        legal = game.legal_actions()
        game.step("option:2" if "option:2" in legal else legal[-1] if game.decision == "redraw_mama" else legal[0])
    return game


def run_to(game, stop):
    """Everybody passes, or takes the first thing offered, until `stop(game)` or the end."""
    while game.seat is not None and not stop(game):
        legal = game.legal_actions()
        game.step(PASS if PASS in legal else legal[0])
    return game


def run_to_winter(game):
    """Everybody passes until winter, where a seat decides."""
    return run_to(game, lambda g: season(g) == "winter")


def run_to_year_end(game):
    """Everybody passes until the next spring or the end of the game."""
    return run_to(game, lambda g: g.decision == "wake_up")


def run_to_end(game):
    """Everybody passes until the game is over."""
    return run_to(game, lambda g: False)

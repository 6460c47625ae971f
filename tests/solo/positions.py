"""Builders of solo positions, and the few questions that the tests ask of a game.

In a position made here the seat woke in row 1 (row 2 for a second seat) and owns nothing but three empty fields, two
regular workers and the grande worker. A test overrides what it is about.
"""

import vitienv

SUMMER_ACTIONS = [
    "draw_vine",
    "give_tour",
    "build_structure",
    "play_summer_visitor",
    "sell_grapes_or_field",
    "plant_vine",
]
WINTER_ACTIONS = ["draw_order", "harvest_field", "train_worker", "play_winter_visitor", "make_wine", "fill_order"]
ACTIONS_OF = {"summer": SUMMER_ACTIONS, "winter": WINTER_ACTIONS}
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
ALL_VINES = [vine for vine, copies in VINE_COPIES.items() for _ in range(copies)]
ALL_ORDERS = [f"order_{number:02d}" for number in range(1, 37)]
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
REMOVED = {"summer": ["swindler", "wedding_party"], "winter": ["queen", "governor"]}
KEPT = {
    "summer": [card for card in SUMMER_VISITORS if card not in REMOVED["summer"]],
    "winter": [card for card in WINTER_VISITORS if card not in REMOVED["winter"]],
}
AUTOMA_CARDS = [f"automa_{number:02d}" for number in range(1, 25)]
ROWS = [f"wake_up:{row}" for row in range(1, 8)]
CELLARS = ["medium_cellar", "large_cellar"]
ALL_STRUCTURES = ["trellis", "irrigation", "yoke", "windmill", "cottage", "tasting_room", *CELLARS]
PASS = "pass"


def workers(regular=2, grande=1, temporary=0):
    """Workers still to be placed."""
    return {"regular": regular, "grande": grande, "temporary": temporary}


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
    """The game that goes on from such a position; `other` is the second seat of a game with a stand-in."""
    awake = season != "spring"
    first = {"lira": 0, "victory_points": 0, "wake_up": 1 if awake else None, "workers": workers()}
    seats = [first | (seat or {})]
    if other is not None:
        seats.append({"wake_up": 2 if awake else None} | other)
    head = {"ruleset": "solo", "num_players": len(seats), "seed": 1, "season": season, "first_player": 0}
    return vitienv.Game.from_dict(head | {"options": options or {}, "seats": seats} | top)


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


def points(game, number=0):
    """The victory points of a seat."""
    return seat(game, number)["victory_points"]


def tokens(game, number=0):
    """The bonus action tokens of a seat."""
    return seat(game, number).get("bonus_tokens", 0)


def hand_sizes(game, number=0):
    """How many cards of each deck a seat holds."""
    hand = seat(game, number)["hand"]
    return {deck: len(hand[deck]) for deck in ("vine", "order", "summer", "winter")}


def blocked(game, of_season=None):
    """The actions on which an Automa worker stands, of one season or of both."""
    board = game.to_dict()["board"]
    held = {action for action, stand in board.items() if any(worker["seat"] == "automa" for worker in stand)}
    return held & set(ACTIONS_OF[of_season]) if of_season else held


def placements(game, action=None):
    """The legal placements, of one action or of all."""
    start_of_name = "place:" if action is None else f"place:{action}:"
    return [name for name in game.legal_actions() if name.startswith(start_of_name)]


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

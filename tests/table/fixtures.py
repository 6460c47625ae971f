"""Components of Viticulture and helpers of the rule tests, independent of the ruleset."""

VINE_COPIES = {
    "sangiovese": 4, "malvasia": 4, "pinot": 6, "syrah": 5, "trebbiano": 5, "merlot": 5, "sauvignon_blanc": 5,
    "cabernet_sauvignon": 4, "chardonnay": 4,
}  # fmt: skip
VINES = [vine for vine, copies in VINE_COPIES.items() for _ in range(copies)]
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
SUMMER_ACTIONS = [
    "draw_vine", "give_tour", "build_structure", "play_summer_visitor", "sell_grapes_or_field", "plant_vine",
]  # fmt: skip
WINTER_ACTIONS = ["draw_order", "harvest_field", "train_worker", "play_winter_visitor", "make_wine", "fill_order"]
COST = {"trellis": 2, "irrigation": 3, "yoke": 2, "windmill": 5, "cottage": 4, "tasting_room": 6, "medium_cellar": 4,
        "large_cellar": 6}  # fmt: skip
ALL_STRUCTURES = list(COST)
CELLARS = ["medium_cellar", "large_cellar"]


def workers(regular=2, grande=1, temporary=0):
    """Return the workers of a seat that are not placed yet."""
    return {"regular": regular, "grande": grande, "temporary": temporary}


def at(seat, space="plain", worker="regular"):
    """Return a worker on the board."""
    return {"space": space, "seat": seat, "worker": worker}


AUTOMA = {"space": "plain", "seat": "automa"}


def place(action, space="plain", worker="regular"):
    """Return the name of a placement."""
    return f"place:{action}:{space}:{worker}"


def play(game, *names):
    """Take actions by name, which are checked for legality."""
    for name in names:
        game.step(name)
    return game


def seat(game, number=0):
    """Return the mat of a seat as in a position."""
    return game.to_dict()["seats"][number]


def points(game, number=0):
    return seat(game, number)["victory_points"]


def season(game):
    return game.to_dict()["season"]


def hand_sizes(game, number=0):
    hand = seat(game, number)["hand"]
    return {deck: len(hand[deck]) for deck in ("vine", "order", "summer", "winter")}


def placements(game, action=None):
    start_of_name = "place:" if action is None else f"place:{action}:"
    return [name for name in game.legal_actions() if name.startswith(start_of_name)]


def run_to(game, stop):
    """Pass, and draw from the first deck in fall, until `stop(game)` or a decision of another type."""
    while game.current_seat is not None and not stop(game):
        if game.decision == "place_worker":
            game.step("pass")
        elif game.decision == "choose_deck":
            game.step(game.legal_actions()[0])
        else:
            break
    return game


def run_to_year_end(game):
    """Pass until the next spring, the hand limit or the end of the game."""
    return run_to(game, lambda g: g.decision in ("wake_up", "discard_to_limit"))

"""Rule tables of the reference."""

# red value, white value, required structures
VINES: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "sangiovese": (1, 0, ()),
    "malvasia": (0, 1, ()),
    "pinot": (1, 1, ("trellis",)),
    "syrah": (2, 0, ("trellis",)),
    "trebbiano": (0, 2, ("trellis",)),
    "merlot": (3, 0, ("irrigation",)),
    "sauvignon_blanc": (0, 3, ("irrigation",)),
    "cabernet_sauvignon": (4, 0, ("trellis", "irrigation")),
    "chardonnay": (0, 4, ("trellis", "irrigation")),
}

# wines (r, w, b, s with the minimum value) = victory points + residual payment, in card order
_ORDERS = """
r5=2+1 r2w2=2+1 r3w1=2+1 r1w3=2+1 w5=2+1 b4=2+1 r6=3+1 r2w4=3+1 r4w2=3+1 r3w3=3+1 r4r3=3+1 w6=3+1
w4w3=3+1 b6=3+1 r8=4+1 r5w3=4+1 r3w5=4+1 r4b4=4+1 r4r3r2=4+1 w8=4+1 w4b4=4+1 w4w3w2=4+1 b8=4+1 s7=4+1
r2w2b5=5+2 r7r6=5+2 r6w6=5+2 r3b7=5+2 w3b7=5+2 w7w6=5+2 s9=5+2 b6b5=6+2 w4s7=6+2 w3s7=6+2 w3s8=6+2 w2s8=6+2
"""
KINDS_OF_WINE = ("red", "white", "blush", "sparkling")


def _orders() -> dict[str, tuple[list[tuple[str, int]], int, int]]:
    kind_of = {kind[0]: kind for kind in KINDS_OF_WINE}
    orders = {}
    for number, text in enumerate(_ORDERS.split(), start=1):
        wines, reward = text.split("=")
        points, residual = reward.split("+")
        icons = [(kind_of[letter], int(value)) for letter, value in zip(wines[::2], wines[1::2])]
        icons.sort(key=lambda icon: (KINDS_OF_WINE.index(icon[0]), -icon[1]))
        orders[f"order_{number:02d}"] = (icons, int(points), int(residual))
    return orders


ORDERS = _orders()

SUMMER_VISITORS = tuple(
    """surveyor broker wine_critic blacksmith contractor tour_guide novice_guide uncertified_broker planter buyer
    landscaper architect uncertified_architect patron auctioneer entertainer vendor handyman horticulturist peddler
    banker overseer importer sharecropper grower negotiator cultivator homesteader planner agriculturist swindler
    producer organizer sponsor artisan stonemason volunteer_crew wedding_party""".split()
)
WINTER_VISITORS = tuple(
    """merchant crusher judge oenologist marketer crush_expert uncertified_teacher teacher benefactor assessor queen
    harvester professor master_vintner uncertified_oenologist promoter mentor harvest_expert innkeeper
    jack_of_all_trades politician supervisor scholar reaper motivator bottler craftsman exporter laborer designer
    governess manager zymologist noble governor taster caravan guest_speaker""".split()
)

DECKS = ("vine", "order", "summer", "winter")
CARDS: dict[str, tuple[str, ...]] = {
    "vine": tuple(VINES),
    "order": tuple(ORDERS),
    "summer": SUMMER_VISITORS,
    "winter": WINTER_VISITORS,
}
DECK_SIZES = {"vine": 42, "order": 36, "summer": 38, "winter": 38}

STRUCTURES = {
    "trellis": 2, "irrigation": 3, "yoke": 2, "windmill": 5, "cottage": 4, "tasting_room": 6, "medium_cellar": 4,
    "large_cellar": 6,
}  # fmt: skip
CELLARS = ("medium_cellar", "large_cellar")

SUMMER_ACTIONS = (
    "draw_vine", "give_tour", "build_structure", "play_summer_visitor", "sell_grapes_or_field", "plant_vine",
)  # fmt: skip
WINTER_ACTIONS = ("draw_order", "harvest_field", "train_worker", "play_winter_visitor", "make_wine", "fill_order")
ACTIONS = {"summer": SUMMER_ACTIONS, "winter": WINTER_ACTIONS}
PLACES = SUMMER_ACTIONS + WINTER_ACTIONS + ("gain_lira", "yoke")

COLOURS = ("red", "white")
FLOOR = -5  # nobody may fall below this many victory points
RESIDUAL_LIMIT = 5
STAFF_LIMIT = 5  # regular workers, without the temporary one
HIGHEST = 9  # value of the best grape or wine
LEAST = {"red": 1, "white": 1, "blush": 4, "sparkling": 7}


def grape_price(value: int) -> int:
    return (value + 2) // 3


def vine_value(vine: str) -> int:
    return VINES[vine][0] + VINES[vine][1]

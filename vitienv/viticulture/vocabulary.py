"""Every action's number and name, and the names of the decisions."""

from enum import IntEnum

from vitienv.core.actions import ActionLayout
from vitienv.viticulture.board import WINE_LEAST
from vitienv.viticulture.cards import CARD_NAMES
from vitienv.viticulture.names import (
    ACTS,
    COLOURS,
    DECKS,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_ROWS,
    N_VALUES,
    STRUCTURES,
    WINES,
)

N_OPTIONS = 6
FIELD_NAMES = ("field:5", "field:6", "field:7")
# How a worker may be placed on an action, in this order for each of the twelve.
PLACINGS = ("plain:regular", "plain:grande", "bonus:regular", "bonus:grande", "crowd:grande")
PLAIN_REGULAR, PLAIN_GRANDE, BONUS_REGULAR, BONUS_GRANDE, CROWD_GRANDE = range(len(PLACINGS))
N_PLACINGS = len(PLACINGS)

ACTIONS = ActionLayout(
    {
        "pass": ["pass"],
        "answer": ["yes", "no"],
        "done": ["done"],
        "option": [f"option:{i + 1}" for i in range(N_OPTIONS)],
        "wake_up": [f"wake_up:{i + 1}" for i in range(N_ROWS)],
        "place": [f"place:{act}:{how}" for act in ACTS[:N_BOARD_ACTIONS] for how in PLACINGS]
        + [f"place:{act}:{how}" for act in ACTS[N_BOARD_ACTIONS:] for how in PLACINGS[:2]],
        "card": [f"card:{name}" for name in CARD_NAMES],
        "field": list(FIELD_NAMES),
        "structure": [f"structure:{name}" for name in STRUCTURES],
        "grape": [f"grape:{colour}:{value}" for colour in COLOURS for value in range(1, N_VALUES + 1)],
        "wine": [
            f"wine:{name}:{value}"
            for name, least in zip(WINES, WINE_LEAST, strict=True)
            for value in range(int(least), N_VALUES + 1)
        ],
        "make": [f"make:{name}" for name in WINES],
        "deck": [f"deck:{name}" for name in DECKS],
        "seat": [f"seat:+{k}" for k in range(1, MAX_SEATS)],
    }
)
N_ACTIONS = len(ACTIONS)

PASS = ACTIONS.number("pass")
YES = ACTIONS.number("yes")
NO = ACTIONS.number("no")
DONE_ACTION = ACTIONS.number("done")
OPTION = ACTIONS.start("option")
WAKE = ACTIONS.start("wake_up")
PLACE = ACTIONS.start("place")
PLACE_CART = ACTIONS.number("place:gain_lira:plain:regular")
PLACE_YOKE = ACTIONS.number("place:yoke:plain:regular")
CARD_ACTION = ACTIONS.start("card")
FIELD = ACTIONS.start("field")
STRUCTURE = ACTIONS.start("structure")
GRAPE = ACTIONS.start("grape")
WINE = ACTIONS.start("wine")
MAKE = ACTIONS.start("make")
DECK = ACTIONS.start("deck")
SEAT_ACTION = ACTIONS.start("seat")


class FrameOp(IntEnum):
    """What a frame on the stack does. The first ones run by themselves; from WAKE on a seat decides."""

    NONE = 0
    SETUP = 1
    YEAR = 2
    PLANNED = 3
    CARD = 4
    PARTS = 5
    OFFERS = 6
    TRAIN = 7
    IMPORT = 8
    GOVERN = 9
    WAKE = 10
    PARENT = 11
    GIFT = 12
    DECK = 13
    PLACE = 14
    BONUS = 15
    PLAY = 16
    BRANCH = 17
    ORDER = 18
    BUILD = 19
    PLANT = 20
    HARVEST = 21
    UPROOT = 22
    CARDS = 23
    SELL = 24
    MAKE = 25
    FILL = 26
    YOKE = 27
    GRAPE = 28
    WINE = 29
    BUY = 30
    SWAP = 31
    ASK = 32
    QUEEN = 33
    OFFER_CARDS = 34
    OPPONENTS = 35
    PLAN = 36
    RETRIEVE = 37
    MANAGE = 38
    ROOSTER = 39
    CARAVAN = 40
    PILES = 41
    TOKEN = 42
    MAMA = 43
    CHOOSE_VINE = 44


N_FRAME_OPS = len(FrameOp)

# The name of the decision for each deciding operation, by stage.
DECISION_NAMES: dict[FrameOp, tuple[str, ...]] = {
    FrameOp.WAKE: ("wake_up",),
    FrameOp.PARENT: ("choose_mama", "choose_papa"),
    FrameOp.GIFT: ("papa_gift",),
    FrameOp.DECK: ("choose_deck",),
    FrameOp.PLACE: ("place_worker",),
    FrameOp.BONUS: ("take_bonus",),
    FrameOp.PLAY: ("play_visitor",),
    FrameOp.BRANCH: ("choose_option",),
    FrameOp.ORDER: ("choose_option",),
    FrameOp.BUILD: ("build_structure",),
    FrameOp.PLANT: ("plant_vine", "plant_field"),
    FrameOp.HARVEST: ("harvest_field",),
    FrameOp.UPROOT: ("uproot_field", "uproot_vine"),
    FrameOp.CARDS: ("discard_card", "discard_to_limit", "give_card"),
    FrameOp.SELL: ("sell",),
    FrameOp.MAKE: ("make_wine", "choose_grape"),
    FrameOp.FILL: ("fill_order", "choose_wine"),
    FrameOp.YOKE: ("yoke",),
    FrameOp.GRAPE: ("discard_grape",),
    FrameOp.WINE: ("discard_wine", "age_wine"),
    FrameOp.BUY: ("buy_grape",),
    FrameOp.SWAP: ("swap_vines",) * 4,
    FrameOp.ASK: ("offer",),
    FrameOp.QUEEN: ("queen",),
    FrameOp.OFFER_CARDS: ("import_card",),
    FrameOp.OPPONENTS: ("choose_opponent",),
    FrameOp.PLAN: ("plan_action",),
    FrameOp.RETRIEVE: ("retrieve_worker",),
    FrameOp.MANAGE: ("manage_action",),
    FrameOp.ROOSTER: ("move_rooster",),
    FrameOp.CARAVAN: ("choose_card",),
    FrameOp.PILES: ("choose_pile",),
    FrameOp.TOKEN: ("spend_token",),
    FrameOp.MAMA: ("redraw_mama",),
    FrameOp.CHOOSE_VINE: ("choose_vine",),
}
# Decisions in the order of their numbers in the observation.
DECISIONS: list[str] = list(dict.fromkeys(name for names in DECISION_NAMES.values() for name in names))

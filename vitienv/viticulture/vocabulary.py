"""Numbers and names of all actions."""

from vitienv.core.action_spec import ActionSpec
from vitienv.core.compiling.namespaces import IntConstants, words
from vitienv.viticulture.board import MIN_WINE_VALUE
from vitienv.viticulture.cards import CARD_NAMES
from vitienv.viticulture.enums import (
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


class Placing(IntConstants):
    """Placements of a worker on an action."""

    PLAIN_REGULAR = 0
    PLAIN_GRANDE = 1
    BONUS_REGULAR = 2
    BONUS_GRANDE = 3
    CROWD_GRANDE = 4


PLACINGS = [name.replace("_", ":") for name in words(Placing)]
N_PLACINGS = len(PLACINGS)

ACTIONS = ActionSpec(
    {
        "pass": ["pass"],
        "answer": ["yes", "no"],
        "done": ["done"],
        "option": [f"option:{i + 1}" for i in range(N_OPTIONS)],
        "wake_up": [f"wake_up:{i + 1}" for i in range(N_ROWS)],
        "place": [f"place:{act}:{placing}" for act in ACTS[:N_BOARD_ACTIONS] for placing in PLACINGS]
        + [f"place:{act}:{placing}" for act in ACTS[N_BOARD_ACTIONS:] for placing in PLACINGS[:2]],
        "card": [f"card:{name}" for name in CARD_NAMES],
        "field": list(FIELD_NAMES),
        "structure": [f"structure:{name}" for name in STRUCTURES],
        "grape": [f"grape:{colour}:{value}" for colour in COLOURS for value in range(1, N_VALUES + 1)],
        "wine": [
            f"wine:{name}:{value}"
            for name, min_value in zip(WINES, MIN_WINE_VALUE, strict=True)
            for value in range(int(min_value), N_VALUES + 1)
        ],
        "make": [f"make:{name}" for name in WINES],
        "deck": [f"deck:{name}" for name in DECKS],
        "seat": [f"seat:+{k}" for k in range(1, MAX_SEATS)],
    }
)
N_ACTIONS = len(ACTIONS)


class Move(IntConstants):
    """Single actions, and the first of each block of actions."""

    PASS = ACTIONS.number("pass")
    YES = ACTIONS.number("yes")
    NO = ACTIONS.number("no")
    DONE = ACTIONS.number("done")
    OPTION = ACTIONS.start("option")
    WAKE_UP = ACTIONS.start("wake_up")
    PLACE = ACTIONS.start("place")
    PLACE_CART = ACTIONS.number("place:gain_lira:plain:regular")
    CARD = ACTIONS.start("card")
    FIELD = ACTIONS.start("field")
    STRUCTURE = ACTIONS.start("structure")
    GRAPE = ACTIONS.start("grape")
    WINE = ACTIONS.start("wine")
    MAKE = ACTIONS.start("make")
    DECK = ACTIONS.start("deck")
    SEAT = ACTIONS.start("seat")

"""Numbers and names of all actions."""

from vitienv.core.action_spec import ActionSpec
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.toscana.enums import (
    CAPACITY,
    COLUMNS,
    CROSS_COLUMNS,
    CROSS_ROWS,
    GOODS,
    MAX_SEATS,
    N_TILES,
    ROWS,
    SERVICES,
    TURNS,
)

HIGHEST_OFFER = 10  # price of a box between players (O12)
SQUARE_NAMES = [f"{row}:{column}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]
CROSSROAD_NAMES = [f"{row}:{column}" for row in range(1, CROSS_ROWS + 1) for column in range(1, CROSS_COLUMNS + 1)]
AMOUNTS = [f"{good}:{n}" for good in GOODS for n in range(1, CAPACITY + 1)]

ACTIONS = ActionSpec(
    {
        "done": ["done"],
        "answer": ["yes", "no"],
        "take": [f"take:{turn}" for turn in TURNS],
        "pass": ["pass:hiring", "pass:trading", "pass:winemaking", "pass:winemaking:red", "pass:winemaking:water"],
        "square": [f"square:{name}" for name in SQUARE_NAMES],
        "service": [f"service:{name}" for name in SERVICES],
        "tile": [f"tile:{good}" for good in GOODS],
        "price": [f"price:{good}:{direction}" for good in GOODS for direction in ("up", "down")],
        "crossroad": [f"crossroad:{name}" for name in CROSSROAD_NAMES],
        "good": [f"good:{good}" for good in GOODS],
        "buy": [f"buy:{amount}" for amount in AMOUNTS],
        "sell": [f"sell:{amount}" for amount in AMOUNTS],
        "taste": [f"taste:{tile}" for tile in range(1, N_TILES + 1)],
        "seat": [f"seat:+{k}" for k in range(1, MAX_SEATS)],
        "at": [f"at:{money}" for money in range(HIGHEST_OFFER + 1)],
    }
)
N_ACTIONS = len(ACTIONS)


class Move(IntConstants):
    """Single actions, and the first of each block of actions."""

    DONE = ACTIONS.number("done")
    YES = ACTIONS.number("yes")
    NO = ACTIONS.number("no")
    TAKE = ACTIONS.start("take")
    PASS_HIRING = ACTIONS.number("pass:hiring")
    PASS_TRADING = ACTIONS.number("pass:trading")
    PASS_WINEMAKING = ACTIONS.number("pass:winemaking")
    PASS_FOR_RED = ACTIONS.number("pass:winemaking:red")
    PASS_FOR_WATER = ACTIONS.number("pass:winemaking:water")
    SQUARE = ACTIONS.start("square")
    LOBBYIST = ACTIONS.number("service:lobbyist")
    MR_ROSE = ACTIONS.number("service:mr_rose")
    TILE = ACTIONS.start("tile")
    PRICE = ACTIONS.start("price")
    CROSSROAD = ACTIONS.start("crossroad")
    GOOD = ACTIONS.start("good")
    BUY = ACTIONS.start("buy")
    SELL = ACTIONS.start("sell")
    TASTE = ACTIONS.start("taste")
    SEAT = ACTIONS.start("seat")
    AT = ACTIONS.start("at")

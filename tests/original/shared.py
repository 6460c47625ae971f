"""What is as in the Essential Edition: its cases, played in both presets, with fields of 5, 6 and 7 as there.

A case is left out that has a sold field, a cart in summer, a later visitor, the friendly variant or over 25 points.
"""

from tests.rules import (
    bonuses,
    game_end,
    harvest,
    orders,
    spaces,
    spring,
    structures,
    summer_actions,
    turns,
    visitors,
    wine,
    year_end,
)

from .positions import INSTEAD, LATER_VISITORS, PRESETS, seat_of

LATER = [card for cards in LATER_VISITORS.values() for card in cards]


def is_there(case):
    """Whether the position and all that is said of it are of this edition too."""
    said, seats = repr((case.moves, case.expect)), case.position["seats"]
    hands = {card for own in seats for cards in own["hand"].values() for card in cards} - set(INSTEAD)
    return not (
        any(field["sold"] for own in seats for field in own["fields"])
        or any(own["victory_points"] > 25 for own in seats)
        or hands & set(LATER) or any(f":{card}" in said for card in LATER) or "sold" in said
        or (case.position["season"] == "summer" and "gain_lira" in said)
        or {"friendly", "sell_bonus"} & set(case.position.get("options", {}))
    )  # fmt: skip


def alike(rows, *lists, but=(), presets=PRESETS):
    """Cases of rows of the differences. but: beginnings of those that are not alike."""
    return [
        case._replace(rule=f"rows {rows}: {case.rule}", what=f"{case.what} ({preset})", position=case.position | {
            "ruleset": "original", "seats": [seat_of(own) for own in case.position["seats"]],
            "options": case.position.get("options", {}) | {"preset": preset, "field_capacities": (5, 6, 7)}})
        for cases in lists for case in cases if is_there(case) and not case.what.startswith(tuple(but))
        for preset in presets
    ]  # fmt: skip


WAKE_UP = alike("19 and 20", spring.CHOOSING, spring.ORDER, spring.BONUS)
SPACES = alike("39, 40 and 43", spaces.OPEN, spaces.GRANDE)
TEMPORARY = alike("42", spaces.TEMPORARY)
CART = alike("27", spaces.CART_CASES)
BONUSES = alike("32, 33, 34, 39 and 40", bonuses.TWELVE, bonuses.FIRST_OR_LEFT,
                but=("build_structure", "train_worker", "sell"))  # fmt: skip
DUTY = alike("34", turns.IMPOSSIBLE, but=["no worker on an action that cannot be done: train"])
FALL = alike("35", turns.FALL, structures.COTTAGE)
TURNS = alike("36 and 37", turns.ORDER)
FIVE_WORKERS = alike("9 and 30", year_end.FIVE)
TASTING_ROOM = alike("47", structures.TASTING_ROOM, but=["grapes are no wine"])
WINDMILL = alike("48", structures.WINDMILL)
YOKE = [*alike("41, 49 and 52", structures.YOKE, presets=PRESETS[:1]), *alike(
    "41 and 49", structures.YOKE, presets=PRESETS[1:], but=("a vine back", "it only uproots"))]  # fmt: skip
PLANT = alike("2 and 51", summer_actions.PLANT)
HARVEST = alike("52 and 53", harvest.SUMS, harvest.TAKEN_SLOT, harvest.ONCE_A_YEAR)
WINE = alike("31, 53, 54 and 55", wine.VALUES, wine.TOKENS, wine.KINDS, wine.TAKEN_SLOT, but=(
    "no wine is made to be lost", "no blush below four: no slot", "no sparkling wine below seven: ["))  # fmt: skip
ORDERS = alike("56 and 57", orders.CHOICE, orders.RESIDUAL)
YEAR_END = alike("42 and 58", year_end.AGEING, year_end.WORKERS, year_end.LIMIT, year_end.STEPS,
                 but=["a trained worker"])  # fmt: skip
GOAL = alike("59", game_end.GOAL)
TIES = alike("62", game_end.TIES, game_end.PLACES)
VISITORS = alike("61 and 64", visitors.WHOLE, visitors.PRICES, visitors.IN_PLAY, visitors.BOARD, visitors.OFFERS,
                 but=("no discount of the board", "the second visitor may be"))  # fmt: skip
CASES = [*WAKE_UP, *SPACES, *TEMPORARY, *CART, *BONUSES, *DUTY, *FALL, *TURNS, *FIVE_WORKERS, *TASTING_ROOM,
         *WINDMILL, *YOKE, *PLANT, *HARVEST, *WINE, *ORDERS, *YEAR_END, *GOAL, *TIES, *VISITORS]  # fmt: skip

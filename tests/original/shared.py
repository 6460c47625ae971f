"""Cases of the Essential Edition that also hold in both presets, with fields of 5, 6 and 7.

Cases with a sold field, a cart in summer, a later visitor, the friendly variant or more than 25 points are omitted.
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


def is_shared(case):
    """Return whether position and moves of a case exist in this edition."""
    words, seats = repr((case.moves, case.expect)), case.position["seats"]
    hands = {card for seat in seats for cards in seat["hand"].values() for card in cards} - set(INSTEAD)
    return not (
        any(field["sold"] for seat in seats for field in seat["fields"])
        or any(seat["victory_points"] > 25 for seat in seats)
        or hands & set(LATER) or any(f":{card}" in words for card in LATER) or "sold" in words
        or (case.position["season"] == "summer" and "gain_lira" in words)
        or {"friendly", "sell_bonus"} & set(case.position.get("options", {}))
    )  # fmt: skip


def shared_cases(rows, *lists, but=(), presets=PRESETS):
    """Return the shared cases for some rows of the comparison. but: title prefixes of cases that differ."""
    return [
        case._replace(rule=f"rows {rows}: {case.rule}", title=f"{case.title} ({preset})", position=case.position | {
            "ruleset": "original", "seats": [seat_of(seat) for seat in case.position["seats"]],
            "options": case.position.get("options", {}) | {"preset": preset, "field_capacities": (5, 6, 7)}})
        for cases in lists for case in cases if is_shared(case) and not case.title.startswith(tuple(but))
        for preset in presets
    ]  # fmt: skip


WAKE_UP = shared_cases("19 and 20", spring.CHOOSING, spring.ORDER, spring.BONUS)
SPACES = shared_cases("39, 40 and 43", spaces.OPEN, spaces.GRANDE)
TEMPORARY = shared_cases("42", spaces.TEMPORARY)
CART = shared_cases("27", spaces.CART_CASES)
BONUSES = shared_cases("32, 33, 34, 39 and 40", bonuses.TWELVE, bonuses.FIRST_OR_LEFT,
                but=("build_structure", "train_worker", "sell"))  # fmt: skip
DUTY = shared_cases("34", turns.IMPOSSIBLE, but=["no worker on an action that cannot be done: train"])
FALL = shared_cases("35", turns.FALL, structures.COTTAGE)
TURNS = shared_cases("36 and 37", turns.ORDER)
FIVE_WORKERS = shared_cases("9 and 30", year_end.FIVE)
TASTING_ROOM = shared_cases("47", structures.TASTING_ROOM, but=["grapes are no wine"])
WINDMILL = shared_cases("48", structures.WINDMILL)
YOKE = [*shared_cases("41, 49 and 52", structures.YOKE, presets=PRESETS[:1]), *shared_cases(
    "41 and 49", structures.YOKE, presets=PRESETS[1:], but=("a vine back", "it only uproots"))]  # fmt: skip
PLANT = shared_cases("2 and 51", summer_actions.PLANT)
HARVEST = shared_cases("52 and 53", harvest.SUMS, harvest.TAKEN_SLOT, harvest.ONCE_A_YEAR)
WINE = shared_cases("31, 53, 54 and 55", wine.VALUES, wine.TOKENS, wine.KINDS, wine.TAKEN_SLOT, but=(
    "no wine is made to be lost", "no blush below four: no slot", "no sparkling wine below seven: ["))  # fmt: skip
ORDERS = shared_cases("56 and 57", orders.CHOICE, orders.RESIDUAL)
YEAR_END = shared_cases("42 and 58", year_end.AGEING, year_end.WORKERS, year_end.LIMIT, year_end.STEPS,
                 but=["a trained worker"])  # fmt: skip
GOAL = shared_cases("59", game_end.GOAL)
TIES = shared_cases("62", game_end.TIES, game_end.PLACES)
VISITORS = shared_cases("61 and 64", visitors.WHOLE, visitors.PRICES, visitors.IN_PLAY, visitors.BOARD, visitors.OFFERS,
                 but=("no discount of the board", "the second visitor may be"))  # fmt: skip
CASES = [*WAKE_UP, *SPACES, *TEMPORARY, *CART, *BONUSES, *DUTY, *FALL, *TURNS, *FIVE_WORKERS, *TASTING_ROOM,
         *WINDMILL, *YOKE, *PLANT, *HARVEST, *WINE, *ORDERS, *YEAR_END, *GOAL, *TIES, *VISITORS]  # fmt: skip

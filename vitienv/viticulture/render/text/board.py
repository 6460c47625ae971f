"""Texts of the board, the vineyard and terms, with the rule parameters of the game."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vitienv.viticulture.board import CART_LIRA, LARGE_TIER, MEDIUM_TIER, TOUR_LIRA, WINES_PER_ACTION, Bonus, Row
from vitienv.viticulture.cards import VINES
from vitienv.viticulture.enums import ACTS, N_BOARD_ACTIONS, N_SUMMER_ACTIONS, N_VALUES, STRUCTURES, Act, Structure
from vitienv.viticulture.render.text.phrases import a, lira, listed, plain, points, sentence, title
from vitienv.viticulture.render.text.terms import terms
from vitienv.viticulture.state import RULE_PARAMETERS, Rule

Rules = np.ndarray
NEUTRAL = RULE_PARAMETERS.neutral()  # the Essential Edition, without a game


def structure_price(structure: int, rules: Rules = NEUTRAL) -> int:
    """Return the price of a structure."""
    return int(rules[Rule.STRUCTURE_COST + structure])


def _yoke(rules: Rules) -> str:
    if rules[Rule.YOKE_BY_SEASON]:
        return "a worker placed on it uproots a vine (in summer) or harvests a field (in winter), once a year"
    return "a worker placed on it uproots a vine or harvests a field, once a year"


def _tasting(rules: Rules) -> str:
    wine = " with a wine in your cellar" if rules[Rule.TASTING_NEEDS_WINE] else ""
    return f"{points(1)} for a worker placed on Give tour{wine}, once a year"


STRUCTURE_TEXTS: dict[Structure, Callable[[Rules], str]] = {
    Structure.TRELLIS: lambda rules: f"needed by {listed(title(vine.id) for vine in VINES if vine.trellis)}",
    Structure.IRRIGATION: lambda rules: f"needed by {listed(title(vine.id) for vine in VINES if vine.irrigation)}",
    Structure.YOKE: _yoke,
    Structure.WINDMILL: lambda rules: f"{points(1)} for the first vine you plant each year",
    Structure.COTTAGE: lambda rules: "one more visitor each fall",
    Structure.TASTING_ROOM: _tasting,
    Structure.MEDIUM_CELLAR: lambda rules: f"wines of value {MEDIUM_TIER} to {LARGE_TIER - 1}, and blush",
    Structure.LARGE_CELLAR: lambda rules: (
        f"wines of value {LARGE_TIER} to {N_VALUES}, and sparkling; needs the medium cellar"
    ),
}


def structure_text(structure: int, rules: Rules = NEUTRAL) -> str:
    """Return the use of a structure."""
    text = STRUCTURE_TEXTS.get(Structure(structure))
    return text(rules) if text else ""


ACT_TEXTS: dict[Act, Callable[[Rules], str]] = {
    Act.DRAW_VINE: lambda rules: "draw a vine card",
    Act.GIVE_TOUR: lambda rules: f"receive {lira(TOUR_LIRA)}",
    Act.BUILD_STRUCTURE: lambda rules: "pay for a structure",
    Act.PLAY_SUMMER_VISITOR: lambda rules: "play a summer visitor from your hand",
    Act.SELL_GRAPES_OR_FIELD: lambda rules: (
        "sell grapes" + (", or sell an empty field, or buy one back" if rules[Rule.FIELD_TRADE] else "")
    ),
    Act.PLANT_VINE: lambda rules: "plant a vine card from your hand on a field",
    Act.DRAW_ORDER: lambda rules: "draw a wine order",
    Act.HARVEST_FIELD: lambda rules: f"turn the vines of {a(int(rules[Rule.FIELDS_PER_HARVEST]), 'field')} into grapes",
    Act.TRAIN_WORKER: lambda rules: f"pay {lira(int(rules[Rule.TRAIN_PRICE]))} for a new worker, available next year",
    Act.PLAY_WINTER_VISITOR: lambda rules: "play a winter visitor from your hand",
    Act.MAKE_WINE: lambda rules: f"make up to {WINES_PER_ACTION} wines from your grapes",
    Act.FILL_ORDER: lambda rules: "give wines for an order: points, and lira every year",
    Act.GAIN_LIRA: lambda rules: f"receive {lira(CART_LIRA)}; never full",
    Act.YOKE: lambda rules: "your own yoke: uproot a vine or harvest a field, once a year",
}


def act_text(act: int, rules: Rules = NEUTRAL) -> str:
    """Return the effect of a board action."""
    text = ACT_TEXTS.get(Act(act))
    return text(rules) if text else ""


def act_name(act: int) -> str:
    """Return the name of a board action."""
    return "Cart" if act == Act.GAIN_LIRA else "Yoke" if act == Act.YOKE else plain(ACTS[act]).capitalize()


BONUS_TEXTS = {
    Bonus.DRAW: "one more card",
    Bonus.LIRA: lira(1),
    Bonus.VP: points(1),
    Bonus.AGAIN: "once more",
    Bonus.NONE: "nothing",
}


def bonus_text(act: int, rules: Rules = NEUTRAL) -> str:
    """Return the bonus of an action, "" for the cart and the yoke."""
    if act >= N_BOARD_ACTIONS:
        return ""
    kind = Bonus(int(rules[Rule.BONUS_OF_ACT + act]))
    again_texts = {Act.PLANT_VINE: "one more vine", Act.HARVEST_FIELD: "one more field", Act.MAKE_WINE: "one more wine"}
    again_texts |= {Act.PLAY_SUMMER_VISITOR: "one more visitor", Act.PLAY_WINTER_VISITOR: "one more visitor"}
    return again_texts.get(Act(act), BONUS_TEXTS[kind]) if kind == Bonus.AGAIN else BONUS_TEXTS[kind]


ROW_TEXTS = {
    Row.FIRST: "no bonus; you go first",
    Row.VINE: "a vine card",
    Row.ORDER: "a wine order",
    Row.LIRA: lira(1),
    Row.VISITOR: "a summer or a winter visitor",
    Row.VP: points(1),
    Row.TEMPORARY: "the temporary worker for this year",
}


def row_text(row: int) -> str:
    """Return the bonus of a wake-up row."""
    return ROW_TEXTS[Row(row)]


def explain_term(word: str, rules: Rules = NEUTRAL) -> list[str]:
    """Return paragraphs on a board action, structure, wake-up row or term, [] if it is unknown."""
    texts = []
    if word in ACTS:
        act = ACTS.index(word)
        season_name = "Summer" if act < N_SUMMER_ACTIONS else "Winter"
        season = f"{season_name} action: " if act < N_BOARD_ACTIONS else ""
        bonus = bonus_text(act, rules)
        bonus = "" if bonus in ("", BONUS_TEXTS[Bonus.NONE]) else f" The bonus of its middle space: {bonus}."
        texts.append(f"{act_name(act)}. {sentence(season + act_text(act, rules))}{bonus}")
    if word in STRUCTURES:
        structure = STRUCTURES.index(word)
        cost = lira(structure_price(structure, rules))
        texts.append(f"{plain(word).capitalize()}, a structure for {cost}: {structure_text(structure, rules)}.")
    term_texts = terms(rules)
    if word in term_texts:
        texts.append(term_texts[word])
    if word == "wake_up":
        texts += [f"  row {int(row)}: {row_text(row)}" for row in Row]
    return texts


def term_names() -> list[str]:
    """Return the names accepted by `explain_term`."""
    return [*ACTS, *(name for name in STRUCTURES if name not in ACTS), *terms(NEUTRAL)]

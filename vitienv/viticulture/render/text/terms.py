"""Terms of the game in a few sentences each, with the numbers of the ruleset."""

from __future__ import annotations

import numpy as np

from vitienv.viticulture.board import AUTOMA_WORKERS_MAX, LARGE_TIER, MEDIUM_TIER, MIN_WINE_VALUE
from vitienv.viticulture.enums import HAND_LIMIT, N_FIELDS, N_VALUES, RESIDUAL_MAX, VP_FLOOR, Wine
from vitienv.viticulture.render.text.phrases import lira, listed, points
from vitienv.viticulture.state import Rule

MAX_CAP = 100  # caps on points above this are not mentioned


def terms(rules: np.ndarray) -> dict[str, str]:
    """Return the texts of all terms. rules: rule parameters of a game."""
    cap, capacities = int(rules[Rule.VP_CAP]), rules[Rule.FIELD_CAPACITY : Rule.FIELD_CAPACITY + N_FIELDS]
    capped = f" Nobody has more than {cap}." if cap < MAX_CAP else ""
    traded = " An empty field can be sold for as many lira, and bought back." if rules[Rule.FIELD_TRADE] else ""
    limits = listed(str(int(n)) for n in capacities)
    blush, sparkling = int(MIN_WINE_VALUE[Wine.BLUSH]), int(MIN_WINE_VALUE[Wine.SPARKLING])
    token = " Bonus action tokens cannot be spent in this game." if not rules[Rule.BONUS_TOKENS] else ""
    return {
        "points": f"Victory points decide the game. They cannot fall below {VP_FLOOR}.{capped}",
        "lira": "The money. Tours, the cart, sold grapes, visitors and residual payments bring it; structures and new "
        "workers cost it.",
        "residual": f"Residual payments are lira that you receive at the end of each year, at most {RESIDUAL_MAX}. "
        "Filled orders raise them.",
        "wake_up": "In spring everybody puts a rooster on a row of the wake-up chart. Lower rows take "
        "turns earlier all year; higher rows give more.",
        "grande": "The grande worker may join an action that is full, without its bonus. Otherwise it works like any "
        "other.",
        "temporary": "The temporary worker comes with the last wake-up row and leaves at the end of the year. Regular "
        "workers are placed before it.",
        "bonus": "The middle space of an action gives something more. It is in use with three or more players.",
        "pass": "After passing you take no more turns this season. Workers not placed in summer can work in winter.",
        "field": f"You have three fields with limits of {limits}. The values of the vines on a field may add up to its "
        f"limit. It can be harvested once a year, and its vines stay.{traded}",
        "harvest": "All red values of a field make one red grape and all white values one white grape, of at most "
        f"{N_VALUES}. Where that place of the crush pad is taken, the grape goes to the next lower one that is free.",
        "crush_pad": "Place for grapes, one of each colour and value. At the end of the year each grows by 1 if the "
        "next place is free.",
        "cellar": "Place for wines, one of each type and value. At the end of the year each grows by 1 if the next "
        f"place is free. Values from {MEDIUM_TIER} need the medium cellar, from {LARGE_TIER} the large one.",
        "wine": "Red wine is made from a red grape, white wine from a white one, blush from one of each that add up to "
        f"{blush} or more, sparkling from two red and a white one that add up to {sparkling} or more. The sum is the "
        "wine's value.",
        "visitor": "Summer and winter visitors are cards with special effects. Each fall brings one.",
        "order": "A wine order requires wines of certain values or more, and gives points and residual payments.",
        "hand": f"At the end of the year you keep at most {HAND_LIMIT} cards.",
        "automa": "The opponent in the solo game. Each season a card puts its workers on spaces, at most "
        f"{AUTOMA_WORKERS_MAX} in a year; they block and do nothing. To win you must pass its marker.",
        "token": "In the solo game a glass token lies on each wake-up row. It becomes a bonus action token when you "
        "choose the row. Spend one when you place a worker, and the action gives its bonus too, such as "
        f"{lira(1)} or {points(1)}.{token}",
    }

"""The terms of the game, each in a few sentences with the numbers of the ruleset that is played."""

from __future__ import annotations

import numpy as np

from vitienv.viticulture.board import AUTOMA_WORKERS_MAX, LARGE_TIER, MEDIUM_TIER, WINE_LEAST
from vitienv.viticulture.enums import HAND_LIMIT, N_FIELDS, N_VALUES, RESIDUAL_MAX, VP_FLOOR, Wine
from vitienv.viticulture.render.text.phrases import lira, listed, points
from vitienv.viticulture.state import Rule

MOST = 100  # a cap on points above this is none


def terms(rules: np.ndarray) -> dict[str, str]:
    """What each term means; rules: the numbers of a game."""
    cap, capacities = int(rules[Rule.VP_CAP]), rules[Rule.FIELD_CAPACITY : Rule.FIELD_CAPACITY + N_FIELDS]
    capped = f" Nobody has more than {cap}." if cap < MOST else ""
    traded = " An empty field can be sold for as many lira, and bought back." if rules[Rule.FIELD_TRADE] else ""
    limits = listed(str(int(n)) for n in capacities)
    blush, sparkling = int(WINE_LEAST[Wine.BLUSH]), int(WINE_LEAST[Wine.SPARKLING])
    token = " Bonus action tokens cannot be spent in this game." if not rules[Rule.BONUS_TOKENS] else ""
    return {
        "points": f"Victory points decide the game. They may fall to {VP_FLOOR}, not below.{capped}",
        "lira": "The money. Tours, the cart, sold grapes, visitors and residual payments bring it; structures and new "
        "workers cost it.",
        "residual": f"Residual payments are lira that you receive at the end of each year, at most {RESIDUAL_MAX}. "
        "Filled orders raise them.",
        "wake_up": "In spring everybody puts a rooster on a row of the wake-up chart. Who is in a lower row takes "
        "turns earlier all year; higher rows give more.",
        "grande": "The grande worker may join an action that is full, without its bonus. Otherwise it works like any "
        "other.",
        "temporary": "The temporary worker comes with the last wake-up row and leaves at the end of the year. Regular "
        "workers are placed before it.",
        "bonus": "The middle space of an action gives something more. It is in use with three or more players.",
        "pass": "Who passes does nothing more in this season. Workers that were not placed in summer work in winter.",
        "field": f"You have three fields with limits of {limits}. The values of the vines on a field may add up to its "
        f"limit. It can be harvested once a year, and its vines stay.{traded}",
        "harvest": "All red values of a field make one red grape and all white values one white grape, of at most "
        f"{N_VALUES}. Where that place of the crush pad is taken, the grape goes to the next lower one that is free.",
        "crush_pad": "Where grapes lie, one of each colour and value. At the end of the year each grows by 1 if the "
        "next place is free.",
        "cellar": "Where wines lie, one of each type and value. At the end of the year each grows by 1 if the next "
        f"place is free. Values from {MEDIUM_TIER} need the medium cellar, from {LARGE_TIER} the large one.",
        "wine": "Red wine is made of a red grape, white wine of a white one, blush of one of each that add up to "
        f"{blush} or more, sparkling of two red and a white one that add up to {sparkling} or more. The sum is the "
        "wine's value.",
        "visitor": "Summer and winter visitors are cards with effects of their own. Each fall brings one.",
        "order": "A wine order asks for wines of some values or more, and brings points and residual payments.",
        "hand": f"At the end of the year you keep at most {HAND_LIMIT} cards.",
        "automa": "The opponent in the solo game. Each season a card puts its workers on spaces, at most "
        f"{AUTOMA_WORKERS_MAX} in a year; they block and do nothing. To win you must pass its marker.",
        "token": "In the solo game a glass token lies on each wake-up row. It becomes a bonus action token when you "
        "choose the row. Spend one when you place a worker, and the action gives its bonus too, such as "
        f"{lira(1)} or {points(1)}.{token}",
    }

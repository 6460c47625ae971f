"""The bot of the strategy "big cellar and sparkling": structures early, then blush and sparkling orders."""

from dataclasses import replace

from vitienv.agents.viticulture.heuristic import HEURISTIC
from vitienv.agents.viticulture.rule_agent import RuleAgent

CELLAR = replace(
    HEURISTIC,
    # Structures early.
    trellis_year=45,
    irrigation_year=40,
    medium_year=55,
    large_year=45,
    # Higher values of vines, grapes, great wines and orders.
    plant_more=25,
    make_more=25,
    fill_more=110,
    field_year=26,
    field_crowd=95,
    grape_value=16,
    wine_value=16,
    blush=150,
    blush_value=18,
    sparkling=220,
    sparkling_value=20,
    draw_vine=75,
    draw_order=70,
    ageing=12,
    # Fewer tours and visitors.
    windmill_year=15,
    tasting_year=0,
    cottage_year=25,
    tour_more=0,
    visitor_more=-25,
)


class CellarAgent(RuleAgent):
    """Heuristic bot that builds cellars early, and makes blush and sparkling wine for large orders."""

    def __init__(self) -> None:
        super().__init__("cellar", CELLAR)

"""The bot of the strategy "visitors and tours": visitors, tours, tasting room and windmill; few orders."""

from dataclasses import replace

from vitienv.agents.viticulture.heuristic import HEURISTIC
from vitienv.agents.viticulture.rule_agent import RuleAgent

VISITORS = replace(
    HEURISTIC,
    # Visitors and tours.
    visitor_more=45,
    tour_more=40,
    summer_card=35,
    winter_card=50,
    cottage_year=85,
    tasting_year=70,
    windmill_year=60,
    row_5=70,
    # Wine for the tasting room, few orders.
    draw_order=15,
    draw_vine=35,
    fill_more=20,
    medium_year=0,
    large_year=0,
)


class VisitorsAgent(RuleAgent):
    """Heuristic bot that plays visitors, gives tours, and builds cottage, tasting room and windmill."""

    def __init__(self) -> None:
        super().__init__("visitors", VISITORS)

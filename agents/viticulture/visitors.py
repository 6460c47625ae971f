"""The bot of "visitors and tours": visitors for money and points, tours, tasting room and windmill; few orders."""

from dataclasses import replace

from vitienv.agents.viticulture.heuristic import HEURISTIC
from vitienv.agents.viticulture.rule_agent import RuleAgent

VISITORS = replace(
    HEURISTIC,
    # Guests and what brings them.
    visitor_more=45,
    tour_more=40,
    summer_card=35,
    winter_card=50,
    cottage_year=85,
    tasting_year=70,
    windmill_year=60,
    row_5=70,
    # Wine is made for the tasting room, and orders are filled when they happen to fit.
    draw_order=15,
    draw_vine=35,
    fill_more=20,
    medium_year=0,
    large_year=0,
)


class VisitorsAgent(RuleAgent):
    """Lives on guests: draws and plays visitors, gives tours, builds cottage, tasting room and windmill."""

    def __init__(self) -> None:
        super().__init__("visitors", VISITORS)

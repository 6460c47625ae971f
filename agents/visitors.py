"""The bot of "visitors and tours": money, visitor cards for points, tasting room and windmill before large orders."""

from dataclasses import replace

from vitienv.agents.heuristic import HEURISTIC
from vitienv.agents.rules import RuleAgent

VISITORS = replace(
    HEURISTIC,
    tour_more=HEURISTIC.tour_more + 45,
    visitor_more=HEURISTIC.visitor_more + 70,
    tasting_year=HEURISTIC.tasting_year + 60,
    windmill_year=HEURISTIC.windmill_year + 40,
    cottage_year=HEURISTIC.cottage_year + 50,
    summer_card=HEURISTIC.summer_card + 25,
    winter_card=HEURISTIC.winter_card + 25,
    row_5=HEURISTIC.row_5 + 40,
    draw_order=HEURISTIC.draw_order // 2,
    medium_year=0,
    large_year=0,
)


class VisitorsAgent(RuleAgent):
    """Lives on guests: draws and plays visitors, gives tours, builds cottage, tasting room and windmill."""

    def __init__(self) -> None:
        super().__init__("visitors", VISITORS)

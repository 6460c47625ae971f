"""The bot of "big cellar and sparkling": irrigation, trellis and cellars early, then blush and sparkling orders."""

from dataclasses import replace

from vitienv.agents.heuristic import HEURISTIC
from vitienv.agents.rules import RuleAgent

CELLAR = replace(
    HEURISTIC,
    irrigation_year=HEURISTIC.irrigation_year + 25,
    trellis_year=HEURISTIC.trellis_year + 20,
    medium_year=HEURISTIC.medium_year + 45,
    large_year=HEURISTIC.large_year + 45,
    blush=HEURISTIC.blush + 80,
    sparkling=HEURISTIC.sparkling + 150,
    plant_more=HEURISTIC.plant_more + 30,
    make_more=HEURISTIC.make_more + 20,
    fill_more=HEURISTIC.fill_more + 40,
    tasting_year=0,
    windmill_year=0,
    cottage_year=HEURISTIC.cottage_year // 2,
    tour_more=HEURISTIC.tour_more - 10,
)


class CellarAgent(RuleAgent):
    """Lives on wine: plants much, builds the cellars early, and makes blush and sparkling for the large orders."""

    def __init__(self) -> None:
        super().__init__("cellar", CELLAR)

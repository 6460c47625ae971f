"""The bot of "all pieces": hires in every round, up to the third winemaster and its award, and ends no game before."""

from dataclasses import replace

from vitienv.agents.toscana.heuristic import HEURISTIC
from vitienv.agents.toscana.rule_agent import RuleAgent

PIECES = replace(
    HEURISTIC,
    fee=1022,
    third_fee=900,
    hire_until=0,
    # Boxes of all five goods are needed at the end, so squares of many kinds.
    near=150,
    same=250,
    end_ahead=-3000,
    end_behind=-3000,
)


class PiecesAgent(RuleAgent):
    """Wants all its pieces on the map, the third winemaster for its award, and seven rounds for that."""

    def __init__(self) -> None:
        super().__init__("pieces", PIECES)

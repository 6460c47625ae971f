"""The bot of the strategy "all pieces": hires every round, up to the third winemaster and its award."""

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
    """Heuristic bot that places all pieces within seven rounds, for the award of the third winemaster."""

    def __init__(self) -> None:
        super().__init__("pieces", PIECES)

"""The bot of the strategy "services and the market": four workers, then rosé and champagne for services."""

from dataclasses import replace

from vitienv.agents.toscana.heuristic import HEURISTIC
from vitienv.agents.toscana.rule_agent import RuleAgent

MARKET = replace(HEURISTIC, pieces_wanted=4, service_fee=500, service=450, service_square=40)


class MarketAgent(RuleAgent):
    """Heuristic bot that moves prices with services instead of hiring winemasters."""

    def __init__(self) -> None:
        super().__init__("market", MARKET)

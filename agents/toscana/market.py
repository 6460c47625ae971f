"""The bot of "services and the market": four workers, then rose and champagne for Mr Rose and the lobbyist."""

from dataclasses import replace

from vitienv.agents.toscana.heuristic import HEURISTIC
from vitienv.agents.toscana.rule_agent import RuleAgent

MARKET = replace(HEURISTIC, pieces_wanted=4, service_fee=500, service=450, service_square=40)


class MarketAgent(RuleAgent):
    """Moves prices rather than hiring winemasters: keeps a box of rose and of champagne to pay for services."""

    def __init__(self) -> None:
        super().__init__("market", MARKET)

"""The networks of Viticulture that ship with the project, and which of them plays which table; `level` is the one
before `many`, by which the levels of three seats play.

How they were trained, and how strong they are: docs/champions.md.
"""

from pathlib import Path

from vitienv.agents.champions import Shipped
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.rulesets.solo import LIMITED_WORKERS, PAPAS
from vitienv.viticulture.state import NO_AUTOMA

HERE = Path(__file__).resolve().parent
# The first row that fits a table plays it. Against the Automa's marker `campaign` learned what challenges 1, 2, 5 and 6
# change; at the others `solo`, which never met any, is the stronger.
NETWORKS = (
    Shipped("campaign", marker=1, parents=PAPAS),
    Shipped("campaign", marker=1, staff_max=LIMITED_WORKERS),
    Shipped("campaign", marker=1, glass_tokens=0),
    Shipped("campaign", marker=1, vp_in_play=0),
    Shipped("solo", marker=1),
    Shipped("two", num_players=(1, 2)),
    Shipped("original", card_set=CardSet.ORIGINAL),
    Shipped("many", num_players=3),
    Shipped("crowd"),
)
FROZEN = tuple(Shipped("level", num_players=3) if row.file == "many" else row for row in NETWORKS)
# Plays on what a search has found at all of these tables: small, no heuristic bot at its side. At the Automa's hard
# levels the search is weaker with it, so there it plays on only if it is asked for.
QUICK = Shipped("quick", automa_least=(NO_AUTOMA, 0))

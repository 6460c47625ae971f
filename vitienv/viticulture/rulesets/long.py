"""The long layout: that of World for a game of another ruleset, with zeros behind its own numbers and actions.

So one network can see every table. Rules, records and chance are those of the ruleset; its compiled loops write the
first columns of longer rows.
"""

from dataclasses import replace

from vitienv.viticulture.definition import DEFINITION as OWN
from vitienv.world.observation import OBSERVATION
from vitienv.world.vocabulary import ACTIONS

DEFINITION = replace(
    OWN,
    actions=ACTIONS,
    observation=OBSERVATION,
    own_sizes=(OWN.observation.n, OWN.actions.n),
    found=f"{__name__}.DEFINITION",
)

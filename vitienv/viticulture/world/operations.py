"""All of World's operations: importing this module imports every file with rows."""

from vitienv.core.operations import Operations
from vitienv.viticulture.frames import OPERATIONS as OTHERS
from vitienv.viticulture.world import (  # noqa: F401
    effects,
    exchange,
    partner,
    passing,
    setup,
    taking,
    tiles,
    tokens,
    trade,
    verbs,
    visiting,
    year,
)
from vitienv.viticulture.world.frames import NUMBERS, OWN

# The row of each number: World's own, or that of the other rulesets.
OPERATIONS = Operations(NUMBERS)
OPERATIONS.rows.update(sorted((OTHERS.rows | OWN.rows).items()))
OPERATIONS.check()
ROWS, DECISIONS = OPERATIONS.rows, OPERATIONS.decisions

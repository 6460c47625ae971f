"""All of World's operations: importing this module imports every file with rows."""

from vitienv.core.operations import Operations
from vitienv.viticulture.frames import OPERATIONS as OTHERS
from vitienv.world import flow, setup  # noqa: F401 - their rows
from vitienv.world.frames import NUMBERS, OWN
from vitienv.world.ops import effects, exchange, partner, passing, taking, tiles, tokens, trade, verbs, visiting  # noqa: F401

# The row of each number: World's own, or that of the other rulesets.
OPERATIONS = Operations(NUMBERS)
OPERATIONS.rows.update(sorted((OTHERS.rows | OWN.rows).items()))
OPERATIONS.check()
ROWS, DECISIONS = OPERATIONS.rows, OPERATIONS.decisions

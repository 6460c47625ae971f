"""All operations of World; importing this module registers the rows of all modules."""

from vitienv.core.operations import Operations
from vitienv.viticulture.frames import OPERATIONS as VITICULTURE
from vitienv.world import flow, setup  # noqa: F401 - registers rows
from vitienv.world.frames import NUMBERS, WORLD_OPERATIONS
from vitienv.world.ops import effects, exchange, overrides, partner, passing, taking, tiles, tokens, trade, visiting  # noqa: F401

# World's rows replace Viticulture's.
OPERATIONS = Operations(NUMBERS)
OPERATIONS.rows.update(sorted((VITICULTURE.rows | WORLD_OPERATIONS.rows).items()))
OPERATIONS.check()
ROWS, DECISIONS = OPERATIONS.rows, OPERATIONS.decisions

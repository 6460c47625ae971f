"""All of World's operations: importing this module imports every file with rows."""

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
from vitienv.viticulture.world.frames import OWN, WorldOp

missing = [number.name for number in WorldOp if number not in OWN.rows]
if missing:
    raise ValueError(f"operation {missing[0]} has no row: say operation(WorldOp.{missing[0]}, ...) beside its verbs")
# The row of each number: World's own, or that of the other rulesets.
ROWS = dict(sorted((OTHERS.rows | OWN.rows).items()))
DECISIONS = list(dict.fromkeys(name for row in ROWS.values() for name in row.decisions))

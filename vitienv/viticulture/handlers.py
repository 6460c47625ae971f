"""All operations: importing this module registers every handler and checks that none is missing."""

from vitienv.core.compiling.namespaces import namespace
from vitienv.viticulture import flow, setup  # noqa: F401 - their rows
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.ops import acts, cards, cellar, harvest, offers, orders, planning, vineyard, visitors  # noqa: F401

OPERATIONS.check()
DECISIONS = OPERATIONS.decisions
Decision = namespace(f"{__name__}.Decision", {name.upper(): number for number, name in enumerate(DECISIONS)})

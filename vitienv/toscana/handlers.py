"""All operations: importing this module registers every handler and checks that none is missing."""

from vitienv.core.compiling.namespaces import namespace
from vitienv.toscana import flow, setup  # noqa: F401 - registers handlers
from vitienv.toscana.frames import OPERATIONS
from vitienv.toscana.ops import hiring, offers, services, tiles, trading, turns, winemaking  # noqa: F401

OPERATIONS.check()
DECISIONS = OPERATIONS.decisions
Decision = namespace(f"{__name__}.Decision", {name.upper(): number for number, name in enumerate(DECISIONS)})

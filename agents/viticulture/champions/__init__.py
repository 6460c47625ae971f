"""The bundled networks of Viticulture and their tables. Levels keep older ones: `level` (before `many`), `level_two`.

docs/champions.md documents training and strength.
"""

from pathlib import Path

from vitienv.agents.champions import BundledNetwork
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.rulesets.solo import LIMITED_WORKERS, PAPAS
from vitienv.viticulture.state import NO_AUTOMA

HERE = Path(__file__).resolve().parent
# The first matching row plays a table. Against the Automa's marker, `campaign` was trained on the changes of challenges
# 1, 2, 5 and 6; in the others, `solo` is stronger.
NETWORKS = (
    BundledNetwork("campaign", marker=1, parents=PAPAS),
    BundledNetwork("campaign", marker=1, staff_max=LIMITED_WORKERS),
    BundledNetwork("campaign", marker=1, glass_tokens=0),
    BundledNetwork("campaign", marker=1, vp_in_play=0),
    BundledNetwork("solo", marker=1),
    BundledNetwork("two", num_players=(1, 2)),
    BundledNetwork("original", card_set=CardSet.ORIGINAL),
    BundledNetwork("many", num_players=3),
    BundledNetwork("crowd"),
)
_LEVELS = {"two": BundledNetwork("level_two", num_players=(1, 2)), "many": BundledNetwork("level", num_players=3)}
FROZEN = tuple(_LEVELS.get(row.file, row) for row in NETWORKS)
# Small network for playouts, without a policy prior. Not the default at the hard levels of
# the Automa, where it makes searches weaker.
QUICK = BundledNetwork("quick", automa_least=(NO_AUTOMA, 0))

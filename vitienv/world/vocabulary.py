"""World's actions: Viticulture's, with the same numbers, then World's."""

import numpy as np

from vitienv.core.action_spec import ActionSpec
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture import vocabulary as essential
from vitienv.world.enums import LETTERS, N_ACTIONS_ON_BOARD, N_PLACES, N_STANCES, OVALS, PLACES, Kind, Place, Stance

KINDS = ("hatted", "regular", "grande")
STANCES = ("plain", "oval", "crowd")
MAX_AMOUNT = 10
KIND_WORDS = ("cards", "lira", "vine", "order", "grape", "wine", "vp", "nothing")
N_KIND_WORDS = len(KIND_WORDS)


def _placings() -> dict[tuple[int, int, int], str]:
    """Names of all placements by (place, stance, worker)."""
    names = {}
    for place, word in enumerate(PLACES):
        for stands, stance in enumerate(STANCES):
            for kind, worker in enumerate(KINDS):
                if stands == Stance.CROWD and kind != Kind.GRANDE:
                    continue  # only a grande joins a full action
                if stands != Stance.PLAIN and place >= N_ACTIONS_ON_BOARD:
                    continue  # year-round places are never full and have no ovals
                names[place, stands, kind] = f"place:{word}:{stance}:{worker}"
    return names


_names = _placings()
ACTIONS = ActionSpec(
    essential.ACTIONS.blocks
    | {
        "world_place": [name for name in _names.values() if name not in essential.ACTIONS.names],
        "tile": [f"tile:{word}" for word in (*LETTERS, *OVALS)],
        "letter": [f"letter:{letter}" for letter in LETTERS],
        "hat": ["hat:yellow", "hat:blue"],
        "kind": [f"kind:{word}" for word in KIND_WORDS],
        "amount": [f"amount:{n}" for n in range(1, MAX_AMOUNT + 1)],
    }
)
N_ACTIONS = len(ACTIONS)

# The `place:` action of a place, stance and worker, and the inverse.
NO_PLACING = -1
PLACING = np.full((N_PLACES, N_STANCES, len(Kind)), NO_PLACING, np.int64)
PLACE_OF = np.full(N_ACTIONS, NO_PLACING, np.int64)
STANCE_OF = np.full(N_ACTIONS, NO_PLACING, np.int64)
KIND_OF = np.full(N_ACTIONS, NO_PLACING, np.int64)
for (_place, _stands, _kind), _name in _names.items():
    _number = ACTIONS.number(_name)
    PLACING[_place, _stands, _kind] = _number
    PLACE_OF[_number], STANCE_OF[_number], KIND_OF[_number] = _place, _stands, _kind
# All placements, in the order of decisions about retrieved workers.
IN_ORDER = np.array([ACTIONS.number(name) for name in _names.values()], np.int64)
N_PLACINGS = len(IN_ORDER)
if Place.GAIN_LIRA != N_ACTIONS_ON_BOARD:
    raise ValueError("the year-round places must follow the actions on the board")


class WorldMove(IntConstants):
    """First action of each of World's blocks."""

    TILE = ACTIONS.start("tile")
    LETTER = ACTIONS.start("letter")
    HAT = ACTIONS.start("hat")
    KIND = ACTIONS.start("kind")
    AMOUNT = ACTIONS.start("amount")


class Choice(IntConstants):
    """Goods of the `kind:` actions, in their order."""

    CARDS = 0
    LIRA = 1
    VINE = 2
    ORDER = 3
    GRAPE = 4
    WINE = 5
    VP = 6
    NOTHING = 7

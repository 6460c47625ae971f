"""World's kernels: Viticulture's rules with World's replacements, on World's state; see `core.compiling.variants`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vitienv.core.compiling.variants import Variant
from vitienv.core.kernel import Kernels, build
from vitienv.core.operations import Operations
from vitienv.viticulture import derived, observation, tokens
from vitienv.viticulture import kernel as viticulture_kernel
from vitienv.viticulture.determinize import redeal_hidden
from vitienv.viticulture.legality import predicates, visitors
from vitienv.viticulture.ops import money, vineyard, workers
from vitienv.viticulture.state import Chance
from vitienv.world import goals, rows
from vitienv.world import observation as world_observation
from vitienv.world.frames import NUMBERS
from vitienv.world.handlers import ROWS
from vitienv.world.ops import overrides
from vitienv.world.ops import workers as world_workers
from vitienv.world.score import points_of, rank_of, reward_of
from vitienv.world.setup import new_game
from vitienv.world.state import EMPTY, RULE_PARAMETERS
from vitienv.world.tables import DEFAULT, Tables
from vitienv.world.vocabulary import N_ACTIONS

SOURCE_DIR = Path(__file__).resolve().parent
# Modules without compiled rules: edits do not invalidate the code cache.
UNCOMPILED = ("game_spec.py", "options.py", "positions", "render")
BASE_SOURCES = ((viticulture_kernel.SOURCE_DIR, viticulture_kernel.UNCOMPILED),)

REPLACEMENTS = (
    (money.gain_vp, goals.gain_points),  # W8
    (vineyard.plant, overrides.world_plant),  # W87, W95
    (derived.vine_allowed, overrides.world_vine_allowed),  # W95
    (derived.planting_price, overrides.world_planting_price),  # W95
    (visitors.may_spoil, overrides.world_may_spoil),  # W95
    (visitors.branch_possible, overrides.world_branch_possible),  # W95
    (tokens.wine_slot, overrides.world_wine_slot),  # W86
    (predicates.can_train, overrides.world_can_train),  # W105
    (workers.train, overrides.world_train),  # W105
    (workers.retrieve_grande, world_workers.retrieve_world_grande),  # W107
    (observation.copy_seat, world_observation.copy_seat),
    (observation.copy_table, world_observation.copy_table),
    (observation.observe_workers, world_observation.observe_workers),
    (observation.DECISION_NUMBER, world_observation.DECISION_NUMBER),
    (observation.SHOWN_TO_ACTOR, world_observation.SHOWN_TO_ACTOR),
    (observation.SHOWN_TO_OTHERS, world_observation.SHOWN_TO_OTHERS),
)


@dataclass(frozen=True)
class Built:
    """Kernels and operations for some data."""

    kernels: Kernels
    operations: Operations


def build_for(tables: Tables) -> Built:
    """Build the kernels for some data; custom data are compiled separately, under their digest."""
    arrays = rows.arrays(tables)
    data = [] if tables is DEFAULT else [(getattr(rows, name), arrays[name]) for name in rows.NAMES]
    variant = Variant(__name__, (*REPLACEMENTS, *data))
    operations = Operations(NUMBERS)
    for number, row in ROWS.items():
        functions: Mapping[str, Any] = {kind: variant(function) for kind, function in row.functions.items()}
        shows = row.shows if row.decisions else None
        operations.add(number, *row.decisions, **functions, shows=shows, private=row.private)
    rules = {
        "new_game": new_game,
        "observe": world_observation.observe_world,
        "score_of": points_of,
        "rank_of": rank_of,
        "reward_of": reward_of,
        "redeal_hidden": redeal_hidden,
    }
    parts = {
        "N_ACTIONS": N_ACTIONS,
        "N_OBSERVATION": world_observation.N_OBSERVATION,
        "EMPTY": EMPTY,
        "POLICY_STREAM": int(Chance.POLICY),
        **{name: variant(rule) for name, rule in rules.items()},
    }
    unused = [name for name in variant.unused() if tables is DEFAULT or name != "a table"]
    if unused:
        raise ValueError(f"{unused[0]} has a replacement in World but is never called")
    return Built(
        build(__name__, SOURCE_DIR, UNCOMPILED, operations, RULE_PARAMETERS, parts, tables.digest, BASE_SOURCES),
        operations,
    )


@cache
def default() -> Built:
    """Return the kernels for the bundled data."""
    return build_for(DEFAULT)

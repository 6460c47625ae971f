"""Compiled kernels of Viticulture."""

from pathlib import Path

from vitienv.core.kernel import build
from vitienv.viticulture.determinize import redeal_hidden
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.observation import N_OBSERVATION, observe
from vitienv.viticulture.score import points_of, rank_of, reward_of
from vitienv.viticulture.setup import new_game
from vitienv.viticulture.state import EMPTY, RULE_PARAMETERS, Chance
from vitienv.viticulture.vocabulary import N_ACTIONS

SOURCE_DIR = Path(__file__).resolve().parent
# Files without compiled rules: editing them recompiles nothing.
UNCOMPILED = ("game_spec.py", "options.py", "positions", "render", "rulesets")

KERNELS = build(__name__, SOURCE_DIR, UNCOMPILED, OPERATIONS, RULE_PARAMETERS, {
    "N_ACTIONS": N_ACTIONS,
    "N_OBSERVATION": N_OBSERVATION,
    "EMPTY": EMPTY,
    "POLICY_STREAM": int(Chance.POLICY),
    "new_game": new_game,
    "observe": observe,
    "score_of": points_of,
    "rank_of": rank_of,
    "reward_of": reward_of,
    "redeal_hidden": redeal_hidden,
})  # fmt: skip

"""Compiled kernels of Toscana."""

from pathlib import Path

from vitienv.core.kernel import build
from vitienv.toscana.determinize import redeal_hidden
from vitienv.toscana.frames import OPERATIONS
from vitienv.toscana.observation import N_OBSERVATION, observe
from vitienv.toscana.score import points_of, rank_of, reward_of
from vitienv.toscana.setup import new_game
from vitienv.toscana.state import EMPTY, RULE_PARAMETERS, Chance
from vitienv.toscana.vocabulary import N_ACTIONS

SOURCE_DIR = Path(__file__).resolve().parent
# Files without compiled rules: editing them recompiles nothing.
UNCOMPILED = ("game_spec.py", "options.py", "positions", "render")

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

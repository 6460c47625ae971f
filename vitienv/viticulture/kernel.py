"""Viticulture's compiled loops: the core's, with the rules of this game in their places."""

from pathlib import Path

from vitienv.core.kernel import build
from vitienv.viticulture.determinize import redeal_hidden
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.observation import N_OBSERVATION, observe
from vitienv.viticulture.score import points_of, rank_of, reward_of
from vitienv.viticulture.setup import new_game
from vitienv.viticulture.state import EMPTY, RULE_PARAMETERS, Chance
from vitienv.viticulture.vocabulary import N_ACTIONS

HOME = Path(__file__).resolve().parent
# What of this folder holds no compiled rules, so that an edit there compiles nothing.
APART = ("game_spec.py", "options.py", "positions", "render", "rulesets", "traits.py")

KERNELS = build(__name__, HOME, APART, OPERATIONS, RULE_PARAMETERS, {
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

"""Viticulture's compiled loops: the core's, with the rules of this game in their places."""

from pathlib import Path

from vitienv.core.kernel import build
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.hidden import deal_anew
from vitienv.viticulture.observation import N_OBSERVATION, observe
from vitienv.viticulture.score import points_of, rank_of, reward_of
from vitienv.viticulture.setup import new_game
from vitienv.viticulture.state import EMPTY, LEVERS, Chance
from vitienv.viticulture.vocabulary import N_ACTIONS

HOME = Path(__file__).resolve().parent
# What of this folder holds no compiled rules, so that an edit there compiles nothing.
APART = ("definition.py", "options.py", "positions", "render", "rulesets", "traits.py")

KERNELS = build(__name__, HOME, APART, OPERATIONS, LEVERS, {
    "N_ACTIONS": N_ACTIONS,
    "N_OBSERVATION": N_OBSERVATION,
    "EMPTY": EMPTY,
    "POLICY_STREAM": int(Chance.POLICY),
    "new_game": new_game,
    "observe": observe,
    "score_of": points_of,
    "rank_of": rank_of,
    "reward_of": reward_of,
    "deal_anew": deal_anew,
})  # fmt: skip

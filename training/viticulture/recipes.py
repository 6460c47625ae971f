"""How the networks of Viticulture that ship were trained; docs/champions.md has the results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vitienv.training.recipes import Stage

COMMON: dict[str, Any] = {"hidden": 128, "league": ("heuristic",), "gae_lambda": 0.97, "at_once": 1}
ALL = {"sure": 1.0, "sure_share": 1.0}  # the first stages learned from all decisions
LONG = {"num_steps": 128, "update_epochs": 3, "learning_rate": 3e-4, "warm": 2, "ent_coef": 2e-4}
SOLO = {"mix": "solo:3,solo/very_hard:1", "league_share": 0.0, "past": 0}
WIDE = {"mix": "solo:2,solo/very_hard:1", "hidden": 256, "num_envs": 384, "num_steps": 128, "update_epochs": 3,
        "at_once": 2}  # fmt: skip
SLOW = {"num_envs": 768, "minibatch_size": 4096, "learning_rate": 1.5e-4, "warm": 0, "ent_coef": 1e-3,
        "gae_lambda": 0.85}  # fmt: skip
FIRST = {"minibatch_size": 4096, "learning_rate": 1.5e-4, "warm": 30, "ent_coef": 5e-4, "league_share": 0.7}
TWO = {"mix": "2:1", "num_steps": 128, "league_share": 0.8, "past": 4}
MANY = {"mix": "4:3,3:1", "num_steps": 128, "league_share": 0.65, "past": 3}
# On a GPU, without an adviser.
WHOLE: dict[str, Any] = {
    "mix": "2:5,original/2:1", "hidden": 256, "blocks": 3, "advice": None,
    "league": ("heuristic", "visitors", "cellar"), "league_share": 0.4, "at_once": 2, "past": 8,
    "num_envs": 4096, "num_steps": 64, "minibatch_size": 8192, "update_epochs": 3,
    "gae_lambda": 0.95, "learning_rate": 5e-4, "warm": 0,
}  # fmt: skip
LAST = {"mix": "2:6,original/2:1", "league": ("heuristic", "visitors", "policy:champion"), "num_envs": 8192,
        "num_steps": 32, "minibatch_size": 16384, "gae_lambda": 0.9, "snapshot": 40}  # fmt: skip
# Settings were changed along the way, by looking at the curves; what would have been enough is not known.
_STAGES: dict[str, tuple[Stage, ...]] = {
    "solo": (
        Stage(9_895_936, SOLO | ALL | {"learning_rate": 3e-4, "warm": 30}),
        Stage(3_473_408, SOLO | LONG),
        Stage(5_603_328, SOLO | WIDE | {"learning_rate": 3e-4, "warm": 5, "ent_coef": 1e-2, "trust": 2.5}),
        Stage(2_752_512, SOLO | WIDE | {"learning_rate": 3e-4, "warm": 0, "ent_coef": 1e-2, "gae_lambda": 0.85}),
        Stage(8_749_056, SOLO | WIDE | SLOW),
    ),
    # Imitated, and played against, was the champion of that day, `advised`; today it is this network. The second stage
    # was cut off before its rate had fallen; the last one has the whole fall.
    "two": (
        Stage(4_005_761, WHOLE | {"ent_coef": 5e-3, "imitate": "policy:champion", "minibatch_size_imitate": 2048},
              imitate_steps=1_835_008),
        Stage(21_109_902, WHOLE | {"learning_rate_end": 2e-5, "ent_coef": 4e-3, "ent_coef_end": 3e-4, "snapshot": 40}),
        Stage(80_204_916, WHOLE | LAST | {"learning_rate": 3e-4, "learning_rate_end": 1e-5, "ent_coef": 3e-3,
                                          "ent_coef_end": 2e-4}),
    ),
    # The network for two that shipped before.
    "advised": (
        Stage(1_211_506, TWO | ALL | FIRST),
        Stage(5_855_158, TWO | ALL | {"learning_rate": 4e-4, "warm": 5, "ent_coef": 5e-4}),
        Stage(912_557, TWO | ALL | {"minibatch_size": 4096, "update_epochs": 3, "warm": 0, "ent_coef": 2e-4}),
        Stage(6_439_651, TWO | LONG),
        Stage(1_755_997, TWO | LONG | {"league_share": 0.97, "num_envs": 384, "past": 2}),
    ),
    "many": (
        Stage(2_395_266, MANY | ALL | {"learning_rate": 4e-4, "warm": 25, "ent_coef": 5e-4}),
        Stage(6_186_510, MANY | LONG),
        Stage(3_948_146, MANY | LONG | {"league_share": 0.9, "num_envs": 384}),
    ),
}
# `many` at the larger tables, mostly against the rule of thumb.
CROWD = {"mix": "4:2,5:3,6:3", "league_share": 0.95, "past": 1, "num_envs": 512, "num_steps": 128, "update_epochs": 3,
         "minibatch_size": 4096, "learning_rate": 3e-4, "learning_rate_end": 2e-5, "ent_coef": 1e-3,
         "ent_coef_end": 2e-4, "gae_lambda": 0.95, "warm": 4}  # fmt: skip
# The network for more than two widened, and taught the original edition beside its own tables.
MORE = WHOLE | LAST | {
    "mix": "3:2,4:4,5:2,6:2,original/3:2", "advice": "heuristic", "blocks": 2, "league_share": 0.5, "num_steps": 64,
    "minibatch_size": 32768, "learning_rate": 2e-4, "learning_rate_end": 1e-5, "ent_coef": 1e-3, "ent_coef_end": 2e-4,
}  # fmt: skip
# The challenges of the campaign beside the levels, at which it became weaker: it plays four challenges alone.
_STAGES["campaign"] = (
    *_STAGES["solo"],
    Stage(22_005_120, SOLO | {
        "mix": ",".join(["solo:3", "solo/very_hard:2",
                         *(f"solo/challenge={n}:{1.5 if n == 6 else 0.6}" for n in range(1, 9))]),
        "league": (), "hidden": 256, "num_envs": 784, "num_steps": 128, "minibatch_size": 4096, "gae_lambda": 0.9,
        "learning_rate": 4e-4, "learning_rate_end": 1e-5, "ent_coef": 4e-3, "ent_coef_end": 3e-4, "warm": 3}),
)  # fmt: skip
_STAGES["crowd"] = (*_STAGES["many"], Stage(14_574_646, CROWD),
                    Stage(11_365_118, CROWD | {"mix": "4:3,5:2,6:4"}))  # fmt: skip
_STAGES["original"] = (*_STAGES["many"], Stage(33_336_729, MORE))
RECIPES = {
    name: tuple(replace(stage, settings=COMMON | stage.settings) for stage in stages)
    for name, stages in _STAGES.items()
}

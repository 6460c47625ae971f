"""How the networks of World that ship were trained; docs/world.md has the results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vitienv.training.recipes import Stage
from vitienv.training.viticulture.recipes import ALL, COMMON
from vitienv.world.names import CONTINENTS


def continents(shares: dict[int, int]) -> str:
    """The mix of all continents, with a share for each number of seats."""
    return ",".join(f"world/{name}/{seats}:{share}" for name in CONTINENTS for seats, share in shares.items())


TEAM: dict[str, Any] = {
    "game": "world", "reward": "margin", "advice": "heuristic", "league_share": 0.0,
    "past": 0, "mix": continents({1: 1, 2: 1, 4: 1}), "num_envs": 672, "num_steps": 128,
    "minibatch_size": 4096,
}  # fmt: skip
TOGETHER = TEAM | ALL | {"gae_lambda": 0.9, "warm": 0}
LARGE = {"num_envs": 1344, "minibatch_size": 8192}
# At tables of four and more what followed lost what these stages had learned; the others went on without them.
MORE = (
    Stage(2_064_384, TEAM | {"learning_rate": 4e-4, "warm": 1000}),  # the value alone
    Stage(4_988_928, TOGETHER | LARGE | {"learning_rate": 3e-4, "ent_coef": 3e-3}),
)
# One to three seats. The second stage was cut off before its rate had fallen.
FEW = (
    *MORE,
    Stage(13_590_528, TOGETHER | {"learning_rate": 1e-3, "ent_coef": 5e-3}),
    Stage(7_913_472, TOGETHER | LARGE | {"mix": continents({1: 1, 2: 2, 4: 3}), "learning_rate": 4e-4,
                                         "learning_rate_end": 3e-5, "ent_coef": 4e-3, "ent_coef_end": 1e-3}),
    Stage(15_955_968, TOGETHER | {"mix": continents({1: 1, 2: 3}), "num_envs": 784, "learning_rate": 6e-4,
                         "learning_rate_end": 4e-5, "ent_coef": 3e-3, "ent_coef_end": 5e-4}),
    Stage(16_056_320, TOGETHER | LARGE | {"mix": continents({1: 1, 2: 3}), "num_envs": 1568, "learning_rate": 4e-4,
                                          "learning_rate_end": 1e-5, "ent_coef": 1.5e-3, "ent_coef_end": 2e-4}),
)  # fmt: skip
RECIPES = {
    name: tuple(replace(stage, settings=COMMON | stage.settings) for stage in stages)
    for name, stages in {"world": FEW, "world_more": MORE}.items()
}

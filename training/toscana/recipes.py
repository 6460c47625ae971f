"""How the network of Toscana that ships was trained; docs/champions.md has the results."""

from __future__ import annotations

from typing import Any

from vitienv.training.recipes import Stage

ALL: dict[str, Any] = {
    "mix": "2:2,3:1,4:1,5:1", "league": ("heuristic",), "league_share": 0.5, "past": 4, "at_once": 1,
    "advice": "heuristic", "hidden": 128, "num_envs": 384, "num_steps": 64, "learning_rate": 4e-4,
    "learning_rate_end": 5e-5, "warm": 8, "ent_coef": 1e-3, "ent_coef_end": 2e-4, "gae_lambda": 0.9, "seed": 3,
}  # fmt: skip
# The rates were on their way to what they have after 8.2 million; the network of that time was weaker among four.
RECIPES = {"all": (Stage(4_983_653, ALL),)}

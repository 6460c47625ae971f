"""How the networks that ship were trained, as runs of the self-play learner one after the other.

    vitienv train --recipe two --run runs/two

A recipe that was interrupted goes on where it stopped. Every stage begins with the weights of the one before and has a
run folder of its own below that of the recipe: its curve, its log, its checkpoint. docs/champions.md has the results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vitienv.agents.network import read_network
from vitienv.training.selfplay import CHECKPOINT, WEIGHTS, train_selfplay


@dataclass(frozen=True)
class Stage:
    """steps: decisions of the learner. settings: of `learner.Settings`, where they differ from its own."""

    steps: int
    settings: dict[str, Any] = field(default_factory=dict)


COMMON: dict[str, Any] = {"hidden": 128, "league": ("heuristic",), "lam": 0.97, "at_once": 1}
ALL = {"sure": 1.0, "sure_share": 1.0}  # the first stages learned from all decisions
LONG = {"horizon": 128, "epochs": 3, "rate": 3e-4, "warm": 2, "entropy": 2e-4}
SOLO = {"mix": "solo:3,solo/very_hard:1", "league_share": 0.0, "past": 0}
WIDE = {"mix": "solo:2,solo/very_hard:1", "hidden": 256, "games": 384, "horizon": 128, "epochs": 3, "at_once": 2}
SLOW = {"games": 768, "minibatch": 4096, "rate": 1.5e-4, "warm": 0, "entropy": 1e-3, "lam": 0.85}
TWO = {"mix": "2:1", "horizon": 128, "league_share": 0.8, "past": 4}
MANY = {"mix": "4:3,3:1", "horizon": 128, "league_share": 0.65, "past": 3}
# Settings were changed along the way, by looking at the curves; what would have been enough is not known.
RECIPES: dict[str, tuple[Stage, ...]] = {
    "solo": (
        Stage(9_895_936, SOLO | ALL | {"rate": 3e-4, "warm": 30}),
        Stage(3_473_408, SOLO | LONG),
        Stage(5_603_328, SOLO | WIDE | {"rate": 3e-4, "warm": 5, "entropy": 1e-2, "trust": 2.5}),
        Stage(2_752_512, SOLO | WIDE | {"rate": 3e-4, "warm": 0, "entropy": 1e-2, "lam": 0.85}),
        Stage(8_749_056, SOLO | WIDE | SLOW),
    ),
    "two": (
        Stage(
            1_211_506,
            TWO | ALL | {"minibatch": 4096, "rate": 1.5e-4, "warm": 30, "entropy": 5e-4, "league_share": 0.7},
        ),
        Stage(5_855_158, TWO | ALL | {"rate": 4e-4, "warm": 5, "entropy": 5e-4}),
        Stage(912_557, TWO | ALL | {"minibatch": 4096, "epochs": 3, "warm": 0, "entropy": 2e-4}),
        Stage(6_439_651, TWO | LONG),
        Stage(1_755_997, TWO | LONG | {"league_share": 0.97, "games": 384, "past": 2}),
    ),
    "many": (
        Stage(2_395_266, MANY | ALL | {"rate": 4e-4, "warm": 25, "entropy": 5e-4}),
        Stage(6_186_510, MANY | LONG),
        Stage(3_948_146, MANY | LONG | {"league_share": 0.9, "games": 384}),
    ),
}


def follow(name: str, run: str | Path, share: float = 1.0, **given: Any) -> dict[str, Any]:
    """Train by a recipe; returns what its last stage reached.

    share: of the decisions of every stage, for a try. given: as for `train_selfplay`, such as `threads` or `device`.
    ValueError if there is no such recipe.
    """
    if name not in RECIPES:
        raise ValueError(f"unknown recipe {name!r}; there is {', '.join(RECIPES)}")
    if not share > 0:
        raise ValueError(f"share is {share}; it must be above 0")
    reached: dict[str, Any] = {"run": str(run)}
    start: Path | None = None
    for number, stage in enumerate(RECIPES[name], 1):
        folder = Path(run) / f"stage{number}"
        left = max(1, round(stage.steps * share))
        is_begun = (folder / CHECKPOINT).exists()
        if is_begun:
            left -= read_network(folder / WEIGHTS).about["trained"]["decisions"]
        if left > 0:
            about = {"resume": True} if is_begun else {"start": start, **COMMON, **stage.settings}
            reached = train_selfplay(folder, steps=left, **about, **given)
        start = folder / WEIGHTS
    return reached

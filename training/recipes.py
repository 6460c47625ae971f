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


COMMON: dict[str, Any] = {"hidden": 128, "league": ("heuristic",), "lam": 0.97}
RECIPES: dict[str, tuple[Stage, ...]] = {}


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

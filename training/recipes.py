"""How networks that ship were trained, as runs of the self-play learner one after the other.

    vitienv train --recipe two --run runs/two

A recipe that was interrupted goes on where it stopped. Every stage begins with the weights of the one before and has a
run folder of its own below that of the recipe: its curve, its log, its checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from vitienv.games import DEFAULT, definition
from vitienv.training.run_folder import WEIGHTS
from vitienv.training.selfplay.run import CHECKPOINT, decisions_in
from vitienv.training.selfplay.train import train_selfplay


@dataclass(frozen=True)
class Stage:
    """steps: decisions of the learner. settings: of `learner.Settings`, where they differ from its own. imitate_steps:
    decisions of the bot of the setting `imitate` that are learned from before."""

    steps: int
    settings: dict[str, Any] = field(default_factory=dict)
    imitate_steps: int | None = None


def recipes_of(game: str) -> dict[str, tuple[Stage, ...]]:
    """The recipes of a game by name, settings whole."""
    path = definition(game).recipes
    return import_module(path).RECIPES if path else {}


def follow(name: str, run: str | Path, share: float = 1.0, game: str = DEFAULT, **given: Any) -> dict[str, Any]:
    """Train by a recipe; returns what its last stage reached.

    share: of the decisions of every stage, for a try. given: as for `train_selfplay`, such as `threads` or `device`.
    ValueError if there is no such recipe.
    """
    recipes = recipes_of(game)
    if name not in recipes:
        raise ValueError(f"unknown recipe {name!r}; there is {', '.join(recipes) or 'none'}")
    if not share > 0:
        raise ValueError(f"share is {share}; it must be above 0")
    reached: dict[str, Any] = {"run": str(run)}
    start: Path | None = None
    for number, stage in enumerate(recipes[name], 1):
        folder = Path(run) / f"stage{number}"
        steps = max(1, round(stage.steps * share))
        is_begun = (folder / CHECKPOINT).exists()
        if not is_begun or decisions_in(folder) < steps:
            about: dict[str, Any] = {"resume": True} if is_begun else {"start": start, "game": game, **stage.settings}
            if stage.imitate_steps is not None:
                about["imitate_steps"] = max(1, round(stage.imitate_steps * share))
            reached = train_selfplay(folder, steps=steps, **about, **given)
        start = folder / WEIGHTS
    return reached

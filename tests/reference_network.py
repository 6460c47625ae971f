"""What a network makes of observations, in plain NumPy and double precision: what the compiled one is compared with."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.game_spec import GameSpec


def plain_lead(game: GameSpec, observation: np.ndarray) -> float:
    """How far the viewer is ahead of the best other seat, or of what a single seat plays against, in [-1, 1]."""
    if game.lead is None:
        return 0.0
    seen, lead = game.observation, game.lead
    viewer, *others = observation[seen.slice(lead.points)].tolist()
    is_there = observation[seen.slice(lead.present)].tolist()[1:]
    against = [points for points, present in zip(others, is_there, strict=True) if present]
    if lead.rival is not None and not against:
        against = [int(observation[seen.start(lead.rival)])]
    return float(np.clip((viewer - max(against, default=-np.inf)) / lead.unit, -1, 1))


def plain_evaluate(
    tensors: Mapping[str, np.ndarray], architecture: Mapping[str, Any], game: GameSpec,
    observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """logits (n, actions), minus infinity where illegal, and values (n,)."""
    doubles = {name: np.asarray(value, np.float64) for name, value in tensors.items()}

    def layer(name: str, x: np.ndarray) -> np.ndarray:
        return x @ doubles[f"{name}.weight"].T + doubles[f"{name}.bias"]

    seen, actions = observations.astype(np.float64), masks.astype(np.float64)
    logs = game.observation.logs
    seen[:, logs] = np.sign(seen[:, logs]) * np.log1p(np.abs(seen[:, logs]))
    liked = -np.log1p(prior_scores[:, :-1] / -25.0)
    if prior_scores.shape[1]:
        actions *= np.exp(liked)
    x = np.maximum(layer("input", np.concatenate([seen, actions], axis=1)), 0)
    for i in range(architecture["blocks"]):
        x += np.maximum(layer(f"blocks.{i}", x), 0)
    logits, values = layer("policy", x), layer("value", np.maximum(layer("judge", x), 0))[:, 0]
    if prior_scores.shape[1]:
        logits += doubles["trust"] * liked
        values += doubles["worth"] * prior_scores[:, -1] / 2000.0
    values += architecture["lead"] * np.array([plain_lead(game, row) for row in observations])
    return np.where(masks != 0, logits, -np.inf), values

"""The network in plain NumPy and double precision, the reference for the compiled one."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.game_spec import GameSpec


def plain_lead(game: GameSpec, observation: np.ndarray) -> float:
    """Return the viewer's lead over the best other seat, or over the rival of a single seat, in [-1, 1]."""
    if game.lead is None:
        return 0.0
    layout, lead = game.observation, game.lead
    viewer, *others = observation[layout.slice(lead.points)].tolist()
    is_there = observation[layout.slice(lead.present)].tolist()[1:]
    against = [points for points, present in zip(others, is_there, strict=True) if present]
    if lead.rival is not None and not against:
        against = [int(observation[layout.start(lead.rival)])]
    return float(np.clip((viewer - max(against, default=-np.inf)) / lead.unit, -1, 1))


def plain_evaluate(
    tensors: Mapping[str, np.ndarray], architecture: Mapping[str, Any], game: GameSpec,
    observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return logits (n, actions), minus infinity for illegal actions, and values (n,)."""
    doubles = {name: np.asarray(value, np.float64) for name, value in tensors.items()}

    def layer(name: str, x: np.ndarray) -> np.ndarray:
        return x @ doubles[f"{name}.weight"].T + doubles[f"{name}.bias"]

    features, actions = observations.astype(np.float64), masks.astype(np.float64)
    logs = game.observation.logs
    features[:, logs] = np.sign(features[:, logs]) * np.log1p(np.abs(features[:, logs]))
    log_prior = -np.log1p(prior_scores[:, :-1] / -25.0)
    if prior_scores.shape[1]:
        actions *= np.exp(log_prior)
    x = np.maximum(layer("input", np.concatenate([features, actions], axis=1)), 0)
    for i in range(architecture["blocks"]):
        x += np.maximum(layer(f"blocks.{i}", x), 0)
    logits, values = layer("policy", x), layer("value", np.maximum(layer("judge", x), 0))[:, 0]
    if prior_scores.shape[1]:
        logits += doubles["trust"] * log_prior
        values += doubles["worth"] * prior_scores[:, -1] / 2000.0
    values += architecture["lead"] * np.array([plain_lead(game, row) for row in observations])
    return np.where(masks != 0, logits, -np.inf), values

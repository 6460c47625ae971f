"""Weights of a network's first layer shared by cards with equal traits.

The weights of an input for a card are the sum of its individual weights and of shared ones: a row for each trait of the
card ("an order", "points", "wines of red") in each place (hand, discard piles, actions). So learning about one order
generalises to others. Saved networks contain the sums and are as fast as without traits.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from vitienv.core.game_spec import GameSpec
from vitienv.registry import game_spec

RIDGE = 0.1  # L2 penalty of shared weights fitted to existing weights


def shared_rows(game: GameSpec) -> torch.Tensor:
    """Return the sparse matrix (inputs, shared rows) float32 of trait values.

    Inputs are the features, then the actions, as in `PolicyValue`. ValueError if the game does not define traits.
    """
    places, rows, numbers, n = _listed(game.name)
    size = (game.observation.n + game.actions.n, n)
    at, values = torch.from_numpy(np.stack([places, rows])), torch.from_numpy(numbers)
    return torch.sparse_coo_tensor(at, values, size, check_invariants=True).coalesce()


@cache
def _listed(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Return the traits of all inputs as arrays (input, shared row, value), and the number of shared rows."""
    game = game_spec(name)
    if game.traits is None:
        raise ValueError(f"traits must be false for {game.name}, which does not define traits")
    traits, entries = game.call("traits")(), []
    rows: dict[tuple[str, str], int] = {}
    for number, (place, card) in enumerate(_places(game, set(traits))):
        for trait, value in traits.get(card, {}).items():
            row = rows.setdefault((place, trait), len(rows))
            entries.append((number, row, value))
    numbers, at, values = zip(*entries, strict=True)
    return np.array(numbers), np.array(at), np.array(values, np.float32), len(rows)


def _places(game: GameSpec, cards: set[str]) -> list[tuple[str, str]]:
    features, acts = game.observation.names, game.actions.names
    places = []
    for name in [f"observation:{name}" for name in features] + [f"action:{name}" for name in acts]:
        parts = name.split(":")
        tails = [":".join(parts[i:]) for i in range(1, len(parts))]
        card = next((tail for tail in tails if tail in cards), "")
        places.append((name.removesuffix(card), card))
    return places


def split(rows: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Split weights (hidden, inputs) into fitted shared weights (shared rows, hidden) and residuals (hidden, inputs).

    rows: of `shared_rows`. An input whose weights are all zero is new in the layout: it gets no residual, so that it
    starts with the shared weights of its card.
    """
    dense = rows.to_dense()
    is_new = (weights == 0).all(dim=0)
    known_rows = dense * ~is_new[:, None]
    normal = known_rows.t() @ known_rows + RIDGE * torch.eye(dense.shape[1])
    shared = torch.linalg.solve(normal, known_rows.t() @ weights.t())
    residual = weights - (dense @ shared).t()
    return shared, residual * ~is_new

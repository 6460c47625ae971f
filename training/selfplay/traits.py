"""Weights that a network's first layer shares over what cards say.

Every input that stands for a card has weights of its own. Here it has, on top, a sum of shared ones: one row for each
trait of its card ("an order", "points", "wines of red") in each place that cards may be in (the own hand, the discard
piles, the actions). So what is learned about one order helps with the others. For play the sum is taken once: a saved
network has plain weights and plays as fast.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from vitienv.core.game_spec import GameSpec
from vitienv.registry import game_spec

RIDGE = 0.1  # how strongly shared weights are drawn to zero where they are found from weights that are there


def shared_rows(game: GameSpec) -> torch.Tensor:
    """How much of each shared row every input takes in, sparse (inputs, shared rows) float32.

    Inputs are the observed numbers, then the actions, as of `PolicyValue`. ValueError if the game tells no traits.
    """
    places, rows, numbers, n = _listed(game.name)
    size = (game.observation.n + game.actions.n, n)
    at, values = torch.from_numpy(np.stack([places, rows])), torch.from_numpy(numbers)
    return torch.sparse_coo_tensor(at, values, size, check_invariants=True).coalesce()


@cache
def _listed(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Every trait of every input as three arrays (input, shared row, number), and how many shared rows there are."""
    game = game_spec(name)
    if game.traits is None:
        raise ValueError(f"{game.name} does not tell what its cards say: there are no traits to share weights over")
    traits, entries = game.call("traits")(), []
    rows: dict[tuple[str, str], int] = {}
    for number, (place, card) in enumerate(_places(game, set(traits))):
        for trait, value in traits.get(card, {}).items():
            row = rows.setdefault((place, trait), len(rows))
            entries.append((number, row, value))
    numbers, at, values = zip(*entries, strict=True)
    return np.array(numbers), np.array(at), np.array(values, np.float32), len(rows)


def _places(game: GameSpec, cards: set[str]) -> list[tuple[str, str]]:
    seen, acts = game.observation.names, game.actions.names
    places = []
    for name in [f"observation:{name}" for name in seen] + [f"action:{name}" for name in acts]:
        parts = name.split(":")
        tails = [":".join(parts[i:]) for i in range(1, len(parts))]
        card = next((tail for tail in tails if tail in cards), "")
        places.append((name.removesuffix(card), card))
    return places


def split(rows: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Shared weights (shared rows, hidden) that come close to those of the cards, and the rest for each input.

    rows: of `shared_rows`. weights (hidden, inputs): their sum. An input whose weights are all zero is new in the
    layout: it gets none of its own, so that it begins as what its card says.
    """
    dense = rows.to_dense()
    is_new = (weights == 0).all(dim=0)
    known = dense * ~is_new[:, None]
    normal = known.t() @ known + RIDGE * torch.eye(dense.shape[1])
    shared = torch.linalg.solve(normal, known.t() @ weights.t())
    own = weights - (dense @ shared).t()
    return shared, own * ~is_new

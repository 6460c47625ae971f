"""Seeds of games and of bots that play many of them: each is made here, from the seed of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vitienv.agents.protocol import Agent
from vitienv.agents.registry import make_agent
from vitienv.games import DEFAULT


def game_seeds(seed: int, numbers: Iterable[int]) -> list[int]:
    """The seeds of games by their numbers, of 32 bits: each depends on `seed` and its number only."""
    return [int(np.random.SeedSequence([seed, number]).generate_state(1)[0]) for number in numbers]


def make_bots(specs: Sequence[str], seed: int, game: str = DEFAULT) -> list[Agent]:
    """The bots of specs, each with a seed of its own: the same wherever they play a part of the games."""
    return [make_agent(spec, seed=(seed * 1_000_003 + i) % 2**32, game=game) for i, spec in enumerate(specs)]

"""Seeds of games and bots, derived from one seed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vitienv.agents.protocol import Agent
from vitienv.agents.registry import make_agent
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT


def game_seeds(seed: int, numbers: Iterable[int]) -> list[int]:
    """Return 32-bit seeds of games by their indices; each depends on `seed` and the index only."""
    return [int(np.random.SeedSequence([seed, number]).generate_state(1)[0]) for number in numbers]


def measuring_seeds(seed: int, games: int, turns: int = 1) -> list[int]:
    """Return the fixed seeds of evaluation games during training, each `turns` times, once per seat of the network."""
    return [seed * 1_000_000 + i // turns for i in range(games)]


def make_bot(spec: str, seed: int, game: str | GameSpec = DEFAULT, number: int = 0) -> Agent:
    """Make a bot with a 32-bit seed derived from `seed` and its number. Errors as in `make_agent`."""
    return make_agent(spec, seed=(seed * 1_000_003 + number) % 2**32, game=game)


def make_bots(specs: Iterable[str], seed: int, game: str | GameSpec = DEFAULT) -> list[Agent]:
    """Make bots with different seeds, which do not depend on the games that they play."""
    return [make_bot(spec, seed, game, number) for number, spec in enumerate(specs)]

"""Seeds of games and of the bots that play them: each is made here, from the seed of the whole."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vitienv.agents.protocol import Agent
from vitienv.agents.registry import make_agent
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT


def game_seeds(seed: int, numbers: Iterable[int]) -> list[int]:
    """The seeds of games by their numbers, of 32 bits: each depends on `seed` and its number only."""
    return [int(np.random.SeedSequence([seed, number]).generate_state(1)[0]) for number in numbers]


def measuring_seeds(seed: int, games: int, turns: int = 1) -> list[int]:
    """The seeds of games by which training is measured: the same ones again and again, each for `turns` games, so that
    a network may sit in every seat."""
    return [seed * 1_000_000 + i // turns for i in range(games)]


def make_bot(spec: str, seed: int, game: str | GameSpec = DEFAULT, number: int = 0) -> Agent:
    """The bot of a spec, with the seed of its number, of 32 bits, if it takes one. Errors as of `make_agent`."""
    return make_agent(spec, seed=(seed * 1_000_003 + number) % 2**32, game=game)


def make_bots(specs: Iterable[str], seed: int, game: str | GameSpec = DEFAULT) -> list[Agent]:
    """The bots of specs, each with a seed of its own: the same wherever they play a part of the games."""
    return [make_bot(spec, seed, game, number) for number, spec in enumerate(specs)]

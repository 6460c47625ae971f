"""Opponents of a learner: a line-up of bots, or a pool from which each game samples a line-up."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.protocol import check_game
from vitienv.agents.seeding import make_bot

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.game_spec import GameSpec

KEY_BITS = 24  # bits of the RNG key that select the line-up
NO_OTHERS = "this game has no other seats: set opponents=[]"


class Opponents:
    """The bots of the other seats in each game of a batch. Games in progress keep their bots.

    agents: bots of current and future games. agent_ids: (games, seats) int64, indices in `agents`, clockwise from the
    learner. option: last argument of `set`.
    """

    def __init__(self, option: Any, num_games: int, num_seats: int, game: GameSpec) -> None:
        """num_seats: number of seats besides the learner. ValueError as in `set`."""
        self._game = game
        self._sources: list[tuple[Any, int]] = []  # bot or spec, and the index that seeds it
        self.agents: list[Agent] = []
        self.agent_ids = np.zeros((num_games, num_seats), np.int64)
        self.set(option)

    def set(self, option: Any) -> None:
        """Set the bots of future games; see `SingleAgentEnv` for the option. ValueError for an invalid one."""
        pool = pool_of(option)
        lineups = [_checked_lineup(lineup, self.agent_ids.shape[1]) for lineup, _ in pool]
        referenced_ids = np.unique(self.agent_ids) if self.agents else np.zeros(0, np.int64)
        sources, agents = [self._sources[i] for i in referenced_ids], [self.agents[i] for i in referenced_ids]
        index_of = {(_identity(opponent), number): i for i, (opponent, number) in enumerate(sources)}
        numbers: dict[Hashable, int] = {}
        for opponent in chain.from_iterable(lineups):
            identity = _identity(opponent)
            number = numbers.setdefault(identity, len(numbers))
            if (identity, number) not in index_of:
                index_of[identity, number] = len(agents)
                sources.append((opponent, number))
                agents.append(self._agent(opponent, number))
        indices = [[index_of[i, numbers[i]] for i in map(_identity, lineup)] for lineup in lineups]
        if self.agents:
            self.agent_ids = np.searchsorted(referenced_ids, self.agent_ids)
        self._sources, self.agents, self.option = sources, agents, option
        self._lineups = np.array(indices, np.int64).reshape(len(lineups), self.agent_ids.shape[1])
        shares = [share for _, share in pool]
        self._bounds = np.cumsum(shares) / sum(shares)

    def _agent(self, opponent: Any, number: int) -> Agent:
        # A fixed seed, so that games depend on their own RNG only.
        agent = make_bot(opponent, 0, self._game, number) if isinstance(opponent, str) else opponent
        check_game(agent, self._game)
        return agent

    def seat(self, rows: np.ndarray, keys: np.ndarray) -> None:
        """Seat bots in the games `rows` (m,), which start with the RNG keys (m, 2) uint32."""
        samples = (keys[:, 1] >> (32 - KEY_BITS)) / 2**KEY_BITS
        self.agent_ids[rows] = self._lineups[np.searchsorted(self._bounds, samples, side="right")]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "agents"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self.agents = [self._agent(*source) for source in self._sources]


def pool_of(option: Any) -> list[tuple[tuple[Any, ...], float]]:
    """Return the line-ups of an option with their shares. ValueError for a share that is not a positive number."""
    if not isinstance(option, Mapping):
        return [(_lineup(option), 1.0)]
    invalid = [
        share for share in option.values()
        if isinstance(share, bool) or not isinstance(share, Real) or not isfinite(share) or share <= 0
    ]  # fmt: skip
    if invalid or not option:
        raise ValueError(f"shares of opponents must be positive numbers, got {invalid[0] if invalid else option!r}")
    return [(_lineup(lineup), float(share)) for lineup, share in option.items()]


def _lineup(opponents: Any) -> tuple[Any, ...]:
    if isinstance(opponents, str) or hasattr(opponents, "act"):
        return (opponents,)
    if not isinstance(opponents, Iterable):
        raise ValueError(f"opponents must be a bot, a list of bots or a pool of them, got {opponents!r}")
    return tuple(opponents)


def _checked_lineup(lineup: tuple[Any, ...], num_seats: int) -> tuple[Any, ...]:
    if len(lineup) not in ((1, num_seats) if num_seats else (0,)):
        hint = f"one for all other seats, or {num_seats}; a pool is a mapping to shares, such as {{'random': 1}}"
        expected = hint if num_seats else f"empty; {NO_OTHERS}"
        raise ValueError(f"opponents must be {expected}, got {len(lineup)}")
    invalid = [
        opponent
        for opponent in lineup
        if not isinstance(opponent, str) and not callable(getattr(opponent, "act", None))
    ]
    if invalid:
        expected = "a spec such as 'heuristic' or an agent with a method `act`"
        raise ValueError(f"opponent must be {expected}, got {invalid[0]!r}")
    return lineup if len(lineup) == num_seats else lineup * num_seats


def _identity(opponent: Any) -> Hashable:
    return opponent if isinstance(opponent, str) else id(opponent)

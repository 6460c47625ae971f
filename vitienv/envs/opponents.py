"""The bots in the other seats of a learner's games: one line-up, or a pool from which each game draws a line-up."""

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

KEY_BITS = 24  # of a game's chance key that draw its line-up
NO_OTHERS = "this game has no other seats: give opponents=[]"


class Opponents:
    """The bots of the other seats in each game of a batch. A game that has started keeps its bots.

    agents: all bots that sit in a game or may sit in the next one. seated: (games, seats) int64, indices in `agents`,
    clockwise from the learner. option: what `set` was given last.
    """

    def __init__(self, option: Any, num_games: int, num_seats: int, game: GameSpec) -> None:
        """num_seats: beside the learner. ValueError as of `set`."""
        self._game = game
        self._sources: list[tuple[Any, int]] = []  # a bot or its spec, and its number, which seeds it
        self.agents: list[Agent] = []
        self.seated = np.zeros((num_games, num_seats), np.int64)
        self.set(option)

    def set(self, option: Any) -> None:
        """Choose the bots of the games that start from now on; see `LearnerGames` for the option.

        ValueError for a wrong one, which changes nothing.
        """
        pool = pool_of(option)
        lineups = [_checked_lineup(lineup, self.seated.shape[1]) for lineup, _ in pool]
        used = np.unique(self.seated) if self.agents else np.zeros(0, np.int64)
        sources, agents = [self._sources[i] for i in used], [self.agents[i] for i in used]
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
            self.seated = np.searchsorted(used, self.seated)
        self._sources, self.agents, self.option = sources, agents, option
        self._lineups = np.array(indices, np.int64).reshape(len(lineups), self.seated.shape[1])
        shares = [share for _, share in pool]
        self._bounds = np.cumsum(shares) / sum(shares)

    def _agent(self, opponent: Any, number: int) -> Agent:
        # A fixed seed: a bot's choices depend on what it sees, so a game depends on the game's own chance only.
        agent = make_bot(opponent, 0, self._game, number) if isinstance(opponent, str) else opponent
        check_game(agent, self._game)
        return agent

    def seat(self, rows: np.ndarray, keys: np.ndarray) -> None:
        """Seat bots in the games `rows` (m,), which start under the chance keys (m, 2) uint32."""
        drawn = (keys[:, 1] >> (32 - KEY_BITS)) / 2**KEY_BITS
        self.seated[rows] = self._lineups[np.searchsorted(self._bounds, drawn, side="right")]

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, independent of this object."""
        return {
            "option": self.option,
            "sources": list(self._sources),
            "seated": self.seated.copy(),
            "lineups": self._lineups.copy(),
            "bounds": self._bounds.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back what `state` returned."""
        self.option, self._sources = state["option"], list(state["sources"])
        self.agents = [self._agent(*source) for source in self._sources]
        self.seated, self._lineups = state["seated"].copy(), state["lineups"].copy()
        self._bounds = state["bounds"].copy()


def pool_of(option: Any) -> list[tuple[tuple[Any, ...], float]]:
    """The line-ups of an option with their shares. ValueError for a share that is not a positive number."""
    if not isinstance(option, Mapping):
        return [(_lineup(option), 1.0)]
    wrong = [
        share for share in option.values()
        if isinstance(share, bool) or not isinstance(share, Real) or not isfinite(share) or share <= 0
    ]  # fmt: skip
    if wrong or not option:
        raise ValueError(f"shares of opponents must be positive numbers, got {wrong[0] if wrong else option!r}")
    return [(_lineup(lineup), float(share)) for lineup, share in option.items()]


def _lineup(opponents: Any) -> tuple[Any, ...]:
    if isinstance(opponents, str) or hasattr(opponents, "act"):
        return (opponents,)
    if not isinstance(opponents, Iterable):
        raise ValueError(f"opponents must be a bot, a list of bots or a pool of them, got {opponents!r}")
    return tuple(opponents)


def _checked_lineup(lineup: tuple[Any, ...], num_seats: int) -> tuple[Any, ...]:
    """A bot for each seat. ValueError for a wrong number of opponents, or for what is not one."""
    if len(lineup) not in ((1, num_seats) if num_seats else (0,)):
        right = f"give one for all other seats, or {num_seats}; for a pool give shares, such as {{'random': 1}}"
        raise ValueError(f"there are {len(lineup)} opponents; {right if num_seats else NO_OTHERS}")
    wrong = [x for x in lineup if not isinstance(x, str) and not callable(getattr(x, "act", None))]
    if wrong:
        raise ValueError(f"an opponent is a spec such as 'heuristic' or an agent with a method `act`, not {wrong[0]!r}")
    return lineup if len(lineup) == num_seats else lineup * num_seats


def _identity(opponent: Any) -> Hashable:
    return opponent if isinstance(opponent, str) else id(opponent)

"""What a bot is: a name, and a choice for each of many games at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from vitienv.game import Game

if TYPE_CHECKING:
    from vitienv.core.batch import Batch
    from vitienv.core.definition import Definition


@runtime_checkable
class Agent(Protocol):
    """A bot. It sees observations and masks only, and keeps nothing between calls that changes its choices.

    name: how it is called in tables. A bot that plays one game only says which by an attribute `game`.
    """

    name: str

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None = None) -> np.ndarray:
        """One legal action for each game.

        observations: (n, `vitienv.OBSERVATION.n`) int16, each from its acting seat's own point of view.
        masks: (n, `vitienv.ACTIONS.n`) int8, 1 where legal; no row is empty.
        games: for agents that search, `games.determinize(i, seed)` for row i; others ignore it.
        Returns (n,) int64. A row's choice does not depend on the other rows.
        """
        ...


class Views:
    """A read-only look at some games of a batch, for agents that search.

    It gives nothing but copies with all that the acting seat cannot see dealt anew.
    """

    def __init__(self, batch: Batch, rows: np.ndarray | list[int], whole: bool = False) -> None:
        """batch: the games; rows: (n,) which of them, in the order of the observations given to `act`. whole: copies
        have zeros behind their layouts where the batch has."""
        self._batch = batch
        self._rows = np.array(rows, np.int64)
        self._options = batch.options if whole else batch.options.as_known

    def __len__(self) -> int:
        return len(self._rows)

    def seat(self, i: int) -> int:
        """The seat that acts in the i-th game; -1 when it is over."""
        return int(self._batch.seats[self._rows[i]])

    def determinize(self, i: int, seed: int) -> Game:
        """A copy of the i-th game as the acting seat may imagine it; the same for the same seed."""
        from vitienv.core.batch import Batch

        row = int(self._rows[i])
        single = Batch(1, self._options)
        single.octets[:] = self._batch.octets[row]
        single.refresh(observe=False)
        game = Game(single, None, {})
        if game.seat is None:
            raise ValueError(f"game {i} is over: nobody acts in it")
        return game.determinize(game.seat, seed)

    def imagined(self, i: int, key: np.ndarray) -> Game:
        """The i-th game as a search has it under a chance key (2,) uint32: dealt anew, later forced decisions taken."""
        one = self.deal(i, key[None])
        one.refresh(observe=False)
        one.games["rules"][:, one.definition.lever("skip_forced")] = 1
        return Game(one, None, {})

    def deal(self, i: int, keys: np.ndarray, out: Batch | None = None) -> Batch:
        """Many copies of the i-th game at once, each with what the acting seat cannot see dealt anew.

        keys: (n, 2) uint32, the chance key of each copy, which decides the deal and all chance to come. out: a batch
        of n games to write into. Only the records are written: step the copies, or `refresh` them, before reading
        their masks and observations. ValueError if the game is over or `out` has another size.
        """
        from vitienv.core.batch import Batch

        row = int(self._rows[i])
        seat = int(self._batch.seats[row])
        if seat < 0:
            raise ValueError(f"game {i} is over: nobody acts in it")
        if out is None:
            out = Batch(len(keys), self._options)
        if len(out.games) != len(keys):
            raise ValueError(f"out has {len(out.games)} games and there are {len(keys)} keys; they must be as many")
        out.octets[:] = self._batch.octets[row]
        out.deal_anew(np.full(len(keys), seat, np.int8), np.ascontiguousarray(keys, np.uint32))
        return out


def knows_whole(agent: Agent, game: Definition) -> bool:
    """Whether a bot knows the layouts of a table with what is laid behind them; see `check_game`."""
    return game.own_sizes is None or getattr(agent, "observes", None) == game.observation.n


def check_game(agent: Agent, game: Definition) -> None:
    """ValueError names both if a bot says that it plays another game than the table's, or knows no such layouts.

    A bot says so by its `game`, and by `observes`, how many numbers its observations have, or by `knows(game)`; by
    `data_at(game)` it says with which digest of the game's data it was trained.
    """
    plays = getattr(agent, "game", None)
    if plays not in (None, game.name):
        raise ValueError(f"agent {agent.name!r} plays {plays}; this table is of {game.name}")
    knows = getattr(agent, "knows", None)
    observes = getattr(agent, "observes", game.observed)
    if not (knows(game) if knows is not None else observes in (game.observed, game.observation.n)):
        raise ValueError(f"agent {agent.name!r} does not know the layouts of {game.title}")
    told = getattr(agent, "data_at", None)
    data = "" if told is None else told(game)
    if game.data and data not in ("", game.data):
        raise ValueError(f"agent {agent.name!r} was trained with other data of {game.title}, {data}, not {game.data}")

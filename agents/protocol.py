"""What a bot is: a name, and a choice for each of many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from vitienv.core.game_spec import GameSpec
from vitienv.game import Game

if TYPE_CHECKING:
    from vitienv.core.batch import Batch


@runtime_checkable
class Agent(Protocol):
    """A bot. It sees observations and masks only, and keeps nothing between calls that changes its choices.

    name: how it is called in tables. A bot that plays one game only says which by an attribute `game`.
    """

    name: str

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """One legal action for each game.

        observations: (n, `vitienv.OBSERVATION.n`) int16, each from its acting seat's own point of view.
        action_masks: (n, `vitienv.ACTIONS.n`) int8, 1 where legal; no row is empty.
        games: for agents that search, `games.determinize(i, seed)` for row i; others ignore it.
        Returns (n,) int64. A row's choice does not depend on the other rows.
        """
        ...


class GameViews:
    """A read-only look at some games of a batch, for agents that search.

    It gives nothing but copies with all that the acting seat cannot see dealt anew.
    """

    def __init__(self, batch: Batch, rows: np.ndarray | list[int]) -> None:
        """batch: the games; rows: (n,) which of them, in the order of the observations of `act`."""
        self._batch = batch
        self._rows = np.array(rows, np.int64)
        self.game_spec: GameSpec = batch.game_spec

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, rows: Sequence[int]) -> GameViews:
        """Some of the games alone, by their numbers here."""
        return GameViews(self._batch, self._rows[list(rows)])

    def seat(self, i: int) -> int:
        """The seat that acts in the i-th game; -1 when it is over."""
        return int(self._batch.seats[self._rows[i]])

    def determinize(self, i: int, seed: int) -> Game:
        """A copy of the i-th game as the acting seat may imagine it; the same for the same seed."""
        from vitienv.core.batch import Batch

        row = int(self._rows[i])
        single = Batch(1, self._batch.options)
        single.bytes_view[:] = self._batch.bytes_view[row]
        single.refresh(observe=False)
        game = Game(single, None, {})
        if game.current_seat is None:
            raise ValueError(f"game {i} is over: nobody acts in it")
        return game.determinize(game.current_seat, seed)

    def imagined(self, i: int, key: np.ndarray) -> Game:
        """The i-th game as a search has it under a chance key (2,) uint32: dealt anew, later forced decisions taken."""
        one = self.deal(i, key[None])
        one.refresh(observe=False)
        one.games["rules"][:, one.game_spec.rule_parameter("skip_forced")] = 1
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
            out = Batch(len(keys), self._batch.options)
        if len(out.games) != len(keys):
            raise ValueError(f"out has {len(out.games)} games and there are {len(keys)} keys; they must be as many")
        out.bytes_view[:] = self._batch.bytes_view[row]
        out.determinize(np.full(len(keys), seat, np.int8), np.ascontiguousarray(keys, np.uint32))
        return out


class Bot:
    """The base of the bots that ship. It knows for which table it plays, and checks what it is asked.

    table: the definition of the game that it is made for. An owner's data have a definition of their own, and so has a
    game that varies this one: `bind(game_spec)` is the same bot at such a table, and `act` with `games` asks that one.
    """

    def __init__(self, name: str, table: GameSpec) -> None:
        self.name = name
        self.game = table.name
        self.table = table
        self._at: dict[GameSpec, Bot] = {}

    def supports(self, table: GameSpec) -> bool:
        """Whether it can play at a table of its game."""
        return True

    def kernels_for(self, what: str = "act") -> list[Any]:
        """The compiled loops that one of its methods calls, besides the game's own: a progress bar needs their number.
        "consider" is the method that `agents.candidates` calls besides `act`."""
        return []

    def warm_up(self) -> Any:
        """A bot that calls the same loops and thinks as briefly as it can; the chance of this one stays as it is."""
        return self

    def bind(self, table: GameSpec) -> Any:
        """The bot as it plays at tables of a definition. ValueError if it does not know them."""
        if table is self.table:
            return self
        if table not in self._at:
            check_game(self, table)
            self._at[table] = self._moved(table)
        return self._at[table]

    def _moved(self, table: GameSpec) -> Bot:
        other = copy(self)
        other.table, other._at = table, {}
        return other

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """One legal action for each row; see `Agent.act`. ValueError for arrays that are not as the table's."""
        own = self if games is None else self.bind(games.game_spec)
        seen, legal = own._asked(observations, action_masks)
        return own._act(seen, legal, games)

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        """One legal action for each row of checked arrays; see `Agent.act`."""
        raise NotImplementedError

    def _asked(
        self, observations: np.ndarray, masks: np.ndarray, must_choose: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """Observations and masks as compiled code takes them, which would read beyond the end of shorter ones.

        ValueError if they are not as the table's, or, where a choice must be made, if a row has no legal action.
        """
        seen = self._seen(observations)
        legal = self._rows("masks", masks, self.table.actions.n, np.int8)
        if len(legal) != len(seen):
            raise ValueError(f"agent {self.name!r}: there are {len(seen)} observations and {len(legal)} masks")
        if must_choose and not (has_choice := legal.any(axis=1)).all():
            raise ValueError(f"agent {self.name!r}: row {int(has_choice.argmin())} of the masks has no legal action")
        return seen, legal

    def _seen(self, observations: np.ndarray) -> np.ndarray:
        """Observations as compiled code takes them. ValueError if they are not as the table's."""
        return self._rows("observations", observations, self.table.observation.n, np.int16)

    def _rows(self, what: str, given: Any, width: int, dtype: type[np.int8 | np.int16]) -> np.ndarray:
        numbers = np.asarray(given)
        if numbers.ndim != 2 or numbers.shape[1] != width or numbers.dtype.kind not in "iub":
            given_as = f"{numbers.dtype} of shape {numbers.shape}"
            right = f"{dtype.__name__} of shape (n, {width}) at tables of {self.table.title}"
            raise ValueError(f"agent {self.name!r}: the {what} are {given_as}; they must be {right}")
        if numbers.dtype != dtype and numbers.size:
            bounds = np.iinfo(dtype)
            if numbers.min() < bounds.min or numbers.max() > bounds.max:
                raise ValueError(f"agent {self.name!r}: the {what} have numbers outside {bounds.min} to {bounds.max}")
        return np.require(numbers, dtype, ["C", "W"])


def bind_agent(agent: Any, table: GameSpec) -> Any:
    """A bot as it plays at tables of a definition; own bots are the same everywhere."""
    return agent.bind(table) if isinstance(agent, Bot) else agent


def agent_kernels(agent: Any, what: str = "act") -> list[Any]:
    """`Bot.kernels_for`; own bots do not say."""
    return agent.kernels_for(what) if isinstance(agent, Bot) else []


def have_same_layouts(one: GameSpec, other: GameSpec) -> bool:
    """Whether who knows the rules and layouts of one table knows those of the other."""
    return one.rule_parameters is other.rule_parameters or one.observation is other.observation


def check_game(agent: Agent, game: GameSpec) -> None:
    """ValueError names both if a bot says that it plays another game than the table's, or knows no such layouts.

    A bot says so by its `game` and by `supports(game_spec)`; by `data_digest(game_spec)` it says with which digest of
    the game's data it was trained.
    """
    plays = getattr(agent, "game", None)
    if plays not in (None, game.name, game.base_game):
        raise ValueError(f"agent {agent.name!r} plays {plays}; this table is of {game.name}")
    supports = getattr(agent, "supports", None)
    if supports is not None and not supports(game):
        raise ValueError(f"agent {agent.name!r} does not know the layouts of {game.title}")
    told = getattr(agent, "data_digest", None)
    data = "" if told is None else told(game)
    if game.data and data not in ("", game.data):
        raise ValueError(f"agent {agent.name!r} was trained with other data of {game.title}, {data}, not {game.data}")

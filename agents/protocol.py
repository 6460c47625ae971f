"""The protocol of bots: a name, and a batched choice of actions."""

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
    """Protocol of a bot, whose choices depend on observations and masks only, not on earlier calls.

    name: its name in tables. A bot of a single game has the name of that game in its attribute `game`.
    """

    name: str

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """Return one legal action for each game, (n,) int64. A row's choice does not depend on other rows.

        observations: (n, `vitienv.OBSERVATION.n`) int16, each from the perspective of its acting seat.
        action_masks: (n, `vitienv.ACTIONS.n`) int8, 1 where legal; no row is empty.
        games: for agents that search, `games.determinize(i, seed)` for row i; others ignore it.
        """
        ...


class GameViews:
    """Read-only access to games of a batch for agents that search: determinized copies only."""

    def __init__(self, batch: Batch, rows: np.ndarray | list[int]) -> None:
        """batch: the games; rows: (n,) their indices, in the order of the observations of `act`."""
        self._batch = batch
        self._rows = np.array(rows, np.int64)
        self.game_spec: GameSpec = batch.game_spec

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, rows: Sequence[int]) -> GameViews:
        """Return the views of some rows."""
        return GameViews(self._batch, self._rows[list(rows)])

    def seat(self, i: int) -> int:
        """Return the acting seat of the i-th game; -1 if it is over."""
        return int(self._batch.seats[self._rows[i]])

    def determinize(self, i: int, seed: int) -> Game:
        """Return a copy of the i-th game with resampled hidden information. ValueError if the game is over."""
        from vitienv.core.batch import Batch

        row = self._batch.bytes_view[self._rows[i]][None]
        game = Game(Batch.from_bytes(row, self._batch.options, observe=False), None, {})
        if game.current_seat is None:
            raise ValueError(f"game {i} is over")
        return game.determinize(game.current_seat, seed)

    def search_root(self, i: int, key: np.ndarray) -> Game:
        """Return the root of a search of the i-th game under a chance key (2,) uint32; it skips forced decisions."""
        copies = self.deal(i, key[None])
        copies.refresh(observe=False)
        copies.games["rules"][:, copies.game_spec.rule_parameter("skip_forced")] = 1
        return Game(copies, None, {})

    def deal(self, i: int, keys: np.ndarray, out: Batch | None = None) -> Batch:
        """Return a batch of determinized copies of the i-th game.

        keys: (n, 2) uint32, the chance key of each copy, which determines the deal and all later chance. out: batch of
        n games to write into. Only the records are written: step or `refresh` the copies before reading their masks and
        observations. ValueError if the game is over or `out` has another size.
        """
        from vitienv.core.batch import Batch

        row = int(self._rows[i])
        seat = int(self._batch.seats[row])
        if seat < 0:
            raise ValueError(f"game {i} is over")
        if out is None:
            out = Batch(len(keys), self._batch.options)
        if len(out.games) != len(keys):
            raise ValueError(f"out must have one game for each of {len(keys)} keys, got {len(out.games)}")
        out.bytes_view[:] = self._batch.bytes_view[row]
        out.determinize(np.full(len(keys), seat, np.int8), np.ascontiguousarray(keys, np.uint32))
        return out


class Bot:
    """Base class of the bundled bots; validates observations and masks.

    table: the spec of its game. Derived games and the owner's data have their own specs: `bind(game_spec)` returns the
    same bot for such a table, and `act` with `games` uses it.
    """

    def __init__(self, name: str, table: GameSpec) -> None:
        self.name = name
        self.game = table.name
        self.table = table
        self._bound: dict[GameSpec, Bot] = {}

    def supports(self, table: GameSpec) -> bool:
        """Return whether the bot can play at a table of its game."""
        return True

    def kernels_for(self, method: str = "act") -> list[Any]:
        """Return the compiled kernels that a method ("act", "consider", ...) calls, for the progress of compilation."""
        return []

    def warm_up(self) -> Any:
        """Return a fast bot that calls the same kernels; the RNG of this one does not change."""
        return self

    def bind(self, table: GameSpec) -> Any:
        """Return the bot for tables of a spec. ValueError if it does not support them."""
        if table is self.table:
            return self
        if table not in self._bound:
            check_game(self, table)
            self._bound[table] = self._rebound(table)
        return self._bound[table]

    def _rebound(self, table: GameSpec) -> Bot:
        other = copy(self)
        other.table, other._bound = table, {}
        return other

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """Return one legal action for each row; see `Agent.act`. ValueError for arrays of another shape or type."""
        bot = self if games is None else self.bind(games.game_spec)
        obs, legal = bot._validate(observations, action_masks)
        return bot._act(obs, legal, games)

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        """Return one legal action for each row of validated arrays; see `Agent.act`."""
        raise NotImplementedError

    def _validate(
        self, observations: np.ndarray, masks: np.ndarray, must_choose: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        # Kernels do not check bounds: they would read beyond the end of shorter arrays.
        obs = self._validate_observations(observations)
        legal = self._validate_rows("masks", masks, self.table.actions.n, np.int8)
        if len(legal) != len(obs):
            raise ValueError(f"agent {self.name!r}: got {len(obs)} observations and {len(legal)} masks")
        if must_choose and not (has_choice := legal.any(axis=1)).all():
            raise ValueError(f"agent {self.name!r}: row {int(has_choice.argmin())} of the masks has no legal action")
        return obs, legal

    def _validate_observations(self, observations: np.ndarray) -> np.ndarray:
        return self._validate_rows("observations", observations, self.table.observation.n, np.int16)

    def _validate_rows(self, kind: str, array: Any, width: int, dtype: type[np.int8 | np.int16]) -> np.ndarray:
        numbers = np.asarray(array)
        if numbers.ndim != 2 or numbers.shape[1] != width or numbers.dtype.kind not in "iub":
            received = f"{numbers.dtype} of shape {numbers.shape}"
            expected = f"{dtype.__name__} of shape (n, {width}) at tables of {self.table.title}"
            raise ValueError(f"agent {self.name!r}: {kind} must be {expected}, got {received}")
        if numbers.dtype != dtype and numbers.size:
            bounds = np.iinfo(dtype)
            if numbers.min() < bounds.min or numbers.max() > bounds.max:
                raise ValueError(f"agent {self.name!r}: {kind} must be from {bounds.min} to {bounds.max}")
        return np.require(numbers, dtype, ["C", "W"])


def bind_agent(agent: Any, table: GameSpec) -> Any:
    """Return a bot for tables of a spec; user-defined bots stay the same."""
    return agent.bind(table) if isinstance(agent, Bot) else agent


def agent_kernels(agent: Any, method: str = "act") -> list[Any]:
    """Return `Bot.kernels_for`; empty for user-defined bots."""
    return agent.kernels_for(method) if isinstance(agent, Bot) else []


def have_same_layouts(first: GameSpec, second: GameSpec) -> bool:
    """Return whether two tables share rules or layouts."""
    return first.rule_parameters is second.rule_parameters or first.observation is second.observation


def check_game(agent: Agent, game: GameSpec) -> None:
    """Raise ValueError if a bot does not play a game.

    The optional attributes of a bot that are checked: `game`, `supports(game_spec)`, and `data_digest(game_spec)`, the
    digest of the game's data that it was trained with.
    """
    plays = getattr(agent, "game", None)
    if plays not in (None, game.name, game.base_game):
        raise ValueError(f"agent {agent.name!r} plays {plays}, not {game.name}")
    supports = getattr(agent, "supports", None)
    if supports is not None and not supports(game):
        raise ValueError(f"agent {agent.name!r} does not support {game.title}")
    data_digest = getattr(agent, "data_digest", None)
    data = "" if data_digest is None else data_digest(game)
    if game.data and data not in ("", game.data):
        raise ValueError(f"agent {agent.name!r} was trained with other data of {game.title}, {data}, not {game.data}")

"""Games of one learner with bots in the other seats."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from gymnasium.error import ResetNeeded

from vitienv.core.batch import OVER, TRUNCATED, Batch, integers
from vitienv.core.errors import IllegalAction
from vitienv.core.kernel import SKIP
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.envs.opponents import NO_OTHERS, Opponents, pool_of
from vitienv.registry import DEFAULT, game_spec

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.core.game_spec import GameSpec

    OpponentOption: TypeAlias = str | Agent | Sequence[str | Agent] | Mapping[Any, float]

RANDOM_SEAT, ALL_SEATS = "random", "all"
RAISE, LOSE, DRAW = "raise", "lose", "random"  # effects of an illegal action of the learner
OWN_OPTIONS = ("opponents", "learner_seat", "game", "illegal_action")


class SingleAgentGames:
    """A batch of games in which bots play until it is the learner's turn or the game is over.

    batch: the games; `obs`, `masks` of a game in progress are the learner's. seats: (n,) int8, the learner's seat in
    each game; if it has all seats, the current or last one. rewards (n,) float32, terminated, truncated, illegal (n,)
    bool: results of the last `play`.
    """

    def __init__(
        self,
        num_games: int,
        opponents: OpponentOption,
        learner_seat: int | str,
        game: str = DEFAULT,
        illegal_action: str = RAISE,
        **options: Any,
    ) -> None:
        """Create games; see `SingleAgentEnv`. ValueError or TypeError for an invalid option."""
        if illegal_action not in (RAISE, LOSE, DRAW):
            raise ValueError(f"illegal_action must be 'lose', 'random' or 'raise', got {illegal_action!r}")
        self.illegal_action = illegal_action
        num_opponents = len(pool_of(opponents)[0][0])
        spec = game_spec(game)
        try:
            if num_opponents and options.get("num_players") == 1:
                spec.options.of(**options)  # raises unless the game supports a single seat
                raise ValueError(f"opponents must be empty, got {num_opponents}; {NO_OTHERS}")
            self.options = spec.options.of(**spec.options.with_opponents(num_opponents, **options))
        except TypeError as error:
            raise TypeError(f"{error}, {', '.join(OWN_OPTIONS)}") from None
        self.game_spec = self.options.game_spec
        n = self.options.num_players
        self.learner_seat = _checked_seat(learner_seat, n, self.game_spec)
        num_other_seats = 0 if self.learner_seat == ALL_SEATS else n - 1
        self.batch = Batch(num_games, self.options)
        self._lock = self.batch.lock
        num_games = len(self.batch)
        self._opponents = Opponents(opponents, num_games, num_other_seats, self.game_spec)
        self.seats = np.zeros(num_games, np.int8)
        self.rewards = np.zeros(num_games, np.float32)
        self.terminated = np.zeros(num_games, np.bool_)
        self.truncated = np.zeros(num_games, np.bool_)
        self.illegal = np.zeros(num_games, np.bool_)
        self.has_started = False

    @property
    def opponents(self) -> OpponentOption:
        """The opponents of future games."""
        return self._opponents.option

    @exclusive
    def set_opponents(self, opponents: OpponentOption) -> None:
        """See `SingleAgentInterface.set_opponents`."""
        self._opponents.set(opponents)

    @exclusive
    def start(self, seed: int | Sequence[int | None] | None, rows: np.ndarray | None = None) -> None:
        """Start games in `rows` (m,), or in all rows; see `Batch.reset`."""
        if rows is not None and not self.has_started:
            raise ResetNeeded("the first reset must include all games")
        self.batch.reset(seed, is_first=not self.has_started, rows=rows)
        self.has_started = True
        rows = np.arange(len(self.batch)) if rows is None else rows
        for results in (self.rewards, self.terminated, self.truncated, self.illegal):
            results[rows] = 0
        self._seat(rows)
        self._play_until_learner(rows)

    @exclusive
    def play(self, actions: Any, renew: bool = False) -> None:
        """Apply the learner's action in every game, then let the bots play.

        IllegalAction, if enabled, is raised before any game is stepped. renew: restart finished games and ignore their
        actions; otherwise they raise ResetNeeded.
        """
        batch = self.batch
        if not self.has_started:
            raise ResetNeeded("call reset() before step()")
        is_new = batch.seats < 0
        if is_new.any() and not renew:
            label = f"game {is_new.argmax()}" if len(is_new) > 1 else "the game"
            raise ResetNeeded(f"{label} is over; call reset()")
        checked_actions = self._check_actions(actions, ~is_new)
        if is_new.any():
            self.renew(np.flatnonzero(is_new))
        batch.actions[:] = np.where(is_new, SKIP, checked_actions)
        batch.step()
        if self.illegal_action == LOSE and self.illegal.any():
            illegal_rows = np.flatnonzero(self.illegal)
            batch.forfeit_rows(illegal_rows, self.seats[illegal_rows])
        self._bots_play()
        is_over = (batch.ended == OVER) & ~is_new  # `ended` of a new game is that of its predecessor
        np.copyto(self.terminated, is_over)
        np.copyto(self.truncated, (batch.ended == TRUNCATED) & ~is_new)
        self.rewards[:] = np.where(is_over, batch.rewards[np.arange(len(batch)), self.seats], 0)

    def ended(self) -> np.ndarray:
        """Return the indices of the finished games."""
        return np.flatnonzero(self.batch.seats < 0)

    def last_observations(self, rows: np.ndarray) -> np.ndarray:
        """Return the learner's observations in the games `rows`, finished or not, a new array (m, features)."""
        return self.batch.observe_rows(rows, self.seats[rows])

    def results(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return the final info of the games `rows`, new arrays.

        Returns:
            "final_scores", "final_ranks": (m, seats), 1 is first. For a team the position of its token, (m,).
        """
        batch, n, token = self.batch, self.options.num_players, self.game_spec.token
        results = {"final_scores": batch.scores[rows, :n], "final_ranks": batch.ranks[rows, :n]}
        if token is not None:
            results[common.token_name(self.game_spec)] = batch.games[token.field][rows].astype(np.int16)
        return results

    def result(self, row: int) -> dict[str, Any]:
        """Return the final info of one game, as `results`; a token is an int."""
        results = self.results(np.array([row]))
        return {name: values[0] if values.ndim > 1 else int(values[0]) for name, values in results.items()}

    @exclusive
    def renew(self, rows: np.ndarray) -> None:
        """Restart the finished games `rows`."""
        self.batch.restart_rows(rows)
        self._seat(rows)
        self._play_until_learner(rows)

    def _play_until_learner(self, rows: np.ndarray) -> None:
        """Let the bots play in the games `rows`; restart games that end before the learner's first turn."""
        self._bots_play()
        while (rows := rows[self.batch.seats[rows] < 0]).size:
            self.batch.restart_rows(rows)
            self._seat(rows)
            self._bots_play()

    def _seat(self, rows: np.ndarray) -> None:
        self._opponents.seat(rows, self.batch.keys[rows])
        if self.learner_seat == ALL_SEATS:
            self.seats[rows] = self.batch.seats[rows]
        elif self.learner_seat == RANDOM_SEAT:
            self.seats[rows] = (self.batch.keys[rows, 0] >> 8) % self.options.num_players
        else:
            self.seats[rows] = self.learner_seat

    def _bots_play(self) -> None:
        batch, n = self.batch, self.options.num_players
        if self.learner_seat == ALL_SEATS:
            np.copyto(self.seats, batch.seats, where=batch.seats >= 0)
            return
        while True:
            rows = np.flatnonzero((batch.seats >= 0) & (batch.seats != self.seats))
            if not rows.size:
                return
            moves = np.empty(len(rows), np.int64)
            agent_of = self._opponents.agent_ids[rows, (batch.seats[rows] - self.seats[rows]) % n - 1]
            for number, agent in enumerate(self._opponents.agents):
                is_turn = agent_of == number
                if is_turn.any():
                    moves[is_turn] = self._query(agent, rows[is_turn])
            batch.step_rows(rows, moves)

    def _query(self, agent: Agent, rows: np.ndarray) -> np.ndarray:
        from vitienv.agents.query import query_agent

        return query_agent(agent, self.batch, rows, lambda i: f"agent {agent.name!r} in game {i}")

    def _check_actions(self, actions: Any, playing: np.ndarray) -> np.ndarray:
        """Return the actions to apply, (games,), and update `illegal`. playing: games in progress, (games,) bool."""
        try:
            actions = np.array(integers("actions", actions, len(self.batch)))  # other threads may write the original
        except ValueError as error:
            raise IllegalAction(str(error)) from None
        if self.illegal_action == RAISE:
            rows = np.flatnonzero(playing)
            self.batch.check(actions[rows], rows, label_of=lambda i: f"learner in game {i}")
            return actions
        np.logical_and(~self.batch.are_legal(actions), playing, out=self.illegal)
        if not self.illegal.any():
            return actions
        rows = np.flatnonzero(self.illegal)
        actions = actions.astype(np.int64)
        if self.illegal_action == LOSE:
            actions[rows] = SKIP
        else:
            actions[rows] = self._random_agent.act(self.batch.obs[rows], self.batch.masks[rows])
        return actions

    @cached_property
    def _random_agent(self) -> Agent:
        from vitienv.agents.seeding import make_bot

        return make_bot("random", 0, self.game_spec)

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._lock = self.batch.lock


class SingleAgentInterface:
    """Properties of the environments with one learner. games, render_mode: set by the environment."""

    games: SingleAgentGames
    render_mode: Any

    @property
    def _lock(self) -> RLock:  # type: ignore[valid-type]
        return self.games.batch.lock

    @property
    def opponents(self) -> OpponentOption:
        """The opponents of future games; `set_opponents` changes them."""
        return self.games.opponents

    @property
    def learner_seat(self) -> int | str:
        """The learner's seat: a number, "random" or "all"."""
        return self.games.learner_seat

    @property
    def illegal_action(self) -> str:
        """Effect of an illegal action of the learner: "raise", "lose" or "random"."""
        return self.games.illegal_action

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return self.games.options.num_players

    def __copy__(self) -> Self:
        """Return a deep copy, as the arrays of the games are updated in place."""
        return copy.deepcopy(self)

    @exclusive
    def action_masks(self) -> np.ndarray:
        """Return the action masks, a new array (games, actions) bool; no row is empty."""
        return self.games.batch.masks.astype(np.bool_)

    def _rendered(self, row: int) -> Any:
        return common.rendered(common.game_at(self.games.batch, row), self.render_mode, int(self.games.seats[row]))

    def set_opponents(self, opponents: OpponentOption) -> None:
        """Set the opponents of future games; games in progress keep theirs.

        opponents: as in the constructor. ValueError for an invalid option; the opponents are then unchanged.
        """
        self.games.set_opponents(opponents)


def _checked_seat(seat: object, num_players: int, spec: GameSpec) -> int | str:
    names = (RANDOM_SEAT, ALL_SEATS) if spec.is_of_team else (RANDOM_SEAT,)
    if isinstance(seat, str) and seat in names:
        return seat
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not 0 <= seat < num_players:
        expected = f"{', '.join(map(repr, names))} or an integer from 0 to {num_players - 1}"
        raise ValueError(f"learner_seat must be {expected}, got {seat!r}")
    return int(seat)

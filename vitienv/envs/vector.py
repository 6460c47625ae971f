"""Vector environment in which all seats learn: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space

from vitienv.core.batch import OVER, TRUNCATED, Batch, check_seed, integers, make_keys
from vitienv.core.errors import IllegalAction
from vitienv.core.options import check_bool
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name, game_spec

MAX_GAMES_IN_ERROR = 5


class GameVec:
    """`num_envs` games with `num_players` learning seats each. Created by `vitienv.make_vec`.

    `reset` and `step` return the arrays below. The next step overwrites them, so copy what you need later. Masks and
    seats are read-only.

    obs: (games, features) int16, from the point of view of the current seat.
    rewards: (games, seats) float32, zeros except for games that the rules ended in this step.
    terminated, truncated: (games,) bool, ended by the rules, or by `max_years`.
    info["action_mask"]: (games, actions) int8, 1 where legal; no row is empty.
    info["seat"]: (games,) int8, the current seat.
    info["decision"]: (games,) int8, the index of the pending decision in `game_spec.decisions`.
    info["final_scores"], info["final_ranks"]: (games, seats) int16, scores and ranks (1 is first, ties share a rank) of
    games that ended in this step; in a cooperative game also info["final_influence"] (games,), the token's position.
    info["final_obs"], on request: (games,) objects, new in each step; for games that ended in this step the last
    observation of each seat, (seats, features) int16, else None. Needed to bootstrap truncated games.

    A finished game restarts at once: rewards, flags and final results are those of the finished game, observation, mask
    and seat those of the new one. Game i depends on the seed and on i only, not on the number of games or threads.

    Methods raise RuntimeError while another thread calls one. After an interruption such as Ctrl-C, a call has been
    applied to all games or to none; but with `final_obs` or `start`, and in a cooperative game, finished games may not
    have restarted, so `reset` must follow.
    """

    _xp: Any = np  # array module

    def __init__(
        self, num_envs: int, num_threads: int = 1, game: str = DEFAULT, *, final_obs: bool = False,
        start: Game | Sequence[Game] | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """Create games.

        num_threads: number of threads of a step. final_obs: whether info contains "final_obs". start: a game, or
        several with the same options, from whose positions games start, cyclically; they determine the options. Each
        start redeals what the current seat cannot see, by the seed. ValueError or TypeError for an invalid option.
        """
        check_bool("final_obs", final_obs)
        self._start = np.empty((0, 0), np.int8)
        if start is not None:
            game, options, self._start = _positions(start, game, options)
        self.options = game_spec(game).options.of(**options)
        self.game_spec = self.options.game_spec
        self.num_players = self.options.num_players
        batch = Batch(num_envs, self.options, num_threads)
        self.num_envs = len(batch)
        self._has_final_obs = final_obs
        self._set_batch(batch)
        self._flat_masks = batch.masks.reshape(-1)
        self._row_offsets = np.arange(len(batch)) * batch.masks.shape[1]
        self._actions, self._offsets = (np.zeros(len(batch), np.int64) for _ in range(2))
        self._is_legal = np.zeros(len(batch), np.int8)

    def _set_batch(self, batch: Any) -> None:
        n = self.num_players
        self._batch, self._lock = batch, batch.lock
        self._has_reset = False
        self._terminated, self._truncated = (self._xp.zeros(len(batch), np.bool_) for _ in range(2))
        self._rewards = batch.rewards[:, :n]
        self._info = {
            "action_mask": self._read_only(batch.masks),
            "seat": self._read_only(batch.seats),
            "decision": self._read_only(batch.decisions),
            "final_scores": batch.scores[:, :n],
            "final_ranks": batch.ranks[:, :n],
        }
        token = self.game_spec.token
        self._token = None if token is None else self._field(token.field)
        if self._token is not None:
            self._info[common.token_name(self.game_spec)] = self._token.astype(np.int16)

    def _read_only(self, array: Any) -> Any:
        view = array.view()
        view.flags.writeable = False
        return view

    def _field(self, name: str) -> Any:
        return self._batch.games.view(np.ndarray)[name]

    # Spaces.

    @cached_property
    def single_observation_space(self) -> spaces.Box:
        """The observation space of a game."""
        return common.observation_space(self.game_spec)

    @cached_property
    def single_action_space(self) -> spaces.Discrete:
        """The action space of a game."""
        return common.action_space(self.game_spec)

    @cached_property
    def observation_space(self) -> spaces.Space:
        """The batched observation space."""
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> spaces.Space:
        """The batched action space."""
        return batch_space(self.single_action_space, self.num_envs)

    # Playing.

    @exclusive
    def reset(self, seed: int | Sequence[int | None] | None = None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Start games; returns obs and info.

        seed: game i depends on it and on i. None: random for the first games, then the successors of the previous ones.
        A list has an integer or None per game, which is then that of `env.reset(seed=...)`. ValueError for anything but
        integers from 0, and for a list of another length.
        """
        self._batch.reset(seed, is_first=not self._has_reset)
        if len(self._start):
            self._set_start_positions(np.arange(self.num_envs))
        if self._has_final_obs:
            self._info["final_obs"] = np.full(self.num_envs, None, object)
        self._terminated[:] = False
        self._truncated[:] = False
        self._has_reset = True
        return self._batch.obs, self._info

    @exclusive
    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Apply an action in every game. actions: (games,) integers.

        Returns obs, rewards, terminated, truncated, info. IllegalAction (a ValueError) names the games with an illegal
        action and is raised before any game is stepped.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before step()")
        self._set_actions(actions)
        return self._step_batch(self._batch.step)

    @exclusive
    def playout(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play every game to its end by random legal actions from its RNG stream; returns the last step's results."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before playout()")
        return self._step_batch(self._batch.playout)

    def _step_batch(self, move: Callable[[bool], Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step every game, store final infos and restart finished games."""
        batch = self._batch
        restarts_in_kernel = self._token is None and not self._has_final_obs and not len(self._start)
        move(restarts_in_kernel)
        if self._token is not None:
            self._info[common.token_name(self.game_spec)][...] = self._token
        if self._has_final_obs:
            self._info["final_obs"] = self._final_obs()
        if not restarts_in_kernel:
            self._restart()
        self._xp.equal(batch.ended, OVER, out=self._terminated)
        self._xp.equal(batch.ended, TRUNCATED, out=self._truncated)
        return batch.obs, self._rewards, self._terminated, self._truncated, self._info

    def _restart(self) -> None:
        ended_rows = np.flatnonzero(self._batch.ended)
        if ended_rows.size:
            self._batch.restart_rows(ended_rows)
            if len(self._start):
                self._set_start_positions(ended_rows)

    def fill(self, bytes_view: np.ndarray) -> None:
        """Set every game to a position, the bytes (1, bytes) int8 of a record; see `Game.batch`."""
        batch = self._batch
        batch.bytes_view[:] = bytes_view
        key = batch.games["key"][0]
        batch.keys[:] = make_keys(int(key[0]) << 32 | int(key[1]), self.num_envs)
        batch.refresh()
        self._has_reset = True

    def _set_start_positions(self, rows: np.ndarray) -> None:
        """Set the new games `rows` to their start positions, redealt with their keys."""
        batch = self._batch
        batch_of_rows = Batch.from_bytes(self._start[rows % len(self._start)], self.options, observe=False)
        batch_of_rows.determinize(batch_of_rows.seats.copy(), batch.keys[rows])
        batch_of_rows.refresh()
        for name in ("bytes_view", "masks", "seats", "decisions", "obs"):
            getattr(batch, name)[rows] = getattr(batch_of_rows, name)

    def _final_obs(self) -> np.ndarray:
        ended_rows = np.flatnonzero(self._batch.ended)
        final_obs = np.full(self.num_envs, None, object)
        if ended_rows.size:
            seats = [
                self._batch.observe_rows(ended_rows, np.full(len(ended_rows), seat)) for seat in range(self.num_players)
            ]
            for row, observations in zip(ended_rows, np.stack(seats, axis=1), strict=True):
                final_obs[row] = observations
        return final_obs

    def _set_actions(self, actions: np.ndarray) -> None:
        # Other threads may write the caller's array, so the checked copy is used.
        np.copyto(self._actions, integers("actions", actions, self.num_envs), casting="unsafe")
        actions = self._actions
        if int(actions.min()) < 0 or int(actions.max()) >= self._batch.masks.shape[1]:
            raise self._illegal(actions)
        np.add(self._row_offsets, actions, out=self._offsets)
        np.take(self._flat_masks, self._offsets, out=self._is_legal, mode="clip")
        if not self._is_legal.all():
            raise self._illegal(actions)
        np.copyto(self._batch.actions, actions)

    def _illegal(self, actions: np.ndarray) -> IllegalAction:
        illegal_rows = np.flatnonzero(~self._batch.are_legal(actions))
        errors = [
            str(self._batch.illegal(int(i), int(actions[i]), f"game {i}")) for i in illegal_rows[:MAX_GAMES_IN_ERROR]
        ]
        games = ", ".join(str(i) for i in illegal_rows[:MAX_GAMES_IN_ERROR]) + (
            ", …" if len(illegal_rows) > MAX_GAMES_IN_ERROR else ""
        )
        return IllegalAction(
            f"illegal actions in {len(illegal_rows)} of {self.num_envs} games ({games}): " + "; ".join(errors)
        )

    @exclusive
    def observe(self, seats: np.ndarray, open_hands: bool = False) -> np.ndarray:
        """Return the observation of seat seats[i] of game i, a new array (games, features) int16.

        open_hands: include the hidden cards of all seats, for a centralized critic; the order of the decks remains
        hidden. ValueError unless seats are integers (games,) from 0 to num_players - 1.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before observe()")
        check_bool("open_hands", open_hands)
        seats = np.array(integers("seats", seats, self.num_envs))
        if seats.min() < 0 or seats.max() >= self.num_players:
            raise ValueError(f"seats must be from 0 to {self.num_players - 1}, got {seats.min()} to {seats.max()}")
        if open_hands:
            return self._batch.observe_rows(np.arange(self.num_envs), seats, open_hands=True)
        return self._batch.observe(seats.astype(np.int8), np.zeros_like(self._batch.obs))

    @exclusive
    def action_masks(self) -> np.ndarray:
        """Return the action masks, a new array (games, actions) bool; no row is empty. ResetNeeded before `reset`."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before action_masks()")
        return self._batch.masks.astype(np.bool_)

    def close(self) -> None:
        """Do nothing; threads end with the environment."""

    # Copies.

    @exclusive
    def determinize(self, seed: int | None = None) -> Self:
        """Return a copy with everything that the current seats cannot see redealt, including future random events.

        The deal of game i depends on the seed and on i only; None is a random seed. Observations and masks do not
        change. ValueError for an invalid seed.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before determinize()")
        vec = self.copy()
        keys = np.random.SeedSequence(check_seed(seed), spawn_key=(1,)).generate_state(2 * self.num_envs, np.uint32)
        vec._batch.determinize(vec._batch.seats, self._xp.asarray(keys.reshape(-1, 2)))
        vec._batch.refresh()
        return vec

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {
            "num_envs": self.num_envs,
            "num_threads": self._batch.num_threads,
            "options": self.options,
            "has_reset": self._has_reset,
            "final_obs": self._has_final_obs,
            "start": self._start,
            "games": self._batch.saved(),
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        game = canonical_name(state["options"].game_spec)
        self.__init__(  # type: ignore[misc]
            state["num_envs"], state["num_threads"], game, final_obs=state["final_obs"], **state["options"].to_dict()
        )
        self._start = state["start"]
        if self._has_final_obs:
            self._info["final_obs"] = np.full(self.num_envs, None, object)
        self._batch.restore(state["games"])
        self._has_reset = state["has_reset"]
        np.equal(self._batch.ended, OVER, out=self._terminated)
        np.equal(self._batch.ended, TRUNCATED, out=self._truncated)

    def copy(self) -> Self:
        """Return an independent copy, including the random state."""
        vec = object.__new__(type(self))
        vec.__setstate__(self.__getstate__())
        return vec

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> GameVec:
        return self.copy()

    def __repr__(self) -> str:
        return f"<GameVec of {self.num_envs} games, {self.num_players} players, {self.options.ruleset}>"


def _positions(
    start: Game | Sequence[Game], game: str, options: dict[str, Any]
) -> tuple[str, dict[str, Any], np.ndarray]:
    """Return the game of start positions, its options, and the bytes of their records."""
    games = [start] if isinstance(start, Game) else list(start) if isinstance(start, Iterable) else []
    if not games or not all(isinstance(item, Game) for item in games):
        raise ValueError(f"start must be a Game or a list of them, got {start!r}")
    first = games[0].options
    if options or game not in (DEFAULT, canonical_name(first.game_spec)):
        raise ValueError(f"options must come from start, got {[*options] or game!r}")
    if any(item.options != first for item in games):
        raise ValueError("the games of start must have the same options")
    if any(item.is_over for item in games):
        raise ValueError("the games of start must not be over")
    return canonical_name(first.game_spec), first.to_dict(), np.concatenate([item._batch.bytes_view for item in games])

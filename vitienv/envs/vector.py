"""Many games at once: arrays in, arrays out, no object for a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space

from vitienv.core.batch import OVER, TRUNCATED, Batch, checked_seed, integers, keys_of
from vitienv.core.errors import IllegalAction
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name

NAMED = 5  # how many games an error names


class GameVec:
    """`num_envs` games side by side, each with `num_players` seats that all learn. Made by `vitienv.make_vec`.

    `reset` and `step` return these arrays. They belong to the environment, which writes the next step into the
    same memory: copy what you keep. The masks and seats are read-only.

    obs: (games, observed numbers) int16, from the point of view of the seat to act.
    rewards: (games, seats) float32, zeros except where a game was ended by the rules in this step.
    terminated, truncated: (games,) bool, ended by the rules, cut off by `max_years`.
    info["action_mask"]: (games, actions) int8, 1 where legal; no row is empty.
    info["seat"]: (games,) int8, the seat to act.
    info["decision"]: (games,) int8, the number of the pending decision; `game_spec.decisions[number]` is its name.
    info["final_scores"], info["final_ranks"]: (games, seats) int16, victory points and ranks (1 is first, ties
    share a rank), meaningful where a game ended in this step; of a team also info["final_influence"] (games,),
    where its token stood.
    info["final_obs"], on request: (games,) objects, new in each step; where a game ended in this step, what each seat
    sees of its end, (seats, observed numbers) int16, and None elsewhere. A learner needs it to bootstrap a game that
    was cut off.

    An ended game starts anew at once: its rewards, flags and final results are those of the game that ended, its
    observation, mask and seat those of the new game's first decision.

    Game i depends on the seed and on i only, whatever the size of the batch and the number of threads.

    One thread at a time may call the methods; another one gets a RuntimeError. After an interruption such as Ctrl-C all
    games are as they were before the call, or all are as they are after it; but with `final_obs` or `start`, and in the
    game of a team, ended games may not have started anew, so that `reset` must follow.
    """

    _xp: Any = np  # the library of the arrays

    def __init__(
        self, num_envs: int, num_threads: int = 1, game: str = DEFAULT, *, final_obs: bool = False,
        start: Game | Sequence[Game] | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """num_threads: over how many threads a step is spread. game: its name. final_obs: whether info has it.

        start: a game, or several with the same options, from whose positions all games start, game i from the i-th,
        over and over; options come from them. Each start deals anew, by the seed, what the seat to act cannot see and
        all chance to come. ValueError or TypeError for a wrong option.
        """
        self._start = np.empty((0, 0), np.int8)
        if start is not None:
            game, options, self._start = _positions(start, game, options)
        self.options = common.options_of(game, **options)
        self.game_spec = self.options.game_spec
        self.num_players = self.options.num_players
        batch = Batch(num_envs, self.options, num_threads)
        self.num_envs = len(batch)
        self._has_final_obs = final_obs
        self._own(batch)
        self._every_mask = batch.masks.reshape(-1)
        self._first_of_game = np.arange(len(batch)) * batch.masks.shape[1]
        self._actions, self._place = (np.zeros(len(batch), np.int64) for _ in range(2))
        self._is_legal = np.zeros(len(batch), np.int8)

    def _own(self, batch: Any) -> None:
        n = self.num_players
        self._batch, self._lock = batch, batch.lock
        self._has_reset = False
        self._terminated, self._truncated = (self._xp.zeros(len(batch), np.bool_) for _ in range(2))
        self._rewards = batch.rewards[:, :n]
        self._info = {
            "action_mask": self._shown(batch.masks),
            "seat": self._shown(batch.seats),
            "decision": self._shown(batch.decisions),
            "final_scores": batch.scores[:, :n],
            "final_ranks": batch.ranks[:, :n],
        }
        token = self.game_spec.token
        self._token = None if token is None else self._field(token.field)
        if self._token is not None:
            self._info[common.token_word(self.game_spec)] = self._token.astype(np.int16)

    def _shown(self, array: Any) -> Any:
        """What the next step is checked by, not to be written."""
        view = array.view()
        view.flags.writeable = False
        return view

    def _field(self, name: str) -> Any:
        """A field of the records, (games,): a view."""
        return self._batch.games.view(np.ndarray)[name]

    # Spaces.

    @cached_property
    def single_observation_space(self) -> spaces.Box:
        """The space of one game's observation."""
        return common.observation_space(self.game_spec)

    @cached_property
    def single_action_space(self) -> spaces.Discrete:
        """The space of one game's action."""
        return common.action_space(self.game_spec)

    @cached_property
    def observation_space(self) -> spaces.Space:
        """The space of all observations together."""
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> spaces.Space:
        """The space of all actions together."""
        return batch_space(self.single_action_space, self.num_envs)

    # Playing.

    @exclusive
    def reset(self, seed: int | Sequence[int | None] | None = None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """New games; returns obs and info.

        seed: game i depends on it and on i. None: fresh chance the first time, afterwards the successors of the
        games before. A list has one of these for each game: that of `env.reset(seed=...)` then. Raises ValueError for
        anything but whole numbers from 0, and for a list of another length.
        """
        self._batch.start_anew(seed, is_first=not self._has_reset)
        if len(self._start):
            self._put(np.arange(self.num_envs))
        if self._has_final_obs:
            self._info["final_obs"] = np.full(self.num_envs, None, object)
        self._terminated[:] = False
        self._truncated[:] = False
        self._has_reset = True
        return self._batch.obs, self._info

    @exclusive
    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """One decision in every game. actions: (games,) whole numbers, each legal in its game.

        Returns obs, rewards, terminated, truncated, info. Raises IllegalAction (a ValueError) that names the games
        with an illegal action, before any game moved.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before step()")
        self._take(actions)
        return self._moved(self._batch.step)

    @exclusive
    def playout(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Every game to its end by random legal actions of its own stream; returns what the last step gives."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before playout()")
        return self._moved(self._batch.playout)

    def _moved(self, move: Callable[[bool], Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Move every game and start anew what is over; note first what is shown of the end."""
        batch = self._batch
        starts_at_once = self._token is None and not self._has_final_obs and not len(self._start)
        move(starts_at_once)
        if self._token is not None:
            self._info[common.token_word(self.game_spec)][...] = self._token
        if self._has_final_obs:
            self._info["final_obs"] = self._final_obs()
        if not starts_at_once:
            self._restart()
        self._xp.equal(batch.ended, OVER, out=self._terminated)
        self._xp.equal(batch.ended, TRUNCATED, out=self._truncated)
        return batch.obs, self._rewards, self._terminated, self._truncated, self._info

    def _restart(self) -> None:
        over = np.flatnonzero(self._batch.ended)
        if over.size:
            self._batch.restart_rows(over)
            if len(self._start):
                self._put(over)

    def fill(self, bytes_view: np.ndarray) -> None:
        """Put every game at one position, (1, bytes) int8 of its record, as it is; see `Game.batch`."""
        batch = self._batch
        batch.bytes_view[:] = bytes_view
        key = batch.games["key"][0]
        batch.keys[:] = keys_of(int(key[0]) << 32 | int(key[1]), self.num_envs)
        batch.refresh()
        self._has_reset = True

    def _put(self, rows: np.ndarray) -> None:
        """Put the games `rows`, which have just started, at their start positions, dealt anew under their own keys."""
        batch = self._batch
        dealt = Batch(len(rows), self.options)
        dealt.bytes_view[:] = self._start[rows % len(self._start)]
        dealt.refresh(observe=False)
        dealt.determinize(dealt.seats.copy(), batch.keys[rows])
        dealt.refresh()
        for name in ("bytes_view", "masks", "seats", "decisions", "obs"):
            getattr(batch, name)[rows] = getattr(dealt, name)

    def _final_obs(self) -> np.ndarray:
        over = np.flatnonzero(self._batch.ended)
        found = np.full(self.num_envs, None, object)
        if over.size:
            seats = [self._batch.observe_rows(over, np.full(len(over), seat)) for seat in range(self.num_players)]
            for row, observations in zip(over, np.stack(seats, axis=1), strict=True):
                found[row] = observations
        return found

    def _take(self, actions: np.ndarray) -> None:
        # The caller's array may be written by another thread: the copy that is checked is the one that is used.
        np.copyto(self._actions, integers("actions", actions, self.num_envs), casting="unsafe")
        actions = self._actions
        if int(actions.min()) < 0 or int(actions.max()) >= self._batch.masks.shape[1]:
            raise self._illegal(actions)
        np.add(self._first_of_game, actions, out=self._place)
        np.take(self._every_mask, self._place, out=self._is_legal, mode="clip")
        if not self._is_legal.all():
            raise self._illegal(actions)
        np.copyto(self._batch.actions, actions)

    def _illegal(self, actions: np.ndarray) -> IllegalAction:
        bad = np.flatnonzero(~self._batch.are_legal(actions))
        errors = [str(self._batch.illegal(int(i), int(actions[i]), f"game {i}")) for i in bad[:NAMED]]
        games = ", ".join(str(i) for i in bad[:NAMED]) + (", …" if len(bad) > NAMED else "")
        return IllegalAction(f"illegal actions in {len(bad)} of {self.num_envs} games ({games}): " + "; ".join(errors))

    @exclusive
    def observe(self, seats: np.ndarray, open_hands: bool = False) -> np.ndarray:
        """What seat seats[i] of game i sees, whoever is to act: a new array (games, observed numbers) int16.

        open_hands: it sees what all seats hold, as a central critic may; the decks stay hidden. ValueError if seats are
        not integers (games,) from 0 to the number of players less one.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before observe()")
        seats = np.array(integers("seats", seats, self.num_envs))
        if seats.min() < 0 or seats.max() >= self.num_players:
            raise ValueError(f"seats must be from 0 to {self.num_players - 1}, got {seats.min()} to {seats.max()}")
        if open_hands:
            return self._batch.observe_rows(np.arange(self.num_envs), seats, open_hands=True)
        return self._batch.observe(seats.astype(np.int8), np.zeros_like(self._batch.obs))

    @exclusive
    def action_masks(self) -> np.ndarray:
        """Which actions are legal, a new array (games, actions) bool; no row is empty. ResetNeeded before `reset`."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before action_masks()")
        return self._batch.masks.astype(np.bool_)

    def close(self) -> None:
        """Nothing to release; threads end with the environment."""

    # Copies.

    @exclusive
    def determinize(self, seed: int | None = None) -> Self:
        """A copy in which all that the seat to act cannot see is dealt anew, and what chance will bring too.

        The deal of game i depends on the seed and on i only; None takes fresh chance. Observations and masks are as
        before. Raises ValueError for a wrong seed.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before determinize()")
        other = self.copy()
        keys = np.random.SeedSequence(checked_seed(seed), spawn_key=(1,)).generate_state(2 * self.num_envs, np.uint32)
        other._batch.determinize(other._batch.seats, self._xp.asarray(keys.reshape(-1, 2)))
        other._batch.refresh()
        return other

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
        """An independent copy, chance included."""
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> GameVec:
        return self.copy()

    def __repr__(self) -> str:
        return f"<GameVec of {self.num_envs} games, {self.num_players} players, {self.options.ruleset}>"


def _positions(
    start: Game | Sequence[Game], game: str, options: dict[str, Any]
) -> tuple[str, dict[str, Any], np.ndarray]:
    """The game of start positions, its options, and their records as bytes. ValueError for what contradicts itself."""
    games = [start] if isinstance(start, Game) else list(start) if isinstance(start, Iterable) else []
    if not games or not all(isinstance(each, Game) for each in games):
        raise ValueError(f"start must be a Game or a list of them, got {start!r}")
    first = games[0].options
    if options or game not in (DEFAULT, canonical_name(first.game_spec)):
        raise ValueError(f"options must come from start, got {[*options] or game!r}")
    if any(each.options != first for each in games):
        raise ValueError("the games of start must have the same options")
    if any(each.is_over for each in games):
        raise ValueError("the games of start must not be over")
    return canonical_name(first.game_spec), first.to_dict(), np.concatenate([each._batch.bytes_view for each in games])

"""Stable-Baselines3 `VecEnv` of a batch of games, with action masks for MaskablePPO.

>>> from sb3_contrib import MaskablePPO
>>> model = MaskablePPO("MlpPolicy", SingleAgentVecEnv(64, opponents=["heuristic"], num_players=4))
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from vitienv.core.batch import check_seed
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.envs.one_learner import SingleAgentGames, SingleAgentInterface

if TYPE_CHECKING:
    from vitienv.envs.one_learner import OpponentOption

Indices = int | Iterable[int] | None


class SingleAgentVecEnv(SingleAgentInterface, VecEnv):
    """`num_envs` games with one learner and bots in the other seats; see `vitienv.envs.single.SingleAgentEnv`.

    `env_method("action_masks")` returns the masks. A finished game restarts; its info has "terminal_observation",
    "TimeLimit.truncated", "final_scores", "final_ranks", in a cooperative game "final_influence", "learner_seat" and
    "episode" (return, length, seconds). After an illegal action that did not raise, info has "illegal_action". Every
    step returns new arrays.
    """

    def __init__(
        self,
        num_envs: int,
        opponents: OpponentOption = ("random",),
        learner_seat: int | str = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """See `SingleAgentEnv`; learners without masks should use illegal_action="lose" or "random".

        ValueError or TypeError for an invalid option.
        """
        self.games = SingleAgentGames(num_envs, opponents, learner_seat, **options)
        num_envs = len(self.games.batch)
        game = self.games.game_spec
        common.check_render_mode(render_mode, game)
        self.render_mode = render_mode
        super().__init__(num_envs, common.observation_space(game), common.action_space(game))
        self._seed: int | None = None
        self._actions: np.ndarray = np.zeros(num_envs, np.int64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._started_at = time.monotonic()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next `reset`; game i depends on it and on i only."""
        self._seed = check_seed(seed)
        return [self._seed] * self.num_envs

    @exclusive
    def reset(self) -> np.ndarray:
        """Start games; returns the observations (games, features) int16."""
        self.games.start(self._seed)
        self._seed = None
        self._lengths[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.games.batch.obs.copy()

    def set_options(self, options: list[dict] | dict | None = None) -> None:
        """Raise ValueError for any option; `reset` has none."""
        for env_options in options if isinstance(options, list) else [options]:
            common.check_reset_options(env_options)

    def step_async(self, actions: np.ndarray) -> None:
        """Copy the actions of the next `step_wait`."""
        self._actions = actions.copy() if isinstance(actions, np.ndarray) else np.asarray(actions)

    @exclusive
    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Apply the learner's action in every game, then let the bots play.

        With `illegal_action` "raise", an illegal action raises IllegalAction (a ValueError) before any game is stepped.
        """
        games = self.games
        games.play(self._actions)
        self._lengths += 1
        rewards, dones = games.rewards.copy(), games.terminated | games.truncated
        infos: list[dict[str, Any]] = [{"illegal_action": True} if illegal else {} for illegal in games.illegal]
        rows = games.ended()
        if rows.size:
            self._add_results(infos, rows)
            games.renew(rows)
            self._lengths[rows] = 0
        return games.batch.obs.copy(), rewards, dones, infos

    def _add_results(self, infos: list[dict[str, Any]], rows: np.ndarray) -> None:
        games = self.games
        seconds = round(time.monotonic() - self._started_at, 6)
        observations = games.last_observations(rows)
        for k, i in enumerate(rows):
            infos[i].update(
                {
                    "terminal_observation": observations[k],
                    "TimeLimit.truncated": bool(games.truncated[i]),
                    **games.result(i),
                    "learner_seat": int(games.seats[i]),
                    "episode": {"r": float(games.rewards[i]), "l": int(self._lengths[i]), "t": seconds},
                }
            )

    def close(self) -> None:
        """Do nothing; there is nothing to release."""

    # Access to single environments.

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute, which all games share. AttributeError if it does not exist."""
        return [getattr(self, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raise AttributeError: attributes of single games cannot be set."""
        raise AttributeError(f"cannot set {attr_name!r} of single games; set_opponents() changes the opponents")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Call `action_masks` or `render` of the games `indices`, or `set_opponents` of all games.

        AttributeError for any other method.
        """
        rows = self._rows(indices)
        if method_name == "render" and self.render_mode is not None:
            return [self._rendered(i) for i in rows]
        if method_name == "set_opponents":
            if len(rows) != self.num_envs:
                raise ValueError(f"set_opponents must be called for all {self.num_envs} games, got indices {indices!r}")
            self.set_opponents(*args, **kwargs)
            return [None] * len(rows)
        if method_name != "action_masks":
            expected = "action_masks, render, set_opponents"
            raise AttributeError(f"unknown method {method_name!r} of a game; expected one of: {expected}")
        return list(self.action_masks()[rows])

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Return False for every game."""
        return [False] * len(self._rows(indices))

    @exclusive
    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return the drawing of each game for its learner, (800, 1280, 3) uint8, in mode "rgb_array"; else None."""
        if self.render_mode != common.PIXELS:
            return [None] * self.num_envs
        return [self._rendered(i) for i in range(self.num_envs)]

    def _rows(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))

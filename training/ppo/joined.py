"""Several vector environments side by side as one, so that a learner meets a mix of opponents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv


class JoinedVecEnv(VecEnv):
    """The games of several vector environments in one row, in their order. All must share their spaces."""

    def __init__(self, parts: Sequence[VecEnv]) -> None:
        if not parts:
            raise ValueError("there must be at least one environment to join")
        self.parts = list(parts)
        self._bounds = np.cumsum([0, *(part.num_envs for part in parts)])
        self.render_mode = None
        super().__init__(int(self._bounds[-1]), parts[0].observation_space, parts[0].action_space)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Each part gets a seed of its own, made from `seed`."""
        seeds: list[int | None] = [None] * len(self.parts)
        if seed is not None:
            seeds = [int(s) for s in np.random.SeedSequence(seed).generate_state(len(self.parts), np.uint32)]
        return [s for part, own in zip(self.parts, seeds, strict=True) for s in part.seed(own)]

    def reset(self) -> np.ndarray:
        """New games in every part; the observations (games, observation)."""
        observations = np.concatenate([part.reset() for part in self.parts])
        self.reset_infos = [info for part in self.parts for info in part.reset_infos]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Hand each part its actions."""
        for part, low, high in zip(self.parts, self._bounds[:-1], self._bounds[1:], strict=True):
            part.step_async(actions[low:high])

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Step every part and put the results side by side."""
        observations, rewards, dones, infos = zip(*(part.step_wait() for part in self.parts), strict=True)
        every = [info for part in infos for info in part]
        return np.concatenate(observations), np.concatenate(rewards), np.concatenate(dones), every

    def close(self) -> None:
        """Close every part."""
        for part in self.parts:
            part.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of each game. AttributeError if there is none."""
        every = [value for part in self.parts for value in part.get_attr(attr_name)]
        return [every[i] for i in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Set an attribute of all games."""
        for part in self.parts:
            part.set_attr(attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method of each game named by `indices`."""
        every = [value for part in self.parts for value in part.env_method(method_name, *args, **kwargs)]
        return [every[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        """Whether each game is wrapped by a class."""
        every = [value for part in self.parts for value in part.env_is_wrapped(wrapper_class)]
        return [every[i] for i in self._get_indices(indices)]

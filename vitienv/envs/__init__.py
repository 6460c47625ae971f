"""Environments: PettingZoo (`env`, `raw_env`), arrays (`make_vec`), text (`text_env`), Gymnasium, Stable-Baselines3.

>>> env = vitienv.env(num_players=4)
>>> vec = vitienv.make_vec(num_envs=1024, num_players=4)
>>> gym.make("vitienv/Viticulture-v0", num_players=4, opponents=["heuristic"])
>>> from vitienv.envs.sb3 import SingleAgentVecEnv
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from vitienv.envs.aec import GameAEC
    from vitienv.envs.text_environment import TextEnv
    from vitienv.envs.vector import GameVec

__all__ = ["env", "make_vec", "raw_env", "text_env"]


def raw_env(*, render_mode: str | None = None, **options: Any) -> GameAEC:
    """Create the PettingZoo AEC environment without wrappers; see `GameAEC`.

    ValueError for an invalid option, TypeError for an unknown one.
    """
    from vitienv.envs.aec import GameAEC

    return GameAEC(render_mode=render_mode, **options)


def env(*, render_mode: str | None = None, **options: Any) -> AECEnv:
    """Create `raw_env` with PettingZoo's OrderEnforcingWrapper; the environment checks legality itself."""
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    return OrderEnforcingWrapper(raw_env(render_mode=render_mode, **options))


def make_vec(num_envs: int, num_threads: int = 1, device: str = "cpu", **options: Any) -> GameVec:
    """Create `num_envs` games with array inputs and outputs; see `GameVec`, also for `final_obs` and `start`.

    device: "cpu", or "cuda" for games on an NVIDIA GPU, without `final_obs`, `start` and effect of num_threads.
    See `DeviceVec`.

    ValueError for an invalid option, TypeError for an unknown one.
    """
    from vitienv.envs.vector import GameVec

    if device != "cpu":
        from vitienv.envs.device import DeviceVec, device_of

        for name in ("final_obs", "start"):
            if options.pop(name, None) not in (None, False):
                raise ValueError(f"{name} must be unset for device={device!r}; only device='cpu' supports it")
        return DeviceVec(num_envs, device_of(device), **options)
    return GameVec(num_envs, num_threads=num_threads, **options)


def text_env(opponents: Any = ("random",), seat: int | str = 0, retries: int = 2, **options: Any) -> TextEnv:
    """Create a text environment of one seat, for language models; see `TextEnv`.

    ValueError for an invalid option, TypeError for an unknown one.
    """
    from vitienv.envs.text_environment import TextEnv

    return TextEnv(opponents, seat, retries, **options)


def __getattr__(name: str) -> Any:
    # `vitienv.envs.sb3` is imported on demand, as it requires Stable-Baselines3.
    if name == "sb3":
        return import_module("vitienv.envs.sb3")
    raise AttributeError(f"module 'vitienv.envs' has no attribute {name!r}")

"""Vector environment on a device, created by `make_vec(..., device="cuda")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from gymnasium.error import ResetNeeded

from vitienv.core.batch import integers
from vitienv.core.kernel import SKIP
from vitienv.core.options import check_bool
from vitienv.core.targets.cuda import Device, Gpu
from vitienv.core.targets.device_batch import DeviceBatch
from vitienv.core.targets.parallel import exclusive
from vitienv.envs.vector import GameVec
from vitienv.registry import DEFAULT, game_spec


class DeviceVec(GameVec):
    """`GameVec` with all arrays on a device; a step copies nothing from or to host memory.

    The arrays are CuPy arrays, which torch and JAX can share (`torch.as_tensor`, DLPack); as in `GameVec`, the next
    step overwrites them. A step does not synchronize, so it cannot raise for illegal actions: such games are skipped,
    without rewards and flags, and marked in info["illegal"], (games,) bool.
    """

    def __init__(self, num_envs: int, device: Device, game: str = DEFAULT, **options: Any) -> None:
        """Create games on a device. ValueError or TypeError for an invalid option."""
        self.options = game_spec(game).options.of(**options)
        self.game_spec = self.options.game_spec
        self.num_envs = int(num_envs)
        self.num_players = self.options.num_players
        self._xp = device.xp
        self._start, self._has_final_obs = np.zeros((0, 0), np.int8), False
        self._illegal_ones, self._rows = self._xp.zeros(num_envs, np.bool_), self._xp.arange(num_envs)
        self._set_batch(DeviceBatch(num_envs, self.options, device))

    def _set_batch(self, batch: DeviceBatch) -> None:
        super()._set_batch(batch)
        self._info["illegal"] = self._illegal_ones

    def _read_only(self, array: Any) -> Any:
        return array

    def _field(self, name: str) -> Any:
        return self._batch.field(name)

    @exclusive
    def reset(self, seed: int | Sequence[int | None] | None = None) -> tuple[Any, dict[str, Any]]:
        """See `GameVec.reset`."""
        self._illegal_ones[...] = False
        return super().reset(seed)

    def _set_actions(self, actions: Any) -> None:
        """Copy the legal actions to the batch. actions: (games,) integers, preferably an array of the device."""
        batch, xp = self._batch, self._xp
        actions = integers("actions", actions, self.num_envs, xp).astype(
            np.int64, copy=False
        )  # unsigned types cannot store SKIP
        clipped = xp.clip(actions, 0, batch.masks.shape[1] - 1)
        is_legal = (clipped == actions) & (batch.masks[self._rows, clipped] == 1)
        self._illegal_ones[...] = ~is_legal
        batch.actions[...] = xp.where(is_legal, clipped, SKIP)
        batch.ended[...] = 0  # the kernel does not write the outputs of skipped games
        batch.rewards[...] = 0

    def _restart(self) -> None:
        self._batch.actions[...] = self._xp.where(self._batch.ended != 0, 0, SKIP)
        self._batch.step(restart=True)

    @exclusive
    def playout(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """See `GameVec.playout`; synchronizes with the device."""
        self._illegal_ones[...] = False
        return super().playout()

    @exclusive
    def observe(self, seats: Any, open_hands: bool = False) -> Any:
        """Return the observation of seat seats[i] of game i, a new array (games, features) int16 on the device.

        The range of seats is not checked. ValueError for open hands, which are not supported.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before observe()")
        check_bool("open_hands", open_hands)
        if open_hands:
            raise ValueError("open_hands must be False on a device; create the games with open_hands=True")
        seats = integers("seats", seats, self.num_envs, self._xp)
        return self._batch.observe(seats, self._xp.zeros_like(self._batch.obs))

    @exclusive
    def copy(self) -> Self:
        """Return an independent copy, including the random state, on the same device."""
        vec = object.__new__(type(self))
        vec.__dict__.update(self.__dict__, _illegal_ones=self._illegal_ones.copy())
        vec._set_batch(self._batch.copy())
        vec._has_reset = self._has_reset
        for name in ("_terminated", "_truncated"):
            getattr(vec, name)[...] = getattr(self, name)
        return vec

    def __getstate__(self) -> dict[str, Any]:
        """Raise TypeError; pickling is not supported."""
        raise TypeError("environments on a device cannot be pickled")


def device_of(name: str) -> Device:
    """Return a device by name. ValueError if it is unknown or not available."""
    if name != "cuda":
        raise ValueError(f"device must be 'cpu' or 'cuda', got {name!r}")
    return Gpu()

"""Many games at once on a device: what `make_vec(..., device="cuda")` makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from gymnasium.error import ResetNeeded

from vitienv.core.batch import integers
from vitienv.core.kernel import LEAVE
from vitienv.core.targets.cuda import Card, Device
from vitienv.core.targets.device import DeviceBatch
from vitienv.core.targets.parallel import exclusive
from vitienv.envs import common
from vitienv.envs.vector import GameVec
from vitienv.registry import DEFAULT


class DeviceVec(GameVec):
    """`GameVec` with all arrays on a device, where a step copies nothing from or to this machine's memory.

    Arrays are CuPy's, which torch and JAX take without a copy (`torch.as_tensor`, DLPack). They are written by the next
    step, as those of `GameVec` are. One thing is different: a step does not wait for the device, so it cannot raise for
    an illegal action. Such a game is left alone, with neither rewards nor flags, and info["illegal"], (games,) bool,
    says which ones.
    """

    def __init__(self, num_envs: int, device: Device, game: str = DEFAULT, **options: Any) -> None:
        """device: where the games lie. game: its name. ValueError or TypeError for a wrong option."""
        self.options = common.options_of(game, **options)
        self.game_spec = self.options.game_spec
        self.num_envs = int(num_envs)
        self.num_players = self.options.num_players
        self._xp = device.xp
        self._start, self._has_final_obs = np.zeros((0, 0), np.int8), False
        self._illegal_ones, self._rows = self._xp.zeros(num_envs, np.bool_), self._xp.arange(num_envs)
        self._own(DeviceBatch(num_envs, self.options, device))

    def _own(self, batch: DeviceBatch) -> None:
        super()._own(batch)
        self._info["illegal"] = self._illegal_ones

    def _shown(self, array: Any) -> Any:
        return array

    def _field(self, name: str) -> Any:
        return self._batch.field(name)

    @exclusive
    def reset(self, seed: int | Sequence[int | None] | None = None) -> tuple[Any, dict[str, Any]]:
        """As `GameVec.reset`."""
        self._illegal_ones[...] = False
        return super().reset(seed)

    def _take(self, actions: Any) -> None:
        """Hand the legal actions to the batch. actions: (games,) whole numbers, best an array of the device."""
        batch, xp = self._batch, self._xp
        actions = integers("actions", actions, self.num_envs, xp).astype(np.int64, copy=False)  # so that LEAVE fits
        inside = xp.clip(actions, 0, batch.masks.shape[1] - 1)
        is_legal = (inside == actions) & (batch.masks[self._rows, inside] == 1)
        self._illegal_ones[...] = ~is_legal
        batch.actions[...] = xp.where(is_legal, inside, LEAVE)
        batch.ended[...] = 0  # of games that are left alone
        batch.rewards[...] = 0

    def _restart(self) -> None:
        self._batch.actions[...] = self._xp.where(self._batch.ended != 0, 0, LEAVE)
        self._batch.step(restart=True)

    @exclusive
    def playout(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """As `GameVec.playout`. It waits for the device."""
        self._illegal_ones[...] = False
        return super().playout()

    @exclusive
    def observe(self, seats: Any, open_hands: bool = False) -> Any:
        """What seat seats[i] of game i sees, whoever is to act: a new array (games, observed numbers) int16 on the
        device. Whether seats are in range is not checked. ValueError for open hands, which are not supported."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before observe()")
        if open_hands:
            raise ValueError("open_hands must be False on a device; make the games with open_hands=True")
        seats = integers("seats", seats, self.num_envs, self._xp)
        return self._batch.observe(seats, self._xp.zeros_like(self._batch.obs))

    @exclusive
    def copy(self) -> Self:
        """An independent copy, chance included, on the same device."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _illegal_ones=self._illegal_ones.copy())
        other._own(self._batch.copy())
        other._has_reset = self._has_reset
        for name in ("_terminated", "_truncated"):
            getattr(other, name)[...] = getattr(self, name)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Not yet: TypeError."""
        raise TypeError("environments on a device cannot be pickled")


def device_of(name: str) -> Device:
    """The device of a name. ValueError if there is none of that name, or if something is missing for it."""
    if name != "cuda":
        raise ValueError(f"device is {name!r}; it must be 'cpu' or 'cuda'")
    return Card()

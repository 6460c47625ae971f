"""Many games at once on a device: what `make_vec(..., device="cuda")` makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from vitienv.core.batch import OVER, TRUNCATED
from vitienv.core.kernel import LEAVE
from vitienv.core.targets.cuda import Card, Device
from vitienv.core.targets.device import DeviceBatch
from vitienv.envs import common
from vitienv.envs.vector import GameVec
from vitienv.games import DEFAULT


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
        self.definition = self.options.definition
        self.num_envs = num_envs
        self.num_players = n = self.options.num_players
        self._batch: DeviceBatch = DeviceBatch(num_envs, self.options, device)
        self._has_reset = False
        batch, xp = self._batch, device.xp
        self._terminated, self._truncated = xp.zeros(num_envs, np.bool_), xp.zeros(num_envs, np.bool_)
        self._illegal_ones = xp.zeros(num_envs, np.bool_)
        self._rows = xp.arange(num_envs)
        self._rewards = batch.rewards[:, :n]
        self._info = {
            "action_mask": batch.masks,
            "seat": batch.seats,
            "decision": batch.decisions,
            "final_scores": batch.scores[:, :n],
            "final_ranks": batch.ranks[:, :n],
            "illegal": self._illegal_ones,
        }
        token = self.definition.token
        self._token = None if token is None else batch.field(token.field)
        if self._token is not None:
            self._info[common.token_word(self.definition)] = self._token.astype(np.int16)

    def reset(self, seed: int | Sequence[int | None] | None = None) -> tuple[Any, dict[str, Any]]:
        """As `GameVec.reset`."""
        self._illegal_ones[...] = False
        return super().reset(seed)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One decision in every game. actions: (games,) whole numbers, best an array of the device.

        Returns obs, rewards, terminated, truncated, info.
        """
        if not self._has_reset:
            raise ResetNeeded("call reset() before step()")
        batch, xp = self._batch, self._batch.device.xp
        actions = xp.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.num_envs} whole numbers, one for each game, not {actions.dtype} of shape "
                f"{actions.shape}"
            )
        inside = xp.clip(actions, 0, batch.masks.shape[1] - 1)
        is_legal = (inside == actions) & (batch.masks[self._rows, inside] == 1)
        self._illegal_ones[...] = ~is_legal
        batch.actions[...] = xp.where(is_legal, inside, LEAVE)
        batch.ended[...] = 0  # of games that are left alone
        batch.rewards[...] = 0
        if self._token is None:
            batch.step(restart=True)
        else:
            batch.step()
            self._info[common.token_word(self.definition)][...] = self._token
            batch.actions[...] = xp.where(batch.ended != 0, 0, LEAVE)
            batch.step(restart=True)
        self._terminated[...] = batch.ended == OVER
        self._truncated[...] = batch.ended == TRUNCATED
        return batch.obs, self._rewards, self._terminated, self._truncated, self._info

    def observe(self, seats: Any) -> Any:
        """What seat seats[i] of game i sees, whoever is to act: a new array (games, observed numbers) int16 on the
        device. Seats are not checked."""
        if not self._has_reset:
            raise ResetNeeded("call reset() before observe()")
        xp = self._batch.device.xp
        return self._batch.observe(xp.asarray(seats), xp.zeros_like(self._batch.obs))

    def copy(self) -> DeviceVec:
        """Not yet: TypeError."""
        raise TypeError("environments on a device cannot be copied or pickled")

    def __getstate__(self) -> dict[str, Any]:
        self.copy()
        return {}


def device_of(name: str) -> Device:
    """The device of a name. ValueError if there is none of that name, or if something is missing for it."""
    if name != "cuda":
        raise ValueError(f"device is {name!r}; it must be 'cpu' or 'cuda'")
    return Card()

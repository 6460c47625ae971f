"""Games of self-play on a card: observations and masks stay there, beside the networks.

After each step a few numbers of every game come here: the seat to act, the decision, the round, and the result. A bot
by rule of thumb decides here, on a copy of its games.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from vitienv.core.batch import Batch
from vitienv.core.targets.cuda import Device
from vitienv.envs.device import DeviceVec
from vitienv.envs.vector import GameVec
from vitienv.training.selfplay.envs import Envs, Stepped


class Fetched:
    """Rows of a tensor of a device (n, numbers), which come here when they are asked for."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor, self.shape = tensor, tuple(tensor.shape)

    def __len__(self) -> int:
        return len(self.tensor)

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        return self.tensor[torch.from_numpy(rows).to(self.tensor.device)].cpu().numpy()


class DeviceEnvs(Envs):
    """`Envs` whose games lie on a device, all of a kind in one batch."""

    is_on_device = True
    most_side_by_side = 2**31

    def __init__(self, device: Device, *given: Any, **more: Any) -> None:
        """given, more: see `Envs`."""
        self.device = device
        super().__init__(*given, **more)

    def _vec(self, size: int, **table: Any) -> GameVec:
        return DeviceVec(size, self.device, **table)

    def _games(self, vec: GameVec, rows: np.ndarray) -> tuple[Batch, np.ndarray]:
        return vec._batch.here(rows), np.arange(len(rows))  # type: ignore[call-arg]

    def look(self, observations: Any, masks: Any) -> None:
        """As `Envs.look`, into tensors of the device."""
        for vec, part in zip(self.vecs, self.parts, strict=True):
            observations[part] = torch.from_dlpack(vec._batch.obs)
            masks[part] = torch.from_dlpack(vec._batch.masks)

    def rounds(self) -> np.ndarray:
        """As `Envs.rounds`."""
        name = self.definition.clock.round
        return np.concatenate([vec._batch.fetch(vec._batch.field(name)) for vec in self.vecs])  # type: ignore[attr-defined]

    def step(self, actions: np.ndarray) -> Stepped:
        """As `Envs.step`. ValueError names the first env in which an action is illegal."""
        stepped = super().step(actions)
        is_illegal = np.concatenate([vec._batch.fetch(vec._info["illegal"]) for vec in self.vecs])
        if is_illegal.any():
            env = int(is_illegal.argmax())
            raise ValueError(f"action {int(actions[env])} of env {env} is not legal")
        return stepped

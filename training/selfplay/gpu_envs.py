"""Games of self-play on a card: observations and masks stay there, beside the networks.

After each step three numbers of every game come here, which say who acts next and whether the game ended, and the
results of those that did. A heuristic bot thinks here, about a copy of its games, which are left alone for that
step: the others go on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from vitienv.core.batch import Batch
from vitienv.core.kernel import LEAVE
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
        self.answers = np.full(self.n, LEAVE)  # of bots, to be played in the next step
        self._held: dict[GameVec, tuple[Batch, np.ndarray]] = {}  # copies of games, and their rows there
        self._think: Callable[[], None] | None = None

    def _vec(self, size: int, **table: Any) -> GameVec:
        return DeviceVec(size, self.device, **table)

    def _games(self, vec: GameVec, rows: np.ndarray) -> tuple[Batch, np.ndarray]:
        if vec in self._held and (self._held[vec][1][rows] >= 0).all():
            return self._held[vec][0], self._held[vec][1][rows]
        return vec._batch.here(rows), np.arange(len(rows))  # type: ignore[call-arg]

    def hold(self, envs: np.ndarray, think: Callable[[], None]) -> None:
        """Leave the games of these envs alone in the next step, and think about copies of them meanwhile."""
        self._think = think
        for vec, part in zip(self.vecs, self.parts, strict=True):
            rows = envs[(envs >= part.start) & (envs < part.stop)] - part.start
            if len(rows):
                places = np.full(vec.num_envs, -1)
                places[rows] = np.arange(len(rows))
                self._held[vec] = vec._batch.here(rows), places  # type: ignore[call-arg]

    def look(self, observations: Any, masks: Any) -> None:
        """As `Envs.look`, into tensors of the device."""
        for vec, part in zip(self.vecs, self.parts, strict=True):
            observations[part] = self._as_tensor(vec._batch.obs)
            masks[part] = self._as_tensor(vec._batch.masks)

    def rounds(self) -> np.ndarray:
        """As `Envs.rounds`."""
        name = self.game_spec.clock.round
        return np.concatenate([vec._batch.fetch(vec._batch.field(name)) for vec in self.vecs])  # type: ignore[attr-defined]

    def _as_tensor(self, array: Any) -> torch.Tensor:
        return torch.from_dlpack(array)

    def step(self, actions: Any) -> Stepped:
        """As `Envs.step`, and what was held is thought about. actions: best a tensor of the device. ValueError names an
        env in which one is illegal."""
        now, xp = self._now, self.device.xp
        done = []
        for vec, part in zip(self.vecs, self.parts, strict=True):
            rounds = vec._batch.field(self.game_spec.clock.round).copy()  # type: ignore[attr-defined]
            done.append((vec, part, rounds, vec.step(actions[part])[-1]))
        if self._think is not None:
            self._think()
        for vec, part, rounds, info in done:  # all of them are under way before the first is waited for
            fetch, ended = vec._batch.fetch, vec._batch.ended
            self.seats[part], now.ended[part], is_illegal = fetch(xp.stack([info["seat"], ended, info["illegal"]]))
            if vec in self._held:
                is_illegal[self._held[vec][1] >= 0] = False
            if is_illegal.any():
                env = part.start + int(is_illegal.argmax())
                raise ValueError(f"action {int(actions[env])} of env {env} is not legal")
            over = np.flatnonzero(now.ended[part])
            if len(over):
                at, rows = xp.asarray(over), part.start + over
                results = fetch(xp.hstack([rounds[at][:, None], info["final_scores"][at], info["final_ranks"][at]]))
                now.rounds[rows], seats = results[:, 0], vec.num_players
                now.points[rows, :seats], now.ranks[rows, :seats] = results[:, 1 : seats + 1], results[:, seats + 1 :]
        self._held, self._think = {}, None
        return now

    def state(self) -> dict[str, Any]:
        """As `Envs.state`, and the answers."""
        return super().state() | {"answers": torch.from_numpy(self.answers.copy())}

    def restore(self, state: dict[str, Any]) -> None:
        """As `Envs.restore`; a run whose games did not lie on a device has no answers."""
        super().restore(state)
        self.answers[:] = state["answers"].numpy() if "answers" in state else LEAVE

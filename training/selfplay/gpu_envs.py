"""Environments of self-play on a GPU, where observations and masks stay.

After each step the host gets three numbers per game (seat, end, illegal action) and the results of finished games.
Heuristic bots run on the host on copies of their games, which pause for one step while the others continue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from vitienv.core.batch import Batch
from vitienv.core.kernel import SKIP
from vitienv.envs.vector import GameVec
from vitienv.training.selfplay.envs import Envs, StepResult

if TYPE_CHECKING:
    from vitienv.core.targets.cuda import Device


class DeviceRows:
    """Tensor (n, numbers) of a device whose rows are copied to the host on access."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor, self.shape = tensor, tuple(tensor.shape)

    def __len__(self) -> int:
        return len(self.tensor)

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        return self.tensor[torch.from_numpy(rows).to(self.tensor.device)].cpu().numpy()


class DeviceEnvs(Envs):
    """`Envs` on a device, with all games of a table in one batch."""

    is_on_device = True
    max_vector_games = 2**31

    def __init__(self, device: Device, *args: Any, **kwargs: Any) -> None:
        self.device = device
        super().__init__(*args, **kwargs)
        self.answers = np.full(self.n, SKIP)  # actions of bots for the next step
        self._paused: dict[GameVec, tuple[Batch, np.ndarray]] = {}  # copies of paused games, and their rows in the copy
        self._query: Callable[[], None] | None = None

    def _make_vec(self, size: int, **table: Any) -> GameVec:
        from vitienv.envs.device import DeviceVec  # needs Numba

        return DeviceVec(size, self.device, **table)

    def _games(self, vec: GameVec, rows: np.ndarray) -> tuple[Batch, np.ndarray]:
        if vec in self._paused and (self._paused[vec][1][rows] >= 0).all():
            return self._paused[vec][0], self._paused[vec][1][rows]
        return vec._batch.to_host(rows), np.arange(len(rows))  # type: ignore[call-arg]

    def pause(self, envs: np.ndarray, query: Callable[[], None]) -> None:
        """Pause these envs in the next step, in which `query` is called on copies of them."""
        self._query = query
        for vec, part in zip(self.vecs, self.parts, strict=True):
            rows = envs[(envs >= part.start) & (envs < part.stop)] - part.start
            if len(rows):
                copy_rows = np.full(vec.num_envs, -1)
                copy_rows[rows] = np.arange(len(rows))
                self._paused[vec] = vec._batch.to_host(rows), copy_rows  # type: ignore[call-arg]

    def observe(self, observations: Any, masks: Any) -> None:
        """Copy observations and masks into tensors of the device; see `Envs.observe`."""
        for vec, part in zip(self.vecs, self.parts, strict=True):
            observations[part] = self._as_tensor(vec._batch.obs)
            masks[part] = self._as_tensor(vec._batch.masks)

    def _as_tensor(self, array: Any) -> torch.Tensor:
        return torch.from_dlpack(array)

    def step(self, actions: Any) -> StepResult:
        """Step every env that is not paused.

        actions: preferably a tensor of the device. ValueError for illegal actions.
        """
        step_result, xp = self._result, self.device.xp
        queued = []
        for vec, part in zip(self.vecs, self.parts, strict=True):
            rounds = vec._batch.field(self.game_spec.rounds.round).copy()  # type: ignore[attr-defined]
            queued.append((vec, part, rounds, vec.step(actions[part])[-1]))
        if self._query is not None:
            self._query()
        for vec, part, rounds, info in queued:  # all are queued before the first is waited for
            fetch, ended = vec._batch.fetch, vec._batch.ended
            self.seats[part], step_result.ended[part], is_illegal = fetch(
                xp.stack([info["seat"], ended, info["illegal"]])
            )
            if vec in self._paused:
                is_illegal[self._paused[vec][1] >= 0] = False
            if is_illegal.any():
                env = part.start + int(is_illegal.argmax())
                raise ValueError(f"action {int(actions[env])} of env {env} is not legal")
            ended_rows = np.flatnonzero(step_result.ended[part])
            if len(ended_rows):
                device_rows, rows = xp.asarray(ended_rows), part.start + ended_rows
                results = fetch(
                    xp.hstack(
                        [
                            rounds[device_rows][:, None],
                            info["final_scores"][device_rows],
                            info["final_ranks"][device_rows],
                        ]
                    )
                )
                step_result.rounds[rows], seats = results[:, 0], vec.num_players
                step_result.points[rows, :seats], step_result.ranks[rows, :seats] = (
                    results[:, 1 : seats + 1],
                    results[:, seats + 1 :],
                )
        self._paused, self._query = {}, None
        return step_result

    def state(self) -> dict[str, Any]:
        """Return the state of the envs and the answers."""
        return super().state() | {"answers": torch.from_numpy(self.answers.copy())}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`; a run without a device has no answers."""
        super().restore(state)
        self.answers[:] = state["answers"].numpy() if "answers" in state else SKIP

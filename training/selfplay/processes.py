"""Communication between the processes of a run, started by `torchrun` on one or several machines."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch
from torch import distributed


class Processes:
    """Processes of a run; without `torchrun` there is one, and all operations are free."""

    def __init__(self, device: str) -> None:
        """device: "cpu", "cuda" (the GPU of the local rank), "cuda:1", or "auto". ValueError if it is unavailable."""
        self.rank, self.count = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self.device = torch.device(device)
        except RuntimeError:
            raise ValueError(f"device must be cpu, cuda, cuda:NUMBER or auto, got {device!r}") from None
        if self.device.type == "cuda":
            if not torch.cuda.is_available():
                raise ValueError(f"device {device!r} is unavailable: torch does not find a GPU")
            os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # required for reproducible products
            torch.use_deterministic_algorithms(True, warn_only=True)
            torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
            if self.device.index is None:
                self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
            torch.cuda.set_device(self.device)
        self.is_first = self.rank == 0
        if self.count > 1 and not distributed.is_initialized():
            distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    def average_gradients(self, parameters: list[torch.nn.Parameter]) -> None:
        """Replace every gradient by its mean over the processes."""
        if self.count == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        distributed.all_reduce(flat)
        flat /= self.count
        for gradient, mean in zip(gradients, flat.split([g.numel() for g in gradients]), strict=True):
            gradient.copy_(mean.view_as(gradient))

    def broadcast_weights(self, network: torch.nn.Module) -> None:
        """Give every process the weights of the first."""
        if self.count > 1:
            for value in network.state_dict().values():
                distributed.broadcast(value, 0)

    def all_reduce_sum(self, array: np.ndarray) -> np.ndarray:
        """Return the sum of the processes' arrays, in double precision."""
        if self.count == 1:
            return array
        total = torch.tensor(np.asarray(array, np.float64), device=self.device)
        distributed.all_reduce(total)
        return total.cpu().numpy()

    def all_reduce_max(self, number: float) -> float:
        """Return the maximum of the processes' numbers."""
        if self.count == 1:
            return number
        greatest = torch.tensor(float(number), dtype=torch.float64, device=self.device)
        distributed.all_reduce(greatest, distributed.ReduceOp.MAX)
        return float(greatest)

    def broadcast_object(self, value: Any) -> Any:
        """Return the first process's value."""
        if self.count == 1:
            return value
        box = [value]
        distributed.broadcast_object_list(box, 0)
        return box[0]

    def gather(self, value: Any) -> list[Any]:
        """Return all processes' values by rank in the first process, and an empty list in the others."""
        if self.count == 1:
            return [value]
        box: list[Any] | None = [None] * self.count if self.is_first else None
        distributed.gather_object(value, box, 0)
        return box or []

    def close(self) -> None:
        """Leave the process group."""
        if self.count > 1:
            distributed.destroy_process_group()

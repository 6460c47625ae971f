"""Sparse first layer for training on CPUs: seven of eight inputs are zero and skipped.

The dense product of torch takes three times as long, forward and backward.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from vitienv.core.networks.network import Room
from vitienv.core.networks.sparse import by_column, count, list_inputs, multiply
from vitienv.training.selfplay.torch_threads import run_parallel

PARTS = 8  # pieces of work, to balance the threads


class FirstLayer(torch.autograd.Function):
    """Product (n, hidden) of the inputs of `network.Net` and weights (inputs, hidden); these have a gradient."""

    @staticmethod
    def forward(ctx: Any, weights: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        """Return the product (n, hidden)."""
        observations, masks, prior_scores, logs = (np.ascontiguousarray(part.numpy()) for part in inputs)
        n, n_inputs = len(observations), len(weights)
        counts = np.empty(n, np.int64)
        parts = bounds(n)
        run_parallel([partial(count, observations[s], masks[s], counts[s]) for s in parts])
        starts = np.concatenate([[0], counts.cumsum()])
        places, numbers = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
        matrix, product = weights.detach().contiguous().numpy().reshape(-1), np.empty((n, weights.shape[1]), np.float32)

        def work(part: slice) -> None:
            at, legal, scratch = (np.empty(n_inputs, np.int32) for _ in range(3))
            none = np.empty(0, np.float32)
            room = Room(at, np.empty(n_inputs, np.float32), legal, scratch, none, none, none)
            list_inputs(logs, observations[part], masks[part], prior_scores[part], starts[part], places, numbers, room)
            multiply(part.start, part.stop, starts, places, numbers, matrix, product)

        run_parallel([partial(work, part) for part in parts])
        ctx.list_inputs, ctx.n_inputs = (starts, places, numbers), n_inputs
        return torch.from_numpy(product)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        """Return the gradient of the weights: transposed inputs times the output gradient."""
        starts, places, numbers = ctx.list_inputs
        column_starts = np.concatenate([[0], np.bincount(places, minlength=ctx.n_inputs).cumsum()])
        column_places, column_numbers = np.empty_like(places), np.empty_like(numbers)
        ends = np.empty(ctx.n_inputs, np.int64)
        above = gradients[0].contiguous().numpy()
        gradient = np.empty((ctx.n_inputs, above.shape[1]), np.float32)
        columns = column_starts, column_places, column_numbers

        def work(low: int, high: int) -> None:
            by_column(low, high, starts, places, numbers, *columns, ends)
            multiply(low, high, *columns, above.reshape(-1), gradient)

        # Threads get equal numbers of nonzero values, as some inputs are rare.
        threads = torch.get_num_threads()
        at = np.searchsorted(column_starts, np.linspace(0, len(places), threads + 1)[1:-1])
        edges = [0, *at.tolist(), ctx.n_inputs]
        run_parallel([partial(work, low, high) for low, high in pairwise(edges)])
        return torch.from_numpy(gradient), None, None, None, None


def bounds(n: int) -> list[slice]:
    """Split n rows into `PARTS` slices."""
    edges = np.linspace(0, n, PARTS + 1).astype(int).tolist()
    return [slice(edges[i], edges[i + 1]) for i in range(PARTS)]

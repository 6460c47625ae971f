"""Compiled code in as many threads as torch has: it runs side by side, as it needs no lock of Python's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import torch

from vitienv.core.targets.parallel import ThreadPool, call_all


def together(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """What the calls return. They are made in any order, so none may depend on another."""
    count = torch.get_num_threads()
    if count == 1 or len(calls) == 1:
        return [call() for call in calls]
    return call_all(_pool(count), calls)


@cache
def _pool(count: int) -> ThreadPool:
    return ThreadPool(count, partial(torch.set_flush_denormal, True))  # as the learner has it

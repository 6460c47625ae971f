"""Compiled code in as many threads as torch has: it runs side by side, as it needs no lock of Python's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import torch


def together(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """What the calls return. They are made in any order, so none may depend on another."""
    count = torch.get_num_threads()
    if count == 1 or len(calls) == 1:
        return [call() for call in calls]
    return [done.result() for done in [_pool(count).submit(call) for call in calls]]


@cache
def _pool(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, initializer=torch.set_flush_denormal, initargs=(True,))  # as the learner has it

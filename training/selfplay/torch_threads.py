"""Compiled code in as many threads as torch has: it runs side by side, as it needs no lock of Python's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import torch

from vitienv.core.targets.parallel import ThreadPool, call_all


def run_parallel(calls: Sequence[Callable[[], Any]]) -> None:
    """Make calls in parallel, in any order. None may depend on another."""
    num_threads = torch.get_num_threads()
    if num_threads == 1 or len(calls) == 1:
        for call in calls:
            call()
        return
    call_all(_pool(num_threads), [partial(_call_flushed, call) for call in calls])


def _call_flushed(call: Callable[[], Any]) -> None:
    torch.set_flush_denormal(True)  # a setting of each thread, which the learner has
    call()


_pool = cache(ThreadPool)

"""Threads of the numerical libraries: one, as the networks of bots are small and processes fill the cores.

A process that this project starts, a command or a worker, keeps to one throughout (`limit_threads`). In a process of
the user a bot keeps to one while it thinks (`one_thread`), and what else runs there is left alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from vitienv.core.text_utils import read_integer

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# What the libraries read when they are loaded: the products of NumPy and torch, Arrow's pools, Numba's.
VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS", "ARROW_IO_THREADS",
)  # fmt: skip
OMP_THREADS = os.environ.get("OMP_NUM_THREADS", "")  # of the user or the cluster, before `limit_threads`

Function = TypeVar("Function", bound=Callable[..., Any])
_is_limited = False


def of_learner(given: int | None = None) -> int:
    """Return the threads of a learner: as given, or OMP_NUM_THREADS, or one for each core."""
    return given or max(read_integer(OMP_THREADS) or 0, 0) or cores()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def limit_threads() -> None:
    """Keep this process, and those that it starts, to one thread, in libraries loaded already and later.

    The environment gives way: on clusters it often says all cores.
    """
    global _is_limited
    os.environ |= dict.fromkeys(VARIABLES, "1")
    if (controller := _controller()) is not None:
        controller.limit(limits=1)
    torch, arrow = sys.modules.get("torch"), sys.modules.get("pyarrow")
    if torch is not None:
        torch.set_num_threads(1)
    if arrow is not None:
        arrow.set_cpu_count(1)
        arrow.set_io_thread_count(1)
    _is_limited = True


def one_thread(function: Function) -> Function:
    """Return a function that keeps NumPy's products to one thread while it runs; some 8 microseconds a call."""

    @wraps(function)
    def limited(*arguments: Any, **keywords: Any) -> Any:
        products = None if _is_limited else _products()
        if products is None:
            return function(*arguments, **keywords)
        with products.limit(limits=1):
            return function(*arguments, **keywords)

    return limited  # type: ignore[return-value]


def _controller() -> ThreadpoolController | None:
    try:
        from threadpoolctl import ThreadpoolController
    except ModuleNotFoundError:  # it comes with the extra `train`
        return None
    return ThreadpoolController()


@cache
def _products() -> ThreadpoolController | None:
    import numpy  # noqa: F401 - its library must be loaded to be found

    controller = _controller()
    return None if controller is None else controller.select(user_api="blas")


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Keep torch to one thread."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)

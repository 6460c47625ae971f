"""How many threads the numerical libraries take: one, unless a setting says more.

The networks of bots are small, and games are many: processes fill the cores. A product of small matrices that is
spread over threads waits for the slowest of them, the longer the busier the machine.

A process that this project starts, a command or a worker, keeps to `wanted()` throughout (`settle`). In a process of
the user's own a bot keeps to it while it thinks (`one_thread`), and what else runs there is left alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from vitienv.core.english import read_integer

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

SETTING = "VITIENV_THREADS"
# What the libraries read when they are loaded: the products of NumPy and torch, Arrow's pools, Numba's.
VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS", "ARROW_IO_THREADS",
)  # fmt: skip
ASKED = os.environ.get("OMP_NUM_THREADS", "")  # by the user, or by what started this process, before `settle`

Function = TypeVar("Function", bound=Callable[..., Any])
_is_settled = False


def wanted() -> int:
    """The threads that bots and workers take: one, or what VITIENV_THREADS says. ValueError if that is no number."""
    return _whole(os.environ.get(SETTING) or "1")


def of_learner(given: int | None = None) -> int:
    """The threads of a learner: as given, or by VITIENV_THREADS or OMP_NUM_THREADS, or one for each core."""
    asked = os.environ.get(SETTING) or (ASKED if read_integer(ASKED) else "")
    return given or (_whole(asked) if asked else cores())


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _whole(text: str) -> int:
    number = read_integer(text)
    if number is None or number < 1:
        raise ValueError(f"{SETTING} is {text!r}; it must be a whole number from 1")
    return number


def settle() -> None:
    """Keep this process, and those that it starts, to `wanted()` threads, in libraries loaded already and later.

    What the environment says of single libraries gives way: on clusters it often says all cores.
    """
    global _is_settled
    threads = wanted()
    for name in VARIABLES:
        os.environ[name] = str(threads)
    if (controller := _controller()) is not None:
        controller.limit(limits=threads)
    torch, arrow = sys.modules.get("torch"), sys.modules.get("pyarrow")
    if torch is not None:
        torch.set_num_threads(threads)
    if arrow is not None:
        arrow.set_cpu_count(threads)
        arrow.set_io_thread_count(threads)
    _is_settled = True


def one_thread(function: Function) -> Function:
    """A function that keeps NumPy's products to `wanted()` threads while it runs; some 8 microseconds a call."""

    @wraps(function)
    def kept(*arguments: Any, **named: Any) -> Any:
        products = None if _is_settled else _products()
        if products is None:
            return function(*arguments, **named)
        with products.limit(limits=wanted()):
            return function(*arguments, **named)

    return kept  # type: ignore[return-value]


def _controller() -> ThreadpoolController | None:
    """Of the libraries that are loaded; None without the extra `train`, which brings threadpoolctl."""
    try:
        from threadpoolctl import ThreadpoolController
    except ModuleNotFoundError:
        return None
    return ThreadpoolController()


@cache
def _products() -> ThreadpoolController | None:
    import numpy  # noqa: F401 - its library must be loaded to be found

    controller = _controller()
    return None if controller is None else controller.select(user_api="blas")


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Keep torch to `wanted()` threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(wanted())
    try:
        yield
    finally:
        torch.set_num_threads(before)

"""Thread limits of the numerical libraries: one thread, as networks are small and processes use all cores.

Commands and workers call `limit_threads` at start.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from vitienv.core.text_utils import read_integer

# Read when the libraries are loaded: BLAS of NumPy and torch, Arrow, Numba.
VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS", "ARROW_IO_THREADS",
)  # fmt: skip
OMP_THREADS = os.environ.get("OMP_NUM_THREADS", "")  # value before `limit_threads`


def learner_threads(num_threads: int | None = None) -> int:
    """Return the number of threads of a learner: num_threads, else OMP_NUM_THREADS, else one per core."""
    return num_threads or max(read_integer(OMP_THREADS) or 0, 0) or cores()


def cores() -> int:
    """Return the number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def limit_threads() -> None:
    """Limit this process and its children to one thread, in loaded libraries and in those loaded later."""
    # Overrides the user's variables: clusters often set them to all cores.
    os.environ |= dict.fromkeys(VARIABLES, "1")
    with suppress(ModuleNotFoundError):  # only with the extra `train`
        from threadpoolctl import ThreadpoolController

        ThreadpoolController().limit(limits=1)
    torch, arrow = sys.modules.get("torch"), sys.modules.get("pyarrow")
    if torch is not None:
        torch.set_num_threads(1)
    if arrow is not None:
        arrow.set_cpu_count(1)
        arrow.set_io_thread_count(1)


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Limit torch to one thread in the context."""
    import torch

    num_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(num_threads)

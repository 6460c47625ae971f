"""Creation of executors by name."""

from __future__ import annotations

from vitienv import threads
from vitienv.training.workers import Executor, Local

LOCAL, RAY = "local", "ray"


def executor(backend: str = LOCAL, processes: int = 0) -> Executor:
    """Create an executor: "local", "ray" (started here, or at RAY_ADDRESS), or "ray:ADDRESS".

    processes: maximum number of parallel parts; 0 for one per core. ValueError for another name, or if Ray is missing.
    """
    if processes < 0:
        raise ValueError(f"processes must be at least 0, got {processes}")
    if backend == LOCAL:
        return Local(processes or threads.cores())
    name, colon, address = backend.partition(":")
    if name != RAY or (colon and not address):
        raise ValueError(f"backend must be {LOCAL!r}, {RAY!r} or '{RAY}:ADDRESS', got {backend!r}")
    from vitienv.training.cluster.executor import Ray

    return Ray(address, processes)

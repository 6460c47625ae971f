"""Makes from a word the place where parts of many games are played."""

from __future__ import annotations

from vitienv import threads
from vitienv.training.workers import Executor, Local

LOCAL, RAY = "local", "ray"


def executor(backend: str = LOCAL, processes: int = 0) -> Executor:
    """The place that is called so: "local", "ray" (begun here, or as RAY_ADDRESS says), or "ray:ADDRESS".

    processes: parts at a time at most; 0 for one on each core.
    ValueError for another name, or where Ray is missing.
    """
    if processes < 0:
        raise ValueError(f"processes is {processes}; it must be at least 0")
    if backend == LOCAL:
        return Local(processes or threads.cores())
    name, colon, address = backend.partition(":")
    if name != RAY or (colon and not address):
        raise ValueError(f"on must be {LOCAL!r}, {RAY!r} or '{RAY}:ADDRESS', got {backend!r}")
    from vitienv.training.cluster.executor import Ray

    return Ray(address, processes)

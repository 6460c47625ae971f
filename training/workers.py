"""Parallel execution of parts of many games in local processes; for Ray see `training.cluster`.

A part is a file, written atomically, or a result. It does not depend on where and when it was played.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing.connection import wait as wait_for_end
from pathlib import Path
from typing import Any, Protocol

from vitienv import threads
from vitienv.registry import DEFAULT

ProgressCallback = Callable[[int, int], None]
QUEUED_PER_PROCESS = 2  # queued parts per process, so that none is idle


@dataclass(frozen=True)
class Bots:
    """Specs of the bots of all parts, which every process creates. table, method: see `match.warm_up`."""

    specs: Sequence[str]
    seed: int
    game: str = DEFAULT
    table: Mapping[str, Any] = field(default_factory=dict)
    method: str = "act"

    def warm_up(self) -> None:
        """Compile the kernels of the bots once, before processes and progress bars start."""
        # Imported late: a worker limits the threads of libraries before it loads them.
        from vitienv.agents.seeding import make_bots
        from vitienv.registry import game_spec
        from vitienv.training.evaluation.match import warm_up

        warm_up(make_bots(self.specs, self.seed, self.game), game_spec(self.game), self.table, self.method)


def no_progress(num_done: int, total: int) -> None:
    """Ignore the progress."""


class ExecutorLost(ValueError):
    """The executor was lost. Written parts remain."""


class Executor(Protocol):
    """Executor of parts of many games."""

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """Yield the results of work(*task) for each task in the order of completion.

        folder: directory of the files that the work writes; it is then called as work(*task, directory), and a
        file exists before its result. Running tasks are terminated if the caller stops. ValueError or OSError from the
        work or the executor.
        """


def as_executor(executor: int | Executor) -> Executor:
    """Return an executor, or one for a number of local processes. ValueError for less than one."""
    if not isinstance(executor, int):
        return executor
    if executor < 1:
        raise ValueError(f"processes must be at least 1, got {executor}")
    return Local(executor)


@dataclass(frozen=True)
class Local:
    """Executor in local processes."""

    processes: int

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """Yield the results; see `Executor.run`."""
        remaining = iter(tasks if folder is None else ((*task, str(folder)) for task in tasks))
        first = list(islice(remaining, self.processes))
        bots.warm_up()
        yield from run_all(work, chain(first, remaining), max(1, len(first)))


def run_all(work: Callable[..., Any], tasks: Iterable[tuple], processes: int) -> Iterator[Any]:
    """Yield the results of work(*task) for each task in the order of completion.

    With one process, everything runs in this process. Running tasks are terminated if the caller stops.
    """
    if processes == 1:
        for task in tasks:
            yield work(*task)
        return
    remaining = iter(tasks)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_in_worker)
    running: set[Any] = set()
    try:
        while True:
            new_tasks = islice(remaining, QUEUED_PER_PROCESS * processes - len(running))
            running |= {pool.submit(work, *task) for task in new_tasks}
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BaseException:
        children = list(pool._processes.values())
        pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.terminate()
        for child in children:
            child.join()
        raise
    pool.shutdown()


def _in_worker() -> None:
    """Limit a worker to one thread, ignore Ctrl-C, silence compilation messages, and exit with the parent."""
    threads.limit_threads()
    from vitienv.core.compiling import code_cache  # loads Numba, after the threads are limited

    code_cache.silent = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait_for_end([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

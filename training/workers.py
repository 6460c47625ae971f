"""Plays parts of many games in processes of this machine; on Ray, see `training.cluster`.

Each part is a file that is there whole or not at all, or a result. It does not depend on where and when it was played.
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

AHEAD = 2  # parts handed out for each process, so that none waits for the next one


@dataclass(frozen=True)
class Bots:
    """The bots of all parts, by their specs: every process makes them anew. table: options of a table at which they
    play, if it has rules of its own. what: as of `match.warm_up`. ValueError as of `make_bots`."""

    specs: Sequence[str]
    seed: int
    game: str = DEFAULT
    table: Mapping[str, Any] = field(default_factory=dict)
    what: str = "act"

    def warm_up(self) -> None:
        """Compile what they compile, before a bar counts games and so that several processes find it."""
        # Not above: a worker imports this module before it settles how many threads libraries take when loaded.
        from vitienv.agents.seeding import make_bots
        from vitienv.registry import game_spec
        from vitienv.training.evaluation.match import warm_up

        warm_up(make_bots(self.specs, self.seed, self.game), game_spec(self.game), self.table, self.what)


class ExecutorLost(ValueError):
    """The executor that played parts is gone. Written parts stay."""


class Executor(Protocol):
    """Plays parts of many games."""

    def is_here(self, parts: int) -> bool:
        """Whether so many parts are all played in this process."""

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """The results of work(*task) for each task, in the order in which they are done.

        folder: where the work writes files; it is then called as work(*task, folder), with the name of a folder, and a
        file is there before its result. If the caller stops or is interrupted, running tasks are ended. ValueError or
        OSError, as from the work itself, and for what is wrong with the place.
        """


def place(where: int | Executor) -> Executor:
    """An executor, or so many processes of this machine. ValueError for less than one."""
    if not isinstance(where, int):
        return where
    if where < 1:
        raise ValueError(f"processes is {where}; it must be at least 1")
    return Local(where)


@dataclass(frozen=True)
class Local:
    """Processes of this machine; see `Executor`."""

    processes: int

    def is_here(self, parts: int) -> bool:
        """Whether one process is enough: this one."""
        return min(self.processes, parts) <= 1

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """The results; see `Executor.run`."""
        todo = iter(tasks if folder is None else ((*task, str(folder)) for task in tasks))
        first = list(islice(todo, self.processes))
        bots.warm_up()
        yield from run_all(work, chain(first, todo), max(1, len(first)))


def run_all(work: Callable[..., Any], tasks: Iterable[tuple], processes: int) -> Iterator[Any]:
    """The results of work(*task) for each task, in the order in which they are done.

    With one process everything runs in this one. If the caller stops or is interrupted, running tasks are ended.
    """
    if processes == 1:
        for task in tasks:
            yield work(*task)
        return
    todo = iter(tasks)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_in_worker)
    running = set()
    try:
        for task in todo:
            running.add(pool.submit(work, *task))
            if len(running) < AHEAD * processes:
                continue
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BaseException:
        children = list(pool._processes.values())  # other processes of the caller are not ours to end
        pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.terminate()
        raise
    pool.shutdown()


def _in_worker() -> None:
    """A worker takes one thread, leaves Ctrl-C and the lines about compiled code to its parent, and ends when the
    parent is gone."""
    threads.limit_threads()
    from vitienv.core.compiling import code_cache  # which loads Numba: not before the threads of libraries are settled

    code_cache.silent = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait_for_end([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

"""Chunks of games over several processes: each chunk is a file that is there whole or not at all."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing.connection import wait as wait_for_end
from typing import Any

from vitienv import threads

AHEAD = 2  # chunks handed out for each process, so that none waits for the next one


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
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    pool.shutdown()


def _in_worker() -> None:
    """A worker takes one thread, leaves Ctrl-C to its parent, and ends when the parent is gone, however that ended."""
    threads.settle()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait_for_end([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

"""Parallel calls in threads that are interrupt-safe, and exclusive methods."""

import functools
import os
import weakref
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class ThreadPool:
    """Threads for `call_all`.

    An interrupt inside `concurrent.futures` or a condition of `threading` can leave a lock acquired. Here the waiting
    thread calls only C functions on shared objects.
    """

    def __init__(self, size: int) -> None:
        """RuntimeError if the system cannot start a thread."""
        self._size = size
        self._start()

    def _start(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        weakref.finalize(self, _end, self._jobs, self._size)
        for _ in range(self._size):
            start_new_thread(_work, (self._jobs,))
        self._process = os.getpid()

    def submit(self, job: "_Job") -> None:
        """Queue a job. In a forked process, the threads are started first."""
        if self._process != os.getpid():
            self._start()
        self._jobs.put(job)


class _Job:
    """Call that runs once, even if it is queued several times."""

    def __init__(self, call: Callable[[], Any], ended: SimpleQueue) -> None:
        self._call, self._ended, self._claim = call, ended, allocate_lock()
        self.is_over, self.result = False, None
        self.error: BaseException | None = None

    def run(self) -> None:
        if self._claim.acquire(blocking=False):
            try:
                self.result = self._call()
            except BaseException as error:
                self.error = error
            self.is_over = True
            self._ended.put(None)


def _work(jobs: SimpleQueue) -> None:
    while (job := jobs.get()) is not None:
        job.run()
        del job  # release its objects while waiting for the next one


def _end(jobs: SimpleQueue, size: int) -> None:
    for _ in range(size):
        jobs.put(None)


def call_all(pool: ThreadPool, calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all calls in the threads of a pool and return their results.

    An exception, also an interrupt of the waiting thread such as Ctrl-C, is raised after the last call has ended.
    """
    ended: SimpleQueue[None] = SimpleQueue()
    jobs = [_Job(call, ended) for call in calls]
    interrupt: BaseException | None = None
    is_done = False

    def finish() -> None:
        for job in jobs:  # repeated after an interrupt, which may have occurred before a job was queued
            pool.submit(job)
        while not all(job.is_over for job in jobs):
            ended.get()

    while not is_done:
        try:
            while not is_done:
                try:
                    finish()
                    is_done = True
                except BaseException as error:
                    interrupt = error
        except BaseException as error:  # a second interrupt, between the handler above and its `try`
            interrupt = error
    failure = interrupt or next((job.error for job in jobs if job.error is not None), None)
    if failure is not None:
        raise failure
    return [job.result for job in jobs]


def exclusive(method: Callable[Concatenate[Any, Arguments], Result]) -> Callable[Concatenate[Any, Arguments], Result]:
    """Decorate a method to raise RuntimeError while another thread is inside an exclusive method of the object.

    The object must have a `_lock`, a `threading.RLock`, which objects can share.
    """

    @functools.wraps(method)
    def call(self: Any, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        lock = self._lock
        # CPython handles signals after a call, but not between iterations of `for`: the lock cannot stay acquired.
        for _ in iter(functools.partial(lock.acquire, False), False):
            try:
                return method(self, *args, **kwargs)
            finally:
                lock.release()
        name = f"{type(self).__name__}.{method.__name__}()"
        raise RuntimeError(f"{name} must be called by one thread at a time; create games for each thread")

    return call

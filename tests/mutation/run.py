"""Run tests on mutants, each in a process of its own that is forked after the collection."""

from __future__ import annotations

import builtins
import os
import resource
import time
from collections.abc import Callable, Iterator
from multiprocessing import connection, get_context
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant, instrument

MAX_TEST_SECONDS = 2.0  # slower tests are left out
GRACE_SECONDS = 20  # processor time for the last test
Result = tuple[str, str, int, float]  # verdict, killing test, number of tests, seconds


class Runner:
    """A plugin of pytest that runs mutants instead of the collected tests.

    seconds: processor time after which no further test of a mutant starts.
    """

    def __init__(
        self, mutants: list[Mutant], jobs: int, seconds: float, report: Callable[[Mutant, Result], None]
    ) -> None:
        self.mutants, self.jobs, self.seconds, self.report = mutants, jobs, seconds, report

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        [(_, baseline)] = _fork([0], lambda _: reached_by(session.items, self.mutants), 1, 0)
        if isinstance(baseline, int):
            raise RuntimeError(f"the tests of the original rules ended with {baseline}")
        seconds, reached, failed = baseline
        if failed:
            raise RuntimeError(f"tests of the original rules fail: {', '.join(failed[:5])}")
        items = sorted(
            (item for item in session.items if item.nodeid in seconds), key=lambda item: seconds[item.nodeid]
        )

        def run(i: int) -> Result:
            tests = [item for item in items if i in reached[item.nodeid]]
            self.mutants[i].apply()
            return first_failure(tests, self.seconds)

        for i, result in _fork(list(range(len(self.mutants))), run, self.jobs, self.seconds + GRACE_SECONDS):
            self.report(self.mutants[i], ("timeout", "", 0, self.seconds) if isinstance(result, int) else result)
        return True


def _passes(items: list[pytest.Item], i: int) -> bool:
    next_item = items[i + 1] if i + 1 < len(items) else None
    return not any(report.failed for report in runtestprotocol(items[i], nextitem=next_item, log=False))


def first_failure(items: list[pytest.Item], seconds: float) -> Result:
    start = time.process_time()
    for i, item in enumerate(items):
        if time.process_time() - start > seconds:
            return "survived", "", i, seconds
        if not _passes(items, i):
            return "killed", item.nodeid, i + 1, time.process_time() - start
    return "survived" if items else "not reached", "", len(items), time.process_time() - start


def reached_by(
    items: list[pytest.Item], mutants: list[Mutant]
) -> tuple[dict[str, float], dict[str, set[int]], list[str]]:
    """Seconds and indices of the reached mutants by test, and failed tests; without slow tests."""
    reach: set[int] = set()
    builtins._reach = reach.add  # type: ignore[attr-defined]
    instrument(mutants)
    seconds, reached, failed = {}, {}, []
    for i, item in enumerate(items):
        reach.clear()
        start = time.process_time()
        if not _passes(items, i):
            failed.append(item.nodeid)
        elif (duration := time.process_time() - start) < MAX_TEST_SECONDS:
            seconds[item.nodeid], reached[item.nodeid] = duration, set(reach)
    return seconds, reached, failed


def _fork(jobs: list[int], work: Callable[[int], Any], workers: int, limit: float) -> Iterator[tuple[int, Any]]:
    """Yield the result of each job, or the exit code of a process that ended without one.

    limit: seconds of processor time of a process, 0 for none.
    """
    context = get_context("fork")
    running: dict[Any, tuple[int, Any]] = {}

    def child(job: int, pipe: Any) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))
        pipe.send(work(job))

    queue = list(jobs)
    while queue or running:
        while queue and len(running) < workers:
            job = queue.pop(0)
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=child, args=(job, sender))
            process.start()
            sender.close()
            running[receiver] = job, process
        for receiver in connection.wait(list(running)):
            job, process = running.pop(receiver)
            try:
                result = receiver.recv()
            except EOFError:
                result = None
            process.join()
            yield job, process.exitcode if result is None else result

"""The clock of `vitienv bench`: rates and times of a call, and the rows of the result."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

TOGETHER = 10  # calls between two looks at the clock, of what takes microseconds


def value(name: str, unit: str, values: list[float]) -> dict[str, Any]:
    """A row of the result."""
    return {"name": name, "unit": unit, "median": statistics.median(values), "runs": values}


def rates(
    once: Callable[[], int], runs: int, seconds: float, now: Callable[[], float] = time.perf_counter
) -> list[float]:  # fmt: skip
    """For each run, in which `once` is called until the time is over, what it returned a second. now: the clock."""
    measured = []
    for _ in range(runs):
        count, start, passed = 0, now(), 0.0
        while passed < seconds:
            count += once()
            passed = now() - start
        measured.append(count / passed)
    return measured


def microseconds(once: Callable[[], Any], runs: int, seconds: float, n: int) -> list[float]:
    """For each run, what a call takes for each of its n things."""

    def calls() -> int:
        for _ in range(TOGETHER):
            once()
        return TOGETHER

    return [1e6 / rate / n for rate in rates(calls, runs, seconds)]

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
    """The sum that `once` returns in a second, for each run that calls it until the time is over. now: the clock."""
    measured = []
    for _ in range(runs):
        count, start, passed = 0, now(), 0.0
        while passed < seconds:
            count += once()
            passed = now() - start
        measured.append(count / passed)
    return measured


def microseconds(once: Callable[[], Any], runs: int, seconds: float, n: int) -> list[float]:
    """The microseconds of a call for each of its n things, for each run."""

    def calls() -> int:
        for _ in range(TOGETHER):
            once()
        return TOGETHER

    return [1e6 / rate / n for rate in rates(calls, runs, seconds)]

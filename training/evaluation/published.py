"""Results published in the README and the documentation, each with the command that measures it.

`published.csv` is their single source: `make docs` generates the documentation's tables from it, and
`vitienv bench verify` reruns its commands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from statistics import NormalDist
from typing import Any

from vitienv.training.evaluation.csv_log import read_rows, write_rows
from vitienv.training.intervals import Z

FILE = Path(__file__).with_name("published.csv")  # bundled with the package
KINDS = ("strength", "speed", "engine")
SPEED_TOLERANCE = 0.3  # tolerated relative loss of speed: equal machines differ, and single runs vary by a quarter
FALSE_POSITIVE_RATE = 0.05  # family-wise error rate of "differs"
AMOUNT_OPTIONS = "--games", "--campaign"
QUICK_DIVISOR, MIN_GAMES = 10, 10  # the quick check plays games // QUICK_DIVISOR, at least MIN_GAMES
SEED_OFFSET = 1_000_000  # offset of the quick check's seeds from the published ones

HOLDS, DIFFERS, SKIPPED = "holds", "differs", "skipped"


@dataclass(frozen=True)
class Figure:
    """One published result.

    page, kind: page of the documentation, and its table. row, column: place in the table, which is a list if all
    columns are empty. command: measures the result, with its seed. pick: path of the value in the JSON output. unit:
    "%" for a share, or the unit of a speed. value, low, high: value (a share is from 0 to 1) with its 95 % interval, or
    None. Results of the engine have no interval and must be equal. games: their number. aim: target. commit, date: of
    the measurement. machine: of a speed.
    """

    page: str
    kind: str
    row: str
    column: str
    command: str
    pick: str
    unit: str
    value: str
    low: float | None
    high: float | None
    games: int | None
    aim: str
    date: str
    commit: str
    machine: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS or (self.kind != "engine" and float(self.value) < 0):
            raise ValueError(f"kind must be one of {', '.join(KINDS)} and value not negative, got {self.kind!r}")

    @property
    def name(self) -> str:
        """Page, row and column."""
        return ": ".join(part for part in (self.page.removesuffix(".md"), self.row, self.column) if part)

    @property
    def label(self) -> str:
        """Kind and name."""
        return f"{self.kind}: {self.name}"

    @property
    def text(self) -> str:
        """The value as shown in tables, with its unit."""
        return format_value(self.value, self.low, self.high, self.unit)


@dataclass(frozen=True)
class Measurement:
    """Result of a command, with the fields of `Figure`."""

    value: str
    low: float | None = None
    high: float | None = None
    games: int | None = None


def read(file: Path = FILE) -> list[Figure]:
    """Read the results of a file. ValueError for an invalid row."""
    return read_rows(file, Figure)


def write(figures: Sequence[Figure], file: Path = FILE) -> None:
    """Write a file of results, atomically."""
    write_rows(file, figures)


# Formatting.


def format_value(value: str, low: float | None, high: float | None, unit: str) -> str:
    """Format a value with its interval and unit for a table."""
    if unit == "hash":
        return f"`{value}`"
    if unit == "%":
        spread = "" if low is None or high is None else f" ({100 * low:.1f} to {100 * high:.1f})"
        return f"{100 * float(value):.1f} %{spread}"
    spread = "" if low is None or high is None else f" ({number(low)} to {number(high)})"
    return f"{number(float(value))}{f' {unit}' if unit else ''}{spread}"


def number(value: float) -> str:
    """Format a number: without decimals from 100 on, else with three significant digits."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


# Reruns.


def quick(command: str) -> str:
    """Return the command with a tenth of the games on other seeds, so that the samples are independent."""
    arguments = shlex.split(command)
    for i, argument in enumerate(arguments[:-1]):
        if argument in AMOUNT_OPTIONS:
            arguments[i + 1] = str(min(int(arguments[i + 1]), max(MIN_GAMES, int(arguments[i + 1]) // QUICK_DIVISOR)))
    if not set(AMOUNT_OPTIONS) & set(arguments):
        return command
    if "--seed" not in arguments:
        arguments += ["--seed", "0"]
    seed_index = arguments.index("--seed") + 1
    arguments[seed_index] = str(int(arguments[seed_index]) + SEED_OFFSET)
    return shlex.join(arguments)


def pick_value(result: Any, pick: str) -> Measurement:
    """Return the value at a path of plain JSON. ValueError if it does not exist.

    A path is keys such as `a > b`; the element of a list is selected by `key=value`, several joined by ` & `, or must
    be the only one.
    """
    parent = node = result
    for step in pick.split(" > "):
        parent = node
        try:
            if isinstance(node, list):
                conditions = [pair.split("=", 1) for pair in step.split(" & ")] if "=" in step else []
                (node,) = (element for element in node if all(str(element[key]) == value for key, value in conditions))
                node = node if conditions else node[step]
            else:
                node = node[step]
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"the output has no value at {pick!r}") from None
    games = next((source.get(name) for source in (parent, result) for name in ("games", "campaigns")
                  if isinstance(source, dict) and name in source), None)  # fmt: skip
    if not isinstance(node, Mapping):
        return Measurement(str(node), games=games)
    if node["value"] is None:
        raise ValueError(f"the output has no value at {pick!r}")
    low, high = (None if node[end] is None else round(node[end], 6) for end in ("low", "high"))
    return Measurement(str(round(node["value"], 6)), low, high, games)


# Verification.


def probability(figure: Figure, measured: Measurement) -> float:
    """Return the p-value of the difference of two measurements, from their 95 % intervals.

    Each deviates from the true value towards the other by a normal error as wide as its interval on that side:
    Newcombe's interval of a difference, solved for the level at which it excludes 0.
    """
    ends = figure.low, figure.high, measured.low, measured.high
    gap = float(measured.value) - float(figure.value)
    if gap == 0:
        return 1.0
    if any(end is None for end in ends):
        raise ValueError(f"{figure.name} has no interval")
    low, high, new_low, new_high = (float(end) for end in ends)  # type: ignore[arg-type]
    is_increase = gap > 0
    first = high - float(figure.value) if is_increase else float(figure.value) - low
    second = float(measured.value) - new_low if is_increase else new_high - float(measured.value)
    deviation = hypot(first, second)
    return 0.0 if deviation == 0 else 2 * (1 - NormalDist().cdf(Z * abs(gap) / deviation))


def verdicts(pairs: Sequence[tuple[Figure, Measurement]]) -> list[str]:
    """Return HOLDS or DIFFERS for each published result and its new measurement.

    Strengths are tested together by Holm's method with the family-wise error rate `FALSE_POSITIVE_RATE`. A speed may be
    better, or worse by `SPEED_TOLERANCE`. Other results must be equal.
    """
    verdicts_by_index = [HOLDS] * len(pairs)
    p_values: dict[int, float] = {}
    for i, (figure, measured) in enumerate(pairs):
        if figure.kind == "strength":
            p_values[i] = probability(figure, measured)
        elif figure.kind == "speed":
            old, new = float(figure.value), float(measured.value)
            is_rate = "/s" in figure.unit
            if new < old * (1 - SPEED_TOLERANCE) if is_rate else new > old / (1 - SPEED_TOLERANCE):
                verdicts_by_index[i] = DIFFERS
        elif measured.value != figure.value:
            verdicts_by_index[i] = DIFFERS
    for rank, i in enumerate(sorted(p_values, key=lambda i: p_values[i])):
        if p_values[i] > FALSE_POSITIVE_RATE / (len(p_values) - rank):
            break
        verdicts_by_index[i] = DIFFERS
    return verdicts_by_index


def select_results(only: str) -> list[Figure]:
    """Return the results whose label or name matches a regular expression. ValueError if there are none."""
    try:
        pattern = re.compile(only, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"--only must be a regular expression, got {only!r}: {error}") from None
    figures = [figure for figure in read() if pattern.search(figure.label) or pattern.search(figure.name)]
    if not figures:
        raise ValueError(f"--only {only!r} matches no result; vitienv bench verify --list lists them")
    return figures

"""The figures that README and docs publish: one row of data each, with the command that measures it.

`published.csv` is the one place of a figure: the documentation's tables are made from it (`make docs`), and
`vitienv bench verify` runs its commands again.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import hypot
from pathlib import Path
from statistics import NormalDist
from typing import Any

from vitienv.core.files import atomic
from vitienv.core.text_utils import markdown
from vitienv.training.intervals import Z

FILE = Path(__file__).with_name("published.csv")  # shipped with the package
KINDS = ("strength", "speed", "engine")
SLOWER = 0.3  # by how much of it a speed may be missed: machines of one kind differ, and single runs by a quarter
FALSE_ALARM = 0.05  # probability that a list of figures that all hold seems to have one that differs
AMOUNTS = "--games", "--campaign"
QUICK, LEAST = 10, 10  # a tenth of the games, and no fewer than that
OTHER_SEEDS = 1_000_000  # how far those of the quick check are from the published ones

HOLDS, DIFFERS, NOT_ASKED = "holds", "differs", "not asked here"


@dataclass(frozen=True)
class Figure:
    """One published figure.

    page, kind: where in docs it stands, in the table of this kind. row, column: what it is of; without a column its
    table is a list. command: what measures it, seed and all. pick: the place in what the command prints as JSON.
    unit: "%" of a share, or what speed is counted in. value, low, high: a share from 0 to 1; low and high are its 95 %
    interval, None where there is none. A figure of the engine has no interval and is compared as it stands. games: how
    many were played. aim: what was aimed at. commit, date: of the measurement; machine: of a speed.
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

    @property
    def name(self) -> str:
        """What it is of, in a line."""
        return ": ".join(part for part in (self.page.removesuffix(".md"), self.row, self.column) if part)

    @property
    def label(self) -> str:
        """Kind and name."""
        return f"{self.kind}: {self.name}"

    @property
    def told(self) -> str:
        """The figure as a table shows it, with its unit."""
        return told(self.value, self.low, self.high, self.unit)


@dataclass(frozen=True)
class Measured:
    """The result of a command, in the form of `Figure`."""

    value: str
    low: float | None = None
    high: float | None = None
    games: int | None = None


def read(file: Path = FILE) -> list[Figure]:
    """The figures of a file. ValueError, in one line, for a row that is none."""
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    figures = []
    for number, row in enumerate(rows, 2):
        try:
            numbers = {name: float(row[name]) if row[name] else None for name in ("low", "high")}
            figures.append(Figure(**row | numbers | {"games": int(row["games"]) if row["games"] else None}))  # type: ignore[arg-type]
            if figures[-1].kind not in KINDS or (figures[-1].kind != "engine" and float(row["value"]) < 0):
                raise ValueError(f"the kind is {row['kind']!r}; there is {', '.join(KINDS)}")
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"line {number} of {str(file)!r} is no figure: {error}") from None
    return figures


def write(figures: Sequence[Figure], file: Path = FILE) -> None:
    """Write a file, whole or not at all."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Figure)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(figure) for figure in figures)
    with atomic(file) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")


# How figures are shown.


def told(value: str, low: float | None, high: float | None, unit: str) -> str:
    """A figure with its interval and unit, as tables show it."""
    if unit == "hash":
        return f"`{value}`"
    if unit == "%":
        spread = "" if low is None or high is None else f" ({100 * low:.1f} to {100 * high:.1f})"
        return f"{100 * float(value):.1f} %{spread}"
    spread = "" if low is None or high is None else f" ({number(low)} to {number(high)})"
    return f"{number(float(value))}{f' {unit}' if unit else ''}{spread}"


def number(value: float) -> str:
    """Whole from a hundred on, with three digits below."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def table(page: str, kind: str, figures: Sequence[Figure] | None = None) -> str:
    """The table of one kind on a page: a list of figures, or rows by columns. Shares among columns have no sign."""
    of_page = [f for f in (read() if figures is None else figures) if (f.page, f.kind) == (page, kind)]
    rows, columns = dict.fromkeys(f.row for f in of_page), list(dict.fromkeys(f.column for f in of_page))
    if columns != [""]:
        cells = {(f.row, f.column): f.told.replace(" %", "") for f in of_page}
        return markdown(["", *columns], [[row, *(cells.get((row, column), "") for column in columns)] for row in rows])
    shown: dict[str, Callable[[Figure], str]] = {
        "": lambda f: f.row, "games": lambda f: "" if f.games is None else f"{f.games:,}", "aim": lambda f: f.aim,
        "measured": lambda f: f.told, "command": lambda f: f"`{f.command}`",
    }  # fmt: skip
    heads = [head for head in shown if head in ("", "measured") or any(shown[head](f) for f in of_page)]
    return markdown(heads, [[shown[head](f) for head in heads] for f in of_page])


def tables() -> dict[str, tuple[str, str]]:
    """The name of each table of figures, its page and its kind."""
    return {f"{f.page.removesuffix('.md')}_{f.kind}": (f.page, f.kind) for f in read()}


# How they are measured again.


def quick(command: str) -> str:
    """The command with a tenth of the games, on other seeds, so that its chance is not the published one's."""
    words = shlex.split(command)
    for i, word in enumerate(words[:-1]):
        if word in AMOUNTS:
            words[i + 1] = str(min(int(words[i + 1]), max(LEAST, int(words[i + 1]) // QUICK)))
    if not set(AMOUNTS) & set(words):
        return command
    if "--seed" not in words:
        words += ["--seed", "0"]
    at = words.index("--seed") + 1
    words[at] = str(int(words[at]) + OTHER_SEEDS)
    return shlex.join(words)


def picked(result: Any, pick: str) -> Measured:
    """The figure at a place of plain JSON: keys from outside in, `a > b`; of a list the element in which `key=value`,
    or several joined by ` & `, or the only one. ValueError if there is none."""
    holder = at = result
    for step in pick.split(" > "):
        holder = at
        try:
            if isinstance(at, list):
                wanted = [pair.split("=", 1) for pair in step.split(" & ")] if "=" in step else []
                (at,) = (each for each in at if all(str(each[key]) == value for key, value in wanted))
                at = at if wanted else at[step]
            else:
                at = at[step]
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"the command tells nothing at {pick!r}") from None
    games = next((one.get(name) for one in (holder, result) for name in ("games", "campaigns")
                  if isinstance(one, dict) and name in one), None)  # fmt: skip
    if not isinstance(at, Mapping):
        return Measured(str(at), games=games)
    if at["value"] is None:
        raise ValueError(f"the command tells no value at {pick!r}")
    low, high = (None if at[end] is None else round(at[end], 6) for end in ("low", "high"))
    return Measured(str(round(at["value"], 6)), low, high, games)


# Whether they hold.


def probability(figure: Figure, measured: Measured) -> float:
    """How likely two measurements of the same thing differ at least so much, by both of their 95 % intervals: each
    deviates from what is true towards the other by a normal error as wide as its own interval on that side (Newcombe's
    intervals of a difference, solved for the level at which it leaves out 0)."""
    ends = figure.low, figure.high, measured.low, measured.high
    gap = float(measured.value) - float(figure.value)
    if gap == 0:
        return 1.0
    if any(end is None for end in ends):
        raise ValueError(f"{figure.name} has no interval")
    low, high, own_low, own_high = (float(end) for end in ends)  # type: ignore[arg-type]
    upwards = gap > 0
    first = high - float(figure.value) if upwards else float(figure.value) - low
    second = float(measured.value) - own_low if upwards else own_high - float(measured.value)
    wide = hypot(first, second)
    return 0.0 if wide == 0 else 2 * (1 - NormalDist().cdf(Z * abs(gap) / wide))


def verdicts(pairs: Sequence[tuple[Figure, Measured]]) -> list[str]:
    """ "holds" or "differs" for each figure and what was measured now.

    Those with intervals are judged together by Holm's method: where all hold, one is said to differ in 5 % of such
    lists, however long. A speed may be better, or worse by `SLOWER`. What else there is must be the same.
    """
    verdicts_of = [HOLDS] * len(pairs)
    judged: dict[int, float] = {}
    for i, (figure, measured) in enumerate(pairs):
        if figure.kind == "strength":
            judged[i] = probability(figure, measured)
        elif figure.kind == "speed":
            before, now = float(figure.value), float(measured.value)
            is_rate = "/s" in figure.unit
            if now < before * (1 - SLOWER) if is_rate else now > before / (1 - SLOWER):
                verdicts_of[i] = DIFFERS
        elif measured.value != figure.value:
            verdicts_of[i] = DIFFERS
    for rank, i in enumerate(sorted(judged, key=lambda i: judged[i])):
        if judged[i] > FALSE_ALARM / (len(judged) - rank):
            break
        verdicts_of[i] = DIFFERS
    return verdicts_of


def chosen(only: str) -> list[Figure]:
    """The figures whose name, or kind and name, a regular expression matches. ValueError if it is invalid or matches
    none."""
    try:
        pattern = re.compile(only, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"--only {only!r} is no regular expression: {error}") from None
    figures = [figure for figure in read() if pattern.search(figure.label) or pattern.search(figure.name)]
    if not figures:
        raise ValueError(f"--only {only!r} matches no figure; vitienv bench verify --list shows their names")
    return figures

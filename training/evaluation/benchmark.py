"""Benchmark: fixed tasks with baselines, one row per task, opponent, bot and training seed.

`benchmark.toml` defines the protocol. Each row is a command of `vitienv evaluate`. Results are stored in a CSV file; a
rerun resumes from it.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.policy import digest_text
from vitienv.agents.weights import digest_of
from vitienv.core.files import versions
from vitienv.core.text_utils import markdown
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation import published
from vitienv.training.evaluation.csv_log import check_at_least
from vitienv.training.intervals import clustered_mean

FILE = Path(__file__).with_name("benchmark.toml")
PAGE = "benchmark.md"


@dataclass(frozen=True)
class Row:
    """A measured row.

    value, low, high: win rate with its 95 % interval. seeds: number of seeds of the interval, 0 for independent games.
    core_hours: CPU time including training, NaN if the training was interrupted. train: command that trained the
    network, or "". version: of vitienv. layout: digest of the game's layout. commit: of the sources. weights: digests
    of the bot's files, or "" for bundled networks and those that `train` identifies.
    """

    task: str
    opponent: str
    bot: str
    training_seed: int
    value: float
    low: float
    high: float
    games: int
    seeds: int
    core_hours: float
    command: str
    train: str
    version: str
    layout: str
    date: str
    commit: str
    weights: str

    def __post_init__(self) -> None:
        hours = {} if np.isnan(self.core_hours) else {"core_hours": 0}
        check_at_least(self, training_seed=0, low=0, value=self.low, high=self.value, games=1, seeds=0, **hours)
        if self.high > 1:
            raise ValueError(f"high must be at most 1, got {self.high}")


@dataclass(frozen=True)
class PlannedRow:
    """A row to measure. pick: path of its value in the output. train, run: training command and run directory."""

    task: str
    opponent: str
    bot: str
    training_seed: int
    command: str
    pick: str
    game: str
    train: str = ""
    run: Path | None = None

    @property
    def name(self) -> str:
        """The row in a line, searched by --only."""
        seed = f", training seed {self.training_seed}" if self.train else ""
        return f"{self.task}: {self.bot}{seed}" + (f" against {self.opponent}" if self.opponent else "")

    @property
    def spec(self) -> str:
        """The bot's spec in the command."""
        return shlex.split(self.command)[2]

    @property
    def weights(self) -> str:
        """`Row.weights` of the bot as it is now."""
        return "" if self.train else digest_text(self.spec)

    def is_row(self, row: Row) -> bool:
        """Return whether a measured row is of this task, command, weights, version and layout."""
        identity = (row.task, row.command, row.train, row.weights, row.version, row.layout)
        return identity == (self.task, self.command, self.train, self.weights, versions()["vitienv"], layout(self.game))


def key(row: Row) -> tuple[Any, ...]:
    """Return the sort key of a row."""
    tasks = list(protocol()["tasks"])
    return tasks.index(row.task), row.opponent, row.bot, row.training_seed


@cache
def protocol() -> dict[str, Any]:
    """Return the content of `benchmark.toml`."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def layout(game: str) -> str:
    """Return the digest of a game's layout."""
    return digest_of(game_spec(game))


def plan_rows(
    bots: Sequence[str] = (), train: Sequence[str] = (), only: str = "", runs: Path = Path("runs")
) -> list[PlannedRow]:
    """Return the rows to measure.

    bots: specs to measure instead of the baselines. train: names of baselines to train. only: regular expression that
    rows must match. runs: directory of the training runs. ValueError for an unknown name or if no row matches.
    """
    plan = protocol()
    bots_by_name = {bot: bot for bot in bots} or ({} if train else plan["baselines"])
    for name in train:
        if name not in plan["trained"]:
            raise ValueError(f"unknown baseline {name!r}; expected one of: {', '.join(plan['trained'])}")
    rows = []
    for task, definition in plan["tasks"].items():
        trained_at = definition.get("run", task)
        for name, bot in bots_by_name.items():
            if bots or trained_at == task:  # the baselines without training hold nothing out
                rows += _rows(task, name, bot)
        for name in train:
            for seed in range(plan["training_seeds"]):
                run = runs / f"{trained_at}-{name}-{seed}"
                if line := training(trained_at, name, seed, run):
                    rows += _rows(task, name, f"policy:{run}", seed, line, run)
    try:
        rows = [row for row in rows if re.search(only, row.name)]
    except re.error as error:
        raise ValueError(f"--only must be a regular expression, got {only!r}: {error}") from None
    if not rows:
        raise ValueError(f"--only {only!r} matches no row; the tasks are {', '.join(plan['tasks'])}")
    return rows


def _rows(task: str, name: str, bot: str, seed: int = 0, train: str = "", run: Path | None = None) -> list[PlannedRow]:
    plan = protocol()
    definition = plan["tasks"][task]
    game = definition.get("game", DEFAULT)
    rows = []
    for level in definition["levels"] or [None]:
        opponent = "" if level is None else f"level:{level}"
        words = ["vitienv", "evaluate", bot, *(["--opponents", opponent] if opponent else []), *game_options(game)]
        words += [*definition["evaluate"].split(), "--games", str(plan["games"]), "--seed", str(plan["seed"])]
        rows.append(PlannedRow(task, opponent, name, seed, shlex.join(words), definition["pick"], game, train, run))
    return rows


def game_options(game: str) -> list[str]:
    """Return the option of a game in a command; none for the default game."""
    return [] if game == DEFAULT else ["--game", game]


def training(task: str, name: str, seed: int, run: Path) -> str:
    """Return the command that trains a baseline for a task; "" if its method does not support the table."""
    plan = protocol()
    definition, line = plan["tasks"][task], plan["trained"][name]
    if any(f"{{{word}}}" in line and word not in definition for word in ("mix", "table")):
        return ""
    options = line.format(mix=definition["mix"], table=definition.get("table"), decisions=plan["decisions"]).split()
    game = game_options(definition.get("game", DEFAULT))
    return shlex.join(["vitienv", "train", *game, *options, "--seed", str(seed), "--run", str(run)])


def summary(rows: Sequence[Row]) -> dict[tuple[str, str, str], tuple[float, float, float, int]]:
    """Return win rate, interval bounds and number of training seeds by bot, task and opponent.

    The interval is Student's over several training seeds, or that of the games of a single one.
    """
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.bot, row.task, row.opponent), []).append(row)
    cells = {}
    for name, of in groups.items():
        values = [row.value for row in of]
        if len(of) == 1:
            cells[name] = values[0], of[0].low, of[0].high, 1
            continue
        interval: Any = clustered_mean(np.array(values), np.arange(len(of)))
        cells[name] = interval["value"], max(0.0, interval["low"]), min(1.0, interval["high"]), len(of)
    return cells


def table(rows: Sequence[Row]) -> str:
    """Return the win rates in percent as Markdown: a line per task and opponent, a column per bot."""
    cells_of = summary(rows)
    bots = list(dict.fromkeys(bot for bot, _, _ in cells_of))
    lines = []
    for task, opponent in dict.fromkeys((task, opponent) for _, task, opponent in cells_of):
        cells = [cells_of.get((bot, task, opponent)) for bot in bots]
        texts = ["" if cell is None else published.format_value(str(cell[0]), cell[1], cell[2], "%").replace(" %", "")
                 for cell in cells]  # fmt: skip
        lines.append([title(task, opponent), *texts])
    return markdown(["", *bots], lines)


def title(task: str, opponent: str) -> str:
    """Return the title of a task and opponent."""
    return protocol()["tasks"][task]["title"] + (f", against `{opponent}`" if opponent else "")

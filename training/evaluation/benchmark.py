"""The benchmark: fixed tasks, whose protocol is data, and baselines, a row for each task, opponent and training seed.

`benchmark.toml` is the protocol. Rows are commands of `vitienv evaluate`; what was measured stands in a CSV file, with
which a run goes on.
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

from vitienv.agents.weights import digest_of
from vitienv.core.files import versions
from vitienv.core.text_utils import markdown
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation import published
from vitienv.training.evaluation.csv_log import check_at_least
from vitienv.training.intervals import mean

FILE = Path(__file__).with_name("benchmark.toml")
PAGE = "benchmark.md"


@dataclass(frozen=True)
class Row:
    """A measured row. value, low, high: the share of the games won, with its 95 % interval. seeds: number of seeds of
    the interval, 0 if it is that of independent games. core_hours: of processor time, training included; nan where that
    was interrupted, as nobody counted the time before. train: the command whose network plays, "" for none. version: of
    vitienv; layout: the digest of the game's; commit: of the sources."""

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

    def __post_init__(self) -> None:
        hours = {} if np.isnan(self.core_hours) else {"core_hours": 0}
        check_at_least(self, training_seed=0, low=0, value=self.low, high=self.value, games=1, seeds=0, **hours)
        if self.high > 1:
            raise ValueError(f"high must be at most 1, got {self.high}")


@dataclass(frozen=True)
class Asked:
    """A row to measure. pick: of what the command prints. train, run: the training before it and its folder."""

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
        """The row in a line, in which --only searches."""
        seed = f", training seed {self.training_seed}" if self.train else ""
        return f"{self.task}: {self.bot}{seed}" + (f" against {self.opponent}" if self.opponent else "")

    @property
    def spec(self) -> str:
        """The bot as `vitienv evaluate` gets it."""
        return shlex.split(self.command)[2]

    def is_row(self, row: Row) -> bool:
        """Whether a row is of this, by this version and layout."""
        told = (row.command, row.train, row.version, row.layout)
        return told == (self.command, self.train, versions()["vitienv"], layout(self.game))


def key(row: Row) -> tuple[Any, ...]:
    """What a row is of."""
    tasks = list(protocol()["tasks"])
    return tasks.index(row.task), row.opponent, row.bot, row.training_seed


@cache
def protocol() -> dict[str, Any]:
    """What `benchmark.toml` holds."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def layout(game: str) -> str:
    """The digest of a game's layout."""
    return digest_of(game_spec(game))


def asked(
    bots: Sequence[str] = (), train: Sequence[str] = (), only: str = "", runs: Path = Path("runs")
) -> list[Asked]:
    """The rows to measure. bots: specs in the place of the baselines. train: baselines to train, by their names. only:
    a regular expression. runs: where trainings are. ValueError for a name that there is not, or if nothing is left."""
    plan = protocol()
    named = {bot: bot for bot in bots} or ({} if train else plan["baselines"])
    for name in train:
        if name not in plan["trained"]:
            raise ValueError(f"--train is {name!r}; it must be {', '.join(plan['trained'])}")
    rows = []
    for task in plan["tasks"]:
        for name, bot in named.items():
            rows += _rows(task, name, bot)
        for name in train:
            for seed in range(plan["training_seeds"]):
                run = runs / f"{task}-{name}-{seed}"
                if line := training(task, name, seed, run):
                    rows += _rows(task, name, f"policy:{run}", seed, line, run)
    try:
        rows = [row for row in rows if re.search(only, row.name)]
    except re.error as error:
        raise ValueError(f"--only {only!r} is no regular expression: {error}") from None
    if not rows:
        raise ValueError(f"--only {only!r} leaves no row; tasks are {', '.join(plan['tasks'])}")
    return rows


def _rows(task: str, name: str, bot: str, seed: int = 0, train: str = "", run: Path | None = None) -> list[Asked]:
    plan = protocol()
    about = plan["tasks"][task]
    game = about.get("game", DEFAULT)
    rows = []
    for level in about["levels"] or [None]:
        opponent = "" if level is None else f"level:{level}"
        words = ["vitienv", "evaluate", bot, *(["--opponents", opponent] if opponent else []), *_game(game)]
        words += [*about["evaluate"].split(), "--games", str(plan["games"]), "--seed", str(plan["seed"])]
        rows.append(Asked(task, opponent, name, seed, shlex.join(words), about["pick"], game, train, run))
    return rows


def _game(game: str) -> list[str]:
    return [] if game == DEFAULT else ["--game", game]


def training(task: str, name: str, seed: int, run: Path) -> str:
    """The command that trains a baseline for a task; "" where its method does not know the table."""
    plan = protocol()
    about, line = plan["tasks"][task], plan["trained"][name]
    if any(f"{{{word}}}" in line and word not in about for word in ("mix", "table")):
        return ""
    options = line.format(mix=about["mix"], table=about.get("table"), decisions=plan["decisions"]).split()
    game = _game(about.get("game", DEFAULT))
    return shlex.join(["vitienv", "train", *game, *options, "--seed", str(seed), "--run", str(run)])


def summary(rows: Sequence[Row]) -> dict[tuple[str, str, str], tuple[float, float, float, int]]:
    """For each bot, task and opponent the win rate, its interval, and the number of training seeds.

    Several training seeds have their mean with Student's interval over them; one seed has the interval of its games.
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
        middle, half = mean(np.array(values))
        cells[name] = middle, max(0.0, middle - half), min(1.0, middle + half), len(of)
    return cells


def table(rows: Sequence[Row]) -> str:
    """The win rates in per cent: a line for each task and opponent, a column for each bot."""
    cells_of = summary(rows)
    bots = list(dict.fromkeys(bot for bot, _, _ in cells_of))
    lines = []
    for task, opponent in dict.fromkeys((task, opponent) for _, task, opponent in cells_of):
        cells = [cells_of.get((bot, task, opponent)) for bot in bots]
        shown = ["" if one is None else published.told(str(one[0]), one[1], one[2], "%").replace(" %", "")
                 for one in cells]  # fmt: skip
        lines.append([title(task, opponent), *shown])
    return markdown(["", *bots], lines)


def title(task: str, opponent: str) -> str:
    """A task in words."""
    return protocol()["tasks"][task]["title"] + (f", against `{opponent}`" if opponent else "")


def protocol_table() -> str:
    """The tasks, for the documentation."""
    told = protocol()
    rows = []
    for name, about in told["tasks"].items():
        others = ", ".join(f"`level:{level}`" for level in about["levels"]) or "none"
        game = " ".join(_game(about.get("game", DEFAULT)))
        options = " ".join(filter(None, (game, about["evaluate"])))
        rows.append([f"`{name}`", about["title"], others, about.get("even", ""), f"`{options}`"])
    return markdown(["task", "what", "in the other seats", "even, %", "options of `vitienv evaluate`"], rows)


def training_table() -> str:
    """The trained baselines, for the documentation: the command of one task."""
    rows = [[f"`{name}`", f"`{training('two', name, 0, Path(f'runs/benchmark/two-{name}-0'))}`"]
            for name in protocol()["trained"]]  # fmt: skip
    return markdown(["`--train`", "at the task `two`, training seed 0"], rows)


def figure(row: Row, pick: str) -> published.Figure:
    """A row as it is published."""
    return published.Figure(
        PAGE, "strength", title(row.task, row.opponent), row.bot, row.command, pick, "%", str(row.value), row.low,
        row.high, row.games, "", row.date, row.commit, "",
    )  # fmt: skip

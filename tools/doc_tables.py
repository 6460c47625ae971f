"""Markdown tables of the documentation: networks, benchmark, data columns, training options and state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from vitienv.core.fields import Field
from vitienv.core.game_spec import GameSpec
from vitienv.core.positions.schema import Seats, Table
from vitienv.core.text_utils import markdown
from vitienv.data import COLUMNS
from vitienv.registry import DEFAULT, game_spec
from vitienv.training import settings
from vitienv.training.evaluation import benchmark, compare, promotion, published
from vitienv.training.evaluation.csv_log import read_rows

BENCHMARK_ROWS = Path(__file__).resolve().parent.parent / "results" / "benchmark.csv"
MAX_LISTED_TABLES = 6  # tables of a mix listed in the documentation


def actions_table(game: str = DEFAULT) -> str:
    """Return the blocks of a game's actions."""
    rows, first = [], 0
    for block, names in game_spec(game).actions.blocks.items():
        examples = f"`{names[0]}`" if len(names) == 1 else f"`{names[0]}` … `{names[-1]}`"
        rows.append([block, f"{first}..{first + len(names) - 1}", examples])
        first += len(names)
    return markdown(["block", "numbers", "names"], rows)


def observation_table(game: str = DEFAULT) -> str:
    """Return the features of a game's observation."""
    spec, rows = game_spec(game).observation, []
    for feature in spec.features:
        place, axes = spec.slice(feature.name), ", ".join(axis.name for axis in feature.axes)
        rows.append([f"`{feature.name}`", f"{place.start}..{place.stop - 1}", str(feature.shape), axes,
                     f"{feature.low}..{feature.high}", feature.text])  # fmt: skip
    return markdown(["entry", "places", "shape", "by", "bounds", "meaning"], rows)


def axes_table() -> str:
    """Return the labels of the axes of Viticulture's observation, and the words of its categorical features."""
    features = game_spec().observation.features
    axes = dict.fromkeys(axis for feature in features for axis in feature.axes if axis.labels)
    rows = [(axis.name, 0, axis.labels) for axis in axes]
    rows += [(f"`{feature.name}`", feature.low, feature.words) for feature in features if feature.words]
    return markdown(
        ["axis or entry", "from", "names"],
        [[name, str(low), ", ".join(f"`{word}`" if word else "–" for word in words)] for name, low, words in rows],
    )


def options_table(game: str = DEFAULT) -> str:
    """Return the options of a game with their defaults."""
    options, rows = game_spec(game).options, []
    for option in fields(options):
        default = options.RULESETS[0] if option.name == "ruleset" else option.default
        default_text = f'"{default}"' if isinstance(default, str) else repr(default)
        rows.append([f"`{option.name}`", f"`{default_text}`", option.metadata["meaning"]])
    return markdown(["option", "default", "meaning"], rows)


def networks_table(game: GameSpec) -> str:
    """Return the current networks as Markdown."""
    lines = []
    for row in promotion.shipping(game).values():
        mixes = dict.fromkeys(stage["mix"] for stage in row.recipe)
        learned = sum(stage.get("learned", stage["decisions"]) for stage in row.recipe)
        imitated = sum(stage.get("imitated", 0) for stage in row.recipe)
        counts = [f"{learned / 1e6:.1f} million"] * bool(learned) + [f"{imitated / 1e6:.1f} imitated"] * bool(imitated)
        tests = [f"table {test['table']}: Elo {test['elo']:+.0f} ({test['elo_low']:+.0f} to {test['elo_high']:+.0f}), "
                 f"{test['games']:,} games, seed {test['settings']['seed']}" for test in row.tests]  # fmt: skip
        at = ", then ".join(f"`{_short(mix)}`" for mix in mixes)
        lines.append([f"`{row.file}`", at, ", ".join(counts), row.cost, "; ".join(tests)])
    return markdown(["file", "trained at", "training decisions", "cost", "against its predecessor"], lines)


def _short(mix: str) -> str:
    tables = mix.split(",")
    return mix if len(tables) <= MAX_LISTED_TABLES else ",".join([*tables[:MAX_LISTED_TABLES], "…"])


def benchmark_table() -> str:
    """Return the tasks as Markdown."""
    plan = benchmark.protocol()
    rows = []
    for name, definition in plan["tasks"].items():
        others = ", ".join(f"`level:{level}`" for level in definition["levels"]) or "none"
        game = " ".join(benchmark.game_options(definition.get("game", DEFAULT)))
        options = " ".join(filter(None, (game, definition["evaluate"])))
        rows.append([f"`{name}`", definition["title"], others, definition.get("even", ""), f"`{options}`"])
    return markdown(["task", "what", "in the other seats", "even, %", "options of `vitienv evaluate`"], rows)


def benchmark_training_table() -> str:
    """Return the trained baselines as Markdown: the command of one task."""
    rows = [[f"`{name}`", f"`{benchmark.training('two', name, 0, Path(f'runs/benchmark/two-{name}-0'))}`"]
            for name in benchmark.protocol()["trained"]]  # fmt: skip
    return markdown(["`--train`", "at the task `two`, training seed 0"], rows)


def benchmark_held_out_table() -> str:
    """Return the tasks with a reference as Markdown, with the scores of imitation in `results/benchmark.csv`."""
    scores: dict[str, list[list[float]]] = {}
    for row in read_rows(BENCHMARK_ROWS, benchmark.Row):
        if (row.bot, row.opponent) == ("imitation", "level:5"):
            scores.setdefault(row.task, []).append([row.value])
    plan, lines = benchmark.protocol(), []
    measured_tasks = {task for task, values in scores.items() if len(values) == plan["training_seeds"]}
    rows = [(row["run"], name, row["reference"]) for name, row in plan["tasks"].items() if "reference" in row]
    for group in [*([row] for row in rows), rows]:
        matrices = [np.hstack([scores[task] for task in tasks]) if measured_tasks.issuperset(tasks) else None
                    for tasks in zip(*group, strict=True)]  # fmt: skip
        cells = [_share(compare.interquartile_mean, matrix) for matrix in matrices]
        cells.append(_share(compare.probability_of_improvement, matrices[2], matrices[1]))
        lines.append([*([f"`{task}`" for task in group[0]] if len(group) == 1 else ["all", "", ""]), *cells])
    heads = ["trained at", "held out", "reference", "trained at, %", "held out, %", "reference, %",
             "reference better, %"]  # fmt: skip
    return markdown(heads, lines)


def _share(statistic: Callable[..., float], *matrices: np.ndarray | None) -> str:
    known_matrices = [matrix for matrix in matrices if matrix is not None]
    if len(known_matrices) < len(matrices):
        return ""
    share = compare.bootstrap(statistic, *known_matrices)
    return published.format_value(share["value"], share["low"], share["high"], "%").replace(" %", "")


def data_columns_table() -> str:
    """Return the columns as a Markdown table."""
    rows = ["| column | values per row | type | meaning |", "| --- | --- | --- | --- |"]
    for column in COLUMNS:
        many = f"`game_spec.{column.axis}.n`" if column.axis else "1"
        rows.append(f"| `{column.name}` | {many} | `{np.dtype(column.kind).name}` | {column.text} |")
    return "\n".join(rows)


def training_options_table(classes: Sequence[type], without: Sequence[type] = ()) -> str:
    """Return the options of dataclasses as Markdown, except those in `without` with the same default."""
    omitted = {(member.name, settings.default_of(member)) for cls in without for member in fields(cls)}
    rows = ["| option | default | meaning |", "| --- | --- | --- |"]
    for cls in classes:
        for member in fields(cls):
            if settings.flag_of(member) and (member.name, settings.default_of(member)) not in omitted:
                bounds = f" ({settings.bounds_of(member)})" if settings.bounds_of(member) else ""
                option = f"`--{settings.flag_of(member).replace('_', '-')}`"
                value = settings.default_of(member)
                rows.append(f"| {option} | {f'`{value}`' if value else ''} | {member.metadata['text']}{bounds} |")
    return "\n".join(rows)


def state_table(state_fields: Iterable[Field]) -> str:
    """Return the fields as a Markdown table."""
    rows = ["| field | shape | type | bounds | known to | meaning |", "| --- | --- | --- | --- | --- | --- |"]
    for f in state_fields:
        rows.append(f"| `{f.name}` | {f.shape} | {f.dtype} | {f.low}..{f.high} | {f.visibility.value} | {f.text} |")
    return "\n".join(rows)


def published_table(page: str, kind: str, figures: Sequence[published.Figure] | None = None) -> str:
    """Return a page's table of one kind as Markdown: a list, or rows by columns, whose shares have no percent sign."""
    page_results = [f for f in (published.read() if figures is None else figures) if (f.page, f.kind) == (page, kind)]
    rows, columns = dict.fromkeys(f.row for f in page_results), list(dict.fromkeys(f.column for f in page_results))
    if columns != [""]:
        cells = {(f.row, f.column): f.text.replace(" %", "") for f in page_results}
        return markdown(["", *columns], [[row, *(cells.get((row, column), "") for column in columns)] for row in rows])
    cell_texts: dict[str, Callable[[published.Figure], str]] = {
        "": lambda f: f.row, "games": lambda f: "" if f.games is None else f"{f.games:,}", "aim": lambda f: f.aim,
        "measured": lambda f: f.text, "command": lambda f: f"`{f.command}`",
    }  # fmt: skip
    heads = [head for head in cell_texts if head in ("", "measured") or any(cell_texts[head](f) for f in page_results)]
    return markdown(heads, [[cell_texts[head](f) for head in heads] for f in page_results])


def published_tables() -> dict[str, tuple[str, str]]:
    """Return page and kind of each table by its name."""
    return {f"{f.page.removesuffix('.md')}_{f.kind}": (f.page, f.kind) for f in published.read()}


def key_rows(table: Table, prefix: str = "") -> list[tuple[str, str]]:
    """Return keys and meanings, for the documentation."""
    rows = [(f"{prefix}`{key.name}`", key.text) for key in table.keys if key.text]
    inner = [key_rows(key.codec.table, "of a seat: ") for key in table.keys if isinstance(key.codec, Seats)]
    return [*rows, *(row for rows_of_seat in inner for row in rows_of_seat)]

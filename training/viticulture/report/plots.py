"""Plots of the report of Viticulture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from vitienv.core.text_utils import in_one_line
from vitienv.training.report.summary import ALL_BOTS
from vitienv.training.viticulture.report.facts import SPACE_KINDS
from vitienv.training.viticulture.report.report_sections import ALL_YEARS, ANY, GIFT
from vitienv.training.viticulture.report.sources import SOURCES
from vitienv.viticulture.enums import ACTS, N_ROWS, STRUCTURES

# Colours for colour-blind readers (Okabe and Ito), and grey for expected values.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#000000")
MARKERS = "osD^vPX*"
GREY = "#999999"
WINS = "wins, %"
STYLE: dict[Any, Any] = {
    "font.size": 9.0, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e6e6e6", "axes.axisbelow": True, "legend.frameon": False,
    "text.parse_math": False,
}  # fmt: skip
MAX_NAME_CHARS = 28
MAX_OPENINGS = 15
MAX_YEAR = 9
ROW_INCHES = 0.235


def plots_of(tables: dict[str, pd.DataFrame], bots: Sequence[str]) -> dict[str, Figure]:
    """Return the plot of each section by the name of its table."""
    plots: dict[str, Callable[[pd.DataFrame, Sequence[str]], Figure]] = {
        "wake_up_rows": _wake_up_rows, "openings": _openings, "structures": _structures, "visitors": _visitors,
        "orders": _orders, "points_by_source": _points, "spaces": _spaces,
    }  # fmt: skip
    with matplotlib.rc_context(STYLE):
        return {name: draw(tables[name], bots) for name, draw in plots.items()}


def short_name(bot: str) -> str:
    """Return a bot's name for a legend: the last part of a path, truncated."""
    name = in_one_line(bot.split("/")[-1] if ":" in bot else bot)
    return name if len(name) <= MAX_NAME_CHARS else f"{name[: MAX_NAME_CHARS - 1]}…"


def _figure(width: float, height: float, rows: int = 1, columns: int = 1, **settings: Any) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **settings)


def _error_bars(rows: pd.DataFrame, value: str, low: str, high: str, factor: float) -> list[np.ndarray]:
    return [(factor * (rows[value] - rows[low])).clip(lower=0), (factor * (rows[high] - rows[value])).clip(lower=0)]


def _win_rows(axes: Any, rows: pd.DataFrame, labels: Sequence[str]) -> None:
    """Plot a line per row: the win share with its interval, and the mean win share of its bots."""
    if rows.empty:
        _plot_empty(axes)
        return
    at = np.arange(len(rows))
    axes.scatter(100 * rows["expected"], at, marker="|", s=60, color=GREY, label="the same bots on average", zorder=2)
    axes.errorbar(100 * rows["win_share"], at, xerr=_error_bars(rows, "win_share", "win_low", "win_high", 100.0),
                  fmt="o", ms=4, lw=1.2, color=COLOURS[0], label="win share, 95 % interval", zorder=3)  # fmt: skip
    axes.set_yticks(at, labels)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(WINS)
    axes.grid(axis="y", visible=False)


def _plot_empty(axes: Any) -> None:
    axes.text(0.5, 0.5, "none in these games", ha="center", va="center", transform=axes.transAxes, color=GREY)
    axes.set_axis_off()


def _legend_below(figure: Figure, axes: Any, columns: int = 2) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def _wake_up_rows(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    figure, ((axes,),) = _figure(8.5, 4.2)
    groups = [ALL_BOTS, *bots] if len(bots) > 1 else list(bots)
    for i, bot in enumerate(groups):
        rows = table[(table["bot"] == bot) & (table["year"] == ALL_YEARS)]
        colour = GREY if bot == ALL_BOTS else COLOURS[(i - 1) % len(COLOURS)]
        offset = (i - (len(groups) - 1) / 2) * 0.7 / max(len(groups), 4)
        axes.errorbar(rows["row"] + offset, 100 * rows["win_share"], fmt=MARKERS[i % len(MARKERS)], ms=4.5, lw=1.2,
                      yerr=_error_bars(rows, "win_share", "win_low", "win_high", 100.0), color=colour,
                      label=short_name(bot))  # fmt: skip
    gifts = ("", "vine", "order", "1 lira", "visitor", "1 VP", "temporary\nworker")
    axes.set_xticks(range(1, N_ROWS + 1), [f"{row + 1}\n{gift}" for row, gift in enumerate(gifts)])
    axes.grid(axis="x", visible=False)
    axes.set(xlabel="wake-up row and its bonus", ylabel=WINS, ylim=(-2, 102), xlim=(0.5, N_ROWS + 0.5))
    _legend_below(figure, axes, 5)
    return figure


def _openings(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    all_bots = table[table["bot"] == ALL_BOTS]
    papas = all_bots[all_bots["kind"] == "papa"].sort_values("opening")
    first = all_bots[all_bots["kind"] == "placements"].sort_values(["n", "opening"], ascending=[False, True])
    first = first.head(MAX_OPENINGS).sort_values("win_share", ascending=False)
    heights = [max(4, len(first)), max(4, len(papas))]
    figure = Figure(figsize=(9.5, 1.8 + ROW_INCHES * sum(heights)), layout="constrained")
    top_axes, bottom_axes = figure.subplots(2, 1, height_ratios=heights)
    for axes, rows, title in ((top_axes, first, f"first three workers (the {len(first)} most frequent)"),
                              (bottom_axes, papas, "papa and chosen gift")):  # fmt: skip
        axes.set_title(title, loc="left", fontweight="bold")
        _win_rows(axes, rows, [f"{name.replace('_', ' ')}  ({n})" for name, n in zip(rows["opening"], rows["n"])])
    _legend_below(figure, top_axes)
    return figure


def _structures(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    figure, grid = _figure(10.5, 5.4, 2, 4, sharex=True, sharey=True)
    all_bots = table[(table["bot"] == ALL_BOTS) & table["year"].notna()]
    all_bots = all_bots[all_bots["year"] <= MAX_YEAR]
    for axes, structure in zip(grid.flat, STRUCTURES, strict=True):
        rows = all_bots[all_bots["structure"] == structure]
        year = rows["year"].to_numpy(np.float64)
        axes.plot(year, 100 * rows["expected"], "_", ms=9, color=GREY, label="the same bots on average")
        axes.errorbar(year, 100 * rows["win_share"], yerr=_error_bars(rows, "win_share", "win_low", "win_high", 100.0),
                      fmt="o", ms=4, lw=1.2, color=COLOURS[0], label="win share, 95 % interval")  # fmt: skip
        axes.set_title(structure.replace("_", " "), fontsize=9, fontweight="bold")
        axes.set_xticks(range(MAX_YEAR + 1), [GIFT, *map(str, range(1, MAX_YEAR + 1))])
        axes.set(ylim=(-3, 103), xlim=(-0.6, MAX_YEAR + 0.6))
        axes.grid(axis="x", visible=False)
    for axes in grid[:, 0]:
        axes.set_ylabel(WINS)
    for axes in grid[-1]:
        axes.set_xlabel("year built")
    _legend_below(figure, grid[0, 0])
    return figure


def _visitors(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    all_bots = table[table["bot"] == ALL_BOTS]
    parts = [
        all_bots[all_bots["deck"] == deck].sort_values("win_share", ascending=False) for deck in ("summer", "winter")
    ]
    num_rows = max(6, *(len(part) for part in parts))
    figure, ((axes_summer, axes_winter),) = _figure(11, 1.4 + ROW_INCHES * 0.85 * num_rows, 1, 2, sharex=True)
    for axes, rows, deck in ((axes_summer, parts[0], "summer"), (axes_winter, parts[1], "winter")):
        axes.set_title(f"{deck} visitors", loc="left", fontweight="bold")
        _win_rows(axes, rows, [f"{name.replace('_', ' ')} ({n})" for name, n in zip(rows["visitor"], rows["n"])])
        axes.set_ylim(num_rows - 0.4, -0.6)
    _legend_below(figure, axes_summer if len(parts[0]) else axes_winter)
    return figure


def _orders(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    rows = table[table["bot"] == ALL_BOTS].sort_values(["vp", "order"])
    figure, ((axes,),) = _figure(8.5, 1.4 + ROW_INCHES * max(6, len(rows)))
    labels = [f"{wines}, {vp} VP  ({n})" for wines, vp, n in zip(rows["wines"], rows["vp"], rows["n"])]
    _win_rows(axes, rows, labels)
    _legend_below(figure, axes)
    return figure


def _points(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    figure, ((axes,),) = _figure(9.5, 1.7 + 0.42 * len(bots))
    kinds = table[(table["source"] == ANY) & table["bot"].isin(bots)]
    per_seat = kinds.pivot(index="bot", columns="kind", values="per_seat").reindex(bots).fillna(0.0)
    right_ends, left_ends = np.zeros(len(bots)), np.zeros(len(bots))
    for i, kind in enumerate(name for name in SOURCES if name in per_seat.columns):
        points = per_seat[kind].to_numpy()
        offsets = np.where(points >= 0, right_ends, left_ends)
        axes.barh(range(len(bots)), points, left=offsets, label=kind, height=0.68,
                  color=(*COLOURS[:6], "#F0E442", *COLOURS[6:], GREY)[i])  # fmt: skip
        right_ends, left_ends = right_ends + points.clip(min=0), left_ends + points.clip(max=0)
        for y, (at, width) in enumerate(zip(offsets, points, strict=True)):
            if width >= 0.75:
                axes.text(at + width / 2, y, f"{width:.1f}", ha="center", va="center", fontsize=7.5,
                          color="black" if kind in ("wake-up row", "tasting room") else "white")  # fmt: skip
    axes.set_yticks(range(len(bots)), [short_name(bot) for bot in bots])
    axes.invert_yaxis()
    axes.axvline(0, color="black", lw=0.6)
    axes.set_xlabel("points per seat and game")
    axes.grid(axis="y", visible=False)
    _legend_below(figure, axes, 5)
    return figure


def _spaces(table: pd.DataFrame, bots: Sequence[str]) -> Figure:
    figure, ((workers_panel, spaces_panel),) = _figure(11, 5.6, 1, 2, sharey=True)
    if table.empty:
        _plot_empty(workers_panel)
        _plot_empty(spaces_panel)
        return figure
    acts = [act for act in ACTS if act in set(table["action"])]
    place = {act: i for i, act in enumerate(acts)}
    # Seasons are summed, as cart and yoke are used in both and planned actions in summer.
    by_action = table.groupby(["bot", "action", "space"])["per_seat"].sum()
    year_rows = table[table["season"] == ANY]
    for i, bot in enumerate(bots):
        rows = year_rows[year_rows["bot"] == bot]
        y = rows["action"].map(place).to_numpy(np.float64) + (i - (len(bots) - 1) / 2) * 0.75 / max(len(bots), 4)
        workers_panel.errorbar(
            rows["per_seat"], y, xerr=_error_bars(rows, "per_seat", "per_seat_low", "per_seat_high", 1.0), ms=4, lw=1.2,
            fmt=MARKERS[(i + 1) % len(MARKERS)], color=COLOURS[i % len(COLOURS)], label=short_name(bot),
        )  # fmt: skip
    workers_panel.set(xlabel="workers per seat and game", xlim=(0, None), ylim=(len(acts) - 0.5, -0.5))
    workers_panel.set_yticks(range(len(acts)), [act.replace("_", " ") for act in acts])
    workers_panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=4)
    start = np.zeros(len(acts))
    names = {"plain": "plain space", "bonus": "bonus space", "full": "grande on a full action"}
    for i, space in enumerate(SPACE_KINDS):
        width = np.array([float(by_action.get((ALL_BOTS, act, space), 0.0)) for act in acts])
        if width.any():
            label = names.get(space, space)
            spaces_panel.barh(range(len(acts)), width, left=start, color=COLOURS[i], height=0.7, label=label)
        start += width
    spaces_panel.set_xlabel("workers per seat and game, all bots")
    spaces_panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3)
    for axes in (workers_panel, spaces_panel):
        axes.grid(axis="y", visible=False)
    return figure

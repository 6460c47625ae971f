"""Plots of evaluations as PNG files: scaling curves and learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from vitienv.core.files import atomic

if TYPE_CHECKING:
    from vitienv.training.evaluation.strength import Point


def save_figure(figure: Figure, picture: Path) -> None:
    """Write a figure to a PNG file, atomically."""
    with atomic(picture) as temporary:
        figure.savefig(temporary, dpi=120, format="png")


def plot_strength(points: Sequence[Point], picture: Path) -> None:
    """Plot a curve per table: strength above an even share against CPU time per decision."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for table in dict.fromkeys(point.table for point in points):
        curve = sorted((point for point in points if point.table == table), key=lambda point: point.milliseconds)
        players = curve[0].games // curve[0].seeds
        even = 0.0 if players == 1 else 1 / players
        reach = [[point.score - point.low for point in curve], [point.high - point.score for point in curve]]
        label = f"{table}: even is {even:.0%}" if even else f"{table}: wins more than alone"
        axes.errorbar(
            [point.milliseconds for point in curve], [point.score - even for point in curve], yerr=np.maximum(0, reach),
            marker="o", capsize=3, label=label,
        )  # fmt: skip
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set(xscale="log", xlabel="milliseconds of processor time a decision", ylabel="share of wins above an even one")
    axes.grid(alpha=0.3)
    axes.legend(title="table", loc="lower right")
    save_figure(figure, picture)


@matplotlib.rc_context({"text.parse_math": False})  # names are not formulas
def plot_learning_curves(rows: Sequence[Mapping[str, Any]], picture: Path) -> None:
    """Plot learning curves with 95 % bands, a panel per opponent."""
    opponents = list(dict.fromkeys(row["opponent"] for row in rows))
    figure = Figure(layout="constrained")
    panels = figure.subplots(1, len(opponents), sharey=True, squeeze=False)[0]
    for panel, opponent in zip(panels, opponents, strict=True):
        for method in dict.fromkeys(row["method"] for row in rows):
            curve = [row for row in rows if (row["method"], row["opponent"]) == (method, opponent)]
            at = [row["decisions"] for row in curve]
            ends = [(row["win_rate"]["low"], row["win_rate"]["high"]) for row in curve]
            panel.plot(at, [100 * row["win_rate"]["value"] for row in curve], label=method)
            if curve and ends[0][0] is not None:
                panel.fill_between(at, *([100 * end for end in side] for side in zip(*ends)), alpha=0.2)
        panel.set(title=f"against {opponent}", xlabel="decisions", ylabel="games won (%)", ylim=(0, 100))
        panel.legend(fontsize="small")
    save_figure(figure, picture)

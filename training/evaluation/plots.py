"""Plots of evaluations as PNG files: learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from vitienv.core.files import atomic


def save_figure(figure: Figure, picture: Path) -> None:
    """Write a figure to a PNG file, atomically."""
    with atomic(picture) as temporary:
        figure.savefig(temporary, dpi=120, format="png")


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

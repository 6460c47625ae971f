"""What teams win in Viticulture World, as a picture: a panel for each continent, a line for each team over the seats.

The data, and the picture of it:

    vitienv evaluate policy:champion heuristic --game world --players 1,2,3,4,5,6 --out teams.csv
    python studies/world_teams.py teams.csv --plot teams.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from vitienv.core.files import atomic

ACROSS = 4  # panels in a row


def plot(rows: pd.DataFrame, picture: Path) -> Path:
    """Draw the shares of games won with their 95 % intervals. rows: of a file that `vitienv evaluate` wrote."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    continents = list(dict.fromkeys(rows["continent"]))
    across = min(ACROSS, len(continents))
    figure, axes = pyplot.subplots(-(-len(continents) // across), across, figsize=(3 * across, 5), sharex=True,
                                   sharey=True, squeeze=False, layout="constrained")  # fmt: skip
    for panel, continent in zip(axes.flat, continents):
        for team, part in rows[rows["continent"] == continent].groupby("team", sort=False):
            spread = [part["won"] - part["won_low"], part["won_high"] - part["won"]]
            panel.errorbar(part["seats"], part["won"], spread, marker="o", markersize=3, label=team)
        panel.set(title=continent, ylim=(0, 100))
        panel.grid(alpha=0.3)
    for panel in axes.flat[len(continents) :]:
        panel.axis("off")
    figure.supxlabel("seats")
    figure.supylabel("games won (%)")
    figure.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize="small")
    with atomic(picture) as temporary:
        figure.savefig(temporary, dpi=110, format="png")
    pyplot.close(figure)
    return picture


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("data", type=Path, help="a CSV file of vitienv evaluate --game world")
    parser.add_argument("--plot", type=Path, required=True, help="draw it into this PNG file")
    args = parser.parse_args()
    plot(pd.read_csv(args.data), args.plot)


if __name__ == "__main__":
    main()

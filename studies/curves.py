"""Learning curves of multi-stage training runs, as data and as a plot.

    python studies/curves.py results/champions.csv --plot results/champions.png
    python studies/curves.py --gather runs/two --table "2 players"
    python studies/curves.py --gather runs/benchmark/two-selfplay-0 --table "two, seed 0"

A row is one evaluation: `table`, `bot` (opponent), `decisions` (training decisions of all stages so far), `games`,
`wins` and `points` of the greedy network. `vitienv compare` plots runs of one stage with intervals over seeds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from vitienv.agents.network import read_network
from vitienv.core.files import read_json
from vitienv.training.run_dir import CURVE, SETTINGS, WEIGHTS

COLUMNS = ["table", "bot", "decisions", "games", "wins", "points"]
WINS, POINTS = "win_rate_against_", "points_against_"


def gather(run: Path, table: str) -> pd.DataFrame:
    """Return the concatenated curves of all stages of a run, or that of a training. ValueError if there are none."""
    parts, before = [], 0
    stages = [folder for folder in sorted(run.glob("stage*")) or [run] if (folder / CURVE).exists()]
    for folder in stages:
        stage = pd.read_csv(folder / CURVE)
        stage = stage[
            (stage["decisions"] > 0) | (before == 0)
        ]  # a stage starts with the last evaluation of the previous one
        for name in [column.removeprefix(WINS) for column in stage if column.startswith(WINS)]:
            part = stage[["games"]].assign(
                table=table, bot=name, decisions=before + stage["decisions"], wins=stage[WINS + name],
                points=stage.get(POINTS + name, float("nan")),  # missing in runs of MaskablePPO
            )  # fmt: skip
            parts.append(part[COLUMNS].dropna(subset=["wins"]))  # a level is played in some evaluations
        if folder != stages[-1]:
            game = read_json(folder / SETTINGS)["settings"]["game"]
            before += read_network(folder / WEIGHTS, game).metadata["trained"]["decisions"]
    if not parts:
        raise ValueError(f"{str(run)!r} does not contain a curve")
    return pd.concat(parts, ignore_index=True)


def plot(rows: pd.DataFrame, picture: Path) -> Path:
    """Plot the win rates over the decisions, a line per table and bot."""
    from matplotlib.figure import Figure

    from vitienv.training.evaluation.plots import save_figure

    figure = Figure(figsize=(8, 4.5))
    axes = figure.subplots()
    for (table, bot), part in rows.groupby(["table", "bot"], sort=False):
        x = part["decisions"] / 1e6
        axes.plot(x, 100 * part["wins"], marker="o", markersize=3, label=f"{table}, against {bot}")
    axes.set(xlabel="decisions learned from (millions)", ylabel="games won (%)", ylim=(0, 100), xlim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    save_figure(figure, picture)
    return picture


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, help="CSV file of rows")
    parser.add_argument("--plot", type=Path, help="PNG file of the plot")
    parser.add_argument("--gather", type=Path, help="run directory whose rows are printed")
    parser.add_argument("--table", default="")
    args = parser.parse_args()
    rows = gather(args.gather, args.table) if args.gather else pd.read_csv(args.data)
    if args.plot is not None:
        plot(rows, args.plot)
    else:
        print(rows.to_csv(index=False), end="")


if __name__ == "__main__":
    main()

"""`make demo`: train a little, play a tournament with the result, show table and plot.

Given again, it goes on with the training where it stopped and plays a new tournament.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vitienv.commands.screen import cores
from vitienv.training.standings import show
from vitienv.training.tournament import Settings, run_tournament

BOTS = ("random", "heuristic", "visitors", "cellar")


def main() -> None:
    """Train for `--minutes`, then let the network and the bots play `--games` games of two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0, help="how long to train")
    parser.add_argument("--games", type=int, default=400, help="how many games the tournament has")
    parser.add_argument("--folder", type=Path, default=Path("runs/demo"), help="where everything is written")
    arguments = parser.parse_args()

    from rich.console import Console
    from rich.progress import Progress

    from vitienv.training.train import CHECKPOINT, CURVE, train

    console, folder = Console(), arguments.folder
    console.print(f"[bold]1. Training[/] a network for {arguments.minutes:g} minutes against random and heuristic")
    training = folder / "training"
    resume = (training / CHECKPOINT).exists()
    reached = train(minutes=arguments.minutes, run=training, resume=resume, checkpoint_seconds=20)
    console.print(f"   {reached['steps']:,} decisions; it wins {reached['win_rate_against_random']:.0%} against random")

    console.print(f"[bold]2. A tournament[/] of {arguments.games} games, every bot in every seat on the same seeds")
    settings = Settings((*BOTS, f"policy:{training / CHECKPOINT}"), 2, arguments.games, seed=reached["steps"])
    tournament = folder / f"tournament-{reached['steps']}"
    with Progress(console=console) as progress:
        task = progress.add_task("playing", total=arguments.games)
        results = run_tournament(settings, tournament, cores(), lambda done, _: progress.update(task, completed=done))
    console.print(show(results, console.width))
    picture = plot(results, training / CURVE, folder / "demo.png")
    console.print(f"[bold]3. Files[/]: {tournament} (table, games, replayable logs), {picture} (plot)")


def plot(results: dict[str, Any], curve: Path, picture: Path) -> Path:
    """Draw the learning curve and the ratings with their intervals into a PNG file."""
    import csv

    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with curve.open(encoding="utf-8", newline="") as file:
        points = [(float(row["decisions"]), float(row["win_rate_against_random"])) for row in csv.DictReader(file)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    left.plot(*zip(*points, strict=True), marker="o")
    left.set(xlabel="decisions of the learner", ylabel="win rate against random", ylim=(0, 1.02), title="Training")
    names = [bot["agent"].split("/")[-1] for bot in results["bots"]]
    ratings = [bot["rating"] for bot in results["bots"]]
    middle = [rating["mu"] for rating in ratings]
    reach = [[r["mu"] - r["low"] for r in ratings], [r["high"] - r["mu"] for r in ratings]]
    right.errorbar(middle, names, xerr=reach, fmt="o", capsize=4)
    right.invert_yaxis()
    right.set(xlabel="rating with its interval", title="Tournament")
    figure.savefig(picture, dpi=120)
    plt.close(figure)
    return picture


if __name__ == "__main__":
    main()

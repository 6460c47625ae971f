"""vitienv data: Parquet data sets of bot games for offline learning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from vitienv.console import (
    BACKEND,
    GAME,
    JSON,
    OPTION,
    PROCESSES,
    RULESET,
    SEED,
    TRUST,
    echo,
    print_json,
    print_remarks,
    progress,
    set_options,
    split_list,
)

FOLDER = typer.Argument(..., help="Directory of the data set.")


def application() -> typer.Typer:
    """Return the subcommands of `vitienv data`."""
    app = typer.Typer(help="Generate and export data sets, with one row per decision.", no_args_is_help=True)
    app.command("generate")(generate)
    app.command("info")(info)
    app.command("minari")(minari)
    return app


def generate(
    folder: Path = FOLDER,
    bots: str = typer.Option("heuristic", help="Bots separated by commas; they rotate over the seats."),
    players: int = typer.Option(2, help="Seats per table."),
    games: int = typer.Option(100, help="Total number of games."),
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Let bots play and write every decision: observation, action mask, action and outcome.

    The same command resumes an interrupted run.
    """
    from vitienv.extras import require
    from vitienv.training.evaluation import data_sets
    from vitienv.training.executors import executor
    from vitienv.training.workers import ExecutorLost

    require("a data set", "pyarrow")
    options, specs = set_options(assignments, game, ruleset), tuple(split_list(bots, "--bots"))
    settings = data_sets.Settings(specs, players, games, seed, options=options, game=game)
    backend_executor = executor(backend, processes)
    try:
        with progress("playing") as report:
            card = data_sets.write(settings, folder, backend_executor, report)
    except ExecutorLost as error:
        raise ExecutorLost(f"{error}; the same command resumes") from None
    except KeyboardInterrupt:
        echo("The same command resumes.", err=True)
        raise
    _print_card(folder, card, json)
    if not json:
        print_remarks(card, before="  ")


def info(folder: Path = FOLDER, json: bool = JSON) -> None:
    """Show the metadata of a data set, complete or not."""
    from vitienv.data import checked_card

    _print_card(folder, checked_card(folder), json)


def minari(
    folder: Path = FOLDER,
    name: str = typer.Argument(..., help="Name of the Minari data set, such as viticulture/heuristic-v0."),
    bot: str = typer.Option(None, help="Bot whose games are exported; required if the data set has several."),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Export a Minari data set: one episode per seat of a bot, as in the single-agent environment.

    Requires the extra `train`.
    """
    from vitienv.data.minari import to_minari

    dataset = to_minari(folder, name, bot)
    if json:
        print_json({"name": name, "episodes": int(dataset.total_episodes), "steps": int(dataset.total_steps)})
        return
    echo(f"{name}: {dataset.total_episodes:,} episodes, {dataset.total_steps:,} steps")


def _print_card(folder: Path, card: dict[str, Any], json: bool) -> None:
    summary = {name: value for name, value in card.items() if name not in ("parts", "layout")}
    rows = sum(card["parts"]) if "parts" in card else None
    summary |= {
        "rows": rows,
        "layout": {name: card["layout"].get(name) for name in ("digest", "observation", "actions")},
    }
    if json:
        print_json(summary | {"folder": str(folder)})
        return
    state = "incomplete" if rows is None else f"{rows:,} decisions"
    version_list = ", ".join(f"{name} {version}" for name, version in card["versions"].items())
    options = ", ".join(f"{name}={value}" for name, value in card["options"].items())
    layout = "{observation} features, {actions} actions, digest {digest}".format(**summary["layout"])
    for line in (
        f"{folder}: {card['games']:,} games of {card['game']}, {state}",
        f"  bots     {', '.join(map(str, card['agents']))}; seed {card.get('seed')}",
        f"  options  {options}",
        f"  layout   {layout}",
        f"  versions {version_list}",
    ):
        echo(line)

"""vitienv data: games of bots as rows of Parquet, to learn from without playing."""

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
    listed,
    print_json,
    print_remarks,
    progress,
    set_options,
)

FOLDER = typer.Argument(..., help="The folder of the data set.")


def application() -> typer.Typer:
    """The commands below `vitienv data`."""
    app = typer.Typer(help="Data sets: one row a decision, to be read by `vitienv.data.read`.", no_args_is_help=True)
    app.command("generate")(generate)
    app.command("info")(info)
    app.command("minari")(minari)
    return app


def generate(
    folder: Path = FOLDER,
    agents: str = typer.Option("heuristic", help="The bots, separated by commas; they take the seats in turn."),
    players: int = typer.Option(2, help="Seats at a table."),
    games: int = typer.Option(100, help="Games in all."),
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    max_years: int = typer.Option(60, min=1, help="Games are cut off after this year, or round."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Let bots play and write every decision: what was seen, allowed, chosen, and what came of it.

    When it was interrupted, the same command goes on where it was.
    """
    from vitienv.extras import require
    from vitienv.registry import game_spec
    from vitienv.training.evaluation import data_sets
    from vitienv.training.executors import executor
    from vitienv.training.workers import ExecutorLost

    require("a data set", "pyarrow")
    options: dict[str, Any] = {game_spec(game).options.LIMIT: max_years, **set_options(assignments, game, ruleset)}
    specs = tuple(listed(agents, "--agents"))
    settings = data_sets.Settings(specs, players, games, seed, options=options, game=game)
    where = executor(backend, processes)
    try:
        with progress("playing") as tell:
            card = data_sets.write(settings, folder, where, tell)
    except ExecutorLost as error:
        raise ExecutorLost(f"{error}; the same command goes on where this one was") from None
    except KeyboardInterrupt:
        echo("The same command goes on where this one was.", err=True)
        raise
    _tell(folder, card, json)
    if not json:
        print_remarks(card, before="  ")


def info(folder: Path = FOLDER, json: bool = JSON) -> None:
    """Tell how a data set was made, finished or not."""
    from vitienv.data import checked_card

    _tell(folder, checked_card(folder), json)


def minari(
    folder: Path = FOLDER,
    name: str = typer.Argument(..., help="What the Minari data set is called, such as viticulture/heuristic-v0."),
    agent: str = typer.Option(None, help="The bot whose games they become; may be left out if there is one alone."),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Make a Minari data set: an episode for each seat of a bot, as the environment of one learner gives it.

    Needs the extra `train`: pip install -e ".[train]" in the folder of vitienv's sources.
    """
    from vitienv.data.minari import to_minari

    made = to_minari(folder, name, agent)
    if json:
        print_json({"name": name, "episodes": int(made.total_episodes), "steps": int(made.total_steps)})
        return
    echo(f"{name}: {made.total_episodes:,} episodes, {made.total_steps:,} steps")


def _tell(folder: Path, card: dict[str, Any], json: bool) -> None:
    """A card on the screen, without the names of its layout."""
    short = {name: value for name, value in card.items() if name not in ("parts", "layout")}
    rows = sum(card["parts"]) if "parts" in card else None
    short |= {"rows": rows, "layout": {name: card["layout"].get(name) for name in ("digest", "observation", "actions")}}
    if json:
        print_json(short | {"folder": str(folder)})
        return
    state = "not finished" if rows is None else f"{rows:,} decisions"
    made = ", ".join(f"{name} {version}" for name, version in card["versions"].items())
    options = ", ".join(f"{name}={value}" for name, value in card["options"].items())
    layout = "{observation} observed numbers, {actions} actions, digest {digest}".format(**short["layout"])
    for line in (
        f"{folder}: {card['games']:,} games of {card['game']}, {state}",
        f"  bots     {', '.join(map(str, card['agents']))}; seed {card.get('seed')}",
        f"  options  {options}",
        f"  layout   {layout}",
        f"  made by  {made}",
    ):
        echo(line)

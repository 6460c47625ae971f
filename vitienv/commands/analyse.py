"""vitienv analyse: what a searching bot thinks of a position, or of the moves of a game."""

from __future__ import annotations

from pathlib import Path

import typer

from vitienv.commands.replay import load, named
from vitienv.console import JSON, SEED, TRUST, echo, print_json, progress
from vitienv.render.text import seat_name


def command(
    file: Path = typer.Argument(..., help="A position or a log (.json), or a log of many (.jsonl, .jsonl.gz)."),
    agent: str = typer.Option(None, help="A searching bot; by default ismcts with the networks that ship."),
    simulations: int = typer.Option(None, min=1, help="Simulations per search (2000; 200 per move of a log)."),
    milliseconds: float = typer.Option(None, help="Time per search, instead; results then depend on the machine."),
    move: int = typer.Option(None, min=0, help="Analyse the position after this many moves of a log."),
    game: int = typer.Option(None, min=0, help="Which game of a file of many; by default the first."),
    most: int = typer.Option(10, min=1, help="How many actions, or costly moves, are shown."),
    seed: int = SEED,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Show what a bot thinks: of a position each action's visits and value, of a game that is over what its moves cost.

    Values are from -1, as good as lost, to 1, as good as won, for the seat that decides.
    """
    from vitienv.agents.search.analysis import analyse

    loaded = load(file, game)
    with progress("thinking") as tell:
        analysis = analyse(loaded, agent, simulations, milliseconds, seed, move, tell)
    if json:
        print_json(analysis.to_dict())
        return
    players = loaded.get("options", {}).get("num_players") if isinstance(loaded.get("options"), dict) else None
    names = named(loaded, players) if isinstance(players, int) else []
    told = [f"{seat_name(seat)} ({name})" if name else seat_name(seat) for seat, name in enumerate(names)]
    for line in analysis.told(most, told):
        echo(line)

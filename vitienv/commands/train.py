"""vitienv train: a network learns to play."""

from __future__ import annotations

from pathlib import Path

import typer

from vitienv.commands.screen import JSON, SEED, listed, print_json


def command(
    opponents: str = typer.Option("random,heuristic", help="Bots to learn against, separated by commas."),
    players: int = typer.Option(2, help="Seats at the table, 2 to 6."),
    minutes: float = typer.Option(None, min=0.0, help="Stop after this time; by default 10 if --steps is not given."),
    steps: int = typer.Option(None, min=1, help="Stop after this many decisions of the learner."),
    run: Path = typer.Option(None, help="Run folder for checkpoints and curves; by default a new one in runs/."),
    agent_out: Path = typer.Option(None, help="Save the finished bot here too, to be played as policy:FILE."),
    resume: bool = typer.Option(False, help="Go on with the training in --run."),
    seed: int = SEED,
    json: bool = JSON,
) -> None:
    """Train a network with MaskablePPO against a mix of bots; resumable, with checkpoints and a TensorBoard log."""
    if resume and run is None:
        raise ValueError("--resume needs --run, the folder of the training to go on with")
    if not 2 <= players <= 6:
        raise ValueError(f"players is {players}; it must be from 2 to 6")
    mix = listed(opponents, "--opponents")
    try:
        from vitienv.training.train import train
    except ModuleNotFoundError as error:
        raise ValueError(f"training needs {error.name}: install vitienv[train]") from None
    result = train(
        opponents=mix, num_players=players, minutes=minutes, steps=steps, run=run, agent_out=agent_out, resume=resume,
        seed=seed,
    )  # fmt: skip
    if json:
        print_json(result)
        return
    typer.echo(", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in result.items()))

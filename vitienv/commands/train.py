"""vitienv train: a network learns to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from vitienv.commands.screen import JSON, SEED, listed, print_json


def command(
    opponents: str = typer.Option(None, help="Bots to learn against [default: random,heuristic; solo none]."),
    players: int = typer.Option(None, help="Seats at the table, 2 to 6 [default: 2, solo 1]."),
    ruleset: str = typer.Option("essential", help="essential, original, or solo: alone against the Automa."),
    difficulty: str = typer.Option(None, help="Level of the Automa, very_easy to very_hard."),
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
    mix = None if opponents is None else listed(opponents, "--opponents")
    options: dict[str, Any] = {"ruleset": ruleset} | ({} if difficulty is None else {"difficulty": difficulty})
    try:
        from vitienv.training.train import train
    except ModuleNotFoundError as error:
        raise ValueError(f"training needs {error.name}: install vitienv[train]") from None
    result = train(
        opponents=mix, num_players=players, minutes=minutes, steps=steps, run=run, agent_out=agent_out, resume=resume,
        seed=seed, **options,
    )  # fmt: skip
    if json:
        print_json(result)
        return
    typer.echo(", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in result.items()))

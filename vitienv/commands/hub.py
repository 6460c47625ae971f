"""vitienv hub: a folder for a model hub, which a person uploads."""

from __future__ import annotations

from pathlib import Path

import typer

from vitienv.commands.screen import GAME, JSON, TRUST_GAME, print_json


def command(
    folder: Path = typer.Argument(..., help="The new folder."),
    source: Path = typer.Argument(
        Path("champion"), help="champion (the networks that ship), a file of weights, a run folder, or a data set."
    ),
    game: str = GAME,
    trust: bool = TRUST_GAME,
    json: bool = JSON,
) -> None:
    """Make a folder that you can upload to a model hub: weights or a data set, with a card and the licence.

    Nothing is uploaded. Results on the card are those of the documentation.
    """
    from vitienv.training.hub import make

    files = make(folder, source, game)
    if json:
        print_json({"folder": str(folder), "files": files})
        return
    typer.echo(f"{folder}: {', '.join(files)}")

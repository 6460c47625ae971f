"""vitienv bot: begin an own bot, with a test of it, in the working folder."""

from __future__ import annotations

import keyword
import re
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import typer

from vitienv.commands.screen import GAME, JSON, print_json

PLACEHOLDER = "NAME"


def application() -> typer.Typer:
    """The commands below `vitienv bot`."""
    app = typer.Typer(help="Bots of your own.", no_args_is_help=True)
    app.callback()(lambda: None)
    app.command("new")(new)
    return app


def new(
    name: str = typer.Argument(..., help="Its name, in small letters: mybot is written into mybot.py."),
    game: str = GAME,
    json: bool = JSON,
) -> None:
    """Write NAME.py, a bot that plays, and test_NAME.py into the working folder; nothing is written over.

    The bot is then known as NAME.Bot to every command, as long as it is given in that folder.
    """
    from vitienv.core.files import atomic
    from vitienv.games import definition

    made = definition(game)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"a bot's name is in small letters, digits and '_', not {name!r}")
    if made.template is None:
        raise ValueError(f"{made.title} has no bot to begin with; docs/own-bots.md tells what a bot is")
    folder = resources.files(made.template)
    texts = {Path(f"{name}.py"): folder / "bot.py", Path(f"test_{name}.py"): folder / "test_bot.py"}
    for path in texts:
        if path.exists():
            raise ValueError(f"{str(path)!r} is there already; choose another name")
    with ExitStack() as both:  # or none of them
        for path, template in texts.items():
            text = template.read_text(encoding="utf-8").replace(PLACEHOLDER, name)
            both.enter_context(atomic(path)).write_text(text, encoding="utf-8")
    if json:
        print_json({"agent": f"{name}.Bot", "files": [str(path) for path in texts]})
        return
    typer.echo(f"Written: {', '.join(map(str, texts))}. Its test: python -m pytest test_{name}.py")
    typer.echo(f"Rate it: vitienv tournament {name}.Bot random heuristic visitors cellar --players 4 --games 100")

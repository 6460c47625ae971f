"""vitienv cards: texts and rulings of cards."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import typer

from vitienv.console import GAME, JSON, OPTION, RULESET, set_options
from vitienv.registry import game_spec


def command(
    words: list[str] = typer.Argument(None, help="Card id, such as broker, or words to search in ids and texts."),
    deck: str = typer.Option(None, help="Deck to search: vine, order, summer, winter, mama, papa or Automa."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    json: bool = JSON,
) -> None:
    """List or search the cards; a single match is printed with its rulings.

    With --game world: tiles, events, aims, red and blue cards and partner cards, and whether they are placeholders;
    --option components=FILE shows data from your own copy of the game.
    """
    options = game_spec(game).options.of(**set_options(assignments, game, ruleset))
    package = f"vitienv.commands.{options.game_spec.name}"
    if find_spec(package) is None or find_spec(f"{package}.cards") is None:
        raise ValueError(f"{options.game_spec.title} has no list of cards")
    import_module(f"{package}.cards").show(options, [word.lower() for word in words or ()], deck, json)

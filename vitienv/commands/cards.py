"""vitienv cards: the text and the rulings of a card."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import typer

from vitienv.console import GAME, JSON, OPTION, RULESET, set_options
from vitienv.registry import game_spec


def command(
    words: list[str] = typer.Argument(None, help="A card's id (broker), or words that its id or text contains."),
    deck: str = typer.Option(None, help="Only this deck: vine, order, summer, winter, mama, papa, Automa."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    json: bool = JSON,
) -> None:
    """List or search the cards; print the rulings of a single one.

    With --game world: tiles, events, aims, red and blue cards and the partner's, and which of them are stand-ins;
    --option components=FILE shows an owner's data.
    """
    options = game_spec(game).options.of(**set_options(assignments, game, ruleset))
    home = f"vitienv.commands.{options.game_spec.name}"
    if find_spec(home) is None or find_spec(f"{home}.cards") is None:
        raise ValueError(f"{options.game_spec.title} has no cards that could be listed")
    import_module(f"{home}.cards").show(options, [word.lower() for word in words or ()], deck, json)

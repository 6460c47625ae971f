"""vitienv cards: find a card, its row, its verbs and its tests."""

from __future__ import annotations

import difflib
from typing import Any

import typer

from vitienv.commands.screen import JSON, SET, print_json, set_options
from vitienv.games import definition


def command(
    words: list[str] = typer.Argument(None, help="A card's id (broker), or words that its id or row contains."),
    deck: str = typer.Option(None, help="Only this deck: vine, order, summer, winter, mama, papa."),
    given: list[str] = SET,
    json: bool = JSON,
) -> None:
    """List or search the cards; for a single one tell what it says, its row, the verbs it uses and its tests.

    With --set ruleset=world: tiles, events, aims, red and blue cards and the partner's, and which of them are
    stand-ins; --set components=FILE shows an owner's data.
    """
    options = definition().options.of(**set_options(given, "viticulture"))
    if options.definition.data is not None:
        _components(options, [word.lower() for word in words or ()], json)
        return
    from vitienv.commands.viticulture.card_index import DECK_FILES, all_cards

    if deck is not None and deck not in DECK_FILES:
        raise ValueError(f"unknown deck {deck!r}; there is {', '.join(DECK_FILES)}")
    sought = [word.lower() for word in words or ()]
    in_deck = [card for card in all_cards().values() if deck in (None, card.deck)]
    exact = [card for card in in_deck if card.id == "_".join(sought)]
    found = exact or [card for card in in_deck if all(w in card.id or w in card.row.lower() for w in sought)]
    if not found:
        name = "_".join(sought)
        close = difflib.get_close_matches(name, [card.id for card in in_deck], n=3)
        raise ValueError(f"no card {name!r}" + (f"; did you mean {', '.join(close)}?" if close else ""))
    if json:
        print_json([card.to_dict() for card in found])
    elif len(found) > 1:
        for card in found:
            typer.echo(f"{card.deck:<7} {card.id:<24} {card.row}")
    else:
        card = found[0]
        typer.echo(f"{card.id}, {card.deck}")
        for text in definition().wording.about(card.id):
            typer.echo(f"  {text}")
        typer.echo(f"  row    {card.place.file}:{card.place.line}\n         {card.row}")
        for title, places in (("verbs", card.verbs), ("tests", card.tests)):
            for i, place in enumerate(places):
                typer.echo(f"  {title if i == 0 else '':<6} {place.file}:{place.line}  {place.name}")
        if not card.tests:
            typer.echo("  tests  none beside this installation")


def _components(options: Any, sought: list[str], json: bool) -> None:
    """List what a ruleset with data of its own is played with, or what has all these words in it."""
    from vitienv.viticulture.rulesets.world import CONTINENTS, tables_of
    from vitienv.world.render.things import Things

    own = Things(tables_of(options))
    rules = [own.rule(name)._replace(word=f"rule:{name}") for name in CONTINENTS]
    events = [event for name in CONTINENTS for event in own.events(name)]
    everything = [*own.tiles, *rules, *events, *own.aims, *own.parents, *own.partner]
    found = [one for one in everything if all(word in " ".join(one[:3]).lower() for word in sought)]
    if not found:
        raise ValueError(f"no component with {' '.join(sought)!r}; leave the words out to see all {len(everything)}")
    if json:
        print_json([one._asdict() for one in found])
        return
    for one in found:
        typer.echo(f"{one.word:<24} {one.title}{' (stand-in)' if one.is_stand_in else ''}: {one.text}")
    made_up = sum(one.is_stand_in for one in found)
    typer.echo(f"{made_up} of {len(found)} are stand-ins: the printed components could not be looked up")

"""What vitienv cards tells of Viticulture: a card, its row, its verbs and its tests."""

from __future__ import annotations

import difflib
from typing import Any

import typer

from vitienv.commands.screen import print_json

CLOSE = 0.75  # of the letters are the same, as in brokr and broker; at 0.6 "nosuch" is close to "josh"


def show(options: Any, sought: list[str], deck: str | None, json: bool) -> None:
    """List the cards that have all these words in their row; tell all of a single one."""
    from vitienv.commands.viticulture.card_index import DECK_FILES, all_cards

    if deck is not None and deck not in DECK_FILES:
        raise ValueError(f"unknown deck {deck!r}; there is {', '.join(DECK_FILES)}")
    in_deck = [card for card in all_cards().values() if deck in (None, card.deck)]
    exact = [card for card in in_deck if card.id == "_".join(sought)]
    matching = exact or [card for card in in_deck if all(w in card.id or w in card.row.lower() for w in sought)]
    if not matching:
        name = "_".join(sought)
        close = difflib.get_close_matches(name, [card.id for card in in_deck], n=3, cutoff=CLOSE)
        raise ValueError(f"no card {name!r}" + (f"; did you mean {', '.join(close)}?" if close else ""))
    if json:
        print_json([card.to_dict() for card in matching])
    elif len(matching) > 1:
        for card in matching:
            typer.echo(f"{card.deck:<7} {card.id:<24} {card.row}")
    else:
        card = matching[0]
        typer.echo(f"{card.id}, {card.deck}")
        for text in options.definition.wording.about(card.id):
            typer.echo(f"  {text}")
        typer.echo(f"  row    {card.place.file}:{card.place.line}\n         {card.row}")
        for title, places in (("verbs", card.verbs), ("tests", card.tests)):
            for i, place in enumerate(places):
                typer.echo(f"  {title if i == 0 else '':<6} {place.file}:{place.line}  {place.name}")
        if not card.tests:
            typer.echo("  tests  none beside this installation")

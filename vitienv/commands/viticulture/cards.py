"""Cards of Viticulture in `vitienv cards`: texts and rulings."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import vitienv
from vitienv.console import echo, print_json

MIN_SIMILARITY = 0.75  # matches brokr and broker; at 0.6 "nosuch" would match "josh"
RULINGS = Path(vitienv.__file__).resolve().parents[1] / "docs" / "rulings.md"  # missing in an installed package


def show(options: Any, words: list[str], deck: str | None, json: bool) -> None:
    """Print the cards that contain all words; a single match with its rulings."""
    from vitienv.viticulture.render.text.cards import CARDS

    kinds = list(dict.fromkeys(card.kind for card in CARDS.values()))
    decks = {kind.partition(" ")[0] if kind != "wine order" else "order": kind for kind in kinds}
    if deck is not None and deck not in decks:
        raise ValueError(f"unknown deck {deck!r}; expected one of: {', '.join(decks)}")
    in_deck = {name: card for name, card in CARDS.items() if deck is None or card.kind == decks[deck]}
    name = "_".join(words)
    matching = {name: in_deck[name]} if name in in_deck else {
        key: card for key, card in in_deck.items() if all(word in f"{key} {card.text}".lower() for word in words)
    }  # fmt: skip
    if not matching:
        close = difflib.get_close_matches(name, in_deck, n=3, cutoff=MIN_SIMILARITY)
        raise ValueError(f"unknown card {name!r}" + (f"; did you mean {', '.join(close)}?" if close else ""))
    if json:
        print_json([{"id": key, **card._asdict(), "rulings": rulings_of(key)} for key, card in matching.items()])
        return
    for key, card in matching.items():
        echo(f"{key:<24} {card.title}, {card.kind}. {card.text}")
    if len(matching) == 1:
        for ruling in rulings_of(next(iter(matching))):
            echo(f"  {ruling}")


def rulings_of(card: str) -> list[str]:
    """Return the rulings that a card's tests cover: number, question and decision."""
    if not RULINGS.is_file():
        return []
    rows = [line.strip("| \n").split(" | ") for line in RULINGS.read_text(encoding="utf-8").splitlines()]
    test = re.compile(rf"`cards/\w+\.py::{card.upper()}`")
    return [f"{row[0]} {row[1]} {row[2]}" for row in rows if len(row) == 6 and test.search(row[5])]

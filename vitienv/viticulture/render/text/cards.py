"""Texts of all cards, made from their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from vitienv.viticulture.cards import (
    AUTOMA_CARDS,
    CARD_IDS,
    DECK_OF_KIND,
    MAMAS,
    ORDERS,
    PAPAS,
    SUMMER_VISITORS,
    VINES,
    WINTER_VISITORS,
)
from vitienv.viticulture.cards.automa import AutomaCard
from vitienv.viticulture.cards.mamas import Mama
from vitienv.viticulture.cards.orders import Order
from vitienv.viticulture.cards.papas import GIFT_VICTORY_POINT, GIFT_WORKER, Papa
from vitienv.viticulture.cards.parts import Visitor
from vitienv.viticulture.cards.vines import Vine
from vitienv.viticulture.enums import ACTS, COLOURS, DECK_NOUNS, DECKS, STRUCTURES, WINES
from vitienv.viticulture.render.text.parts import visitor_text
from vitienv.viticulture.render.text.phrases import a, lira, listed, plain, points, title

VISITORS = (*SUMMER_VISITORS, *WINTER_VISITORS)


class CardDescription(NamedTuple):
    """Card: its title, kind, one-line text and full text."""

    title: str
    kind: str
    short: str
    text: str


def yields(row: Vine) -> str:
    """Return the values of a vine: "red 1, white 1"."""
    return ", ".join(f"{colour} {n}" for colour, n in zip(COLOURS, (row.red, row.white), strict=True) if n)


def needs(row: Vine) -> str:
    """Return the structures that a vine requires, "" without any."""
    return listed(
        name for name, is_required in (("trellis", row.trellis), ("irrigation", row.irrigation)) if is_required
    )


def _vine(row: Vine) -> CardDescription:
    structures = needs(row)
    text = f"A vine that yields {yields(row)}. It takes {row.red + row.white} of a field's limit"
    text += f" and requires {structures}." if structures else " and requires no structure."
    short = yields(row) + (f"; needs {structures}" if structures else "")
    return CardDescription(title(row.id), "vine card", short, f"{text} There are {row.copies} of these cards.")


def wines_of(row: Order) -> str:
    """Return the wines of an order: "red 3 and white 1"."""
    return listed(f"{WINES[kind]} {min_value}" for kind, min_value in row.wines)


def _order(row: Order) -> CardDescription:
    wines = wines_of(row)
    text = f"Give wines of these values or more: {wines}. You score {points(row.vp)}, and your residual payments rise "
    text += f"by {lira(row.residual)} a year."
    short = f"{wines} for {points(row.vp)}, +{row.residual} a year"
    return CardDescription(f"Order for {wines}", "wine order", short, text)


def _visitor(row: Visitor, deck: str) -> CardDescription:
    text = visitor_text(row)
    return CardDescription(title(row.id), DECK_NOUNS[deck], text, text)


def _mama(row: Mama) -> CardDescription:
    numbers = zip(("vine", "order", "summer", "winter"), (row.vine, row.order, row.summer, row.winter), strict=True)
    gifts = [a(n, DECK_NOUNS[deck]) for deck, n in numbers if n] + [lira(row.lira)] * bool(row.lira)
    return CardDescription(title(row.id), "mama", listed(gifts), f"You start with {listed(gifts)} and two workers.")


def gift_of(row: Papa) -> str:
    """Return the gift of a papa."""
    if row.gift == GIFT_WORKER:
        return "a third worker"
    return points(1) if row.gift == GIFT_VICTORY_POINT else f"the {plain(STRUCTURES[row.gift])}"


def _papa(row: Papa) -> CardDescription:
    gifts = f"{gift_of(row)} or {row.gift_lira} more lira"
    text = f"You start with {lira(row.lira)} and the grande worker, and choose: {gifts}."
    return CardDescription(title(row.id), "papa", f"{lira(row.lira)}, and {gifts}", text)


def _automa(row: AutomaCard) -> CardDescription:
    seasons = [("In summer", row.summer), ("In winter", row.winter)]
    text = " ".join(
        f"{season} its workers block {listed(plain(ACTS[act]).capitalize() for act in acts)}."
        if acts
        else f"{season} it blocks nothing."
        for season, acts in seasons
    )
    return CardDescription(f"Automa {row.id[-2:]}", "Automa card", text, text)


def _all() -> Mapping[str, CardDescription]:
    cards: dict[str, CardDescription] = {row.id: _vine(row) for row in VINES} | {row.id: _order(row) for row in ORDERS}
    cards |= {row.id: _visitor(row, "summer") for row in SUMMER_VISITORS}
    cards |= {row.id: _visitor(row, "winter") for row in WINTER_VISITORS}
    cards |= {row.id: _mama(row) for row in MAMAS} | {row.id: _papa(row) for row in PAPAS}
    return cards | {row.id: _automa(row) for row in AUTOMA_CARDS}


CARDS = _all()


def card_of(kind: int) -> CardDescription:
    """Return the description of a card by kind."""
    return CARDS[CARD_IDS[int(kind)]]


def card_summary(kind: int) -> str:
    """Return the name of a card with its most important numbers."""
    card, deck = card_of(kind), deck_of(kind)
    name = plain(CARD_IDS[kind]) if deck == "order" else card.title
    return f"{name} ({card.short})" if deck in ("vine", "order") else name


def deck_of(kind: int) -> str:
    """Return the deck of a card."""
    return DECKS[int(DECK_OF_KIND[int(kind)])]


def hand_by_deck(hand: np.ndarray) -> dict[str, list[int]]:
    """Return the cards of a hand (kinds,) by deck, with duplicates."""
    kinds_by_deck: dict[str, list[int]] = {deck: [] for deck in DECKS}
    for kind in np.flatnonzero(hand > 0):
        kinds_by_deck[deck_of(int(kind))] += [int(kind)] * int(hand[kind])
    return {deck: kinds for deck, kinds in kinds_by_deck.items() if kinds}


def cards_drawn(counts: Any) -> str:
    """Return face-down cards by deck. counts: (decks,)."""
    return listed(a(int(n), DECK_NOUNS[DECKS[deck]]) for deck, n in enumerate(counts) if n > 0)

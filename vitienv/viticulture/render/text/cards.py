"""Every card in words, made from its row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from vitienv.viticulture.cards import (
    AUTOMA_CARDS,
    CARD_IDS,
    DECK_OF_KIND,
    FIRST_ORDER,
    FIRST_SUMMER,
    KIND,
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


class ActionDescription(NamedTuple):
    """A card: what it is called, which kind of card it is, what it says in a line and in full."""

    title: str
    kind: str
    short: str
    text: str


def yields(row: Vine) -> str:
    """The values of a vine: "red 1, white 1"."""
    return ", ".join(f"{colour} {n}" for colour, n in zip(COLOURS, (row.red, row.white), strict=True) if n)


def needs(row: Vine) -> str:
    """The structures that a vine needs, "" if none."""
    return listed(name for name, needed in (("trellis", row.trellis), ("irrigation", row.irrigation)) if needed)


def _vine(row: Vine) -> ActionDescription:
    needed = needs(row)
    text = f"A vine that yields {yields(row)}. It takes {row.red + row.white} of a field's limit"
    text += f" and can be planted only by who has {needed}." if needed else " and needs no structure."
    short = yields(row) + (f"; needs {needed}" if needed else "")
    return ActionDescription(title(row.id), "vine card", short, f"{text} There are {row.copies} of these cards.")


def wines_of(row: Order) -> str:
    """The wines that an order asks for: "red 3 and white 1"."""
    return listed(f"{WINES[kind]} {least}" for kind, least in row.wines)


def order_title(row: Order) -> str:
    """An order is known by its wines."""
    return f"Order for {wines_of(row)}"


def _order(row: Order) -> ActionDescription:
    wines = wines_of(row)
    text = f"Give wines of these values or more: {wines}. You score {points(row.vp)}, and your residual payments rise "
    text += f"by {lira(row.residual)} a year."
    return ActionDescription(
        order_title(row), "wine order", f"{wines} for {points(row.vp)}, +{row.residual} a year", text
    )


def _visitor(row: Visitor, deck: str) -> ActionDescription:
    text = visitor_text(row)
    return ActionDescription(title(row.id), DECK_NOUNS[deck], text, text)


def _mama(row: Mama) -> ActionDescription:
    numbers = zip(("vine", "order", "summer", "winter"), (row.vine, row.order, row.summer, row.winter), strict=True)
    given = [a(n, DECK_NOUNS[deck]) for deck, n in numbers if n] + [lira(row.lira)] * bool(row.lira)
    return ActionDescription(
        title(row.id), "mama", listed(given), f"You begin with {listed(given)}, besides your two workers."
    )


def gift_of(row: Papa) -> str:
    """What a papa gives besides his lira, unless more lira are taken instead."""
    if row.gift == GIFT_WORKER:
        return "a third worker"
    return points(1) if row.gift == GIFT_VICTORY_POINT else f"the {plain(STRUCTURES[row.gift])}"


def _papa(row: Papa) -> ActionDescription:
    gifts = f"{gift_of(row)} or {row.gift_lira} more lira"
    text = f"You begin with {lira(row.lira)} and the grande worker, and choose: {gifts}."
    return ActionDescription(title(row.id), "papa", f"{lira(row.lira)}, and {gifts}", text)


def act_title(act: int) -> str:
    """An action of the board."""
    return plain(ACTS[act]).capitalize()


def _automa(row: AutomaCard) -> ActionDescription:
    seasons = [("In summer", row.summer), ("In winter", row.winter)]
    text = " ".join(
        f"{season} its workers block {listed(act_title(act) for act in acts)}."
        if acts
        else f"{season} it blocks nothing."
        for season, acts in seasons
    )
    return ActionDescription(f"Automa {row.id[-2:]}", "Automa card", text, text)


def _all() -> Mapping[str, ActionDescription]:
    cards: dict[str, ActionDescription] = {row.id: _vine(row) for row in VINES} | {
        row.id: _order(row) for row in ORDERS
    }
    cards |= {row.id: _visitor(row, "summer") for row in SUMMER_VISITORS}
    cards |= {row.id: _visitor(row, "winter") for row in WINTER_VISITORS}
    cards |= {row.id: _mama(row) for row in MAMAS} | {row.id: _papa(row) for row in PAPAS}
    return cards | {row.id: _automa(row) for row in AUTOMA_CARDS}


CARDS = _all()  # by id


def card_of(kind: int) -> ActionDescription:
    """The words of a card by the number of its kind."""
    return CARDS[CARD_IDS[int(kind)]]


def card_title(kind: int) -> str:
    """What a card is called; an order by what it asks for."""
    return card_of(kind).title


def number_of(name: str) -> int:
    """The kind of a `card:` action's name, such as card:vine:pinot."""
    return KIND[name.removeprefix("card:")]


def deck_of(kind: int) -> str:
    """The deck that a card belongs to."""
    return DECKS[int(DECK_OF_KIND[int(kind)])]


def vine_row(kind: int) -> Vine:
    """The row of a vine card's kind."""
    return VINES[int(kind)]


def order_row(kind: int) -> Order:
    """The row of an order's kind."""
    return ORDERS[int(kind) - FIRST_ORDER]


def visitor_row(kind: int) -> Visitor:
    """The row of a visitor's kind."""
    return VISITORS[int(kind) - FIRST_SUMMER]


def held(hand: np.ndarray) -> dict[str, list[int]]:
    """The kinds in a hand (kinds,) by deck, each as often as it is held."""
    found: dict[str, list[int]] = {deck: [] for deck in DECKS}
    for kind in np.flatnonzero(hand > 0):
        found[deck_of(int(kind))] += [int(kind)] * int(hand[kind])
    return {deck: kinds for deck, kinds in found.items() if kinds}


def cards_drawn(counts: Any) -> str:
    """Cards that others see only the backs of: counts (decks,) by deck."""
    return listed(a(int(n), DECK_NOUNS[DECKS[deck]]) for deck, n in enumerate(counts) if n > 0)

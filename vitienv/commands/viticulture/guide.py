"""Tables of the cards for those who learn the game, in the words of the cards; the rest is in its primer."""

from __future__ import annotations

from vitienv.commands.viticulture.card_index import Card, all_cards
from vitienv.core.english import markdown
from vitienv.viticulture.cards import ORDERS, SUMMER_VISITORS, WINTER_VISITORS
from vitienv.viticulture.render.words.cards import CARDS, wines_of


def orders_table() -> str:
    """The wine orders."""
    rows = [(order.id[-2:], wines_of(order), str(order.vp), str(order.residual)) for order in ORDERS]
    return markdown(("order", "wines of these values or more", "points", "lira a year"), rows)


def summer_visitors_table() -> str:
    """The summer visitors."""
    return _visitors(SUMMER_VISITORS)


def winter_visitors_table() -> str:
    """The winter visitors."""
    return _visitors(WINTER_VISITORS)


def _visitors(rows: tuple) -> str:
    return markdown(
        ("visitor", "what happens", "functions", "tests"),
        [(CARDS[row.id].title, CARDS[row.id].text, *_places(all_cards()[row.id])) for row in rows],
    )


def _places(card: Card) -> tuple[str, str]:
    """The functions of a card and the files of its tests, without line numbers, which change often."""
    verbs = [f"`{verb.file.removeprefix('vitienv/viticulture/')}::{verb.name}`" for verb in card.verbs]
    tests = dict.fromkeys(f"`{test.file.removeprefix('tests/')}`" for test in card.tests)
    return ", ".join(verbs), ", ".join(tests)

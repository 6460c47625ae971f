"""Tables of the cards for those who learn the game, in the words of the cards; the rest is in its primer."""

from __future__ import annotations

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
    return markdown(("visitor", "what happens"), [(CARDS[row.id].title, CARDS[row.id].text) for row in rows])

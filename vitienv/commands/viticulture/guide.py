"""Tables for those who learn the game, in the words of its cards and with the numbers of its rules."""

from __future__ import annotations

from vitienv.commands.tables import markdown
from vitienv.commands.viticulture.card_index import Card, all_cards
from vitienv.viticulture.board import Row
from vitienv.viticulture.cards import ORDERS, SUMMER_VISITORS, VINES, WINTER_VISITORS
from vitienv.viticulture.names import N_SUMMER_ACTIONS, STRUCTURES, Act
from vitienv.viticulture.render.words.board import (
    act_name,
    act_text,
    bonus_text,
    row_text,
    structure_price,
    structure_text,
)
from vitienv.viticulture.render.words.cards import CARDS, needs, wines_of


def board_table() -> str:
    """The actions of the board with their bonuses."""
    rows = []
    for act in Act:
        season = "summer" if act < N_SUMMER_ACTIONS else "winter"
        bonus = bonus_text(int(act))
        rows.append((season if bonus else "both", act_name(int(act)), act_text(int(act)), bonus))
    return markdown(("season", "action", "what it does", "bonus of its middle space"), rows)


def wake_up_table() -> str:
    """The rows of the wake-up chart."""
    return markdown(("row", "bonus"), [(str(int(row)), row_text(int(row))) for row in Row])


def structures_table() -> str:
    """The structures with their prices."""
    rows = [
        (name.replace("_", " "), str(structure_price(i)), structure_text(i)) for i, name in enumerate(STRUCTURES)
    ]
    return markdown(("structure", "lira", "what it is for"), rows)


def vines_table() -> str:
    """The vine cards."""
    rows = [(CARDS[vine.id].title, str(vine.red or ""), str(vine.white or ""), needs(vine), str(vine.copies))
            for vine in VINES]  # fmt: skip
    return markdown(("vine", "red", "white", "needs", "cards"), rows)


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
    """Where a card is carried out, and the files of its tests. No lines, so that a page changes only with those."""
    verbs = [f"`{verb.file.removeprefix('vitienv/viticulture/')}::{verb.name}`" for verb in card.verbs]
    tests = dict.fromkeys(f"`{test.file.removeprefix('tests/')}`" for test in card.tests)
    return ", ".join(verbs), ", ".join(tests)

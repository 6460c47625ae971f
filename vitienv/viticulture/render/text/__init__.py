"""Text interface of Viticulture, see `vitienv.render.text`; texts are made from card rows and rule parameters."""

from __future__ import annotations

from typing import Any

from vitienv.core.text_utils import read_integer
from vitienv.viticulture.cards import CARD_IDS, CARD_NAMES
from vitienv.viticulture.enums import ACTS, STRUCTURES
from vitienv.viticulture.render.text.board import NEUTRAL, explain_term, row_text, term_names
from vitienv.viticulture.render.text.cards import CARDS, hand_by_deck
from vitienv.viticulture.render.text.choices import choice, picks
from vitienv.viticulture.render.text.events import describe_move
from vitienv.viticulture.render.text.phrases import sentence
from vitienv.viticulture.render.text.primer import primer
from vitienv.viticulture.render.text.prompts import TURNS, Prompt, question
from vitienv.viticulture.render.text.table import aim, table

__all__ = ["TURNS", "Prompt", "aim", "choice", "component_aliases", "describe_move", "explain", "in_hand",
           "picks", "primer", "question", "table", "topics"]  # fmt: skip


def explain(topic: str, game: Any = None) -> list[str]:
    """Return paragraphs on a card, action, structure, wake-up row or term by name, [] if it is unknown."""
    rules = NEUTRAL if game is None else game.state.rules
    name = "_".join(topic.lower().split())
    block, _, argument = name.partition(":")
    if game is not None and not game.is_over and name in game.legal_actions() and block not in ("card", "place"):
        is_name = argument and read_integer(argument) is None  # a number alone is the number of an order
        return [sentence(choice(Prompt(game), name).line), *(explain(argument, game) if is_name else [])]
    if block in ("card", "place", "structure", "deck"):
        name = argument.rpartition(":")[2] if block == "card" else argument.partition(":")[0]
    if block == "wake_up" and (row := read_integer(argument)) is not None and 1 <= row <= 7:
        return [sentence(f"wake-up row {row}: {row_text(row)}")]
    return [_card(card) for card in _cards(name)] or explain_term(name, rules)


def _cards(name: str) -> list[str]:
    if name in CARDS:
        return [name]
    if name in ACTS or name in STRUCTURES or not name or name in term_names():
        return []
    if (number := read_integer(name.removeprefix("order_"))) is not None:
        name = f"order_{number:02}"
    return [card for card in CARDS if card.startswith(name)]


def in_hand(game: Any, viewer: int) -> list[str]:
    """Return the texts of the viewer's visitors; the table shows the rest of the hand."""
    hand = hand_by_deck(game.state.hand[viewer])
    return [_card(CARD_IDS[kind]) for deck in ("summer", "winter") for kind in hand.get(deck, ())]


def _card(card: str) -> str:
    description = CARDS[card]
    return f"{description.title}, {description.kind}. {description.text}"


def component_aliases(options: Any) -> list[tuple[str, ...]]:
    """Return the parents."""
    return [("parent", word) for word in sorted(CARDS) if CARDS[word].kind in ("mama", "papa")]


def topics(game: Any = None) -> list[str]:
    """Return the names accepted by `explain`."""
    return sorted({*CARDS, *term_names(), *(name.rpartition(":")[2] for name in CARD_NAMES)})
